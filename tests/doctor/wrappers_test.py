"""torchada doctor: the program that a wrapper starts is examined, or doctor says that it was not."""
import itertools
import os
import stat
import subprocess

import support
from planted import FIXTURES, PYTHON, DoctorTest, in_order, main
from support import OK, TORCHADA, start

# Looks for what only NVIDIA's driver makes.
SCRIPT = """import os, ctypes
if not os.path.exists("/dev/nvidia0"):
    raise SystemExit("no gpu")
ctypes.CDLL("libcudart.so.12").cudaGetDeviceCount()
"""


class Wrappers(DoctorTest):

    def setUp(self):
        self.where = self.folder()
        self.script = self.write("needs_nvidia0.py", SCRIPT)

    def write(self, name, text, runs=False):
        path = os.path.join(self.where, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        if runs:
            os.chmod(path, stat.S_IRWXU)
        return path

    def is_followed(self, *words, **environment):
        findings = self.examine("--run", "--", *words, **environment)
        self.assertEqual("script-cannot-run", findings[0]["id"], (words, findings))

    def is_open(self, why, *words, **environment):
        """Nothing is known, and doctor says so."""
        findings = self.examine("--run", "--", *words, status=OK, **environment)
        self.assertEqual(("program-not-examined", "warning"), (findings[0]["id"], findings[0]["severity"]),
                         (words, findings))
        self.assertIn(why, findings[0]["evidence"][0]["value"])

    def test_programs_that_start_others(self):
        run = [PYTHON, self.script]
        for words in (["env"], ["env", "-u", "HOME", "NAME=value", "nice", "-n", "5", "nohup"],
                      ["timeout", "-k", "1", "60", "stdbuf", "-oL"],
                      ["timeout", "--signal=KILL", "60", "taskset", "1"]):
            self.is_followed(*words, *run)

    def test_shell_scripts(self):
        arguments = {"PROGRAM": PYTHON, "SCRIPT": self.script}
        shells = itertools.cycle(("#!/bin/sh\n", "#!/usr/bin/env bash\n", ""))
        for text, words in (
                ("exec {PROGRAM} {SCRIPT}\n", []), ("{PROGRAM} '{SCRIPT}' \"$@\"\n", ["--more"]),
                ("# a comment\nset -eu\nexport A=1 B=\"$HOME/x\"\nP={PROGRAM}\nexec \"$P\" \\\n  {SCRIPT}\n", []),
                ("exec \"$@\"\n", [PYTHON, self.script]),
                ("HERE=$(dirname \"$0\")\nexec {PROGRAM} $HERE/needs_nvidia0.py\n", []),
                ("exec ${{CHOSEN:-{PROGRAM}}} {SCRIPT}\n", [])):
            shell = next(shells)
            self.is_followed(self.write("start.sh", shell + text.format(**arguments), True), *words)
        self.is_followed("sh", self.write("start.sh", text.format(**arguments)), *words)
        self.is_followed("bash", "-c", "exec %s %s" % (PYTHON, self.script))

    def test_scripts_that_do_more(self):
        for text, why in (("if true; then\n  python3 x.py\nfi\n", "does more than"), ("a\nb\n", "several commands"),
                          ("A=1\n", "starts no program"), ("exec $(which python3) x.py\n", "does more than"),
                          ("cd /tmp\nexec python3 x.py\n", "does more than")):
            self.is_open(why, self.write("start.sh", "#!/bin/sh\n" + text, True))
        self.is_open("/usr/bin/perl", self.write("start.pl", "#!/usr/bin/perl\nprint 1;\n", True))
        self.is_open("its option -c", PYTHON, "-c", "import x")
        self.is_open("", "xargs", PYTHON, self.script)

    def test_modules(self):
        self.write("package/__init__.py", "")
        self.write("package/__main__.py", SCRIPT)
        self.write("module.py", SCRIPT)
        for words in (["-m", "package"], ["-m", "module"], ["-B", "-mmodule"]):
            self.is_followed(PYTHON, *words, PYTHONPATH=self.where)
        self.is_open("module not_there was not found", PYTHON, "-m", "not_there")

    def test_launchers(self):
        for words in (["torchrun", "--nproc_per_node", "2"], ["torchrun", "--nnodes=1"],
                      ["accelerate", "launch", "--config_file", "x.yaml"], ["deepspeed", "--num_gpus", "2"]):
            command = self.write(words[0], "#!%s\nimport sys\n" % PYTHON, True)
            self.is_followed(command, *words[1:], self.script, "--lr", "1")
        self.is_followed(PYTHON, "-m", "torch.distributed.run", "--nproc-per-node=2", self.script)
        self.is_open("name no script", self.write("torchrun", "#!%s\n" % PYTHON, True), "--no-python", "./x")

    def environment_with_python(self, path):
        self.write(os.path.join(path, "pyvenv.cfg"), "home = /usr/bin\n")
        os.makedirs(os.path.join(self.where, path, "bin"))
        for name in ("python", "python3"):
            os.symlink(PYTHON, os.path.join(self.where, path, "bin", name))

    def test_environments(self):
        conda = self.write("conda/bin/conda", "#!%s\n" % PYTHON, True)
        self.environment_with_python("conda/envs/work")
        self.is_followed(conda, "run", "-n", "work", "--no-capture-output", "python", self.script)
        self.is_followed(conda, "run", "-p", os.path.join(self.where, "conda/envs/work"), "python", self.script)
        self.is_open("its environment was not found", conda, "run", "-n", "other", "python", self.script)
        uv = os.path.join(self.where, "uv")
        os.symlink("/bin/true", uv)
        words = [uv, "run", "--with", "x", self.script]
        program = [TORCHADA, "doctor", "--run", "--format=json", "--", *words]
        for status, found in ((OK, "program-not-examined"), (1, "script-cannot-run")):
            ended = subprocess.run(program, cwd=self.where, capture_output=True, text=True, check=False)
            self.assertEqual((status, ""), (ended.returncode, ended.stderr), ended.stdout)
            self.assertEqual(found, support.Result(program, ended).json()["findings"][0]["id"])
            if status == OK:
                self.environment_with_python(".venv")

    def test_shims_of_pyenv(self):
        shim = self.write("pyenv/shims/python3", "#!/usr/bin/env bash\nset -e\n[ -n \"$PYENV_DEBUG\" ] && set -x\n"
                          "program=\"${0##*/}\"\nexec \"/opt/pyenv/libexec/pyenv\" exec \"$program\" \"$@\"\n", True)
        self.is_open("pyenv's versions", shim, self.script, PYENV_VERSION="")
        self.environment_with_python("pyenv/versions/3.11.9")
        self.write("pyenv/version", "3.11.9\n")
        self.is_followed(shim, self.script, PYENV_VERSION="")
        self.is_open("pyenv's versions", shim, self.script, PYENV_VERSION="3.9.1")

    def test_what_the_wrapper_changes(self):
        """env -i takes away what torchada run set."""
        program = os.path.join(FIXTURES, "wants12")
        self.assertEqual(["stand-in"], [found["id"] for found in self.examine("--run", "--", "env", program)])
        self.assertEqual("library-not-found", self.examine("--run", "--", "env", "-i", program)[0]["id"])

    def test_advice_for_the_stand_in(self):
        """unset is said to those who set the variable."""
        def remedy(*words, **environment):
            return self.examine(*words, "--", os.path.join(FIXTURES, "wants12"), **environment)[-1]["remedy"]
        self.assertEqual("to use a GPU, install the MUSA SDK", remedy("--run"))
        self.assertIn("unset TORCHADA_MUSA_PATH", remedy(**in_order()))

    def test_libraries_that_stand_before_the_driver(self):
        library = os.path.join(self.where, "limiter.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", library], check=True, text=True,
                       input="int cuMemAlloc_v2(void* p, unsigned long n) { return 2; }\n")
        program = os.path.join(FIXTURES, "wants12")
        found = self.examine("--", program, status=OK, **in_order(LD_PRELOAD=library))[0]
        self.assertEqual(("interposer", "warning"), (found["id"], found["severity"]))
        self.assertEqual([{"what": library, "value": "defines cuMemAlloc_v2"}], found["evidence"])

    def test_a_machine_with_an_nvidia_gpu(self):
        """run says that it does not use it, before it takes the stand-in."""
        make = "mount -t tmpfs tmpfs /dev && mknod -m 666 /dev/null c 1 3 && "
        run = "exec %s run %%s -- /bin/true" % TORCHADA
        alone = ["unshare", "-m", "sh", "-c"]
        if os.geteuid() != 0 or start(*alone, make + "true").status != 0:
            self.skipTest("no mount namespace: a device file was not invented")
        for gpu, options, warns in (("touch /dev/nvidia0 && ", "", True), ("touch /dev/nvidiactl && ", "", False),
                                    ("touch /dev/nvidia0 && ", "--backend=host", False)):
            said = start(*alone, make + gpu + run % options)
            self.assertEqual(0, said.status, str(said))
            self.assertEqual(warns, "this machine has an NVIDIA GPU (/dev/nvidia0)" in said.stderr, str(said))


if __name__ == "__main__":
    main()
