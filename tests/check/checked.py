"""Shared by the tests of torchada check: the command's answer, and names by standing."""
import os

import support_path  # noqa: F401  pylint: disable=unused-import
import support
from compiled import ours
from support import real_tables, torchada

CANNOT = 4
RUNTIME = ours("libcudart.so.12")


def names_with(standing, abi, library="cudart", decision=None):
    """Names of the tables with this standing. The tests do not depend on which ones these are."""
    found, = [item for item in real_tables()["libraries"]
              if item["library"] == library and abi in item["majors"]]
    return [symbol["name"] for symbol in found["symbols"] if symbol["standing"] == standing
            and decision in (None, symbol["decision"])]


class CheckTest(support.CommandTest):

    def check(self, status, *words, **environment):
        result = torchada("check", "--format=json", *words, **environment)
        self.assertEqual(status, result.status, str(result))
        self.assertEqual("", result.stderr, str(result))
        return result.json()

    def one(self, status, *words):
        reports = self.check(status, *words)["reports"]
        self.assertEqual(1, len(reports), reports)
        return reports[0]

    def write(self, folder, name, contents):
        path = os.path.join(folder, name)
        with open(path, "wb") as out:
            out.write(contents if isinstance(contents, bytes) else contents.encode())
        return path
