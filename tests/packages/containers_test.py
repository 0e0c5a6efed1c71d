"""The container recipes, tested without Docker: the files must parse, their references must exist,
and eight processes with the environment from compose must get the right sums on the CPU stand-in.
"""
import json
import os
import re
import socket
import subprocess
import sys
import unittest

import yaml

SOURCE = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
RECIPES = os.path.join(SOURCE, "packaging", "containers")
TORCHADA = os.path.join(os.environ["PACKAGES_BUILD"], "stage", "bin", "torchada")
INSTRUCTIONS = {"ARG", "FROM", "COPY", "RUN", "ENV", "ENTRYPOINT", "CMD", "WORKDIR"}


def instructions(name):
    """(word, rest) of each instruction, with continued lines joined."""
    with open(os.path.join(RECIPES, name), encoding="utf-8") as file:
        text = re.sub(r"(?m)^\s*#.*\n", "", file.read())
    return [tuple(line.split(None, 1)) for line in re.sub(r"\\\n\s*", " ", text).splitlines() if line]


class Dockerfiles(unittest.TestCase):

    def test_instructions(self):
        for name in ("Dockerfile", "Dockerfile.host"):
            found = instructions(name)
            self.assertLessEqual({word for word, _ in found}, INSTRUCTIONS, name)
            words = [word for word, _ in found]
            self.assertEqual(["FROM"], [word for word in words if word == "FROM"])
            self.assertTrue(all(word == "ARG" for word in words[:words.index("FROM")]))
            for word, rest in found:
                if word in ("ENTRYPOINT", "CMD"):
                    self.assertIsInstance(yaml.safe_load(rest), list)
                if word == "RUN":
                    subprocess.run(["sh", "-n", "-c", rest], check=True)

    def test_names_of_packages(self):
        """The copied files have the names that build-deb.sh gives them."""
        with open(os.path.join(SOURCE, "packaging", "debian", "control.in"), encoding="utf-8") as file:
            packages = re.findall(r"(?m)^Package: (\S+)$", file.read())
        for name in ("Dockerfile", "Dockerfile.host"):
            copied = [rest.split()[:-1] for word, rest in instructions(name) if word == "COPY"]
            self.assertEqual(1, len(copied))
            for pattern in copied[0]:
                package = re.fullmatch(r"dist/([\w-]+)_\*(?:\+deb12)?_amd64\.deb", pattern)
                self.assertIn(package.group(1), packages)


class Cdi(unittest.TestCase):
    """By hand, what CDI's document demands; containers.sh asks its schema and podman."""

    def test_specification(self):
        with open(os.path.join(RECIPES, "cdi.json"), encoding="utf-8") as file:
            specification = json.load(file)
        self.assertEqual({"cdiVersion", "kind", "devices"}, set(specification))
        self.assertRegex(specification["kind"], r"^[a-zA-Z][\w.-]*[a-zA-Z0-9]/[a-zA-Z][\w.-]*[a-zA-Z0-9]$")
        self.assertEqual(["libraries", "musa"], [device["name"] for device in specification["devices"]])
        for device in specification["devices"]:
            self.assertEqual({"mounts"}, set(device["containerEdits"]))
            for mount in device["containerEdits"]["mounts"]:
                self.assertEqual(mount["hostPath"], mount["containerPath"])
                self.assertIn("ro", mount["options"])


class Compose(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        with open(os.path.join(RECIPES, "compose.yaml"), encoding="utf-8") as file:
            cls.services = yaml.safe_load(file)["services"]

    def test_ranks(self):
        self.assertEqual(["rank%d" % rank for rank in range(8)], list(self.services))
        for rank, service in enumerate(self.services.values()):
            environment = service["environment"]
            self.assertEqual("host", service["network_mode"])
            self.assertEqual((str(rank), str(rank), "8", "127.0.0.1"),
                             tuple(environment[name] for name in
                                   ("RANK", "MTHREADS_VISIBLE_DEVICES", "WORLD_SIZE", "MASTER_ADDR")))
            for volume in service["volumes"]:
                self.assertTrue(os.path.exists(os.path.join(RECIPES, volume.split(":")[0])), volume)

    def test_they_get_their_sums(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = str(free.getsockname()[1])
        running = []
        for service in self.services.values():
            environment = {**service["environment"], "MASTER_PORT": port, "PATH": "/usr/bin:/bin"}
            self.assertEqual(["python3", "/work/all_reduce.py"], service["command"])
            running.append(subprocess.Popen(
                [TORCHADA, "run", "--backend=host", "--", sys.executable, os.path.join(RECIPES, "all_reduce.py")],
                env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
        for rank, process in enumerate(running):
            said = process.communicate(timeout=100)[0]
            self.assertEqual(0, process.returncode, said)
            self.assertIn("rank %d of 8: %d sums, all 36" % (rank, 1 << 20), said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
