// Elements of the page. Texts become text nodes, so a text of a file is never read as markup.

const kSvg = "http://www.w3.org/2000/svg";
const kChunk = 100;  // Rows drawn at a time.

function byId(id) { return document.getElementById(id); }

function embedded(id) { return JSON.parse(byId(id).textContent); }

// `children` are elements and texts.
function element(tag, attributes, ...children) {
  const out = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) out.setAttribute(name, value);
  out.append(...children);
  return out;
}

function part(attributes) {
  const out = document.createElementNS(kSvg, "rect");
  for (const [name, value] of Object.entries(attributes)) out.setAttribute(name, value);
  return out;
}

function swatch(standing) {
  const out = document.createElementNS(kSvg, "svg");
  out.setAttribute("class", "swatch");
  out.setAttribute("aria-hidden", "true");
  out.append(part({class: standing, width: "100%", height: "100%"}));
  return out;
}

// `counts` is a list of [standing, number]. The same as bar() of html_libraries.cpp.
function bar(counts, label) {
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const out = document.createElementNS(kSvg, "svg");
  out.setAttribute("class", "bar");
  out.setAttribute("role", "img");
  out.setAttribute("aria-label", label);
  let done = 0;
  for (const [standing, count] of counts) {
    out.append(part({class: standing, x: `${100 * done / total}%`, width: `${100 * count / total}%`,
                     height: "100%"}));
    done += count;
  }
  return out;
}

function counted(number, one, many) { return `${number} ${number === 1 ? one : many}`; }

// A column is {title, symbol, cell}. `cell` gives the children of an item's cell, an empty list for
// none. `symbol`: names of functions stand in it.
function row(columns, item) {
  const out = element("tr", {});
  for (const column of columns) {
    out.append(element("td", {"data-title": column.title}, ...column.cell(item)));
  }
  return out;
}

// Shows the first rows in `body`, and more of them each time `button` is pressed.
function showRows(body, button, columns, items) {
  let shown = 0;
  const add = () => {
    const next = items.slice(shown, shown + kChunk);
    body.append(...next.map(item => row(columns, item)));
    shown += next.length;
    button.hidden = shown === items.length;
    button.textContent = `Show ${Math.min(kChunk, items.length - shown)} more ` +
        `(${items.length - shown} not shown)`;
  };
  body.replaceChildren();
  button.onclick = add;
  add();
}

function table(columns, items) {
  const body = element("tbody", {});
  const button = element("button", {type: "button", class: "more"});
  const titles = columns.map(
      column => element("th", {scope: "col", class: column.symbol ? "symbol" : ""}, column.title));
  showRows(body, button, columns, items);
  return [element("table", {}, element("thead", {}, element("tr", {}, ...titles)), body), button];
}

// A part that is built when it is first opened.
function section(summary, build, open) {
  const out = element("details", {}, element("summary", {}, ...summary));
  const fill = () => out.append(...build());
  if (open) {
    out.open = true;
    fill();
  } else {
    out.addEventListener("toggle", fill, {once: true});
  }
  return out;
}
