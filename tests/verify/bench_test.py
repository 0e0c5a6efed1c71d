"""torchada bench: what it measures, and what it prints if something is missing."""
import json
import os
import shutil

import support


class Bench(support.VerifyTest):
    def rows(self, *words, program=support.TORCHADA):
        run = support.Run(program, "bench", "--rounds=1", "--format=json",
                          "--musa-root=" + support.tree("5.2"), *words)
        self.assertEqual(0, run.status, str(run))
        return {row["name"] + " " + row["what"]: row for row in json.loads(run.stdout)["rows"]}

    def test_every_row(self):
        rows = self.rows()
        names = [row["name"] for row in rows.values()]
        libraries = [name for folder in ("cu12", "driver", "profiler")
                     for name in os.listdir(os.path.join(support.STAGE, "lib", folder))]
        count = sum(not name.endswith(".so") for name in libraries)
        self.assertEqual(["direct", "torchada", "traced", "ctypes", "direct, enumerator", "adapted",
                          "load MUSA"] + ["load"] * count, names)
        for row in rows.values():
            if row["name"] == "traced" and row["missing"]:
                continue
            self.assertEqual("", row["missing"], row)
            self.assertEqual(1, row["samples"], row)
            self.assertGreater(row["median"], 0, row)
        # The only fact about speed that always holds: Python costs more than C.
        through = rows["torchada cudaGetDevice"]
        ctypes = rows["ctypes cudaGetDevice from python3"]
        self.assertGreater(ctypes["median"], through["median"])
        self.assertAlmostEqual(through["ratio"], through["median"] / rows["direct musaGetDevice"]["median"])
        self.assertEqual(1, rows["direct musaGetDevice"]["ratio"])

    def test_without_companion(self):
        root = self.folder()
        for name in ("bin", "libexec"):
            os.mkdir(os.path.join(root, name))
            shutil.copy(os.path.join(support.STAGE, name, "torchada"), os.path.join(root, name))
        for name in ("lib", "share", "host"):
            os.symlink(os.path.join(support.STAGE, name), os.path.join(root, name))
        traced = next(row for row in self.rows(program=os.path.join(root, "bin", "torchada")).values()
                      if row["name"] == "traced")
        self.assertIsNone(traced["median"])
        self.assertEqual(root + "/libexec/torchada_companion.so does not exist", traced["missing"])

    def test_table(self):
        run = support.Run(support.TORCHADA, "bench", "--rounds=1", "--backend=host")
        self.assertEqual(0, run.status, str(run))
        self.assertIn("measuring on the CPU stand-in", run.stderr)
        self.assertRegex(run.stdout, r"(?m)^torchada +cudaGetDevice +[0-9.]+ ns +[0-9.]+$")
        self.assertRegex(run.stdout, r"(?m)^load +libnccl\.so\.2 +[0-9.]+ us +[0-9.]+$")

    def test_calls_that_fail_have_no_time(self):
        root = self.folder()
        os.mkdir(os.path.join(root, "lib"))
        with open(os.path.join(root, "lib", "libmusart.so.5"), "wb"):
            pass
        run = support.Run(support.TORCHADA, "bench", "--rounds=1", "--format=json", "--musa-root=" + root)
        rows = {row["name"]: row for row in json.loads(run.stdout)["rows"]}
        for name in ("direct", "torchada", "ctypes", "adapted"):
            self.assertNotEqual("", rows[name]["missing"], str(run))
            self.assertIsNone(rows[name]["median"])
        self.assertIsNone(rows["load"]["ratio"])  # nothing to compare it with

    def test_usage(self):
        for word in ("--rounds=0", "--rounds=x", "--musa-root=/nonexistent"):
            self.assertEqual(2, support.Run(support.TORCHADA, "bench", word).status, word)


if __name__ == "__main__":
    support.main()
