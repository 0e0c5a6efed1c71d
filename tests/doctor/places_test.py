"""torchada doctor on running processes, on containers' files, and with other users' rights; and its
options and output."""
import os
import shutil
import subprocess
import time

import support
from planted import LIB, MUSA, NOBODY, PYTHON, DoctorTest, find, fixture, in_order, main
from support import FAILED, HOST, NATIVE, NO, OK, TORCHADA, USAGE, start


class Process(DoctorTest):

    def process(self, *libraries, **environment):
        """A Python process that has opened these libraries and waits."""
        code = "import ctypes, sys\n" + "".join("ctypes.CDLL(%r)\n" % name for name in libraries)
        child = subprocess.Popen(  # pylint: disable=consider-using-with
            [PYTHON, "-c", code + "print('ready', flush=True)\nsys.stdin.read()"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **environment})
        self.addCleanup(child.stdout.close)
        self.addCleanup(child.wait)
        self.addCleanup(child.stdin.close)
        self.assertEqual(b"ready\n", child.stdout.readline())
        return "--pid=%d" % child.pid

    def test_in_order(self):
        own = os.path.join(LIB, "libcudart.so.12")
        findings = self.examine(self.process(own, **in_order()), status=OK)
        self.assertEqual(["stand-in"], [found["id"] for found in findings])

    def test_two_runtimes(self):
        old = os.path.join(HOST, "4.3", "lib", "libmusart.so.4")
        new = os.path.join(MUSA, "lib", "libmusart.so.5")
        findings = self.first("musa-runtime-twice", self.process(
            os.path.join(LIB, "libcudart.so.12"), old, new), value="libmusart.so.4")
        self.assertTrue(find(findings[0], "libmusart.so.5"), findings[0])

    def test_real_library(self):
        decoy = os.path.join(self.decoys(), "libcudart.so.12")
        self.first("nvidia-first", self.process(decoy, **in_order()), value=decoy)
        decoy = os.path.join(self.decoys("decoy13.so", "libcudart.so.13"), "libcudart.so.13")
        self.first("nvidia-also", self.process(os.path.join(LIB, "libcudart.so.12"), decoy,
                                               **in_order()), value=decoy)

    def test_two_majors(self):
        self.first("two-majors", self.process(os.path.join(LIB, "libcudart.so.12"),
                                              os.path.join(LIB, "libcudart.so.13"), **in_order()),
                   severity="warning", value="libcudart.so.13")

    def test_replaced(self):
        folder = self.decoys(source=os.path.join(LIB, "libcudart.so.12"))
        path = os.path.join(folder, "libcudart.so.12")
        process = self.process(path, **in_order())
        os.unlink(path)
        self.first("library-replaced", process, severity="warning", value=path)

    def test_program_deleted(self):
        path = os.path.join(self.folder(), "waits")
        shutil.copy("/bin/sleep", path)
        child = subprocess.Popen([path, "100"])  # pylint: disable=consider-using-with
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        while os.readlink("/proc/%d/exe" % child.pid) != path:
            time.sleep(0.01)
        os.unlink(path)
        self.first("not-loaded", "--pid=%d" % child.pid, severity="note")

    def test_audit_module_alone(self):
        """It maps a page of libcudart for programs that read the process's map."""
        module = os.path.join(os.path.dirname(LIB), "libexec", "torchada_audit.so")
        page = os.path.join(LIB, "libcudart.so.12")
        process = self.process(LD_AUDIT=module, VLLM_CUDART_SO_PATH=page)
        with open("/proc/%s/maps" % process.partition("=")[2], encoding="utf-8") as maps:
            self.assertIn(page, maps.read())
        self.first("not-loaded", process, severity="note")

    def test_no_musa(self):
        self.first("musa-missing", self.process(os.path.join(LIB, "libcudart.so.12")))

    def test_nothing_loaded(self):
        self.first("not-loaded", self.process(), severity="note", value="")

    def test_refused(self):
        dead = subprocess.Popen(["/bin/true"])  # pylint: disable=consider-using-with
        dead.wait()
        for pid, status, text in ((str(dead.pid), FAILED, ": no such process"),
                                  ("0", USAGE, "--pid=0: expected the number of a process"),
                                  ("-3", USAGE, "--pid=-3: expected"),
                                  ("x", USAGE, "--pid"), ("99999999999", USAGE, "--pid"),
                                  ("2147483647", FAILED, ": no such process")):
            result = self.done(start(TORCHADA, "doctor", "--pid=" + pid), status)
            self.assertEqual("", result.stdout)
            self.assertIn(text, result.stderr)

    def test_zombie(self):
        child = subprocess.Popen(["/bin/true"])  # pylint: disable=consider-using-with
        while open("/proc/%d/stat" % child.pid, encoding="ascii").read().split()[2] != "Z":
            time.sleep(0.01)
        result = self.done(start(TORCHADA, "doctor", "--pid=%d" % child.pid), FAILED)
        child.wait()
        self.assertIn("/proc/%d" % child.pid if "/proc" in result.stderr else "has ended",
                      result.stderr)


class Root(DoctorTest):
    """A container's file system. Nothing of this machine counts."""

    def tree(self):
        root = self.folder()
        for name in ("opt/torchada", "usr/local", "usr/lib/x86_64-linux-gnu", "usr/bin", "etc",
                     "dev", "app"):
            os.makedirs(os.path.join(root, name))
        os.symlink("usr/lib", os.path.join(root, "lib"))
        shutil.copytree(LIB, os.path.join(root, "opt/torchada/lib"))
        shutil.copytree(os.path.realpath(MUSA), os.path.join(root, "usr/local/musa-5.2"),
                        symlinks=True)
        shutil.copytree(os.path.join(HOST, "driver", "5.2"), os.path.join(root, "usr/local/musa-5.2/lib"),
                        symlinks=True, dirs_exist_ok=True)
        os.symlink("/usr/local/musa-5.2", os.path.join(root, "usr/local/musa"))
        shutil.copy(os.path.realpath("/lib/x86_64-linux-gnu/libc.so.6"),
                    os.path.join(root, "usr/lib/x86_64-linux-gnu/libc.so.6"))
        for name in ("wants12", "wants12_rpath"):
            shutil.copy(fixture(name), os.path.join(root, "app"))
        with open(os.path.join(root, "etc/ld.so.conf"), "w", encoding="utf-8") as file:
            file.write("# ours\ninclude /etc/conf.d/*.conf\n")
        os.mkdir(os.path.join(root, "etc/conf.d"))
        with open(os.path.join(root, "etc/conf.d/torchada.conf"), "w", encoding="utf-8") as file:
            file.write("/opt/torchada/lib\n")
        return root

    def in_tree(self, fault, root, *command, **keys):
        words = ["--root=" + root] + (["--", *command] if command else [])
        return self.first(fault, *words, **keys)

    def test_in_order(self):
        self.in_tree("stand-in", self.tree(), "/app/wants12", severity="note",
                     value="/usr/local/musa/lib/libmusart.so.5")
        root = self.tree()
        shutil.copy(fixture("wants12"), os.path.join(root, "usr/bin/program"))
        with open(os.path.join(root, "app/script"), "w", encoding="utf-8") as file:
            file.write("#!/usr/bin/env program\n")
        os.chmod(os.path.join(root, "app/script"), 0o755)
        self.in_tree("stand-in", root, "/app/script", severity="note")
        # This machine's variables do not apply to the container.
        self.in_tree("stand-in", root, "program", severity="note", TORCHADA_MUSA_PATH="/opt/gone",
                     LD_LIBRARY_PATH="/opt/gone")

    def test_not_found(self):
        root = self.tree()
        os.unlink(os.path.join(root, "etc/ld.so.conf"))
        self.in_tree("library-not-found", root, "/app/wants12", value="/app/wants12")

    def test_real_library(self):
        root = self.tree()
        os.mkdir(os.path.join(root, "app/nvidia"))
        shutil.copy(fixture("decoy12.so"), os.path.join(root, "app/nvidia/libcudart.so.12"))
        self.in_tree("dt-rpath", root, "/app/wants12_rpath", value="/app/nvidia/libcudart.so.12")
        with open(os.path.join(root, "etc/ld.so.conf"), "w", encoding="utf-8") as file:
            file.write("/app/nvidia\n/opt/torchada/lib\n")
        self.in_tree("nvidia-first", root, "/app/wants12", value="/app/nvidia/libcudart.so.12")

    def test_folder_named_origin(self):
        """A build with a wrongly quoted run path makes such folders."""
        root = self.tree()
        folder = os.path.join(root, "app/$ORIGIN")
        os.makedirs(os.path.join(folder, "nvidia"))
        shutil.copy(fixture("wants12_rpath"), folder)
        shutil.copy(fixture("decoy12.so"), os.path.join(folder, "nvidia/libcudart.so.12"))
        self.in_tree("dt-rpath", root, "/app/$ORIGIN/wants12_rpath",
                     value="/app/$ORIGIN/nvidia/libcudart.so.12")

    def test_not_installed(self):
        root = self.tree()
        shutil.rmtree(os.path.join(root, "opt/torchada"))
        self.in_tree("installation-missing", root)

    def test_no_musa(self):
        root = self.tree()
        os.unlink(os.path.join(root, "usr/local/musa"))
        self.in_tree("musa-missing", root)

    def test_program_missing(self):
        self.in_tree("program-missing", self.tree(), "/app/nothing")

    def test_links_stay_inside(self):
        """Links that lead out of the tree, upwards or in a circle stay inside the tree."""
        root = self.tree()
        os.symlink("/../../../app/wants12", os.path.join(root, "app/up"))
        self.in_tree("stand-in", root, "/app/up", severity="note")
        os.symlink("loop", os.path.join(root, "app/loop"))
        self.in_tree("program-missing", root, "/app/loop")
        os.symlink(TORCHADA, os.path.join(root, "app/out"))
        self.in_tree("program-missing", root, "/app/out")

    def test_version_behind_a_link(self):
        """An absolute link to version.json leads to the container's file, not this machine's."""
        root, outside = self.tree(), self.folder()
        place = os.path.join(root, "usr/local/musa-5.2/version.json")
        shutil.copy(os.path.join(HOST, "4.3", "version.json"), outside)
        os.makedirs(root + outside)
        shutil.move(place, root + outside)
        os.symlink(os.path.join(outside, "version.json"), place)
        self.in_tree("stand-in", root, "/app/wants12", severity="note")
        text = start(TORCHADA, "doctor", "--root=" + root, "--", "/app/wants12").stdout
        self.assertRegex(text, r"(?m)^SDK +5\.2")

    def test_what_cannot_be_opened(self):
        """Nobody writes to these pipes, so opening one would block forever."""
        root = self.tree()
        os.mkfifo(os.path.join(root, "usr/lib/x86_64-linux-gnu/libcudart.so.12"))
        os.unlink(os.path.join(root, "etc/ld.so.conf"))
        os.mkfifo(os.path.join(root, "etc/ld.so.conf"))
        self.in_tree("library-damaged", root, "/app/wants12", value="is not a regular file")

    def posed(self):
        root = self.tree()
        lib = os.path.join(root, "usr/local/musa-5.2/lib")
        os.unlink(os.path.join(root, "usr/local/musa-5.2/version.json"))
        for name in os.listdir(lib):
            if name.startswith("libmusart"):
                os.unlink(os.path.join(lib, name))
        shutil.copy(os.path.join(NATIVE, "libmusart.so.5"), lib)
        return root

    def test_driver(self):
        """The container's start adds the driver, so its absence is only a warning."""
        root = self.posed()
        self.in_tree("driver-library-missing", root, "/app/wants12", severity="warning")
        shutil.copy(fixture("decoy_musa.so"),
                    os.path.join(root, "usr/lib/x86_64-linux-gnu/libmusa.so.1"))
        self.in_tree("driver-node-missing", root, "/app/wants12", severity="warning")


class Frame(DoctorTest):

    def test_usage(self):
        for words, text in ((["--root=/nonexistent/folder"], "--root"),
                            (["--root=/etc/passwd"], "--root"), (["--root=/", "--pid=1"], "--pid"),
                            (["--pid=1", "--", "/bin/true"], "--pid"), (["--run"], "--run"),
                            (["word"], "write -- before the command: -- word"), (["--timeout=0"], "--timeout"),
                            (["--format=xml"], "--format"), (["--nothing"], "unknown option")):
            result = self.done(start(TORCHADA, "doctor", *words), USAGE)
            self.assertEqual("", result.stdout)
            self.assertIn(text, result.stderr)

    def test_closed_output(self):
        for words in (["doctor"], ["doctor", "--format=json", "--", PYTHON]):
            result = subprocess.run(["/bin/sh", "-c", 'exec "$@" >&-', "sh", TORCHADA, *words],
                                    capture_output=True, text=True, env={**os.environ, **in_order()},
                                    check=False, timeout=100)
            self.assertEqual(FAILED, result.returncode, result.stderr)
            self.assertIn("cannot write to standard output", result.stderr)

    def test_control_characters(self):
        """Escape sequences in variables and names must not reach the terminal."""
        evil = "/opt/\x1b[31mgone\nerror: x"
        result = start(TORCHADA, "doctor", "--", fixture("wants12"),
                       **in_order(LD_LIBRARY_PATH=evil + ":" + LIB))
        self.assertIn("/opt/\\x1b[31mgone\\nerror", result.stdout)
        self.assertNotIn("\x1b", result.stdout)
        self.assertFalse([line for line in result.stdout.split("\n") if line.startswith("error")])

    def test_program_is_not_started(self):
        folder = self.folder()
        script = os.path.join(folder, "script")
        with open(script, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\ntouch %s/started\n" % folder)
        os.chmod(script, 0o755)
        self.examine("--", script, **in_order())
        self.assertEqual(["script"], os.listdir(folder))


class Privileged(DoctorTest):
    """Permissions of a user other than root; setuid programs."""

    def as_nobody(self, *words, **environment):
        support.need_other_users(self)

        def become():
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)

        # Permissions already apply to a user other than root.
        pre = become if os.geteuid() == 0 else None
        ended = subprocess.run([TORCHADA, "doctor", "--format=json", *words], capture_output=True,
                               text=True, preexec_fn=pre, env={**os.environ, **environment},
                               check=False, timeout=100)
        return support.Result(words, ended)

    def named(self, fault, value, result):
        self.assertEqual(NO, result.status, str(result))
        found = result.json()["findings"][0]
        self.assertEqual(fault, found["id"], str(result))
        self.assertTrue(find(found, value), found)

    def test_musa_unreadable(self):
        root = self.musa()
        os.chmod(os.path.dirname(root), 0o755)
        os.chmod(os.path.realpath(os.path.join(root, "lib", "libmusart.so.5")), 0o000)
        self.named("musa-unreadable", root,
                   self.as_nobody("--", fixture("wants12"), **in_order(TORCHADA_MUSA_PATH=root)))

    def test_node_unreadable(self):
        root = Root.posed(self)
        os.chmod(root, 0o755)
        shutil.copy(fixture("decoy_musa.so"),
                    os.path.join(root, "usr/lib/x86_64-linux-gnu/libmusa.so.1"))
        node = os.path.join(root, "dev/mtgpu.0")
        with open(node, "w", encoding="ascii"):
            pass
        os.chmod(node, 0o600 if os.geteuid() == 0 else 0o000)
        self.named("driver-node-unreadable", "/dev/mtgpu.0", self.as_nobody("--root=" + root))

    tree = Root.tree

    def test_library_unreadable(self):
        root = self.tree()
        os.chmod(root, 0o755)
        os.chmod(os.path.join(root, "opt/torchada/lib/libcudart.so.12"), 0o000)
        self.named("library-unreadable", "libcudart.so.12",
                   self.as_nobody("--root=" + root, "--", "/app/wants12"))

    def test_process_of_another(self):
        result = self.as_nobody("--pid=1")
        self.done(result, FAILED)
        self.assertEqual("", result.stdout)
        self.assertRegex(result.stderr, r"/proc/1/\S+: Permission denied; run torchada doctor as the "
                         r"user of the process, or as root")

    def test_setuid(self):
        path = os.path.join(self.folder(), "program")
        shutil.copy(fixture("wants12"), path)
        os.chown(path, NOBODY, NOBODY)
        os.chmod(path, 0o4755)
        self.first("program-setuid", "--", path, value="setuid", **in_order())
        os.chmod(path, 0o755)
        self.assertEqual("stand-in", self.examine("--", path, **in_order())[0]["id"])


if __name__ == "__main__":
    main()
