#include "page.h"

namespace torchada::coverage {

const char kPageHead[] = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>torchada coverage</title>
<style>
:root { color-scheme: light dark; --line: #8884; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: 0; }
table { border-collapse: collapse; width: 100%; font-size: 0.85rem; }
th, td { text-align: left; padding: 0.25rem 0.5rem; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
td.name { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
#symbols { table-layout: fixed; }
#symbols th { width: 10rem; }
#symbols th:nth-child(2) { width: 15rem; }
#symbols th:nth-child(3) { width: 6.5rem; }
#symbols th:nth-child(4) { width: 16rem; }
#symbols th:nth-child(5), #symbols th:nth-child(6) { width: 4rem; }
#symbols th:nth-child(7) { width: auto; }
td small { display: block; opacity: 0.75; overflow-wrap: anywhere; }
svg { width: 100%; height: auto; }
svg text { font-size: 12px; fill: currentColor; }
.supported { fill: #1a7f37; } .assumed { fill: #bf8700; } .emulated { fill: #0969da; }
.pending { fill: #8250df; } .unsupported { fill: #8c959f; }
.key { display: inline-block; width: 0.8em; height: 0.8em; margin: 0 0.3em 0 1em; }
form { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 1rem 0; }
input, select { font: inherit; padding: 0.25rem 0.4rem; }
input[type=search] { flex: 1 1 16rem; }
</style>
</head>
<body>
<main>
<h1>torchada coverage</h1>
)";

const char kPageScript[] = R"(</script>
<script>
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const form = document.getElementById("filters");
const body = document.querySelector("#symbols tbody");
const count = document.getElementById("count");
const kMost = 500;
let limit = kMost;

// The link of a page carries its filters, so that a view can be sent to somebody.
for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
  if (form.elements[name]) form.elements[name].value = value;
}

function cell(row, text, className, note) {
  const td = row.insertCell();
  td.textContent = text;
  if (className) td.className = className;
  if (note) td.appendChild(Object.assign(document.createElement("small"), {textContent: note}));
}

function wanted(item, filter) {
  return (!filter.library || item[0] == filter.library) &&
         (!filter.standing || data.standings[item[2]] == filter.standing) &&
         (!filter.present || item[5] == filter.present) &&
         filter.words.every(word => item.search.includes(word));
}

function show() {
  const filter = {library: form.elements.library.value, standing: form.elements.standing.value,
                  present: form.elements.present.value,
                  words: form.elements.search.value.toLowerCase().split(/\s+/).filter(w => w)};
  const found = data.symbols.filter(item => wanted(item, filter));
  body.textContent = "";
  for (const item of found.slice(0, limit)) {
    const row = body.insertRow();
    cell(row, data.libraries[item[0]]);
    cell(row, item[1], "name");
    cell(row, data.standings[item[2]]);
    cell(row, item[3], "name", item[7]);
    cell(row, item[4]);
    cell(row, item[5]);
    cell(row, item[6]);
  }
  count.textContent = `${found.length} of ${data.symbols.length} symbols` +
      (found.length > limit ? `, the first ${limit} shown` : "");
  document.getElementById("more").hidden = found.length <= limit;
}

for (const item of data.symbols) item.search = [item[1], item[3], item[6]].join(" ").toLowerCase();
form.addEventListener("submit", event => event.preventDefault());
form.addEventListener("input", () => {
  limit = kMost;
  const set = new URLSearchParams();
  for (const name of ["search", "library", "standing", "present"]) {
    if (form.elements[name].value) set.set(name, form.elements[name].value);
  }
  history.replaceState(null, "", "#" + set);
  show();
});
document.getElementById("more").addEventListener("click", () => { limit *= 10; show(); });
show();
</script>
</main>
</body>
</html>
)";

}  // namespace torchada::coverage
