"""The HTML page of torchada coverage: it is self-contained, and its search and filters work in
Chromium."""
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import support
from support import SKIPPED, torchada

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
STANDINGS = ["supported", "assumed", "emulated", "pending", "unsupported"]


class Page(html.parser.HTMLParser):
    """Collects elements with their attributes. Checks that every opened element is closed."""
    VOID = {"meta", "input", "br", "rect"}

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.texts = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        if tag == "rect":
            return
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data):
        self.texts.append(data)

    def of(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


class Written(support.CommandTest):

    def setUp(self):
        self.text = self.done(torchada("coverage", "--format=html", "--backend=host")).stdout

    def test_needs_nothing_else(self):
        page = Page(self.text)
        self.assertTrue(self.text.startswith("<!DOCTYPE html>"))
        for tag, attributes in page.elements:
            for name in ("src", "href", "action"):
                self.assertNotIn(name, attributes, tag)
        self.assertNotRegex(self.text, r"@import|url\(|fetch\(|XMLHttpRequest")
        self.assertNotIn("link", [tag for tag, _ in page.elements])

    def test_charts(self):
        """For each library and standing, a bar as wide as its share."""
        libraries = torchada("coverage", "--format=json").json()["libraries"]
        chart = re.search(r"<svg role=.*?</svg>", self.text, re.DOTALL).group()
        bars = re.findall(r'<rect class="(\w+)" x="(\d+)" y="(\d+)" width="(\d+)" .*?<title>'
                          r"(\d+) of (\d+) (\w+)</title>", chart)
        wanted = [(library[name], library["real"], name) for library in libraries
                  for name in STANDINGS if library[name]]
        self.assertEqual(wanted, [(int(bar[4]), int(bar[5]), bar[6]) for bar in bars])
        for name, _, _, width, count, total, title in bars:
            self.assertEqual(name, title)
            self.assertAlmostEqual(900 * int(count) / int(total), int(width), delta=1)

    def test_data(self):
        data = json.loads(re.search(r'id="data">(.*?)</script>', self.text, re.DOTALL).group(1))
        symbols = torchada("coverage", "--symbols", "--format=json", "--backend=host").json()
        self.assertEqual([[item["soname"], item["symbol"], item["standing"], item["target"]]
                          for item in symbols["symbols"]],
                         [[data["libraries"][item[0]], item[1], data["standings"][item[2]], item[3]]
                          for item in data["symbols"]])

    def test_hostile_text(self):
        """A text that contains markup stays text."""
        tables = support.real_tables()
        tables["libraries"] = [{**tables["libraries"][0], "soname": "<b>&\"", "symbols": [
            {"name": "</script><script>alert(1)</script>", "standing": "unsupported",
             "decision": "unsupported", "reason": "<img src=x onerror=alert(2)>"}]}]
        result = support.start(self.installation(tables), "coverage", "--format=html")
        page = Page(result.stdout)
        self.assertEqual(2, len(page.of("script")))
        self.assertEqual([], page.of("img") + page.of("b"))


class InBrowser(support.CommandTest):

    def setUp(self):
        folder = tempfile.mkdtemp(prefix="torchada-page-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        self.file = os.path.join(folder, "coverage.html")
        self.profile = os.path.join(folder, "profile")
        with open(self.file, "w", encoding="utf-8") as out:
            out.write(torchada("coverage", "--format=html", "--backend=host").stdout)
        self.symbols = torchada("coverage", "--symbols", "--format=json",
                                "--backend=host").json()["symbols"]

    def shown(self, filters, script=""):
        """The page after its own script and `script` have run: the rows, and the line above them.
        """
        with open(self.file, "a", encoding="utf-8") as out:
            out.write("<script>%s</script>" % script)
        ended = subprocess.run(
            [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--user-data-dir=" + self.profile, "--virtual-time-budget=10000", "--dump-dom",
             "file://%s#%s" % (self.file, filters)],
            capture_output=True, text=True, timeout=90, check=False)
        self.assertEqual(0, ended.returncode, ended.stderr[-2000:])
        table = re.search(r'<table id="symbols">.*?<tbody>(.*?)</tbody>', ended.stdout, re.DOTALL)
        rows = [re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)
                for row in re.findall(r"<tr>(.*?)</tr>", table.group(1), re.DOTALL)]
        count = re.search(r'<p id="count">(.*?)</p>', ended.stdout).group(1)
        return [(row[0], row[1], row[2]) for row in rows], count

    def wanted(self, keep):
        return [(item["soname"], item["symbol"], item["standing"]) for item in self.symbols
                if keep(item)]

    def check(self, filters, keep):
        rows, count = self.shown(filters)
        wanted = self.wanted(keep)
        self.assertEqual(wanted[:500], rows)
        self.assertTrue(count.startswith("%d of %d symbols" % (len(wanted), len(self.symbols))),
                        count)
        return wanted

    def test_all(self):
        wanted = self.check("", lambda item: True)
        self.assertGreater(len(wanted), 500)

    def test_search(self):
        found = self.check("search=cublasSgemm", lambda item: "cublassgemm" in " ".join(
            [item["symbol"], item["target"], item["reason"]]).lower())
        self.assertGreater(len(found), 5)
        self.check("search=no+such+thing+anywhere", lambda item: False)

    def test_filters(self):
        self.check("library=2&standing=assumed", lambda item: item["soname"] == "libcudart.so.13"
                   and item["standing"] == "assumed")
        missing = self.check("present=no", lambda item: item["present"] is False)
        self.assertTrue(missing)

    def test_hands(self):
        """The effects of typing, selecting and pressing keys."""
        rows, count = self.shown("", """
            form.elements.search.value = "Malloc";
            form.elements.search.dispatchEvent(new Event("input", {bubbles: true}));
            form.elements.standing.value = "supported";
            form.elements.standing.dispatchEvent(new Event("input", {bubbles: true}));""")
        wanted = self.wanted(lambda item: item["standing"] == "supported" and "malloc" in " ".join(
            [item["symbol"], item["target"], item["reason"]]).lower())
        self.assertEqual(wanted, rows)
        self.assertTrue(count.startswith("%d of " % len(wanted)), count)

    def test_more(self):
        rows, count = self.shown("", "document.getElementById('more').click();")
        self.assertEqual(len(self.symbols), len(rows))
        self.assertEqual("%d of %d symbols" % (len(rows), len(rows)), count)


if __name__ == "__main__":
    if "InBrowser" in sys.argv and CHROMIUM is None:
        print("SKIPPED: no chromium, so search and filters of the HTML page were not tried")
        sys.exit(SKIPPED)
    support.main()
