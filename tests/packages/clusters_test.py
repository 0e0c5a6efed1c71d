"""What packaging/clusters has for clusters: the modulefile, ranks by srun and mpirun, Apptainer, no network."""
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
RECIPES = os.path.join(SOURCE, "packaging", "clusters")
STAGE = os.path.join(os.environ["PACKAGES_BUILD"], "stage")
MODULECMD = shutil.which("modulecmd") or "/usr/lib/x86_64-linux-gnu/modulecmd.tcl"
ALL_REDUCE = os.path.join(SOURCE, "packaging", "containers", "all_reduce.py")


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def project_version():
    return re.search(r"^project\(torchada VERSION ([\d.]+)", read(SOURCE, "CMakeLists.txt"), re.M)[1]


@unittest.skipUnless(os.path.exists(MODULECMD), "SKIPPED: no Environment Modules; install environment-modules")
class Modulefile(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        # Another place than the build's, with a space.
        self.root = os.path.join(os.path.realpath(scratch.name), "moved here")
        os.makedirs(os.path.join(self.root, "bin"))
        shutil.copytree(os.path.join(STAGE, "share", "modulefiles"), os.path.join(self.root, "share", "modulefiles"))
        with open(os.path.join(self.root, "bin", "torchada"), "w", encoding="utf-8") as file:
            os.fchmod(file.fileno(), 0o755)
        self.links = os.path.join(self.root, "links")
        os.mkdir(self.links)

    def module(self, *words, path=None, **environment):
        """The environment afterwards, and what was said."""
        path = path or os.path.join(self.root, "share", "modulefiles")
        base = {"PATH": "/usr/bin:/bin", "HOME": "/", "MODULEPATH": path, **environment}
        code = subprocess.run([MODULECMD, "sh", *words], env=base, capture_output=True, text=True, check=False)
        after = subprocess.run(["sh", "-c", code.stdout + "\nenv -0"], env=base, capture_output=True, text=True,
                               check=False).stdout
        found = dict(one.split("=", 1) for one in after.split("\0") if "=" in one)
        return found, code.stderr

    def test_one_version_that_is_the_projects(self):
        self.assertEqual([project_version()], os.listdir(os.path.join(STAGE, "share", "modulefiles", "torchada")))
        for name in (project_version(), project_version().rpartition(".")[0]):
            after, said = self.module("load", "torchada/" + name)
            self.assertEqual(("torchada/" + project_version(), ""), (after["LOADEDMODULES"], said))

    def test_it_leads_to_where_it_lies(self):
        after, said = self.module("load", "torchada")
        self.assertEqual("", said)
        self.assertEqual(self.root + "/bin:/usr/bin:/bin", after["PATH"])
        self.assertEqual(set(), {"LD_LIBRARY_PATH", "CMAKE_PREFIX_PATH", "MANPATH"} & set(after))
        unloaded, _ = self.module("unload", "torchada", **after)
        self.assertEqual("/usr/bin:/bin", unloaded["PATH"])

    def test_a_manpath_that_is_set(self):
        after, _ = self.module("load", "torchada", MANPATH="/usr/share/man")
        self.assertEqual(self.root + "/share/man:/usr/share/man", after["MANPATH"])

    def test_by_a_link(self):
        os.symlink(os.path.join(self.root, "share", "modulefiles", "torchada"), os.path.join(self.links, "torchada"))
        after, said = self.module("load", "torchada", path=self.links)
        self.assertEqual((self.root + "/bin:/usr/bin:/bin", ""), (after["PATH"], said))

    def test_by_a_link_to_the_file(self):
        folder = os.path.join(self.root, "share", "modulefiles", "torchada")
        version = project_version()
        os.mkdir(os.path.join(self.links, "torchada"))
        os.symlink(os.path.join(folder, version), os.path.join(self.links, "torchada", version))
        after, said = self.module("load", "torchada", path=self.links)
        self.assertEqual((self.root + "/bin:/usr/bin:/bin", ""), (after["PATH"], said))

    def test_a_copy_says_what_to_do(self):
        shutil.copytree(os.path.join(self.root, "share", "modulefiles", "torchada"),
                        os.path.join(self.links, "torchada"))
        after, said = self.module("load", "torchada", path=self.links)
        self.assertEqual("/usr/bin:/bin", after["PATH"])
        self.assertIn("make a link to it instead of a copy", said)

    def test_for_who_builds(self):
        os.makedirs(os.path.join(self.root, "lib", "cmake", "torchada"))
        after, _ = self.module("load", "torchada")
        self.assertEqual((self.root, self.root + "/lib/pkgconfig"), (after["torchada_ROOT"], after["PKG_CONFIG_PATH"]))


class Ranks(unittest.TestCase):
    COMMAND = [os.path.join(RECIPES, "rank.sh"), os.path.join(STAGE, "bin", "torchada"), "run", "--backend=host", "--",
               sys.executable, ALL_REDUCE]
    # What a batch job of Slurm has, and mpirun hands on to its ranks.
    IN_A_JOB = {"SLURM_PROCID": "0", "SLURM_NTASKS": "16", "SLURM_LOCALID": "0"}

    def setUp(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = str(free.getsockname()[1])
        self.environment = {"PATH": "/usr/bin:/bin", "MASTER_PORT": port, "TORCHADA_HOST_DEVICES": "2",
                            "TORCHADA_TRACE": "text", "TORCHADA_TRACE_FILTER": "cudaSetDevice"}

    def check_sums(self, said):
        self.assertEqual(["rank %d of 2: 1048576 sums, all 3" % rank for rank in (0, 1)],
                         sorted(line for line in said.splitlines() if line.startswith("rank")), said)
        # Each on a device of its own.
        self.assertEqual(["0", "1"], sorted(re.findall(r"cudaSetDevice\(device=(\d)\) = cudaSuccess", said)), said)

    def check_variables(self, rank, ranks, local, **others):
        """Two ranks that are told their numbers by these variables. All see both devices."""
        running = [subprocess.Popen(self.COMMAND, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={
            **self.environment, "CUDA_VISIBLE_DEVICES": "0,1", **others, rank: number, ranks: "2", local: number})
                   for number in ("0", "1")]
        self.check_sums("".join(process.communicate(timeout=100)[0] for process in running))

    def test_with_the_variables_of_slurm(self):
        self.check_variables("SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID")

    def test_with_the_variables_of_mpich_in_a_job(self):
        self.check_variables("PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", **self.IN_A_JOB)

    @unittest.skipUnless(shutil.which("mpirun.openmpi"), "SKIPPED: no Open MPI; install openmpi-bin")
    def test_by_mpirun(self):
        for job in ({}, self.IN_A_JOB):
            ended = subprocess.run(
                ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-np", "2", *self.COMMAND],
                env={**self.environment, **job}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                timeout=100, check=False)
            self.assertEqual(0, ended.returncode, ended.stdout)
            self.check_sums(ended.stdout)

    def test_alone(self):
        ended = subprocess.run(self.COMMAND, env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False)
        self.assertEqual((2, ""), (ended.returncode, ended.stdout))
        self.assertIn("expected to be started by srun or mpirun", ended.stderr)

    def test_the_job_starts_what_is_there(self):
        job = read(RECIPES, "all_reduce.sbatch")
        for path in re.findall(r"packaging/\S+", job):
            self.assertTrue(os.path.exists(os.path.join(SOURCE, path)), path)
        self.assertTrue(job.startswith("#!/bin/bash\n#SBATCH "))


class Apptainer(unittest.TestCase):
    def test_the_same_as_for_docker(self):
        for name, docker in (("torchada", "Dockerfile"), ("torchada-host", "Dockerfile.host")):
            sections = dict(zip(["head", *re.findall(r"(?m)^%(\w+)$", text := read(RECIPES, name + ".def"))],
                                re.split(r"(?m)^%\w+\n", text)))
            self.assertEqual({"head", "files", "post", "runscript"}, set(sections), name)
            recipe = read(SOURCE, "packaging", "containers", docker)
            base = re.search(r"^From: (\S+)$", sections["head"], re.M)[1]
            self.assertIn(base, re.findall(r"^(?:ARG BASE=|FROM )(\S+)$", recipe, re.M))
            copied = [line.split()[0] for line in sections["files"].split("\n") if line.strip()]
            self.assertEqual(re.search(r"^COPY (.*) /tmp/$", recipe, re.M)[1].split(), copied)
            # While %post runs, /tmp is the host's.
            self.assertNotIn("/tmp", sections["files"] + sections["post"])
            for part in ("post", "runscript"):
                subprocess.run(["sh", "-n", "-c", sections[part]], check=True)


class NoNetwork(unittest.TestCase):
    def test_configuring(self):
        alone = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--net"]
        tried = subprocess.run([*alone, "true"], capture_output=True, text=True, check=False)
        if tried.returncode != 0:
            self.skipTest("SKIPPED: no network namespace: " + tried.stderr.strip())
        with tempfile.TemporaryDirectory() as build:
            ended = subprocess.run([*alone, os.path.join(SOURCE, "packaging", "configure.sh"), build],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            self.assertEqual(0, ended.returncode, ended.stdout)

    def test_the_build_has_no_downloads(self):
        listed = subprocess.run(["git", "-C", SOURCE, "ls-files", "*CMakeLists.txt", "*.cmake"], check=True,
                                stdout=subprocess.PIPE, text=True).stdout.split()
        for name in listed:
            self.assertNotRegex(read(SOURCE, name), r"FetchContent|ExternalProject|file\(DOWNLOAD", name)


if __name__ == "__main__":
    done = unittest.main(verbosity=2, exit=False).result
    # A test that was left out shows in the list of ctest.
    sys.exit(1 if not done.wasSuccessful() else 77 if done.skipped else 0)
