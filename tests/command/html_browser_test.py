"""The HTML page of torchada coverage in Chromium: search, filters and the view of a program, on a
phone and on a desk, with the mouse, the keyboard, and without a script."""
import collections
import json
import os
import shutil
import sys
import tempfile

import support
from browser import CHROMIUM, Browser
from check_results import BAD_RESULTS, EMPTY, REMEDY, HOSTILE, check_result, hostile_result
from support import SKIPPED, torchada

STANDINGS = ["supported", "assumed", "emulated", "unsupported"]
WORST_FIRST = ["unknown", "unsupported", "assumed", "emulated", "supported"]
PHONE, DESK = 390, 1280
CHUNK = 100

ROWS = """[...document.querySelectorAll("#symbols tbody tr")].map(row => [
  row.querySelector("small").textContent, row.querySelector("code").textContent,
  row.cells[1].textContent, row.cells[2].querySelector("code")?.textContent || ""])"""
COUNT = "document.getElementById('count').textContent"
GROUPS = """[...document.querySelectorAll("#program-result > details[data-standing]")].map(group => ({
  standing: group.dataset.standing, open: group.open,
  count: group.querySelector("summary strong").textContent,
  rows: [...group.querySelectorAll("tbody tr")].map(row => [
      row.querySelector("small").textContent, row.querySelector("code").textContent])}))"""
OPEN_ALL = "document.querySelectorAll('details').forEach(item => { item.open = true; })"


class BrowserTest(support.CommandTest):

    @classmethod
    def setUpClass(cls):
        cls.files = tempfile.mkdtemp(prefix="torchada-page-")
        cls.browser = Browser()
        cls.file = cls.written("coverage.html")
        cls.symbols = torchada("coverage", "--symbols", "--format=json",
                               "--backend=host").json()["symbols"]

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        shutil.rmtree(cls.files)

    @classmethod
    def write(cls, name, text):
        path = os.path.join(cls.files, name)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        return path

    @classmethod
    def written(cls, name, *words):
        result = torchada("coverage", "--format=html", "--backend=host", *words)
        assert result.status == 0, str(result)
        return cls.write(name, result.stdout)

    def page(self, file=None, **settings):
        page = self.browser.open(file or self.file, **settings)
        self.addCleanup(lambda: self.assertEqual([], page.faults()))
        return page

    def program_page(self, result, *words, **settings):
        """With a program from the command line."""
        path = self.write("check.json", json.dumps(result))
        return self.page(self.written("program.html", "--program=" + path, *words), **settings)


class Search(BrowserTest):

    def wanted(self, keep):
        return [[item["soname"], item["symbol"], item["standing"], item["target"]]
                for item in self.symbols if keep(item)]

    def check(self, page, keep):
        """The first rows that `keep` chooses, and the number of all of them."""
        wanted = self.wanted(keep)
        self.assertEqual("%d of %d functions" % (len(wanted), len(self.symbols)),
                         page.value(COUNT))
        self.assertEqual(wanted[:CHUNK], page.value(ROWS))
        return wanted

    @staticmethod
    def has(item, text):
        return text in " ".join([item["symbol"], item["target"], item["reason"]]).lower()

    def test_nothing_before_a_question(self):
        page = self.page()
        self.assertEqual([], page.value(ROWS))
        self.assertTrue(page.value(COUNT).startswith("%d functions. " % len(self.symbols)))
        self.assertTrue(page.value("document.getElementById('symbols').hidden"))
        # The overview has a row for each library and each of its majors.
        self.assertLess(page.value("document.querySelectorAll('tr').length"), 100)

    def test_search(self):
        page = self.page(fragment="#search=cublasSgemm")
        self.assertGreater(len(self.check(page, lambda item: self.has(item, "cublassgemm"))), 5)
        page = self.page(fragment="#search=stream+musa")
        self.check(page, lambda item: self.has(item, "stream") and self.has(item, "musa"))
        page = self.page(fragment="#search=no+such+thing+anywhere")
        self.assertEqual([], self.check(page, lambda item: False))

    def test_filters(self):
        page = self.page(fragment="#library=libcudart.so.13&standing=assumed")
        self.check(page, lambda item: item["soname"] == "libcudart.so.13"
                   and item["standing"] == "assumed")
        page = self.page(fragment="#present=no")
        missing = self.check(page, lambda item: item["present"] is False)
        self.assertTrue(missing)
        self.assertEqual(min(CHUNK, len(missing)), page.value(
            "document.querySelectorAll('#symbols .absent').length"))
        page = self.page(fragment="#library=libnothing.so&standing=none")
        self.assertEqual([], page.value(ROWS))

    def test_hands(self):
        """What typing and choosing do; the address of the page follows."""
        page = self.page()
        page.value("""
            const form = document.getElementById("filters");
            form.elements.search.value = "Malloc";
            form.elements.search.dispatchEvent(new Event("input", {bubbles: true}));
            form.elements.standing.value = "supported";
            form.elements.standing.dispatchEvent(new Event("input", {bubbles: true}));""")
        self.assertGreater(len(self.check(page, lambda item: item["standing"] == "supported"
                                          and self.has(item, "malloc"))), 5)
        self.assertEqual("#search=Malloc&standing=supported", page.value("location.hash"))
        page.value("document.getElementById('clear').click()")
        self.assertEqual([], page.value(ROWS))
        self.assertEqual("", page.value("location.hash"))

    def test_list_all(self):
        """In chunks, as often as the button is pressed."""
        page = self.page()
        page.value("document.getElementById('all').click()")
        wanted = self.check(page, lambda item: True)
        button = "document.getElementById('more')"
        self.assertEqual("Show %d more (%d not shown)" % (CHUNK, len(wanted) - CHUNK),
                         page.value(button + ".textContent"))
        page.value(button + ".click()")
        self.assertEqual(wanted[:2 * CHUNK], page.value(ROWS))
        page.value("while (!%s.hidden) %s.click()" % (button, button))
        self.assertEqual(wanted, page.value(ROWS))

    def test_opening_a_library(self):
        """The links of the bars list what they count."""
        page = self.page()
        for standing in STANDINGS:
            link = "#library=libcublas.so.12&standing=" + standing
            wanted = self.wanted(lambda item, name=standing: (item["soname"], item["standing"])
                                 == ("libcublas.so.12", name))
            if not wanted:
                continue
            page.value("document.querySelector('a[href=\"%s\"]').click()" % link)
            page.wait("document.querySelectorAll('#symbols tbody tr').length === %d"
                      % min(CHUNK, len(wanted)))
            self.check(page, lambda item, name=standing: (item["soname"], item["standing"])
                       == ("libcublas.so.12", name))
        self.assertEqual("functions-heading", page.value("document.activeElement.id"))
        page.value("document.querySelector('a[href=\"#library=libnccl.so.2\"]').click()")
        page.wait("document.getElementById('library').value === 'libnccl.so.2'")
        self.check(page, lambda item: item["soname"] == "libnccl.so.2")

    def test_keyboard(self):
        """Tab reaches every control in the order of the page and shows where it is; Enter acts."""
        page = self.page()
        reached = []
        for _ in range(400):
            page.press("Tab", 9)
            place = page.value("""(element => element === document.body ? "" : [
                element.id || element.getAttribute("href") || element.textContent.trim(),
                getComputedStyle(element).outlineStyle])(document.activeElement)""")
            if not place:
                break
            self.assertNotEqual("none", place[1], place)
            reached.append(place[0])
        wanted = page.value("""[...document.querySelectorAll("a, button, input, select, textarea, " +
            "summary, [tabindex='0']")].filter(element => element.checkVisibility())
            .map(element => element.id || element.getAttribute("href") ||
                 element.textContent.trim())""")
        self.assertEqual(wanted, reached)
        page.value("document.querySelector('a[href=\"#library=libnccl.so.2\"]').focus()")
        page.press("Enter", 13)
        page.wait("document.querySelectorAll('#symbols tbody tr').length > 0")
        self.check(page, lambda item: item["soname"] == "libnccl.so.2")


class Program(BrowserTest):

    def expected(self, result):
        """Standing of each function the result names, by the tables; replaced libraries do not
        count."""
        known = {(item["soname"], item["symbol"]): item["standing"] for item in self.symbols}
        out = {}
        for report in result["reports"]:
            if report["verdict"] == "replaced":
                continue
            for library in report["libraries"]:
                soname = library["soname"] or library["asked"]
                for symbol in library["symbols"]:
                    out[soname, symbol["name"]] = known.get((soname, symbol["name"]), "unknown")
        return out

    def check(self, page, result):
        """Groups, worst first, each with its number and, once open, its functions."""
        expected = self.expected(result)
        counts = collections.Counter(expected.values())
        groups = page.value(GROUPS)
        self.assertEqual([(name, "%d %s" % (counts[name], name)) for name in WORST_FIRST
                          if counts[name]],
                         [(group["standing"], group["count"]) for group in groups])
        for group in groups:
            failing = group["standing"] in ("unknown", "unsupported")
            self.assertEqual(failing, group["open"], group["standing"])
            self.assertEqual(failing, bool(group["rows"]), "rows before anybody asked")
        page.value(OPEN_ALL)
        page.wait("[...document.querySelectorAll('#program-result details[data-standing]')]"
                  ".every(group => group.querySelector('tr'))")
        shown = {}
        for group in page.value(GROUPS):
            self.assertEqual(sorted(group["rows"]), group["rows"])
            shown.update({tuple(row): group["standing"] for row in group["rows"]})
        self.assertEqual(expected, shown)
        files = [report for report in result["reports"]
                 if report["verdict"] != "replaced" and report["libraries"]]
        self.assertEqual("%d CUDA functions, used in %d files." % (len(expected), len(files)),
                         page.value("document.getElementById('program-count').textContent"))

    def source(self, *names):
        """A program of two sources that use these functions, and what torchada check says."""
        folder = tempfile.mkdtemp(dir=self.files)
        for file, chosen in (("one.cpp", names), ("two.cpp", names[:1])):
            with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
                out.write("#include <cuda_runtime.h>\n")
                out.write("".join("void f%d() { %s(); }\n" % item for item in enumerate(chosen)))
        return torchada("check", "--format=json", folder).json()

    def names(self, standing, number):
        """Of the default major; some other function may have the reason that is looked for."""
        return [item["symbol"] for item in self.symbols if item["standing"] == standing
                and item["soname"] == "libcudart.so.12"][:number]

    def mixed(self):
        result = self.source(*self.names("supported", 4), *self.names("assumed", 3),
                             *self.names("emulated", 2), *self.names("unsupported", 5))
        self.assertEqual({"supported": 4, "assumed": 3, "emulated": 2, "unsupported": 5},
                         collections.Counter(self.expected(result).values()))
        return result

    def test_from_the_command_line(self):
        result = self.mixed()
        for width in (PHONE, DESK):
            with self.subTest(width=width):
                page = self.program_page(result, width=width)
                self.assertEqual(["check.json: runs in part"],
                                 page.value("[...document.querySelectorAll('#program-result h3')]"
                                            ".map(item => item.textContent)"))
                self.check(page, result)

    def test_file_in_the_page(self):
        result = self.mixed()
        path = self.write("chosen.json", json.dumps(result))
        for width in (PHONE, DESK):
            with self.subTest(width=width):
                page = self.page(width=width)
                page.choose_file("#program-file", path)
                page.wait("!document.getElementById('program-result').hidden")
                self.assertEqual("chosen.json: runs in part",
                                 page.value("document.activeElement.textContent"))
                self.check(page, result)

    def paste(self, page, text):
        page.value("document.getElementById('program-text').value = %s; "
                   "document.getElementById('program-show').click()" % json.dumps(text))

    def test_pasted(self):
        page = self.page()
        self.paste(page, "\ufeff" + json.dumps(check_result()))
        self.check(page, check_result())

    def test_lines_and_targets(self):
        """Where each function is used, and what it becomes."""
        name, = self.names("supported", 1)
        target, = [item["target"] for item in self.symbols
                   if (item["soname"], item["symbol"]) == ("libcudart.so.12", name)]
        result = self.source(name)
        page = self.program_page(result)
        page.value(OPEN_ALL)
        page.wait("document.querySelector('[data-standing=supported] tbody tr')")
        cells = page.value("[...document.querySelector('[data-standing=supported] tbody tr').cells]"
                           ".map(cell => cell.innerText)")
        self.assertIn(target, cells[1])
        self.assertEqual(["%s: line 2" % report["path"] for report in result["reports"]],
                         cells[-1].strip().splitlines())

    def test_unknown_names(self):
        """Names that the tables do not have, majors that torchada does not have."""
        page = self.program_page(check_result())
        rows = page.value("[...document.querySelectorAll('[data-standing=unknown] tbody tr')]"
                          ".map(row => [row.querySelector('code').textContent,"
                          "             row.querySelector('[data-title=reason]').textContent])")
        self.assertEqual([["cublasSgemm", "torchada has no libcublas.so.9"],
                          ["cudaNothingSuch", "torchada's libcudart.so.12 has no such function"],
                          ["cudaPerhapsSuch", "torchada's libcudart.so.12 has no such function; the "
                           "program treats the function as optional (weak)"]], rows)

    def test_other_libraries_and_files(self):
        page = self.program_page(check_result())
        page.value(OPEN_ALL)
        page.wait("document.body.innerText.includes('libcudnn: port it')")
        text = page.value("document.getElementById('program-result').innerText")
        for part in ("1 library that torchada does not have", "libcudnn.so.9", "at start",
                     "3 files", "is a library that torchada replaces", "bin/program"):
            self.assertIn(part, text)
        self.assertNotIn("cudaEventCreate", text)

    def test_nothing_of_cuda(self):
        page = self.program_page({"verdict": "nothing", "files": 7, "reports": []})
        text = page.value("document.getElementById('program-result').innerText")
        self.assertIn("check.json: uses nothing of CUDA", text)
        self.assertIn("No CUDA function found; 7 files examined.", text)
        self.assertEqual([], page.value(GROUPS))

    def test_page_with_filters(self):
        """What such a page does not have stands as check says; what differs is said."""
        result = check_result()
        result["reports"][0]["libraries"] = [{
            "asked": "libcudart.so.12", "soname": "libcudart.so.12", "symbols": [
                {"name": "cudaMalloc", "weak": False, "standing": "unsupported", "reason": ""}]}, {
            "asked": "libnccl.so.2", "soname": "libnccl.so.2", "symbols": [
                {"name": "ncclSend", "weak": False, "standing": "assumed", "reason": "a reason"}]}]
        page = self.program_page(result, "--library=cudart")
        groups = {item["standing"]: item["count"] for item in page.value(GROUPS)}
        self.assertEqual({"supported": "1 supported", "assumed": "1 assumed"}, groups)
        self.assertIn("1 function has another standing in check.json",
                      page.value("document.getElementById('program-result').innerText"))

    def test_bad(self):
        """The same words as on the command line; the page goes on."""
        page = self.page()
        error = "document.getElementById('program-error')"
        for text, where in [*BAD_RESULTS, ("{", "not valid JSON ("), ("./a: runs", "not valid JSON ("),
                            *((text, "the text is empty") for text in EMPTY)]:
            self.paste(page, text)
            said = page.value(error + ".innerText")
            self.assertTrue(said.startswith("pasted text: " + where), said)
            self.assertTrue(said.endswith("; " + REMEDY), said)
            self.assertTrue(page.value("document.getElementById('program-result').hidden"))
        self.assertEqual("alert", page.value(error + ".getAttribute('role')"))
        self.paste(page, json.dumps(check_result()))
        self.assertTrue(page.value(error + ".hidden"))
        self.check(page, check_result())
        page.choose_file("#program-file", self.write("bad.json", "[]"))
        page.wait("!%s.hidden" % error)
        self.assertEqual("bad.json: %s; %s" % (BAD_RESULTS[0][1], REMEDY),
                         page.value(error + ".innerText"))

    def test_hostile_names(self):
        """They are shown as they are and do nothing, from the command line and in the page."""
        from_command = self.program_page(hostile_result())
        pasted = self.page()
        self.paste(pasted, json.dumps(hostile_result()))
        for page in (from_command, pasted):
            page.value(OPEN_ALL)
            page.wait("document.querySelector('#program-result > details:last-of-type tr')")
            self.assertEqual(0, page.value("document.querySelectorAll('img').length"))
            self.assertIsNone(page.value("window.hacked"))
            text = page.value("document.getElementById('program-result').textContent")
            self.assertGreater(text.count(HOSTILE), 10)

    def test_many_functions_are_drawn_in_chunks(self):
        names = ["cudaNothing%05d" % number for number in range(20000)]
        result = check_result()
        result["reports"][1]["libraries"] = [{
            "asked": "libcudart.so.12", "soname": "libcudart.so.12", "symbols": [
                {"name": name, "weak": False, "standing": "missing", "reason": ""}
                for name in names]}]
        page = self.program_page(result)
        group = "document.querySelector('[data-standing=unknown]')"
        rows = group + ".querySelectorAll('tbody tr').length"
        self.assertEqual("20003 unknown", page.value(group + ".querySelector('strong').textContent"))
        self.assertEqual(CHUNK, page.value(rows))
        page.value(group + ".querySelector('button').click()")
        self.assertEqual(2 * CHUNK, page.value(rows))


class Layout(BrowserTest):

    def everything_open(self, width, **settings):
        result = check_result()
        result["reports"][0]["path"] = "a/very/long/path/" * 20 + "program"
        result["reports"][0]["libraries"][0]["symbols"][0]["name"] = "cuda" + "Long" * 100
        page = self.program_page(result, width=width, **settings)
        page.value(OPEN_ALL + "; document.getElementById('all').click()")
        page.wait("[...document.querySelectorAll('#program-result > details')]"
                  ".every(item => item.querySelector('tr'))")
        return page

    def test_no_scrolling_sideways(self):
        for width in (320, PHONE, 768, DESK):
            page = self.everything_open(width)
            self.assertEqual(width, page.value("innerWidth"))
            self.assertLessEqual(page.value("document.documentElement.scrollWidth"), width)
            wide = page.value("""[...document.querySelectorAll("body *")].filter(item =>
                item.getBoundingClientRect().right > innerWidth + 1 && !item.closest(".sideways, pre"))
                .map(item => item.outerHTML.slice(0, 200))""")
            self.assertEqual([], wide)

    def test_one_column_on_a_phone(self):
        page = self.everything_open(PHONE)
        lefts = page.value("""[...document.querySelectorAll("#symbols tbody tr:first-child td")]
            .filter(cell => cell.textContent).map(cell => cell.getBoundingClientRect().left)""")
        self.assertGreater(len(lefts), 1)
        self.assertEqual(1, len(set(lefts)))
        page = self.everything_open(DESK)
        tops = page.value("""[...document.querySelectorAll("#symbols tbody tr:first-child td")]
            .map(cell => cell.getBoundingClientRect().top)""")
        self.assertEqual((4, 1), (len(tops), len(set(tops))))

    def test_fingers(self):
        """Everything to touch is 44 pixels high and wide."""
        page = self.everything_open(PHONE)
        small = page.value("""[...document.querySelectorAll("a, button, input, select, textarea, " +
            "summary")].filter(item => item.checkVisibility())
            .map(item => [item.getBoundingClientRect(), item.outerHTML.slice(0, 200)])
            .filter(([box]) => box.height < 44 || box.width < 44)
            .map(([box, html]) => [box.width, box.height, html])""")
        self.assertEqual([], small)

    def test_names_for_screen_readers(self):
        page = self.everything_open(PHONE)
        page.call("Accessibility.enable")
        kinds = collections.Counter()
        for node in page.call("Accessibility.getFullAXTree")["nodes"]:
            role = node.get("role", {}).get("value")
            if not node["ignored"] and role in ("link", "button", "textbox", "searchbox", "combobox",
                                                "image", "region", "heading", "DisclosureTriangle"):
                self.assertTrue(node["name"]["value"].strip(), node)
                kinds[role] += 1
        for role in ("link", "button", "textbox", "searchbox", "combobox", "image", "heading"):
            self.assertGreater(kinds[role], 0, kinds)

    def test_dark(self):
        """The colours of the page follow the system's."""
        colours = [self.page(dark=dark).value("getComputedStyle(document.body).backgroundColor")
                   for dark in (False, True)]
        light, dark = [sum(map(int, text[4:-1].split(","))) for text in colours]
        self.assertGreater(light, 600)
        self.assertLess(dark, 150)

    def test_without_script(self):
        """Bars, legend and numbers are there; what needs the script is not offered."""
        page = self.page(script=False)
        page.call("Emulation.setScriptExecutionDisabled", value=False)
        for selector, wanted in (("svg.bar", True), ("#legend dd", True), ("#filters", False),
                                 ("#program-input", False), ("#program-result", False),
                                 ("noscript p", True)):
            shown = page.value("document.querySelector('%s').checkVisibility()" % selector)
            self.assertEqual(wanted, shown, selector)
        self.assertGreater(page.value("document.querySelector('svg.bar rect')"
                                      ".getBoundingClientRect().width"), 10)


if __name__ == "__main__":
    if CHROMIUM is None:
        print("SKIPPED: no chromium, so search, filters and the view of a program in the HTML page "
              "were not tried")
        sys.exit(SKIPPED)
    support.main()
