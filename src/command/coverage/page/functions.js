// The functions of the tables, and how they are shown.

const data = embedded("data");

// data.symbols has lists, because thousands of objects with names would be mostly names.
const functions = data.symbols.map(
    ([library, name, standing, target, tier, present, reason, sources]) => ({
      library: data.libraries[library], name, standing: data.standings[standing], target, tier,
      present, reason, sources, search: [name, target, reason].join(" ").toLowerCase()}));

// Rests on `tier`; where somebody can read it, on demand.
function evidence(item) {
  if (!item.sources) return element("small", {}, `evidence: ${item.tier}`);
  return section([`evidence: ${item.tier}`],
                 () => item.sources.split(" ").map(source => element("small", {}, source)));
}

const columns = {
  name: {title: "function", symbol: true, cell: item => [
    element("code", {}, item.name), element("small", {}, item.library)]},
  standing: {title: "standing", cell: item => [swatch(item.standing), item.standing]},
  target: {title: "MUSA function", symbol: true, cell: item => {
    if (!item.target) return [];
    return [element("code", {}, item.target), ...(item.tier ? [evidence(item)] : [])];
  }},
  reason: {title: "reason", cell: item => {
    const out = [];
    if (item.present === "no") out.push(element("p", {class: "absent"}, "not in this MUSA"));
    if (item.reason) out.push(item.reason);
    return out;
  }},
};
