"""torchada info: the CPU stand-in, several devices, no MUSA, and a misbehaving MUSA."""
import os
import re
import shutil
import time

import support
from support import FAILED, HOST, NATIVE, NO, OK, STAGE, USAGE, start, torchada


def info(*words, **environment):
    return torchada("info", *words, **environment)


class StandIn(support.CommandTest):

    def test_text(self):
        text = self.done(info("--backend=host")).stdout
        for pattern in (r"^MUSA +the CPU stand-in, SDK 5\.2\.0, /\S+/libmusart\.so\.5$",
                        r"^CUDA +12\.\d+ \(as programs see it\)$", r"^NCCL +2\.\d+\.\d+ ",
                        r"^cuBLAS +12\.\d+\.\d+ ",
                        r"^CUDA driver +1\d\.\d+ \(as programs started with torchada run see it\)$",
                        r"^cuRAND +10\.\d+\.\d+ ", r"^device 0$",
                        r"^  name +torchada host \(CPU\)$",
                        r"^  memory +[\d.]+ GiB, [\d.]+ GiB free$", r"^  capability +\d+\.\d+$",
                        r"^MTML +2\.2\.0$", r"^  in use +[\d.]+ GiB$", r"^  busy +\d+ %$"):
            self.assertRegex(text, "(?m)" + pattern)

    def test_what_mtml_tells(self):
        environment = {"TORCHADA_HOST_DEVICES": "2", "CUDA_VISIBLE_DEVICES": "1", **self.own_account()}
        found = info("--backend=host", "--format=json", **environment).json()
        self.assertEqual("2.2.0", found["musa"]["mtml"])
        self.assertEqual([(0, 0)], [(device["used_memory"], device["busy_percent"]) for device in found["devices"]])
        # Lost, or without an account: not told.
        for more in ({"TORCHADA_HOST_LOST": "1"}, {"TORCHADA_HOST_ACCOUNT": "none"}):
            device, = info("--backend=host", "--format=json", **{**environment, **more}).json()["devices"]
            self.assertNotIn("used_memory", device)
            self.assertNotIn("busy_percent", device)

    def test_json(self):
        result = self.done(info("--backend=host", "--format=json", TORCHADA_HOST_DEVICES="3",
                                TORCHADA_HOST_MEMORY="2G")).json()
        self.assertEqual(("host", True, "5.2.0"), (result["platform"], result["musa"]["stand_in"],
                                                   result["musa"]["sdk"]))
        self.assertEqual(["CUDA driver"], result["offered_by_run"])
        self.assertRegex(result["versions"]["CUDA driver"], r"\A1\d\.\d\Z")
        self.assertEqual([2 << 30] * 3, [device["total_memory"] for device in result["devices"]])
        for device in result["devices"]:
            self.assertLessEqual(device["free_memory"], device["total_memory"])
            self.assertEqual("", device["architecture"])  # a CPU has no mp_XX

    def test_trees(self):
        for tree, sdk in (("3.1", "3.1.0"), ("4.3", "4.3.0"), ("5.2", "5.2.0")):
            result = self.done(info("--musa-root=" + os.path.join(HOST, tree), "--format=json"))
            self.assertTrue(result.json()["musa"]["sdk"].startswith(sdk[:2]), str(result))
            self.assertTrue(result.json()["musa"]["libmusart"].startswith(
                os.path.join(HOST, tree)), str(result))
            self.assertEqual(1, len(result.json()["devices"]))

    def test_falls_back_and_says_so(self):
        result = info()
        self.assertEqual((OK, "torchada: no MUSA found; showing the CPU stand-in\n"),
                         (result.status, result.stderr))
        self.assertEqual("", info("--backend=host").stderr)
        self.assertEqual("", info("--musa-root=" + os.path.join(HOST, "5.2")).stderr)
        self.assertEqual("", info(TORCHADA_MUSA_PATH=os.path.join(HOST, "5.2")).stderr)

    def test_visible_devices(self):
        result = info("--backend=host", "--format=json", TORCHADA_HOST_DEVICES="3",
                      CUDA_VISIBLE_DEVICES="0,2")
        self.assertEqual(2, len(result.json()["devices"]))


class NoMusa(support.CommandTest):

    def test_none(self):
        result = info("--backend=musa")
        self.assertEqual((NO, "torchada: no MUSA found\n"), (result.status, result.stderr))
        self.assertRegex(result.stdout, r"(?m)^MUSA +not found$")
        self.assertRegex(result.stdout, r"(?m)^devices +none: cudaErrorInsufficientDriver \(35\)")
        # The libraries still answer.
        self.assertRegex(result.stdout, r"(?m)^CUDA +12\.")
        result = info("--backend=musa", "--format=json").json()
        self.assertEqual(("none", None, []), (result["platform"], result["musa"], result["devices"]))

    def test_platform(self):
        for words, environment, status, word in (
                ([], {}, OK, "host"), (["--backend=host"], {}, OK, "host"),
                (["--backend=musa"], {}, NO, "none"),
                ([], {"TORCHADA_MUSA_PATH": os.path.join(HOST, "4.3")}, OK, "host"),
                (["--backend=host"], {"CUDA_VISIBLE_DEVICES": "none-such"}, NO, "none")):
            result = info("--platform", *words, **environment)
            self.assertEqual((status, word + "\n"), (result.status, result.stdout), str(result))

    def test_no_stand_in_either(self):
        command = self.installation(support.packed_tables())
        os.unlink(os.path.join(os.path.dirname(command), "..", "host"))
        result = start(command, "info", "--platform")
        self.assertEqual((NO, "none\n", ""), (result.status, result.stdout, result.stderr))
        self.done(start(command, "info", "--backend=host"), USAGE)


class Misbehaving(support.CommandTest):
    """A MUSA with posed.c as its runtime. A driver's misbehaviour must not end the command."""

    def root(self):
        root = self.folder()
        os.mkdir(os.path.join(root, "lib"))
        shutil.copy(os.path.join(NATIVE, "libmusart.so.5"), os.path.join(root, "lib"))
        return "--musa-root=" + root

    def test_well(self):
        """It counts as MUSA because no version.json identifies it as the stand-in."""
        result = self.done(info(self.root(), "--format=json")).json()
        self.assertEqual("musa", result["platform"])
        self.assertEqual(("5.2.7", "5.0.3"), (result["musa"]["sdk"], result["musa"]["driver"]))
        device, = result["devices"]
        self.assertEqual(("Posed S4000", "2.2", "mp_22", 128, 48 << 30, 47 << 30),
                         tuple(device[name] for name in ("name", "capability", "architecture",
                                                         "warp_size", "total_memory",
                                                         "free_memory")))
        self.assertEqual("musa\n", self.done(info(self.root(), "--platform")).stdout)

    def test_other_capability(self):
        """The user may change the capability that programs see. The architecture stays the same."""
        result = info(self.root(), "--format=json", TORCHADA_COMPUTE_CAPABILITY="8.0").json()
        self.assertEqual("mp_22", result["devices"][0]["architecture"])

    def test_crash(self):
        for signal in (6, 11):
            result = info(self.root(), POSED_SIGNAL=str(signal))
            self.assertEqual((FAILED, ""), (result.status, result.stdout), str(result))
            self.assertRegex(result.stderr, r"(?m)^torchada: cannot list the devices: the query "
                                            r"process was killed by signal %d \(" % signal)
            result = info(self.root(), "--platform", POSED_SIGNAL=str(signal))
            self.assertEqual((NO, "none\n"), (result.status, result.stdout))

    def test_exit(self):
        result = info(self.root(), POSED_EXIT="1")
        self.assertEqual(FAILED, result.status)
        self.assertIn("ended without an answer", result.stderr)

    def test_hang(self):
        begin = time.monotonic()
        result = info(self.root(), "--timeout=1", POSED_HANG="1")
        self.assertEqual(FAILED, result.status)
        self.assertIn("no answer within 1 seconds", result.stderr)
        self.assertLess(time.monotonic() - begin, 20)

    def test_talkative(self):
        """The driver's output must not appear in the command's output."""
        result = info(self.root(), "--format=json", POSED_PRINT="1")
        self.assertEqual("musa", result.json()["platform"])
        self.assertIn("posed: hello", result.stderr)

    def test_where_only_the_loader_knows(self):
        """The runtime is found by its bare name. Its constructors run in another process."""
        result = info("--platform", LD_LIBRARY_PATH=NATIVE, POSED_PRINT="1")
        self.assertEqual((OK, "musa\n"), (result.status, result.stdout), str(result))
        for words, status in ((["info", "--platform"], OK), (["coverage", "--library=nccl"], OK),
                              (["run", "--", "/bin/true"], OK),
                              (["run", "--backend=musa", "--", "/bin/true"], USAGE)):
            result = torchada(*words, LD_LIBRARY_PATH=NATIVE, POSED_EARLY_SIGNAL="11")
            self.assertEqual(status, result.status, str(result))

    def test_no_device(self):
        result = info(self.root(), POSED_STATUS="100")
        self.assertEqual(NO, result.status)
        self.assertRegex(result.stdout, r"(?m)^devices +none: cudaErrorNoDevice \(100\)")


class Damage(support.CommandTest):

    def test_our_library_is_missing(self):
        lib = self.folder()
        result = start(self.installation(support.packed_tables(), lib), "info", "--backend=host")
        self.done(result, FAILED)
        self.assertRegex(result.stderr, r"cannot list the devices: \S+libcudart\.so\.12: cannot open")


if __name__ == "__main__":
    assert re and STAGE
    support.main()
