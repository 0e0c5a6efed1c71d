// What a program needs, from the JSON of torchada check.

const kWorstFirst = ["unknown", "unsupported", "assumed", "emulated", "supported"];
const kMostFiles = 3;  // Named beside a function; the others on demand.

const kVerdicts = {
  nothing: "uses nothing of CUDA",
  replaced: "is a library that torchada replaces",
  runs: "runs",
  unexamined: "not examined in full",
  assumed: "runs if the assumed functions work as in CUDA",
  partly: "runs in part",
  kernels: "runs until it launches its own kernels",
  unreadable: "could not be examined",
  cannot: "cannot run",
};

function verdict(word) { return Object.hasOwn(kVerdicts, word) ? kVerdicts[word] : word; }

function meaningOf(standing) {
  if (standing === "unknown") return "torchada's libraries do not have these functions.";
  return document.querySelector(`#legend [data-standing="${standing}"] dd`).textContent;
}

// torchada's library stands in for these: what the original needs does not matter.
function ownReports(check) { return check.reports.filter(report => report.verdict !== "replaced"); }

function unknownReason(library, symbol) {
  const why = library.soname === null ? `torchada has no ${library.asked}`
                                      : `torchada's ${library.soname} has no such function`;
  return symbol.weak ? `${why}; the program treats the function as optional (weak)` : why;
}

// Each function once, with the files that use it. `differ` counts those whose standing in the
// tables of this page is not the one that check saw.
function functionsOf(check) {
  const known = new Map(functions.map(item => [`${item.library} ${item.name}`, item]));
  const found = new Map();
  let differ = 0;
  for (const report of ownReports(check)) {
    for (const library of report.libraries) {
      for (const symbol of library.symbols) {
        const soname = library.soname === null ? library.asked : library.soname;
        const key = `${soname} ${symbol.name}`;
        if (!found.has(key)) {
          const own = known.get(key);
          const isStanding = data.standings.includes(symbol.standing);
          if (own && own.standing !== symbol.standing) ++differ;
          // A page with filters (--library, --abi, --only) does not have every function.
          found.set(key, {
            ...(own || {library: soname, name: symbol.name, target: "", tier: "", present: "",
                        standing: isStanding ? symbol.standing : "unknown", sources: "",
                        reason: isStanding ? symbol.reason : unknownReason(library, symbol)}),
            uses: []});
        }
        found.get(key).uses.push({path: report.path, lines: symbol.lines || []});
      }
    }
  }
  return {functions: [...found.values()], differ};
}

// Libraries of CUDA that torchada does not have, each once.
function otherLibrariesOf(check) {
  const found = new Map();
  for (const report of ownReports(check)) {
    for (const other of report.other_libraries) {
      if (!found.has(other.name)) found.set(other.name, {...other, uses: []});
      const item = found.get(other.name);
      item.listed = item.listed || other.listed;
      item.uses.push({path: report.path, lines: []});
    }
  }
  return [...found.values()];
}

function useText(use) {
  if (use.lines.length === 0) return use.path;
  return `${use.path}: ${use.lines.length === 1 ? "line" : "lines"} ${use.lines.join(", ")}`;
}

function uses(item) {
  const list = from => [element("ul", {class: "uses"},
                                ...from.map(use => element("li", {}, useText(use))))];
  const out = list(item.uses.slice(0, kMostFiles));
  const others = item.uses.slice(kMostFiles);
  if (others.length > 0) {
    out.push(section([`${counted(others.length, "more file", "more files")}`], () => list(others)));
  }
  return out;
}

const usedIn = {title: "used in", cell: uses};

const otherColumns = [
  {title: "library", cell: item => [
    element("code", {}, item.name), element("small", {}, item.what)]},
  {title: "needed", cell: item => [item.listed ? "at start" : "perhaps at run time"]},
  {title: "advice", cell: item => [item.advice]},
  usedIn,
];

const fileColumns = [
  {title: "file", cell: item => [element("code", {}, item.path)]},
  {title: "verdict", cell: item => [verdict(item.verdict)]},
  {title: "reasons", cell: item => item.reasons.map(text => element("p", {}, text))},
  {title: "what to do", cell: item => item.remedies.map(text => element("p", {}, text))},
];

function summaryLine(check, items) {
  if (items.length === 0) {
    return `No CUDA function found; ${counted(check.files, "file", "files")} examined.`;
  }
  const files = new Set(items.flatMap(item => item.uses.map(use => use.path))).size;
  return `${counted(items.length, "CUDA function", "CUDA functions")}, used in ` +
      `${counted(files, "file", "files")}.`;
}

function standingSections(items) {
  const hasLines = items.some(item => item.uses.some(use => use.lines.length > 0));
  const hasFiles = new Set(items.flatMap(item => item.uses.map(use => use.path))).size > 1;
  const out = [];
  for (const standing of kWorstFirst) {
    const group = items.filter(item => item.standing === standing);
    if (group.length === 0) continue;
    group.sort((a, b) => a.library === b.library ? (a.name < b.name ? -1 : 1)
                                                 : (a.library < b.library ? -1 : 1));
    const failing = ["unknown", "unsupported"].includes(standing);
    const shown = [columns.name];
    if (group.some(item => item.target)) shown.push(columns.target);
    if (group.some(item => item.reason || item.present === "no")) shown.push(columns.reason);
    if (hasLines || hasFiles) shown.push(usedIn);
    const missing = group.filter(item => item.present === "no").length;
    const summary = [swatch(standing), element("strong", {}, `${group.length} ${standing}`)];
    if (missing > 0) {
      summary.push(" ", element("span", {class: "absent"}, `(${missing} not in this MUSA)`));
    }
    summary.push(element("span", {class: "meaning"}, meaningOf(standing)));
    const view = section(summary, () => table(shown, group), failing);
    view.dataset.standing = standing;
    view.dataset.count = group.length;
    out.push(view);
  }
  return out;
}

// `name` is what the user calls the result: a file name.
function programView(check, name) {
  const {functions: items, differ} = functionsOf(check);
  const others = otherLibrariesOf(check);
  const counts = [...data.standings, "unknown"].map(
      standing => [standing, items.filter(item => item.standing === standing).length])
      .filter(([, count]) => count > 0);
  const out = [
    element("h3", {tabindex: "-1"}, `${name}: ${verdict(check.verdict)}`),
    element("p", {id: "program-count"}, summaryLine(check, items)),
  ];
  if (items.length > 0) {
    out.push(bar(counts, counts.map(([standing, count]) => `${count} ${standing}`).join(", ")));
  }
  if (others.length > 0) {
    out.push(section(
        [swatch("unknown"),
         element("strong", {}, counted(others.length, "library that torchada does not have",
                                       "libraries that torchada does not have"))],
        () => table(otherColumns, others), true));
  }
  out.push(...standingSections(items));
  if (check.reports.length > 0) {
    out.push(section([element("strong", {}, counted(check.reports.length, "file", "files")),
                      element("span", {class: "meaning"}, "The verdict on each, and what to do.")],
                     () => table(fileColumns, check.reports)));
  }
  if (differ > 0) {
    out.push(element("p", {class: "note"},
                     `${counted(differ, "function has", "functions have")} another standing in ` +
                     `${name}: another version of torchada wrote it. This page shows its own.`));
  }
  out.push(element("p", {class: "note"},
                   "torchada check does not see functions that the program looks up at run time " +
                   "under a name that it puts together."));
  return out;
}

function showProgram(check, name) {
  byId("program-error").hidden = true;
  byId("program-result").replaceChildren(...programView(check, name));
  byId("program-result").hidden = false;
  byId("program-input").open = false;
  byId("program-input").querySelector("summary").textContent = "Open another result";
}

function readProgram(text, name) {
  try {
    showProgram(readCheckResult(text), name);
  } catch (error) {
    byId("program-result").hidden = true;
    byId("program-error").textContent = `${name}: ${error.message}`;
    byId("program-error").hidden = false;
    return;
  }
  byId("program-result").querySelector("h3").focus();
}

function startProgram() {
  byId("program-input").hidden = false;
  byId("program-input").open = true;
  // A file that was written anew can be chosen again.
  byId("program-file").addEventListener("click", event => { event.target.value = ""; });
  byId("program-file").addEventListener("change", async event => {
    const file = event.target.files[0];
    if (!file) return;
    let text;
    try {
      text = await file.text();
    } catch (error) {
      byId("program-error").textContent = `${file.name}: cannot be read (${error.message})`;
      byId("program-error").hidden = false;
      return;
    }
    readProgram(text, file.name);
  });
  byId("program-show").addEventListener("click", () => {
    readProgram(byId("program-text").value, "pasted text");
  });
  const given = embedded("check");
  if (given !== null) showProgram(given.result, given.name);
}
