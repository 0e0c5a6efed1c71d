"""torchada coverage: counts, filters, formats, the contents of a MUSA installation, and comparison
of two SDKs."""
import csv
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time

import support
from support import FAILED, HOST, STAGE, TABLES, USAGE, start, torchada

COUNTS = sys.argv.pop() if sys.argv[-1].endswith("counts.txt") else None
STANDINGS = ["supported", "assumed", "emulated", "unsupported"]
HOST_NEWEST = os.path.join(HOST, "5.2")
HOST_31 = os.path.join(HOST, "3.1")


def exports(path):
    """Uses binutils instead of the command's own reader."""
    text = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", path], check=True,
                          capture_output=True, text=True).stdout
    return {line.split(" ")[0].split("@")[0] for line in text.splitlines()
            if line.split(" ")[1] in "TtWiI"}


def inside(texts, version):
    """Whether an SDK is in one of the ranges as written. No range means all SDKs."""
    def number(text):
        return [int(part) for part in text.split(".")]
    for text in texts or [""]:
        first, last = re.fullmatch(r"(?:([\d.]+) and later(?:, )?)?(?:before ([\d.]+))?", text
                                   ).groups() if text else (None, None)
        if (not first or version >= number(first)) and (not last or version < number(last)):
            return True
    return False


def coverage(*words, **environment):
    return torchada("coverage", *words, **environment)


class Counts(support.CommandTest):

    def committed(self):
        """Reads tests/generator/counts.txt, which torchada-gen check compares with the tables."""
        with open(COUNTS, encoding="utf-8") as file:
            lines = [line.split() for line in file]
        return {line[0]: dict(zip(lines[0][1:], map(int, line[1:])))
                for line in lines[1:] if "@" not in line[0]}  # What is known of an older SDK.

    def test_equal_the_committed_ones(self):
        libraries = self.done(coverage("--format=json")).json()["libraries"]
        got = {}
        for library in libraries:
            label = "%s-%d" % (library["library"], max(library["majors"]))
            got[label] = {name: library[name] for name in STANDINGS}
            got[label]["exports"] = library["real"]
        self.assertEqual(self.committed(), got)

    def test_add_up(self):
        """Each export has one standing, also when the list is counted by hand."""
        result = self.done(coverage("--format=json", "--symbols")).json()
        for library in result["libraries"]:
            self.assertEqual(library["real"], sum(library[name] for name in STANDINGS), library["soname"])
            for name in STANDINGS:
                listed = [symbol for symbol in result["symbols"]
                          if (symbol["soname"], symbol["standing"]) == (library["soname"], name)]
                self.assertEqual(library[name], len(listed), (library["soname"], name))

    def test_ours(self):
        for library in self.done(coverage("--format=json")).json()["libraries"]:
            names = exports(os.path.join(STAGE, library["file"]))
            self.assertEqual(len(names), library["ours"])
            self.assertEqual(library["real"], library["ours"])

    def test_text(self):
        text = self.done(coverage("--backend=host")).stdout
        self.assertIn("the CPU stand-in for MUSA 5.2.0 in", text)
        self.assertRegex(text, r"(?m)^library +real +ours +supported +assumed +emulated +"
                               r"unsupported +present$")
        libraries = self.done(coverage("--format=json")).json()["libraries"]
        self.assertEqual(len(libraries),
                         len(re.findall(r"(?m)^lib\S+\.so\.[\d.]+( +\d+){7}$", text)), text)

    def test_one_library(self):
        everything = self.done(coverage("--format=json")).json()["libraries"]
        for words, sonames in ((["--library=nccl"], ["libnccl.so.2"]),
                               (["--library=cublas", "--abi=12"], ["libcublas.so.12"]),
                               # One file serves all majors.
                               (["--library=curand", "--abi=11"], ["libcurand.so.10"]),
                               (["--abi=13"], [library["soname"] for library in everything
                                               if 13 in library["majors"]])):
            libraries = self.done(coverage("--format=json", *words)).json()["libraries"]
            self.assertEqual(sonames, [library["soname"] for library in libraries])


class Present(support.CommandTest):

    def symbols(self, *words):
        return self.done(coverage("--symbols", "--format=json", *words)).json()["symbols"]

    def test_against_nm(self):
        """Every direct or adapted symbol must be present exactly if nm finds the exported name."""
        links = {}
        # If MUSA lacks the target, an adapter's other way may still make the symbol present.
        other_ways = {(library["soname"], symbol["name"]) for library in support.real_tables()["libraries"]
                      for symbol in library["symbols"] if "has_other_way" in symbol}
        self.assertGreater(len(other_ways), 20)
        for library in support.real_tables()["musa"]:
            for symbol in library["symbols"]:
                links[symbol["name"]] = symbol["link"]
        for root in (HOST_NEWEST, HOST_31):
            names = set()
            driver = os.path.join(os.path.dirname(root), "driver", os.path.basename(root))
            for folder in (os.path.join(root, "lib"), driver):
                for file in os.listdir(folder):
                    names |= exports(os.path.join(folder, file)) if file != "stubs" else set()
            self.assertGreater(len(names), 100)
            checked = {True: 0, False: 0}
            for symbol in self.symbols("--musa-root=" + root):
                if symbol["decision"] not in ("direct", "adapted"):
                    continue
                version = [int(part) for part in os.path.basename(root).split(".")]
                if (symbol["soname"], symbol["symbol"]) in other_ways:
                    self.assertTrue(symbol["present"], symbol)
                    continue
                here = links[symbol["target"]] in names and inside(symbol["sdk"], version)
                self.assertEqual(here, symbol["present"], symbol)
                checked[here] += 1
            self.assertGreater(checked[True], 500, root)
            self.assertGreater(checked[False], 0, root)

    def test_version(self):
        """From version.json, or else from the directory's name, even behind a link; otherwise
        unknown."""
        folder = self.folder()
        for name, told in (("musa-4.3.5", "4.3.5"), ("musa-next", ""), ("other", "")):
            os.mkdir(os.path.join(folder, name))
            os.symlink(os.path.join(HOST_NEWEST, "lib"), os.path.join(folder, name, "lib"))
            os.symlink(name, os.path.join(folder, "link-" + name))
            for root in (name, "link-" + name):
                result = self.done(coverage("--format=json", "--musa-root=" + os.path.join(folder, root)))
                self.assertEqual((told, False), (result.json()["musa"]["sdk"],
                                                 result.json()["musa"]["stand_in"]))

    def test_unserved_is_unknown(self):
        for symbol in self.symbols("--backend=host", "--only=unsupported"):
            self.assertIsNone(symbol["present"], symbol)

    def test_without_musa(self):
        """With a wrong path, the command must report that and count nothing."""
        result = self.done(coverage("--backend=musa"), USAGE)
        self.assertIn("no MUSA found", result.stderr)
        self.done(coverage("--musa-root=/nonexistent"), USAGE)
        self.done(coverage("--musa-root=" + HOST_NEWEST, "--backend=host"), USAGE)

    def test_no_backend_at_all(self):
        command = self.installation(tables=support.packed_tables())
        os.unlink(os.path.join(os.path.dirname(command), "..", "host"))
        result = self.done(start(command, "coverage"))
        self.assertTrue(result.stdout.startswith("no MUSA found\n"), result.stdout)
        self.assertRegex(result.stdout, r"(?m)^libnccl.so.2 .* -$")
        self.assertIsNone(start(command, "coverage", "--format=json").json()["musa"])

    def test_a_damaged_musa(self):
        """A library that is not an ELF file counts as empty, and the output names it."""
        root = self.folder()
        shutil.copytree(os.path.join(HOST_NEWEST, "lib"), os.path.join(root, "lib"))
        murand = [name for name in os.listdir(os.path.join(root, "lib")) if "murand" in name]
        for name in murand:
            with open(os.path.join(root, "lib", name), "wb") as out:
                out.write(b"not a library")
        result = coverage("--musa-root=" + root, "--library=curand", "--format=json")
        self.assertEqual(0, result.status, str(result))
        self.assertRegex(result.stderr, r"\Atorchada: [^\n]*murand[^\n]*not an ELF file\n\Z")
        whole = self.done(coverage("--musa-root=" + HOST_NEWEST, "--library=curand", "--format=json"))
        self.assertLess(result.json()["libraries"][0]["present"],
                        whole.json()["libraries"][0]["present"])


class Container(support.CommandTest):
    """A container's file system: its absolute links lead to its own files, not this machine's."""

    def tree(self):
        """The links lead to SDK 5.2 inside the tree, and to 4.3 on this machine."""
        here = self.folder()
        root = os.path.join(self.folder(), "container")
        for place, sdk in ((here, "4.3"), (root + here, "5.2")):
            shutil.copytree(os.path.realpath(os.path.join(HOST, sdk)), os.path.join(place, "sdk"),
                            symlinks=True)
            shutil.copytree(os.path.join(HOST, "driver", sdk), os.path.join(place, "driver", sdk),
                            symlinks=True)
            lib = os.path.join(place, "sdk", "lib")
            os.mkdir(os.path.join(place, "far"))
            for name in os.listdir(lib):
                if name.startswith(("libmusart", "libmublas.")) and not os.path.islink(
                        os.path.join(lib, name)):
                    shutil.move(os.path.join(lib, name), os.path.join(place, "far", name))
                    os.symlink(os.path.join(here, "far", name), os.path.join(lib, name))
            shutil.move(os.path.join(place, "sdk", "version.json"), os.path.join(place, "far"))
            os.symlink(os.path.join(here, "far", "version.json"),
                       os.path.join(place, "sdk", "version.json"))
        os.makedirs(os.path.join(root, "usr", "local"))
        os.symlink(os.path.join(here, "sdk"), os.path.join(root, "usr", "local", "musa"))
        return root, os.path.join(here, "sdk")

    def test_links(self):
        root, sdk = self.tree()
        wanted = self.done(coverage("--musa-root=" + HOST_NEWEST, "--format=json")).json()
        for words in ([], ["--musa-root=/usr/local/musa"], ["--musa-root=" + sdk],
                      ["--musa-root=usr/local/../local/musa"]):
            got = self.done(coverage("--root=" + root, "--format=json", *words)).json()
            self.assertEqual(wanted["musa"]["sdk"], got["musa"]["sdk"], words)
            self.assertEqual(wanted["libraries"], got["libraries"], words)
        # Without --root, the same links lead to this machine's files.
        other = self.done(coverage("--musa-root=" + sdk, "--format=json")).json()
        self.assertNotEqual(wanted["musa"]["sdk"], other["musa"]["sdk"])

    def test_refused(self):
        root, _ = self.tree()
        for words, pattern in ((["--root=/nonexistent/folder"], "--root=/nonexistent/folder: not a directory"),
                               (["--root=" + self.folder()], "no libmusart found; name its directory"),
                               (["--root=" + root, "--musa-root=/opt"], "no libmusart found below /opt"),
                               (["--root=" + root, "--backend=host"], "cannot be given together"),
                               (["--diff", "--root=" + root, "/a", "/b"], "cannot be given together")):
            result = self.done(coverage(*words), USAGE)
            self.assertRegex(result.stderr, pattern)


class Symbols(support.CommandTest):

    def test_only(self):
        for standings in (["assumed"], ["emulated", "unsupported"]):
            result = self.done(coverage("--abi=12", "--format=json", "--only=" + ",".join(standings)))
            found = {symbol["standing"] for symbol in result.json()["symbols"]}
            self.assertEqual(set(standings), found)
            total = sum(library[name] for library in result.json()["libraries"]
                        for name in standings)
            self.assertEqual(total, len(result.json()["symbols"]))

    def test_fields(self):
        symbols = {(symbol["soname"], symbol["symbol"]): symbol for symbol in
                   coverage("--backend=host", "--symbols", "--format=json").json()["symbols"]}
        malloc = symbols["libcudart.so.12", "cudaMalloc"]
        self.assertEqual(("supported", "direct", "musaMalloc", "nm", True),
                         tuple(malloc[name] for name in ("standing", "decision", "target", "tier",
                                                         "present")))
        self.assertTrue(malloc["sources"])
        count = symbols["libcudart.so.13", "cudaFuncGetParamCount"]
        self.assertEqual("unsupported", count["standing"])
        self.assertIn("compile the kernels for MUSA", count["reason"])
        alias = symbols["libnccl.so.2", "pncclAllReduce"]
        self.assertEqual("the same function as ncclAllReduce", alias["reason"].split(":")[0])
        for symbol in symbols.values():
            if symbol["standing"] in ("assumed", "unsupported"):
                self.assertTrue(symbol["reason"], symbol)

    def test_what_is_missing(self):
        """An assumed export names one fact and the probe that settles it, or says why there is none."""
        with open(TABLES, encoding="utf-8") as file:
            facts = {fact["id"] for fact in json.load(file)["facts"]}
        for symbol in coverage("--symbols", "--format=json").json()["symbols"]:
            is_assumed = symbol["standing"] == "assumed"
            self.assertEqual(1 if is_assumed else 0, bool(symbol["probe"]) + bool(symbol["no_probe"]), symbol)
            if symbol["probe"]:
                self.assertIn(symbol["missing"], facts)
            if not is_assumed:
                self.assertEqual("", symbol["missing"], symbol)
        self.assertRegex(coverage("--library=cublas", "--abi=12", "--only=assumed").stdout,
                         r"\n  cublasIsamax_v2 +assumed +mublasIsamax \(\w+\)\n"
                         r"      the evidence for the arguments of mublasIsamax has only tier map\n"
                         r"      settled by: blas\.vectors\.S\n")

    def test_most_used(self):
        """Those of the ranking that the library exports, in the order of the ranking."""
        with open(os.path.join(os.path.dirname(COUNTS), "..", "..", "mappings", "clients.csv"),
                  encoding="utf-8") as file:
            ranking = [tuple(line.split(",")[:2]) for line in file.read().splitlines()[1:]]
        result = self.done(coverage("--abi=12", "--most-used=400", "--format=json")).json()
        exports = {(library["soname"], library["library"]) for library in result["libraries"]}
        names = dict(exports)
        for soname, library in exports:
            listed = [symbol for symbol in result["symbols"] if symbol["soname"] == soname]
            everything = {name for name in (symbol["symbol"] for symbol in coverage(
                "--abi=12", "--library=" + library, "--symbols", "--format=json").json()["symbols"])}
            wanted = [(rank, name) for rank, (other, name) in enumerate(ranking[:400], 1)
                      if other == library and name in everything]
            self.assertEqual(wanted, [(symbol["rank"], symbol["symbol"]) for symbol in listed])
        found = {(names[symbol["soname"]], symbol["symbol"]) for symbol in result["symbols"]}
        self.assertGreater(len(found), 390)
        text = self.done(coverage("--library=cudart", "--abi=12", "--most-used=3")).stdout
        self.assertIn("\n  1. cudaGetErrorString ", text)
        self.done(coverage("--most-used=-1"), USAGE)

    def test_text(self):
        text = self.done(coverage("--symbols", "--library=cudart", "--abi=12")).stdout
        self.assertRegex(text, r"(?m)^  cudaMalloc +supported +musaMalloc \(nm\)$")
        self.assertRegex(text, r"(?m)^      source: \S+/\S+")


class Formats(support.CommandTest):

    def test_csv(self):
        rows = list(csv.reader(io.StringIO(self.done(coverage("--format=csv")).stdout)))
        self.assertEqual(["soname", "library", "majors", "real", "ours", *STANDINGS, "present", "offered"],
                         rows[0])
        self.assertEqual(1 + len(support.real_tables()["libraries"]), len(rows))
        self.assertEqual({"11", "12", "13", "11 12 13"}, {row[2] for row in rows[1:]})
        result = self.done(coverage("--format=csv", "--symbols"))
        rows = list(csv.reader(io.StringIO(result.stdout)))
        wanted = self.done(coverage("--format=json", "--symbols")).json()["symbols"]
        self.assertEqual(len(wanted) + 1, len(rows))
        for symbol, row in zip(wanted, rows[1:]):
            self.assertEqual([symbol["soname"], symbol["symbol"], symbol["standing"],
                              symbol["target"], symbol["tier"],
                              {None: "", True: "yes", False: "no"}[symbol["present"]],
                              symbol["reason"], symbol["missing"],
                              "no probe of verify: " + symbol["no_probe"] if symbol["no_probe"] else symbol["probe"],
                              " ".join(symbol["sources"])], row)

    def test_markdown(self):
        text = self.done(coverage("--format=markdown", "--symbols", "--library=curand")).stdout
        tables = [line for line in text.splitlines() if line.startswith("|")]
        # All rows of a table have the same number of separators. A bar in a text is escaped.
        bars = [len(re.findall(r"(?<!\\)\|", line)) for line in tables]
        self.assertEqual([12] * 3 + [10] * (len(bars) - 3), bars)
        self.assertEqual(27, len(bars) - 3 - 2)

    def test_same_input_same_bytes(self):
        for name in ("text", "json", "csv", "markdown", "html"):
            words = ["--symbols", "--format=" + name]
            self.assertEqual(coverage(*words).stdout, coverage(*words).stdout)


class Diff(support.CommandTest):

    def test_between_trees(self):
        result = self.done(coverage("--diff", HOST_31, HOST_NEWEST, "--format=json")).json()
        self.assertEqual(("3.1.0", "5.2.0"), (result["before"]["sdk"], result["after"]["sdk"]))
        gained = {(item["soname"], item["symbol"]) for item in result["gained"]}
        # Stream-ordered allocation exists since SDK 5.0.
        self.assertIn(("libcudart.so.12", "cudaMallocFromPoolAsync"), gained)
        self.assertNotIn(("libcudart.so.12", "cudaMalloc"), gained)
        back = self.done(coverage("--diff", HOST_NEWEST, HOST_31, "--format=json")).json()
        self.assertEqual((result["gained"], result["lost"]), (back["lost"], back["gained"]))

    def test_agrees_with_presence(self):
        def present(root):
            symbols = coverage("--symbols", "--format=json", "--musa-root=" + root).json()["symbols"]
            return {(item["soname"], item["symbol"]) for item in symbols if item["present"]}
        result = coverage("--diff", HOST_31, HOST_NEWEST, "--format=json").json()
        for key, wanted in (("gained", present(HOST_NEWEST) - present(HOST_31)),
                            ("lost", present(HOST_31) - present(HOST_NEWEST))):
            self.assertEqual(wanted, {(item["soname"], item["symbol"]) for item in result[key]})

    def test_formats(self):
        words = ["--diff", HOST_31, HOST_NEWEST, "--library=cudart", "--abi=12"]
        text = self.done(coverage(*words)).stdout
        self.assertRegex(text, r"(?m)^\+ libcudart.so.12 cudaMallocFromPoolAsync -> musaMallocFromPoolAsync \(\w+\)$")
        lines = [line for line in text.splitlines() if line[:2] in ("+ ", "- ")]
        gained, lost = re.search(r"(\d+) gained, (\d+) lost\n\Z", text).groups()
        self.assertEqual(len(lines), int(gained) + int(lost))
        rows = list(csv.reader(io.StringIO(self.done(coverage(*words, "--format=csv")).stdout)))
        self.assertEqual(len(lines) + 1, len(rows))
        markdown = self.done(coverage(*words, "--format=markdown")).stdout
        self.assertIn("| gained | libcudart.so.12 | cudaMallocFromPoolAsync |", markdown)

    def test_nothing(self):
        text = self.done(coverage("--diff", HOST_NEWEST, HOST_NEWEST)).stdout
        self.assertIn("0 gained, 0 lost", text)

    def test_bad_usage(self):
        for words in (["--diff"], ["--diff", HOST_NEWEST], ["--diff", HOST_NEWEST, "/nonexistent"],
                      ["--diff", "/", HOST_NEWEST], ["--diff", HOST_NEWEST, HOST_NEWEST, HOST_NEWEST],
                      ["--diff", HOST_NEWEST, HOST_NEWEST, "--format=html"],
                      ["--diff", HOST_NEWEST, HOST_NEWEST, "--backend=host"],
                      ["--diff", HOST_NEWEST, HOST_NEWEST, "--musa-root=" + HOST_NEWEST]):
            self.assertEqual("", self.done(coverage(*words), USAGE).stdout)


class Damage(support.CommandTest):

    def failed(self, reason, tables):
        command = self.installation(tables)
        for words in (["coverage"], ["explain", "cudaMalloc"], ["check", "/bin/sh"],
                      ["verify", "--musa-root=" + HOST_NEWEST],
                      ["coverage", "--diff", HOST_NEWEST, HOST_NEWEST]):
            result = self.done(start(command, *words), FAILED)
            self.assertEqual("", result.stdout)
            self.assertRegex(result.stderr, r"\Atorchada: \S+tables.bin %s[^\n]*\n\Z" % reason)

    def test_tables(self):
        packed = support.packed_tables()
        self.failed("cannot be read: the installation is incomplete", None)
        for end in (0, 1, 40, len(packed) // 2, len(packed) - 1):
            self.failed("is damaged: its end is missing", packed[:end])
        self.failed("is damaged: it does not hold torchada's tables", b"{" + packed[1:])
        self.failed("is damaged: it belongs to another version", packed[:8] + bytes(8) + packed[16:])
        self.failed("is damaged: some of its bytes have changed", packed + b"x")

    def test_random_damage(self):
        """Whichever byte has changed, the command says that the file is damaged."""
        packed = support.packed_tables()
        dice = random.Random(7)
        command = self.installation(packed)
        tables = os.path.join(os.path.dirname(command), "..", "share", "tables.bin")
        for _ in range(40):
            at = dice.choice([dice.randrange(64), dice.randrange(len(packed))])
            with open(tables, "wb") as out:
                out.write(packed[:at] + bytes([packed[at] ^ 1 << dice.randrange(8)]) + packed[at + 1:])
            words = dice.choice([["explain", "cudaMalloc", "1"], ["coverage", "--symbols"], ["check", "/bin/sh"]])
            result = self.done(start(command, *words), FAILED)
            self.assertRegex(result.stderr, r"\Atorchada: \S+tables.bin is damaged: [^\n]+\n\Z")

    def test_the_generator_packs_what_it_shows(self):
        with open(self.installation(support.real_tables()).replace("bin/torchada", "share/tables.bin"), "rb") as file:
            self.assertEqual(support.packed_tables(), file.read())

    def test_what_cannot_be_packed(self):
        """Records have no fields but those of records.h, of their types."""
        self.where = self.folder()
        for tables, reason in (({"library": []}, "records.h lacks a field of"),
                               ({"libraries": [{"name": "x", "sonames": "y"}]}, "records.h lacks a field of"),
                               ({"libraries": [{"symbols": [{"standing": "fine"}]}]}, "no standing: fine"),
                               ({"libraries": [{"name": 5}]}, "type must be string")):
            made = start(support.GENERATOR, "pack", self.file("tables.json", json.dumps(tables)),
                         "--out=" + os.path.join(self.where, "tables.bin"))
            self.assertEqual(2, made.status, str(made))
            self.assertIn(reason, made.stderr)

    def test_our_libraries(self):
        """Counts what exists. Missing libraries are an error."""
        lib = self.folder()
        for name in os.listdir(os.path.join(STAGE, "lib")):
            if re.match(r"lib.*\.so\.[\d.]+$", name):
                shutil.copy(os.path.join(STAGE, "lib", name), lib)
        shutil.copytree(os.path.join(STAGE, "lib", "driver"), os.path.join(lib, "driver"))
        os.unlink(os.path.join(lib, "libnccl.so.2"))
        shutil.copy(os.path.join(lib, "libcurand.so.10"), os.path.join(lib, "libcudart.so.12"))
        result = self.done(start(self.installation(support.packed_tables(), lib), "coverage"), FAILED)
        self.assertRegex(result.stdout, r"(?m)^libnccl.so.2 +193 +- ")
        self.assertRegex(result.stdout, r"(?m)^libcudart.so.12 +\d+ +0 ")
        self.assertRegex(result.stderr, r"libnccl.so.2: No such file")
        self.assertRegex(result.stderr, r"libcudart.so.12 exports 0 of \d+ names")


class Large(support.CommandTest):

    def test_many_symbols(self):
        """100,000 symbols: every format must take time proportional to their number."""
        tables = support.real_tables()
        model = {"standing": "supported", "decision": "direct", "target": "musaMalloc",
                 "sdk": [{"from": 0, "to": 1000000}], "prototype": "cudaError_t f(void)"}
        tables["libraries"] = [{**tables["libraries"][0], "symbols": [
            {"name": "cudaPosed%06d" % i, **model} for i in range(100000)]}]
        command = self.installation(tables)
        for name in ("text", "json", "csv", "markdown", "html"):
            begin = time.monotonic()
            result = start(command, "coverage", "--symbols", "--format=" + name)
            self.assertEqual(FAILED, result.status)  # our libraries do not export them
            self.assertIn("exports 0 of 100000 names", result.stderr)
            self.assertEqual(100000, len(set(re.findall(r"cudaPosed\d{6}", result.stdout))))
            self.assertLess(time.monotonic() - begin, 40)
        result = start(command, "explain", "cudaPosed05000x")
        self.assertEqual(1, result.status)
        self.assertIn("did you mean cudaPosed05000", result.stderr)


if __name__ == "__main__":
    assert json and COUNTS
    support.main()
