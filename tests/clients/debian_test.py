#!/usr/bin/env python3
"""Clients that are packages of Debian: an invented package, unpacked by the harness."""
import hashlib
import os
import subprocess
import unittest

from invented import SCRIPT, YAML, Invented

LIBRARY = os.path.realpath("/lib/x86_64-linux-gnu/libm.so.6")
CONTROL = """Package: invented
Version: 1.0
Architecture: all
Maintainer: nobody
Description: none
"""


class Debian(Invented):
    def setUp(self):
        super().setUp()
        for name, text in {"DEBIAN/control": CONTROL, "usr/bin/invented-program": "#!/bin/sh\necho two\n",
                           "usr/lib/python3/dist-packages/invented_module.py": "two = 2\n",
                           "usr/lib/x86_64-linux-gnu/invented/libinvented.so.3": None}.items():
            path = self.path("tree", name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if text is None:  # An alternative: in a folder of its own.
                with open(LIBRARY, "rb") as one, open(path, "wb") as other:
                    other.write(one.read())
            else:
                self.write("tree/" + name, text)
        os.chmod(self.path("tree", "usr", "bin", "invented-program"), 0o755)
        self.deb = self.path("invented_1.0_all.deb")
        subprocess.run(["dpkg-deb", "--root-owner-group", "-b", self.path("tree"), self.deb], check=True,
                       stdout=subprocess.DEVNULL)
        with open(self.deb, "rb") as file:
            self.sha256 = hashlib.sha256(file.read()).hexdigest()
        self.pin(self.sha256)

    def pin(self, sha256):
        self.write("clients/invented/debian.txt", f"file://{self.deb} {sha256}\n")

    def yaml(self, more=""):
        self.write("clients/invented/client.yaml", YAML % "ok" + more)

    def asked(self):
        with open(self.path("asked"), encoding="utf-8") as file:
            return [line.split() for line in file]

    def test_its_programs_libraries_and_modules(self):
        self.client("""import subprocess
    equal(subprocess.run(["invented-program"], stdout=subprocess.PIPE).stdout, b"two\\n")
    ctypes.CDLL("libinvented.so.3")
    import invented_module
    equal(invented_module.two, 2)
    equal(os.listdir(os.environ["CLIENT_DEBIAN"]), ["usr"])""")
        self.start(0)

    def test_another_sum(self):
        self.pin("0" * 64)
        self.assertIn(f"its SHA-256 is {self.sha256}, expected 0000", self.start(3))

    def test_one_that_the_mirror_has_no_more(self):
        os.remove(self.deb)
        self.assertIn(f"file://{self.deb}: ", self.start(3))

    def test_a_line_without_a_sum(self):
        self.pin("")
        self.assertIn("expected URL.deb SHA256", self.start(3))

    def test_another_package_is_another_client(self):
        self.start(0)
        self.pin("0" * 64)
        self.start(3)

    def test_whom_the_commands_are_asked_about(self):
        """The script, or the program that `command` names; and what `check` names, below the packages."""
        self.yaml("check: [usr/lib/python3]\n")
        self.start(0)
        check, doctor = self.asked()
        self.assertEqual(["debian/usr/lib/python3", "steps.py"], sorted(word[-len(end):] for word in check for end in (
            "debian/usr/lib/python3", "steps.py") if word.endswith(end)))
        self.assertEqual("/dev/null", doctor[-1])
        os.remove(self.path("asked"))
        self.yaml("command: [invented-program, --version]\n")
        self.start(0)
        check, doctor = self.asked()
        self.assertTrue(check[-1].endswith("/debian/usr/bin/invented-program"), check)
        self.assertEqual(("--version", "--"), (doctor[-1], doctor[-3]))
        self.assertTrue(doctor[-2].endswith("/debian/usr/bin/invented-program"), doctor)
        self.yaml("command: [absent]\n")
        self.assertIn("invented: command: absent: not found after the installation", self.start(3))

    def test_files_of_another_client(self):
        """They are unpacked once for both."""
        os.makedirs(self.path("clients", "other"))
        self.write("clients/other/client.yaml", (YAML % "ok").replace("name: invented", "name: other") +
                   "script: ../invented/steps.py\nrequirements: ../invented\n")
        self.write("clients/invented/steps.py", SCRIPT % "import invented_module")
        self.start(0)


if __name__ == "__main__":
    unittest.main()
