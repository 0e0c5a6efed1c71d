"""The HTML page of torchada coverage, as it is written: complete in itself, and nothing in it is
markup that a file brought along. What its script does is in html_browser_test.py."""
import html.parser
import json
import os
import re

import support
from check_results import BAD_RESULTS, REMEDY, HOSTILE, check_result, hostile_result
from support import FAILED, USAGE, torchada

STANDINGS = ["supported", "assumed", "emulated", "unsupported"]


class Page(html.parser.HTMLParser):
    """Elements with their attributes; checks that what is opened is closed."""
    VOID = {"meta", "input", "br"}

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.texts = [], [], []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        assert len(names) == len(set(names)), (tag, names)
        self.elements.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data):
        self.texts.append(data)

    def of(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


def page_of(*words):
    return torchada("coverage", "--format=html", "--backend=host", *words)


def embedded(text, name):
    return json.loads(re.search(r'id="%s">(.*?)</script>' % name, text, re.DOTALL).group(1))


class Written(support.CommandTest):

    @classmethod
    def setUpClass(cls):
        cls.text = page_of().stdout
        cls.page = Page(cls.text)
        cls.libraries = torchada("coverage", "--format=json", "--backend=host").json()["libraries"]

    def test_done(self):
        self.assertEqual(self.text, self.done(page_of()).stdout)

    def test_needs_nothing_else(self):
        self.assertTrue(self.text.startswith("<!DOCTYPE html>"))
        for tag, attributes in self.page.elements:
            for name in ("src", "action", "srcset", "data", "ping"):
                self.assertNotIn(name, attributes, tag)
            self.assertTrue(attributes.get("href", "#").startswith("#"), attributes)
        self.assertNotRegex(self.text, r"@import|url\((?!#)|fetch\(|XMLHttpRequest|sendBeacon")
        self.assertNotIn("link", [tag for tag, _ in self.page.elements])
        policy, = [item["content"] for item in self.page.of("meta")
                   if item.get("http-equiv") == "Content-Security-Policy"]
        self.assertTrue(policy.startswith("default-src 'none';"), policy)

    def test_no_markup_from_texts(self):
        """The script builds elements from texts, never markup."""
        self.assertNotRegex(self.text, r"innerHTML|outerHTML|insertAdjacentHTML|document\.write"
                                       r"|DOMParser|eval\(|Function\(")

    def test_no_place_is_left(self):
        self.assertNotIn("{{", self.text)

    def test_charts(self):
        """For each library and standing a part of a bar, as wide as its share."""
        bars = re.findall(r'<svg class="bar" role="img" aria-label="([^"]*)">(.*?)</svg>',
                          self.text, re.DOTALL)
        self.assertEqual(len(self.libraries), len(bars))
        for library, (label, bar) in zip(self.libraries, bars):
            parts = re.findall(r'<rect class="(\w+)" x="([\d.]+)%" width="([\d.]+)%" [^>]*><title>'
                               r"(\d+) of (\d+) (\w+)</title>", bar)
            wanted = [(library[name], library["real"], name) for name in STANDINGS if library[name]]
            self.assertEqual(wanted, [(int(item[3]), int(item[4]), item[5]) for item in parts])
            self.assertEqual(", ".join([library["soname"]] + ["%d of %d %s" % item
                                                              for item in wanted]), label)
            end = 0
            for name, begin, width, count, total, title in parts:
                self.assertEqual(name, title)
                self.assertAlmostEqual(end, float(begin), delta=0.01)
                self.assertAlmostEqual(100 * int(count) / int(total), float(width), delta=0.01)
                end = float(begin) + float(width)
            self.assertAlmostEqual(100, end, delta=0.01)

    def test_a_block_for_each_library(self):
        """Its majors one below the other, each with its numbers as links."""
        blocks = re.findall(r'<article class="library">(.*?)</article>', self.text, re.DOTALL)
        wanted = {}
        for library in self.libraries:
            wanted.setdefault(library["library"], []).append(library)
        self.assertEqual(len(wanted), len(blocks))
        for (name, majors), block in zip(wanted.items(), blocks):
            self.assertEqual({"<h3>%s</h3>" % item["soname"].split(".so")[0] for item in majors},
                             set(re.findall("<h3>.*?</h3>", block)), name)
            self.assertEqual([item["soname"] for item in majors],
                             re.findall(r'<p><a href="#library=([\w.-]+)">', block))
            self.assertEqual([str(item["real"]) for item in majors],
                             re.findall(r"<span>(\d+) functions</span>", block))
            numbers = re.findall(r'href="#library=([\w.-]+)&amp;standing=(\w+)">.*?</svg>'
                                 r"(\d+) (\w+)</a>", block)
            self.assertEqual([(item["soname"], standing, str(item[standing]), standing)
                              for item in majors for standing in STANDINGS if item[standing]],
                             numbers)

    def test_numbers(self):
        table = re.search(r'<table id="counts">.*?<tbody>(.*?)</tbody>', self.text, re.DOTALL)
        rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)
                for row in table.group(1).strip().splitlines()]
        self.assertEqual([[item["soname"], *(str(item[name]) for name in
                                             ["real", "ours", *STANDINGS, "present"])]
                          for item in self.libraries], rows)

    def test_legend(self):
        """One sentence for each word, beside what it looks like."""
        legend = re.search(r'<dl id="legend">(.*?)</dl>', self.text, re.DOTALL).group(1)
        entries = re.findall(r'<div data-standing="(\w+)"><dt><svg [^>]*><rect class="(\w+)"[^>]*>'
                             r"</rect></svg>(\w+)</dt><dd>(.*?)</dd></div>", legend)
        self.assertEqual([(name, name, name) for name in STANDINGS],
                         [entry[:3] for entry in entries])
        for entry in entries:
            self.assertRegex(entry[3], r"\A[A-Za-z][^.]*\.\Z")

    def test_words_for_evidence(self):
        """The page explains each that it uses."""
        part = re.search(r'<details id="evidence">(.*?)</details>', self.text, re.DOTALL).group(1)
        explained = re.findall(r"<dt>(\w+)</dt><dd>[^<]+</dd>", part)
        used = {item[4] for item in embedded(self.text, "data")["symbols"]} - {""}
        self.assertGreater(len(used), 3)
        self.assertEqual(set(), used - set(explained))

    def test_nothing_is_listed(self):
        """No row before the first question."""
        body = re.search(r'<table id="symbols".*?<tbody>(.*?)</tbody>', self.text, re.DOTALL)
        self.assertEqual("", body.group(1))
        self.assertEqual(len(self.libraries) + 2, len(self.page.of("tr")))

    def test_data(self):
        data = embedded(self.text, "data")
        symbols = torchada("coverage", "--symbols", "--format=json", "--backend=host").json()
        self.assertEqual(
            [[item["soname"], item["symbol"], item["standing"], item["target"], item["tier"],
              {None: "", True: "yes", False: "no"}[item["present"]], item["reason"],
              " ".join(item["sources"])] for item in symbols["symbols"]],
            [[data["libraries"][item[0]], item[1], data["standings"][item[2]], *item[3:]]
             for item in data["symbols"]])
        self.assertIsNone(embedded(self.text, "check"))

    def test_labels(self):
        """Each field has a visible label, each part a heading; no name is there twice."""
        names = [attributes["id"] for _, attributes in self.page.elements if "id" in attributes]
        self.assertEqual(len(names), len(set(names)))
        labels = {item["for"] for item in self.page.of("label")}
        for tag in ("input", "select", "textarea"):
            self.assertTrue(self.page.of(tag), tag)
            for item in self.page.of(tag):
                self.assertIn(item["id"], labels)
        for item in self.page.of("section"):
            self.assertIn(item["aria-labelledby"], names)
        for item in self.page.of("a"):
            if "=" not in item["href"]:
                self.assertIn(item["href"][1:], names)
        self.assertEqual(["en"], [item["lang"] for item in self.page.of("html")])
        self.assertEqual(1, len(self.page.of("main")) * len(self.page.of("h1")))
        self.assertIn("width=device-width, initial-scale=1",
                      [item.get("content") for item in self.page.of("meta")])

    def test_contrast(self):
        """WCAG 2.2: 4.5 for text, 3 for graphics, on the page and on cards, light and dark."""
        def luminance(colour):
            parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
            parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
                     for part in parts]
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

        style = re.search(r"<style>(.*?)</style>", self.text, re.DOTALL).group(1)
        schemes = re.findall(r":root \{(.*?)\}", style, re.DOTALL)
        self.assertEqual(2, len(schemes))
        for scheme in schemes:
            colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", scheme))
            for ground in ("page", "card"):
                for name, least in [("text", 4.5), ("quiet", 4.5), ("link", 4.5), ("error", 4.5),
                                    *((standing, 3) for standing in [*STANDINGS, "unknown"])]:
                    light, dark = sorted((luminance(colours[name]), luminance(colours[ground])),
                                         reverse=True)
                    self.assertGreaterEqual((light + 0.05) / (dark + 0.05), least,
                                            (name, ground, scheme))

    def test_hostile_text(self):
        """A text that is markup stays text."""
        tables = support.real_tables()
        tables["libraries"] = [{**tables["libraries"][0], "soname": "<b>&\"{{data}}", "symbols": [
            {"name": "</script><script>alert(1)</script>", "standing": "unsupported",
             "decision": "unsupported", "reason": "<img src=x onerror=alert(2)>{{style}}"}]}]
        result = support.start(self.installation(tables), "coverage", "--format=html")
        page = Page(result.stdout)
        self.assertEqual([{"type": "application/json", "id": "data"},
                          {"type": "application/json", "id": "check-members"},
                          {"type": "application/json", "id": "check"}, {}], page.of("script"))
        self.assertEqual([], page.of("img") + page.of("b"))
        self.assertIn("#library=%3Cb%3E%26%22%7B%7Bdata%7D%7D",
                      [item["href"] for item in page.of("a")])
        self.assertEqual("<img src=x onerror=alert(2)>{{style}}",
                         embedded(result.stdout, "data")["symbols"][0][6])


class Program(support.CommandTest):
    """--program, on the command line."""

    def write(self, content, name="check.json"):
        path = os.path.join(self.folder(), name)
        with open(path, "w" if isinstance(content, str) else "wb") as out:
            out.write(content)
        return path

    def test_of_check(self):
        """What torchada check writes of a source goes into the page."""
        folder = self.folder()
        with open(os.path.join(folder, "a.cu"), "w", encoding="utf-8") as out:
            out.write("int main() {\n  cudaMalloc(0, 0);\n  cudaFree(0);\n  cudaFree(0);\n}\n")
        written = torchada("check", "--format=json", folder)
        path = self.write(written.stdout, "result of a.json")
        got = embedded(self.done(page_of("--program", path)).stdout, "check")
        self.assertEqual("result of a.json", got["name"])
        whole = written.json()
        self.assertEqual((whole["verdict"], whole["files"]),
                         (got["result"]["verdict"], got["result"]["files"]))
        report, = got["result"]["reports"]
        self.assertEqual(os.path.join(folder, "a.cu"), report["path"])
        library, = report["libraries"]
        self.assertEqual([("cudaFree", [3, 4]), ("cudaMalloc", [2])],
                         [(item["name"], item["lines"]) for item in library["symbols"]])

    def test_only_what_the_page_reads(self):
        result = check_result(secret="not for the page")
        result["reports"][0]["device_code"] = {"kernels": ["secret"] * 1000}
        text = self.done(page_of("--program", self.write(json.dumps(result)))).stdout
        self.assertEqual(check_result(), embedded(text, "check")["result"])
        self.assertNotIn("secret", text)

    def test_hostile_names(self):
        text = self.done(page_of("--program", self.write(json.dumps(hostile_result())))).stdout
        page = Page(text)
        self.assertEqual(4, len(page.of("script")))
        self.assertEqual([], page.of("img"))
        self.assertNotIn(HOSTILE, text)
        self.assertEqual(hostile_result(), embedded(text, "check")["result"])

    def test_hostile_file_name(self):
        path = self.write(json.dumps(check_result()), "<img src=x onerror=alert(1)>")
        text = self.done(page_of("--program", path)).stdout
        self.assertEqual([], Page(text).of("img"))
        self.assertEqual(os.path.basename(path), embedded(text, "check")["name"])

    def test_bad(self):
        """What is wrong, where, what was expected, what to do."""
        for content, where in BAD_RESULTS:
            path = self.write(content)
            result = self.done(page_of("--program=" + path), FAILED)
            self.assertEqual("", result.stdout)
            self.assertTrue(result.stderr.startswith("torchada: --program=%s: " % path), content)
            self.assertIn(where + "; " + REMEDY, result.stderr)

    def test_place_of_bad_json(self):
        for content, where in ((b'{"verdict": "runs",\n "files": }', "line 2, column 11: not valid"),
                               (b"x", "line 1, column 1: not valid JSON"),
                               (b'{\n"verdict": "\xff"}', "line 2, column 13: not valid JSON"),
                               (b'{"files": 1e999}', "a number is out of range"),
                               (b'{"files": [', "the JSON ends too early"),
                               (b"[" * 100000, "the JSON ends too early")):
            result = self.done(page_of("--program=" + self.write(content)), FAILED)
            self.assertIn(": %s" % where, result.stderr)
            self.assertIn(REMEDY, result.stderr)

    def test_no_such_file(self):
        missing = os.path.join(self.folder(), "missing.json")
        for path, message in ((missing, "No such file or directory"),
                              (self.folder(), "is a directory; expected a file")):
            result = self.done(page_of("--program", path), FAILED)
            self.assertEqual("torchada: --program=%s: %s\n" % (path, message), result.stderr)

    def test_only_with_html(self):
        path = self.write(json.dumps(check_result()))
        for words in (["--program", path], ["--format=json", "--program", path]):
            result = self.done(torchada("coverage", *words), USAGE)
            self.assertIn("--program needs --format=html", result.stderr)
        result = self.done(torchada("coverage", "--diff", "--program", path, "/a", "/b"), USAGE)
        self.assertIn("--diff and --program cannot be given together", result.stderr)


if __name__ == "__main__":
    support.main()
