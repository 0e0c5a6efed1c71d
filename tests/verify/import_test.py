"""torchada-gen import-report and validation: only hardware raises tiers, and only of the facts it
confirmed."""
import json
import os
import shutil

import support


class Import(support.VerifyTest):
    @classmethod
    def setUpClass(cls):
        _, cls.stand_in = support.verify(support.tree("5.2"))
        with open(support.TABLES, encoding="utf-8") as file:
            cls.before = {fact["id"]: fact for fact in json.load(file)["facts"]}

    def setUp(self):
        self.mappings = os.path.join(self.folder(), "mappings")
        # Only what is known of MUSA changes.
        source = os.path.join(support.SOURCE, "mappings")
        os.mkdir(self.mappings)
        for name in os.listdir(source):
            if name == "musa":
                shutil.copytree(os.path.join(source, name), os.path.join(self.mappings, name))
            else:
                os.symlink(os.path.join(source, name), os.path.join(self.mappings, name))

    def doctored(self, confirmed=(), contradicted=()):
        """A report as hardware might produce it, with only these facts."""
        report = json.loads(json.dumps(self.stand_in.all))
        report["backend"] = "musa"
        report["devices"] = [{"name": "MTT S5000", "architecture": "mp_31"}]
        for item in report["results"]:
            item["result"] = ("confirmed" if item["id"] in confirmed else
                              "contradicted" if item["id"] in contradicted else "not probed")
        return self.counted(report)

    @staticmethod
    def counted(report):
        report["counts"] = {result: sum(item["result"] == result for item in report["results"])
                            for result in report["counts"]}
        return report

    def write(self, report):
        path = os.path.join(self.folder(), "report.json")
        head = dict(report)
        results = head.pop("results", None)
        # In verify's format: one line for each entry.
        text = ",\n".join('"%s": %s' % (key, json.dumps(value)) for key, value in head.items())
        if results is not None:
            text += ',\n"results": [\n' + ",\n".join(json.dumps(item) for item in results) + "]"
        with open(path, "w", encoding="utf-8") as out:
            out.write("{" + text + "}\n")
        return path

    def bring_in(self, path, *words):
        return support.Run(support.GENERATOR, "import-report", path, "--mappings=" + self.mappings,
                           *words)

    def tiers(self):
        out = os.path.join(self.folder(), "out")
        run = support.Run(support.GENERATOR, "emit", "--facts", "--mappings=" + self.mappings, "--out=" + out)
        self.assertEqual(0, run.status, str(run))
        with open(os.path.join(out, "tables.json"), encoding="utf-8") as file:
            return {fact["id"]: fact for fact in json.load(file)["facts"]}

    def reports(self):
        folder = os.path.join(self.mappings, "musa", "reports")
        return [name for name in os.listdir(folder) if name.endswith(".yaml")]

    def test_exactly_what_was_confirmed(self):
        before = self.before
        path = self.write(self.doctored(NAMED))
        dry = self.bring_in(path, "--dry-run")
        self.assertEqual(0, dry.status, str(dry))
        self.assertEqual([], self.reports())
        run = self.bring_in(path)
        self.assertEqual(0, run.status, str(run))
        self.assertIn("%d confirmed, 0 contradicted" % len(NAMED), run.stdout)
        after = self.tiers()
        raised = {id for id, fact in after.items() if fact["tier"] != before[id]["tier"]}
        self.assertEqual(set(NAMED) - {"field:musart/musaExtent/width"}, raised)
        self.assertEqual({"hardware"}, {after[id]["tier"] for id in raised})
        name = self.reports()[0]
        self.assertTrue(name.startswith("5.2.0-mp_31-"), name)
        for id in raised:
            self.assertIn("mappings/musa/reports/" + name, ", ".join(after[id]["sources"]))
        # The page says so, and for which chip.
        page = os.path.join(self.folder(), "page")
        support.Run(support.GENERATOR, "validation", "--mappings=" + self.mappings, "--out=" + page)
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("**%d of %d facts about MUSA are confirmed on hardware.**"
                      % (len(NAMED), len(after)), text)
        self.assertIn("| 5.2.0 | mp_31 | MTT S5000 |", text)

    def test_the_name_of_a_device_is_escaped(self):
        """It comes from the device: no markup, no new row, no escape sequence."""
        report = self.doctored(NAMED)
        report["devices"] = [{"name": "S\x1b[31m<b>|x\n| y\u202e", "architecture": "mp_31"}]
        self.assertEqual(0, self.bring_in(self.write(report)).status)
        page = os.path.join(self.folder(), "page")
        support.Run(support.GENERATOR, "validation", "--mappings=" + self.mappings, "--out=" + page)
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("| S\\\\x1b\\[31m\\<b\\>\\|x \\| y\\\\u{202e} |", text)

    def test_a_whole_struct(self):
        members = {id for id in self.before if id.split("/")[:2] == ["field:musart", "musaExtent"]}
        run = self.bring_in(self.write(self.doctored(members | {"size:musart/musaExtent"})))
        self.assertEqual(0, run.status, str(run))
        self.assertEqual("hardware", self.tiers()["size:musart/musaExtent"]["tier"])

    def test_contradictions_are_listed_and_change_nothing(self):
        before = self.before
        wrong = "value:mublas/mublasOperation_t/MUBLAS_OP_T"
        run = self.bring_in(self.write(self.doctored((), (wrong,))))
        self.assertEqual(1, run.status, str(run))
        self.assertIn("contradicted: " + wrong, run.stdout)
        self.assertIn("mublas.yaml:", run.stdout)
        after = self.tiers()
        self.assertEqual({id: fact["tier"] for id, fact in before.items()},
                         {id: fact["tier"] for id, fact in after.items()})

    def test_stand_in_is_refused(self):
        whole = self.stand_in.all
        disguised = dict(whole, backend="musa")
        for report in (whole, disguised):
            run = self.bring_in(self.write(report))
            self.assertEqual(2, run.status, str(run))
            self.assertIn("CPU stand-in", run.stderr)
            self.assertRegex(run.stderr, r"report\.json:\d+: ")
            self.assertEqual([], self.reports())

    def of_files(self, confirmed):
        """A report of reading an SDK's files."""
        return dict(self.doctored(confirmed), devices=[], runtime="", driver="")

    def test_files_of_an_sdk(self):
        names = ["symbol:mublas/mublasSgemm", "soname:mublas/libmublas.so"]
        symbol = min(id for id, fact in self.before.items() if fact["kind"] == "symbol" and fact["tier"] == "cbid"
                     and self.stand_in.results.get(id, {}).get("result") == "confirmed")
        run = self.bring_in(self.write(self.of_files([*names, symbol])))
        self.assertEqual(0, run.status, str(run))
        self.assertRegex(self.reports()[0], r"\A5\.2\.0-files-[0-9a-f]{12}\.yaml\Z")
        after = self.tiers()
        for id in [*names, symbol]:
            self.assertEqual("sdk", after[id]["tier"], id)
        page = os.path.join(self.folder(), "page")
        support.Run(support.GENERATOR, "validation", "--mappings=" + self.mappings, "--out=" + page)
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("**0 of %d facts about MUSA are confirmed on hardware.**" % len(after), text)
        self.assertIn("| 5.2.0 | none: files of the SDK |", text)
        # Hardware says more.
        self.assertEqual(0, self.bring_in(self.write(self.doctored(names[:1]))).status)
        after = self.tiers()
        self.assertEqual(["hardware", "sdk", "sdk"], [after[id]["tier"] for id in [*names, symbol]])

    def test_files_show_no_more_than_names(self):
        for id in NAMED[1:3]:
            run = self.bring_in(self.write(self.of_files([id])))
            self.assertEqual(2, run.status, str(run))
            self.assertRegex(run.stderr, r"report\.json:\d+: '%s' needs a device" % id)
            self.assertEqual([], self.reports())

    def test_a_fact_that_changed_since(self):
        report = self.doctored(NAMED[:2])
        changed = next(item for item in report["results"] if item["id"] == NAMED[0])
        changed["claim"] = "another"
        run = self.bring_in(self.write(report))
        self.assertEqual(1, run.status, str(run))
        self.assertRegex(run.stdout, r"ignored: .*report\.json:\d+: " + NAMED[0])
        self.assertEqual("hardware", self.tiers()[NAMED[1]]["tier"])
        # The reverse: the table was corrected after the report.
        file = os.path.join(self.mappings, "musa", "reports", self.reports()[0])
        with open(file, encoding="utf-8") as stored:
            text = stored.read()
        with open(file, "w", encoding="utf-8") as stored:
            stored.write(text.replace('claim: "', 'claim: "not '))
        run = support.Run(support.GENERATOR, "check", "--mappings=" + self.mappings)
        self.assertEqual(2, run.status, str(run))
        self.assertRegex(run.stderr, r"reports/5\.2\.0-mp_31-[0-9a-f]+\.yaml:\d+: ")

    def test_damaged_reports_name_the_line(self):
        whole = self.doctored(NAMED)
        del whole["results"][30:]
        no_devices = dict(whole, devices=[])
        other_chip = dict(whole, devices=[{"name": "RTX", "architecture": "sm_90"}])
        no_results = {key: value for key, value in whole.items() if key != "results"}
        unknown = json.loads(json.dumps(whole))
        unknown["results"][3]["result"] = "proved"
        no_claim = json.loads(json.dumps(whole))
        del no_claim["results"][5]["claim"]
        other_sdk = dict(self.doctored(["prototype:musart/musaGraphInstantiate@>=5.0"]), sdk="3.1.0")
        more = dict(whole, user="somebody")
        later = dict(whole, format=99)
        for report, line in ((no_devices, None), (other_chip, None), (no_results, None),
                             (unknown, 3), (no_claim, 5), (other_sdk, None), (more, None),
                             (later, None)):
            run = self.bring_in(self.write(report))
            self.assertEqual(2, run.status, str(run))
            self.assertRegex(run.stderr, r"report\.json:\d+: ")
            if line is not None:
                # The header has one line for each key, then "results".
                self.assertIn("report.json:%d: " % (len(report) + 1 + line), run.stderr)
        path = self.write(whole)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text[:len(text) // 2])
        run = self.bring_in(path)
        self.assertEqual(2, run.status, str(run))
        self.assertRegex(run.stderr, r"report\.json:\d+: ")
        self.assertEqual([], self.reports())

    def test_what_contradicts_itself_is_refused(self):
        good = self.doctored(NAMED)
        twice = json.loads(json.dumps(good))
        named = next(item for item in twice["results"] if item["id"] == NAMED[0])
        twice["results"].append(dict(named, result="contradicted"))
        lost = json.loads(json.dumps(good))
        del lost["results"][-1]
        unknown = self.doctored([next(id for id, fact in self.before.items() if fact.get("claim") == "unknown"
                                      and id in self.stand_in.results)])
        for report, words in ((self.counted(twice), "appears twice"), (lost, "but lists"),
                              (unknown, "makes no claim"),
                              (dict(good, devices=[{"name": "x", "architecture": "mp_31/../../../e"}]),
                               "expected an architecture of MUSA"),
                              (dict(good, devices=[{"name": "x", "architecture": "mp_"}]),
                               "expected an architecture of MUSA")):
            run = self.bring_in(self.write(report))
            self.assertEqual(2, run.status, str(run))
            self.assertIn(words, run.stderr)
            self.assertRegex(run.stderr, r"report\.json:\d+: ")
            self.assertEqual([], self.reports())
        path = self.write(good)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text + "---\n" + text)
        run = self.bring_in(path)
        self.assertEqual(2, run.status, str(run))
        self.assertIn("a second YAML document", run.stderr)

    def test_a_confirmed_absence_stays_one(self):
        absent = [id for id, fact in self.before.items() if fact.get("claim") == "not exported"
                  and self.stand_in.results.get(id, {}).get("result") == "confirmed"][:3]
        self.assertEqual(3, len(absent))
        path = self.write(self.doctored(absent))
        self.assertEqual(0, self.bring_in(path).status)
        after = self.tiers()
        for id in absent:
            self.assertEqual(("not exported", "absent"), (after[id]["claim"], after[id]["tier"]))
        again = self.bring_in(path)  # the tables still say what was confirmed
        self.assertEqual(0, again.status, str(again))

    def test_two_reports_that_disagree_raise_nothing(self):
        self.assertEqual(0, self.bring_in(self.write(self.doctored(NAMED[:2]))).status)
        self.assertEqual("hardware", self.tiers()[NAMED[0]]["tier"])
        self.assertEqual(1, self.bring_in(self.write(self.doctored((), NAMED[:1]))).status)
        after = self.tiers()
        self.assertEqual(self.before[NAMED[0]]["tier"], after[NAMED[0]]["tier"])
        self.assertEqual("hardware", after[NAMED[1]]["tier"])

    def test_no_such_file(self):
        run = self.bring_in("/nonexistent/none.json")
        self.assertEqual(2, run.status, str(run))
        self.assertIn("/nonexistent/none.json", run.stderr)


class Page(support.VerifyTest):
    def test_the_committed_one_is_what_is_written(self):
        out = os.path.join(self.folder(), "VALIDATION.md")
        run = support.Run(support.GENERATOR, "validation",
                          "--mappings=" + os.path.join(support.SOURCE, "mappings"), "--out=" + out)
        self.assertEqual(0, run.status, str(run))
        with open(out, encoding="utf-8") as file, \
                open(os.path.join(support.SOURCE, "VALIDATION.md"), encoding="utf-8") as committed:
            self.assertEqual(file.read(), committed.read(),
                             "run: torchada-gen validation --out VALIDATION.md")


NAMED = ["symbol:mublas/mublasSgemm", "prototype:mublas/mublasSgemm",
         "value:mublas/mublasOperation_t/MUBLAS_OP_N",
         "prototype:musart/musaGraphInstantiate@>=5.0", "field:musart/musaExtent/width"]

if __name__ == "__main__":
    support.main()
