"""verify on the CPU trees: all probed facts hold, and enough facts are probed."""
import csv
import json
import os
import shutil
import time

import support

# driver.images hands a text over twice. The stand-in says so, and nothing else.
REFUSED_IMAGES = 2 * "torchada host: an image of device code is refused: it is no ELF file\n"


class Trees(support.VerifyTest):
    def check(self, sdk, least):
        run, report = support.verify(support.tree(sdk))
        self.assertEqual(0, run.status, str(run))
        self.assertEqual(REFUSED_IMAGES, run.stderr, str(run))
        self.assertEqual(set(), report.of("contradicted"))
        self.assertEqual([], report.all["broken"])
        self.assertEqual("stand-in", report.all["backend"])
        self.assertIn("CPU stand-in for MUSA: these results say nothing about real MUSA", run.stdout)
        confirmed = report.of("confirmed")
        self.assertGreaterEqual(len(confirmed), least, "fewer facts are confirmed than before")
        return report

    def test_3_1(self):
        report = self.check("3.1", LEAST["3.1"])
        self.assertEqual("confirmed", report.results["size:musart/musaDeviceProp@<4.3"]["result"])

    def test_4_3(self):
        report = self.check("4.3", LEAST["4.3"])
        self.assertEqual("confirmed", report.results["size:musart/musaDeviceProp@>=4.3"]["result"])

    def test_5_2(self):
        report = self.check("5.2", LEAST["5.2"])
        # Every fact has a result. A fact that was not probed has a reason.
        for id, item in report.results.items():
            self.assertIn(item["result"], ("confirmed", "contradicted", "absent", "not probed"), id)
            self.assertNotEqual("", item["found"], id)
        self.assertEqual(len(report.results), sum(report.all["counts"].values()))

    def test_numbers_that_cannot_be_told_apart_are_not_confirmed(self):
        root = self.folder()
        for name in ("bin", "libexec"):
            os.mkdir(os.path.join(root, name))
            shutil.copy(os.path.join(support.STAGE, name, "torchada"), os.path.join(root, name))
        for name in ("lib", "host"):
            os.symlink(os.path.join(support.STAGE, name), os.path.join(root, name))
        os.mkdir(os.path.join(root, "share"))
        with open(support.TABLES, encoding="utf-8") as file:
            facts = json.load(file)
        for swapped in (("MaxBlockDimX", "MaxThreadsPerBlock"),
                        ("ComputeCapabilityMinor", "ConcurrentKernels")):
            both = [[fact for fact in facts["facts"]
                     if fact["id"].split("@")[0] == "value:musart/musaDeviceAttr/musaDevAttr" + name]
                    for name in swapped]
            self.assertEqual(*map(len, both))
            for one, other in zip(*both):
                for key in ("value", "claim"):
                    one[key], other[key] = other[key], one[key]
        path = os.path.join(root, "tables.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(facts, file)
        packed = support.Run(support.GENERATOR, "pack", path, "--out=" + os.path.join(root, "share", "tables.bin"))
        self.assertEqual(0, packed.status, str(packed))
        report = os.path.join(root, "report")
        run = support.Run(os.path.join(root, "bin", "torchada"), "verify", "--report=" + report,
                          "--only=layouts.*", "--musa-root=" + support.tree("4.3"))
        self.assertIn(run.status, (0, 1), str(run))
        with open(report, encoding="utf-8") as file:
            confirmed = support.Report(file.read()).of("confirmed")
        for name in ("MaxBlockDimX", "MaxThreadsPerBlock", "ComputeCapabilityMinor", "ConcurrentKernels"):
            self.assertFalse([id for id in confirmed if id.split("@")[0].endswith("/musaDevAttr" + name)])
        self.assertTrue([id for id in confirmed if "/musaDevAttr" in id])


# The number of facts that probes confirm on each tree. Raise it with new probes.
LEAST = {"3.1": 1800, "4.3": 1935, "5.2": 2060}


class Frame(support.VerifyTest):
    def test_json_is_the_report(self):
        run, report = support.verify(support.tree("5.2"), "--format=json", "--only=files.*")
        self.assertEqual(0, run.status, str(run))
        written = json.loads(run.stdout)
        self.assertEqual(report.all["results"], written["results"])
        self.assertIn("stand-in", run.stderr)
        self.assertEqual("not selected by --only",
                         written["results"][0]["found"])

    def test_nothing_of_the_machine_is_in_it(self):
        _, report = support.verify(support.tree("5.2"), "--only=files.*")
        self.assertEqual({"format", "torchada", "date", "backend", "sdk", "runtime", "driver",
                          "devices", "counts", "broken", "order", "results"}, set(report.all))
        self.assertEqual([{"name": "torchada host (CPU)", "architecture": "mp_31"}],
                         report.all["devices"])

    def test_no_musa(self):
        run = support.Run(support.TORCHADA, "verify")
        self.assertEqual(3, run.status, str(run))
        self.assertIn("no MUSA found", run.stderr)

    def test_no_device_says_nothing_about_the_tables(self):
        path = os.path.join(self.folder(), "report")
        run = support.Run(support.TORCHADA, "verify", "--musa-root=" + support.tree("5.2"),
                          "--report=" + path, MUSA_VISIBLE_DEVICES="-1")
        self.assertEqual(3, run.status, str(run))
        self.assertIn("reports no device: musaGetDeviceCount returned 100 (musaErrorNoDevice)", run.stderr)
        self.assertFalse(os.path.exists(path))

    def test_library_that_cannot_be_loaded(self):
        root = self.folder()
        os.mkdir(os.path.join(root, "lib"))
        with open(os.path.join(root, "lib", "libmusart.so.5"), "wb"):
            pass
        run = support.Run(support.TORCHADA, "verify", "--musa-root=" + root)
        self.assertEqual(3, run.status, str(run))
        self.assertIn("libmusart.so.5", run.stderr)

    def test_what_is_no_regular_file_stops_nobody(self):
        root = self.copy_of("5.2")
        os.remove(os.path.join(root, "version.json"))
        os.mkfifo(os.path.join(root, "version.json"))
        for name in os.listdir(os.path.join(root, "lib")):
            if name.startswith("libmurand"):
                os.remove(os.path.join(root, "lib", name))
                os.mkfifo(os.path.join(root, "lib", name))
        for words in (("verify", "--only=files.*", "--musa-root=" + root),
                      ("coverage", "--root=" + root), ("doctor", "--root=" + root)):
            self.assertIn(support.Run(support.TORCHADA, *words).status, (0, 1, 2, 3), words)

    def test_usage(self):
        for word in ("--jobs=0", "--timeout=0", "--only=nothing", "--musa-root=/nonexistent"):
            run = support.Run(support.TORCHADA, "verify", "--musa-root=" + support.tree("5.2"),
                              word)
            self.assertEqual(2, run.status, str(run))

    def test_the_facts_on_which_most_programs_rest_come_first(self):
        # A probe that hangs is cut off by the limit, and is no finding.
        root = self.copy_of("5.2", ["musart"])
        start = time.monotonic()
        run, report = support.verify(root, "--limit=4", "--jobs=1", SPOILT="hang")
        self.assertLess(time.monotonic() - start, 5)
        self.assertEqual(0, run.status, str(run))
        order = report.all["order"]
        self.assertGreater(len(order), 160)
        weights = [(item["filled"], item["programs"]) for item in order]
        self.assertEqual(sorted(weights, reverse=True), weights)
        ran = [item["ran"] for item in order]
        count = ran.index(False)
        self.assertEqual(([True] * count, [False] * (len(ran) - count)), (ran[:count], ran[count:]))
        self.assertIn("the time limit left out %d probes; on the facts of the first, %s, rest %d programs\n"
                      % (len(ran) - count, order[count]["probe"], order[count]["programs"]), run.stdout)
        self.assertEqual([], report.all["broken"])
        self.assertEqual("the time limit left out probes",
                         report.results["value:mublas/mublasOperation_t/MUBLAS_OP_T"]["found"])
        # musaMemGetInfo hangs. What was found before it counts.
        self.assertEqual("layouts.properties", order[count]["probe"])
        self.assertEqual("confirmed", report.results["size:musart/musaDeviceProp@>=4.3"]["result"])

    def test_the_order_follows_from_the_tables(self):
        with open(os.path.join(support.SOURCE, "mappings", "clients.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        clients = {(row["library"], row["symbol"]): int(row["clients"]) for row in rows}
        before = self.order_with(rows)
        # The struct of these functions alone: a program that uses one rests on its size.
        for probe, symbol in (("memory.host", "cudaPointerGetAttributes"), ("layouts.3d", "cudaMalloc3D")):
            self.assertGreaterEqual(before[probe]["filled"], clients["cudart", symbol], probe)
        sizes = [probe for probe, item in before.items() if item["filled"]]
        self.assertLessEqual({"memory.host", "layouts.properties", "layouts.ipc", "driver.device"}, set(sizes))
        self.assertEqual(sizes, list(before)[:len(sizes)])
        # Another function is used most: its probe comes first.
        self.assertNotEqual("layouts.3d", list(before)[0])
        used = {"library": "cudart", "symbol": "cudaMalloc3D", "clients": 1000}
        after = self.order_with([used] + [row for row in rows if row["symbol"] != "cudaMalloc3D"])
        self.assertEqual(("layouts.3d", 1000), (list(after)[0], after["layouts.3d"]["filled"]))

    def order_with(self, rows):
        mappings = os.path.join(self.folder(), "mappings")
        os.mkdir(mappings)
        for name in os.listdir(os.path.join(support.SOURCE, "mappings")):
            if name != "clients.csv":
                os.symlink(os.path.join(support.SOURCE, "mappings", name), os.path.join(mappings, name))
        with open(os.path.join(mappings, "clients.csv"), "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, ["library", "symbol", "clients"], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        out = self.folder()
        run = support.Run(support.GENERATOR, "emit", "--facts", "--mappings=" + mappings, "--out=" + out)
        self.assertEqual(0, run.status, str(run))
        with open(os.path.join(out, "tables.json"), encoding="utf-8") as file:
            return {item["probe"]: item for item in json.load(file)["probes"]}

    def test_libcuda(self):
        """The stand-in says nothing about a machine with MUSA, but the probe tells what it found."""
        fact = "quirk:no_libcuda_of_musa"
        folder = self.folder()
        other = shutil.copy(os.path.join(support.SPOILT, "4.3", "libmccl.so"), os.path.join(folder, "libcuda.so.1"))
        with open(other, "ab") as file:
            file.write(b"built in /home/somebody/torchada")
        own = os.path.join(support.STAGE, "lib", "driver")
        for path, found in ((own, "the loader finds torchada's"),
                            (folder, "the loader finds one that is not torchada's")):
            _, report = support.verify(support.tree("5.2"), "--only=quirks.libcuda", LD_LIBRARY_PATH=path)
            self.assertEqual("the stand-in cannot show this; result here: " + found,
                             report.results[fact]["found"])

    def test_report_that_cannot_be_written(self):
        path = os.path.join(self.folder(), "none", "report")
        run = support.Run(support.TORCHADA, "verify", "--musa-root=" + support.tree("5.2"),
                          "--only=files.*", "--report=" + path)
        self.assertEqual(3, run.status, str(run))
        self.assertIn("cannot write " + path, run.stderr)

    def test_two_devices_confirm_what_one_cannot(self):
        _, report = support.verify(support.tree("5.2"), "--only=environment.*",
                                   TORCHADA_HOST_DEVICES="2")
        self.assertEqual("confirmed",
                         report.results["environment:MUSA_VISIBLE_DEVICES"]["result"])


if __name__ == "__main__":
    support.main()
