// Search and filters over all functions. Nothing is listed before the user asks.

const kFilters = ["search", "library", "standing", "present"];
const allColumns = [columns.name, columns.standing, columns.target, columns.reason];
let listAll = false;

function field(name) { return byId("filters").elements[name]; }

function matches(item, filter) {
  return (!filter.library || item.library === filter.library) &&
         (!filter.standing || item.standing === filter.standing) &&
         (!filter.present || item.present === filter.present) &&
         filter.words.every(word => item.search.includes(word));
}

function showFunctions() {
  const filter = {library: field("library").value, standing: field("standing").value,
                  present: field("present").value,
                  words: field("search").value.toLowerCase().split(/\s+/).filter(word => word)};
  const asked = listAll || kFilters.some(name => field(name).value.trim());
  const found = asked ? functions.filter(item => matches(item, filter)) : [];
  showRows(document.querySelector("#symbols tbody"), byId("more"), allColumns, found);
  byId("symbols").hidden = found.length === 0;
  byId("count").textContent =
      asked ? `${found.length} of ${functions.length} functions`
            : `${functions.length} functions. Type a name or choose a filter.`;
}

// The address of the page carries its filters, so that a view can be sent to somebody.
function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (!kFilters.some(name => given.has(name))) return false;
  for (const name of kFilters) {
    field(name).value = given.get(name) || "";
    if (field(name).selectedIndex === -1) field(name).value = "";
  }
  return true;
}

function writeAddress() {
  const set = new URLSearchParams();
  for (const name of kFilters) {
    if (field(name).value) set.set(name, field(name).value);
  }
  history.replaceState(null, "", "#" + set);
}

function clear(all) {
  for (const name of kFilters) field(name).value = "";
  listAll = all;
  writeAddress();
  showFunctions();
}

function startSearch() {
  const form = byId("filters");
  form.hidden = false;
  form.addEventListener("submit", event => event.preventDefault());
  form.addEventListener("input", () => {
    listAll = false;
    writeAddress();
    showFunctions();
  });
  byId("all").addEventListener("click", () => clear(true));
  byId("clear").addEventListener("click", () => clear(false));
  addEventListener("hashchange", () => {
    if (!readAddress()) return;
    showFunctions();
    byId("functions").scrollIntoView();
    byId("functions-heading").focus({preventScroll: true});
  });
  const linked = readAddress();
  showFunctions();
  if (linked) byId("functions").scrollIntoView();
}
