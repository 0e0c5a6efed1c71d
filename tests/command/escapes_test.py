"""Text from files, the environment and the command line is escaped wherever torchada prints it. No
subcommand blocks on a FIFO or needs /proc unless it says so."""
import json
import os
import re
import shutil
import subprocess

import support
from support import HOST, STAGE, TORCHADA, start

# A terminal's title, a line that looks like a verdict, and marks that turn text around.
EVIL = "a\x1b]0;title\x07b\nx: runs\u202e\u2066\u200bc\x9bz"
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


class Escapes(support.CommandTest):

    def evil_folder(self):
        folder = os.path.join(self.folder(), EVIL)
        os.mkdir(folder)
        return folder

    def evil_script(self):
        path = os.path.join(self.evil_folder(), EVIL + ".py")
        with open(path, "w", encoding="utf-8") as file:
            file.write("import ctypes\nctypes.CDLL('libcudart.so.12').cudaFree(None)\n")
        return path

    def expect_safe(self, *words, **environment):
        result = start(TORCHADA, *words, **environment)
        both = result.stdout + result.stderr
        self.assertEqual([], RAW.findall(both), ascii(both))
        self.assertNotIn("\nx: runs", both)
        return result

    def test_check(self):
        script = self.evil_script()
        self.assertIn("\\x1b]0;title\\x07b\\nx: runs\\u{202e}", self.expect_safe("check", script).stdout)
        answer = json.loads(self.expect_safe("check", "--format=json", script).stdout)
        self.assertEqual(script, answer["reports"][0]["path"])
        self.expect_safe("check", os.path.join(script, "none"))
        self.expect_safe("check", "--all", os.path.dirname(script))

    def test_doctor(self):
        script = self.evil_script()
        for words in ([script], ["/usr/bin/python3", script]):
            for form in ("text", "json"):
                self.expect_safe("doctor", "--format=" + form, "--", *words)
        self.expect_safe("doctor", TORCHADA_MUSA_PATH=self.evil_folder(), LD_LIBRARY_PATH=EVIL)

    def test_names_on_the_command_line(self):
        for words in (["explain", EVIL], ["explain", "--format=json", EVIL], [EVIL], ["--" + EVIL],
                      ["check", "--" + EVIL], ["check", "--format=" + EVIL, "."],
                      ["run", "--", "/no/" + EVIL], ["coverage", "--musa-root=" + EVIL],
                      ["coverage", "--diff", EVIL, EVIL], ["trace", "--merge", EVIL],
                      ["coverage", "--format=html", "--program=" + EVIL]):
            self.expect_safe(*words)

    def test_an_installation_with_such_a_name(self):
        root = os.path.join(self.evil_folder(), "musa")
        shutil.copytree(os.path.realpath(os.path.join(HOST, "5.2")), root, symlinks=True)
        shutil.copytree(os.path.join(HOST, "driver", "5.2"), os.path.join(root, "lib"), symlinks=True,
                        dirs_exist_ok=True)
        for words in (["info"], ["info", "--format=json"], ["coverage"], ["coverage", "--format=json"],
                      ["coverage", "--format=html"], ["doctor"]):
            self.expect_safe(*words, TORCHADA_MUSA_PATH=root)
        with open(os.path.join(root, "version.json"), "w", encoding="utf-8") as file:
            json.dump({"musa_sdk": {"name": "torchada host " + EVIL, "version": EVIL}}, file)
        for words in (["info"], ["coverage"], ["coverage", "--format=html"], ["doctor"]):
            self.expect_safe(*words, TORCHADA_MUSA_PATH=root)

    def test_libraries(self):
        """The line about a MUSA that is not there, and what trace says of the command."""
        code = "import ctypes; ctypes.CDLL('libcudart.so.12').cudaFree(None) #" + EVIL.replace("\n", " ")
        for environment in ({"TORCHADA_MUSA_PATH": "/no/" + EVIL}, {"TORCHADA_SUMMARY": "1"},
                            {"TORCHADA_TRACE": "1"}):
            result = start("/usr/bin/python3", "-c", code, LD_LIBRARY_PATH=STAGE + "/lib",
                           **{"TORCHADA_MUSA_PATH": HOST + "/5.2", **environment})
            self.assertNotEqual("", result.stderr)
            self.assertEqual([], RAW.findall(result.stderr), ascii(result.stderr))

    def test_merge(self):
        path = os.path.join(self.folder(), "t")
        with open(path, "w", encoding="utf-8") as file:
            for record in ({"event": "process", "process": 1, "command": EVIL},
                           {"event": "remark", "text": EVIL},
                           {"event": "call", "function": EVIL, "arguments": {EVIL: EVIL}, "result": EVIL},
                           {"event": EVIL}):
                file.write(json.dumps(record) + "\n")
        for form in ("text", "json", "chrome"):
            self.expect_safe("trace", "--merge", "--format=" + form, path)


class Strange(support.CommandTest):

    def test_fifo_as_libmusart(self):
        root = os.path.join(self.folder(), "musa")
        os.makedirs(os.path.join(root, "lib"))
        os.mkfifo(os.path.join(root, "lib", "libmusart.so.5"))
        for words in (["info"], ["coverage"], ["doctor"], ["verify"], ["bench"],
                      ["run", "--", "/usr/bin/python3", "-c",
                       "import ctypes; print(ctypes.CDLL('libcudart.so.12').cudaFree(None))"]):
            result = subprocess.run([TORCHADA, *words], env={**os.environ, "TORCHADA_MUSA_PATH": root},
                                    capture_output=True, text=True, timeout=60, check=False)
            self.assertNotEqual("", result.stdout + result.stderr, words)

    def without_proc(self, *words):
        """In a mount namespace of its own, with an empty /proc."""
        return subprocess.run(["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh",
                               TORCHADA, *words], capture_output=True, text=True, timeout=60, check=False)

    def test_without_proc(self):
        if subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("not allowed to make a mount namespace: nothing was tried without /proc")
        for words in (["info"], ["coverage"], ["explain", "cudaMalloc"], ["check", "/bin/true"], ["doctor"],
                      ["run", "--", "/bin/true"], ["--version"], ["activate", "--print"]):
            result = self.without_proc(*words)
            self.assertNotIn("filesystem error", result.stderr, words)
            self.assertNotIn("/proc", result.stderr, words)
        self.assertEqual(0, self.without_proc("info").returncode)
        self.assertEqual("torchada: --pid reads /proc, which is not mounted; mount it: mount -t proc proc /proc\n",
                         self.without_proc("doctor", "--pid=1").stderr)


if __name__ == "__main__":
    support.main()
