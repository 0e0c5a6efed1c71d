"""mappings/musa/probes.csv: the probe that decides the fact which each assumed export lacks.
mappings/musa/probe_facts.csv: the facts that each probe decides, and the order of the probes that follows.

probes_test.py --write writes the files from what the probes confirm on the CPU trees.
"""
import csv
import io
import json
import os
import sys

import support

FILE = os.path.join(support.SOURCE, "mappings", "musa", "probes.csv")
FACTS = os.path.join(support.SOURCE, "mappings", "musa", "probe_facts.csv")
# The first tree on which a probe confirms a fact counts.
TREES = (("5.2", {}), ("5.2", {"TORCHADA_HOST_DEVICES": "2"}), ("4.3", {}), ("3.1", {}), ("assumed", {}))
MOST_USED = 400
# What keeps a probe from deciding on the stand-in, and not on MUSA.
STAND_IN_ONLY = ("the stand-in does not have it",)
UNKNOWN = "the tables make no claim that a call could confirm; a header of an SDK tells it"


def assumed_exports():
    with open(support.TABLES, encoding="utf-8") as file:
        tables = json.load(file)
    return [dict(symbol, soname=library["soname"]) for library in tables["libraries"]
            for symbol in library["symbols"] if symbol["standing"] == "assumed"]


def missing_facts():
    return {symbol["missing"] for symbol in assumed_exports() if "missing" in symbol}


def all_reports():
    return [support.verify(support.tree(sdk), **environment)[1].results for sdk, environment in TREES]


def probed_name(fact):
    """As generator/tables/fact_list.h says."""
    name = fact.partition("@")[0]
    return name.rpartition("/")[0] if name.startswith(("value:", "symbol:")) else name


def facts_of_probes(reports):
    pairs = {(item["probe"], probed_name(fact)) for report in reports for fact, item in report.items() if item["probe"]}
    return "probe,fact\n" + "".join("%s,%s\n" % pair for pair in sorted(pairs))


def decided(reports, facts):
    """{fact: (probe, why there is none)}, from reports of all trees."""
    out = {}
    for fact in facts:
        found = [report[fact] for report in reports if fact in report]
        confirmed = [item["probe"] for item in found if item["result"] == "confirmed"]
        ready = [item["probe"] for item in found if item["probe"] and item["found"] in STAND_IN_ONLY]
        if confirmed or ready:
            out[fact] = ((confirmed or ready)[0], "")
        else:
            unknown = any(item["claim"] == "unknown" for item in found)
            out[fact] = ("", UNKNOWN if unknown else found[0]["found"])
    return out


def written(table):
    out = io.StringIO()
    out.write("fact,probe,none_for\n")
    for fact, (probe, none_for) in sorted(table.items()):
        out.write("%s,%s,%s\n" % (fact, probe, none_for))
    return out.getvalue()


class Probes(support.VerifyTest):

    def test_the_files_are_what_the_probes_do(self):
        reports = all_reports()
        for path, expected in ((FILE, written(decided(reports, missing_facts()))), (FACTS, facts_of_probes(reports))):
            with open(path, encoding="utf-8") as file:
                self.assertEqual(expected, file.read(),
                                 "write it anew with " + os.path.basename(__file__) + " --write")

    def test_each_assumed_export_lacks_one_fact(self):
        exports = assumed_exports()
        self.assertGreater(len(exports), 500)
        with open(support.TABLES, encoding="utf-8") as file:
            facts = {fact["id"]: fact for fact in json.load(file)["facts"]}
        with open(FILE, encoding="utf-8", newline="") as file:
            probes = {row["fact"]: row for row in csv.DictReader(file)}
        for symbol in exports:
            name = symbol["name"] + " of " + symbol["soname"]
            self.assertTrue(symbol["why"], name)
            self.assertEqual(1, ("probe" in symbol) + ("no_probe" in symbol), name)
            if "missing" not in symbol:
                self.assertIn("no single call shows it", symbol["no_probe"], name)
                continue
            # The fact is weak, or unknown: settling a strong one would not help.
            fact = facts[symbol["missing"]]
            self.assertTrue(fact["tier"] in WEAK or fact.get("claim") == "unknown", "%s: %s" % (name, fact))
            row = probes[symbol["missing"]]
            self.assertEqual((row["probe"], row["none_for"]), (symbol.get("probe", ""), symbol.get("no_probe", "")))

    def test_the_most_used_have_a_probe(self):
        """Those without one are few; the list says why."""
        used = {symbol["name"]: symbol for symbol in assumed_exports() if 0 < symbol.get("rank", 0) <= MOST_USED}
        self.assertGreater(len(used), 80)
        without = {name: symbol["no_probe"] for name, symbol in used.items() if "probe" not in symbol}
        self.assertLessEqual(len(without), MOST_WITHOUT, without)


WEAK = ("driver", "cbid", "map", "comment", "absent")
# Lower it with new probes. Three are launches: they lack the size of dim3, which only device code shows.
MOST_WITHOUT = 20


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        of_trees = all_reports()
        for name, content in ((FILE, written(decided(of_trees, missing_facts()))), (FACTS, facts_of_probes(of_trees))):
            with open(name, "w", encoding="utf-8") as out:
                out.write(content)
    else:
        support.main()
