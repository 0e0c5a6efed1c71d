"""packaging/doc/cpu.md, the tables, `explain` and libcurand agree about the random number generators:

    generators_test.py REPOSITORY STAGE

STAGE is the installed tree. The document's table names each generator of CUDA, whether libcurand
passes it on to MUSA, and whether the CPU stand-in makes its numbers."""
import json
import os
import re
import subprocess
import sys
import unittest

ROOT, STAGE = os.path.realpath(sys.argv.pop(1)), os.path.realpath(sys.argv.pop(1))
DOCUMENT = os.path.join(ROOT, "packaging/doc/cpu.md")
TYPE_ERROR = 103


def rows():
    with open(DOCUMENT, encoding="utf-8") as file:
        found = re.findall(r"(?m)^\| `(CURAND_RNG_\w+)` \| (yes|no) \| (yes|no) \|$", file.read())
    return {name: (passed == "yes", made == "yes") for name, passed, made in found}


def read_tables():
    with open(os.path.join(STAGE, "../generated/tables.json"), encoding="utf-8") as file:
        return json.load(file)


def enumerators():
    """Those of the newest release, without the one for NVIDIA's own tests."""
    type_, = (each for each in read_tables()["types"] if each["name"] == "curandRngType_t")
    return {each["name"]: each for each in type_["values"] if each["name"] != "CURAND_RNG_TEST"}


def create(function, number):
    """The status, and what libcurand wrote to standard error."""
    code = ("import ctypes; handle = ctypes.c_void_p(); "
            "print(ctypes.CDLL('libcurand.so.10').%s(ctypes.byref(handle), %d))" % (function, number))
    environment = {"PATH": "/usr/bin:/bin", "LD_LIBRARY_PATH": STAGE + "/lib",
                   "TORCHADA_MUSA_PATH": STAGE + "/host/current"}
    ended = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True,
                           text=True, check=True, timeout=60)
    return int(ended.stdout), ended.stderr


class Generators(unittest.TestCase):

    def test_the_document_names_each_generator(self):
        self.assertEqual(sorted(enumerators()), sorted(rows()))

    def test_libcurand_does_what_the_document_says(self):
        for name, (passed, made) in rows().items():
            for function in ("curandCreateGenerator", "curandCreateGeneratorHost"):
                with self.subTest(name, function=function):
                    status, said = create(function, enumerators()[name]["value"])
                    self.assertEqual(0 if made else TYPE_ERROR, status)
                    self.assertEqual(not passed, "rng_type=%s " % name in said, said)
                    self.assertTrue(passed or not made)

    def test_what_only_refused_generators_need_is_refused(self):
        """As long as no quasi-random generator can be created, functions for them are no support."""
        if any(passed for name, (passed, _) in rows().items() if "QUASI" in name):
            self.skipTest("libcurand passes on a quasi-random generator")
        library, = (each for each in read_tables()["libraries"] if each["name"] == "curand")
        served = [each["name"] for each in library["symbols"] if each["standing"] != "unsupported"]
        for part in ("QuasiRandom", "DirectionVectors", "ScrambleConstants"):
            self.assertEqual([], [name for name in served if part in name])
            self.assertTrue(any(part in each["name"] for each in library["symbols"]))

    def test_explain_says_the_same(self):
        for name, (passed, _) in rows().items():
            with self.subTest(name):
                refused = enumerators()[name].get("refused", "")
                self.assertEqual(passed, refused == "")
                ended = subprocess.run([STAGE + "/bin/torchada", "explain", "--format=json", name],
                                       capture_output=True, text=True, check=True, timeout=60)
                answer, = json.loads(ended.stdout)[0]["cuda_enumerators"]
                self.assertEqual(refused, answer["refused"])

    def test_no_other_document_promises_more(self):
        """Names of generators that libcurand refuses stand only where a refusal is explained."""
        refused = {"Sobol", "MT19937", "Mersenne"}
        with open(DOCUMENT, encoding="utf-8") as file:
            prose = "\n".join(line for line in file if not line.startswith("|"))
        self.assertEqual([], [word for word in refused if word in prose])


if __name__ == "__main__":
    unittest.main()
