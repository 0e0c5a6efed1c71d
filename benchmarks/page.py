"""One HTML page of benchmark results, with plots as inline SVG: no script, no external content."""
import html as markup
import math

WIDTH = 760       # Of the plot of a run, in pixels.
LABELS = 340      # The part of it for names.
ROW = 22
SMALL = (250, 96)  # One plot of the history.

STYLE = """
:root { color-scheme: light dark; --text: #1f2328; --weak: #57606a; --line: #d0d7de; --dot: #0969da; --bad: #bc4c00;
  --back: #ffffff; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --weak: #9ea7b3; --line: #3d444d; --dot: #4493f8;
  --bad: #f0883e; --back: #0d1117; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); max-width: 60em;
  margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 2px 12px 2px 0; text-align: left; border-bottom: 1px solid var(--line); }
td.number { text-align: right; white-space: nowrap; }
svg text { font: 12px system-ui, sans-serif; fill: var(--text); }
svg .weak { fill: var(--weak); }
svg .line { stroke: var(--line); }
svg .dot { fill: var(--dot); } svg .whisker { stroke: var(--dot); stroke-width: 2; }
svg .missed { fill: var(--bad); } svg .bound { stroke: var(--bad); stroke-dasharray: 3 3; }
svg .path { stroke: var(--dot); fill: none; stroke-width: 1.5; }
svg .other { fill: var(--back); stroke: var(--weak); }
.many { display: flex; flex-wrap: wrap; gap: 16px; }
figure { margin: 0; } figcaption { font-size: 12px; max-width: 250px; }
.weak { color: var(--weak); }
"""


def escape(text):
    return markup.escape(str(text), quote=True)


def number(value):
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"


def bound_of(row):
    return row.get("at_most", row.get("at_least"))


def is_missed(row):
    """Compares the median as it is shown: 2.004 counts as 2.00."""
    median = round(row["median"], 2)
    return median > row.get("at_most", math.inf) or median < row.get("at_least", 0)


def expected(row):
    if bound_of(row) is None:
        return ""
    words = f"at {'most' if 'at_most' in row else 'least'} {bound_of(row):g}"
    return words + (", missed in this run" if is_missed(row) else "")


class Scale:
    """Maps values to positions on a logarithmic scale: half and double are equally far from 1."""

    def __init__(self, values, start, end):
        low, high = min(values), max(values)
        low, high = low / 1.15, high * 1.15
        self.low, self.high, self.start, self.end = math.log(low), math.log(high), start, end

    def __call__(self, value):
        return self.start + (math.log(value) - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self):
        step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 1.2, 1.5, 2, 3, 5, 10, 20, 50, 100, 200, 500]
        inside = [tick for tick in step if self.low <= math.log(tick) <= self.high]
        kept = []
        for tick in inside:  # Labels must not overlap.
            if not kept or abs(self(tick) - self(kept[-1])) > 28:
                kept.append(tick)
        return kept


def plot_run(rows):
    """Median and quartiles of each ratio; the line at 1 is the baseline."""
    rows = [row for row in rows if row["unit"] == "ratio" and row["low"] > 0]
    if not rows:
        return ""
    values = [value for row in rows for value in (row["low"], row["high"], bound_of(row) or 1, 1)]
    place = Scale(values, LABELS, WIDTH - 20)
    height = ROW * len(rows) + 34
    out = [f'<svg viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" role="img" aria-label="ratios of this run">']
    for tick in place.ticks():
        x = place(tick)
        out.append(f'<line class="line" x1="{x:.1f}" y1="4" x2="{x:.1f}" y2="{height - 26}"/>'
                   f'<text class="weak" x="{x:.1f}" y="{height - 10}" text-anchor="middle">{tick:g}</text>')
    for index, row in enumerate(rows):
        y = ROW * index + 16
        label = f"{row['name']}: {row['quantity']}"
        short = label if len(label) <= 52 else label[:51] + "…"
        kind = "missed" if is_missed(row) else "dot"
        out.append(
            f"<g><title>{escape(label)}: {number(row['median'])} ({number(row['low'])} to {number(row['high'])})"
            f'</title><text x="0" y="{y + 4}">{escape(short)}</text>'
            f'<line class="whisker" x1="{place(row["low"]):.1f}" x2="{place(row["high"]):.1f}" y1="{y}" y2="{y}"/>'
            f'<circle class="{kind}" cx="{place(row["median"]):.1f}" cy="{y}" r="5"/>')
        if bound_of(row):
            x = place(bound_of(row))
            out.append(f'<line class="bound" x1="{x:.1f}" x2="{x:.1f}" y1="{y - 9}" y2="{y + 9}"/>')
        out.append("</g>")
    return "\n".join(out) + "</svg>"


def key(row):
    return row["program"], row["name"], row["quantity"]


def comparable(run, other):
    return all(run.get(what) == other.get(what) for what in ("machine", "compiler", "build_type"))


def plot_history(wanted, history, last):
    """One number over all runs; points of other machines or compilers are hollow."""
    points = [(run, row) for run in history for row in run["results"] if key(row) == wanted and row["median"] > 0]
    if len(points) < 2:
        return ""
    width, height = SMALL
    row = points[-1][1]
    bound = bound_of(row)
    place = Scale([value for _, each in points for value in (each["low"] or each["median"], each["high"])] +
                  ([bound] if bound else []), height - 18, 8)
    step = (width - 60) / (len(points) - 1)
    spots = [(12 + step * index, place(each["median"]), run, each) for index, (run, each) in enumerate(points)]
    out = [f'<figure><svg viewBox="0 0 {width} {height}" width="{width}" role="img" aria-label="history">']
    if bound:
        out.append(f'<line class="bound" x1="4" x2="{width - 44}" y1="{place(bound):.1f}" y2="{place(bound):.1f}"/>')
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y, run, _ in spots if comparable(run, last))
    out.append(f'<polyline class="path" points="{line}"/>')
    for x, y, run, each in spots:
        kind = ("missed" if is_missed(each) else "dot") if comparable(run, last) else "other"
        spread = f"({number(each['low'])} to {number(each['high'])})"
        title = f"{run['date']} {run['commit']}: {number(each['median'])} {spread}"
        out.append(f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="3.5"><title>{escape(title)}</title></circle>')
    x, y, _, each = spots[-1]
    out.append(f'<text x="{x + 8:.1f}" y="{y + 4:.1f}">{number(each["median"])}</text></svg>')
    unit = "" if row["unit"] == "ratio" else f", {row['unit']}"
    return "".join(out) + f"<figcaption>{escape(row['name'])}: {escape(row['quantity'] + unit)}</figcaption></figure>"


def table(rows):
    out = ["<table><tr><th>what</th><th></th><th>median</th><th>quartiles</th><th>samples</th><th>expected</th></tr>"]
    for row in rows:
        unit = "" if row["unit"] == "ratio" else " " + row["unit"]
        out.append(f"<tr><td>{escape(row['name'])}</td><td>{escape(row['quantity'])}</td>"
                   f'<td class="number">{number(row["median"])}{escape(unit)}</td>'
                   f'<td class="number">{number(row["low"])} to {number(row["high"])}</td>'
                   f'<td class="number">{row["samples"]}</td><td>{escape(expected(row))}</td></tr>')
    return "\n".join(out) + "</table>"


def html(run, history, programs):
    """`programs` maps the name of a benchmark to what it compares."""
    out = [
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>torchada benchmarks</title>',
        '<meta name="viewport" content="width=device-width">', f"<style>{STYLE}</style></head><body>",
        "<h1>torchada benchmarks</h1>",
        f"<p>{escape(run['date'])}, commit {escape(run['commit'])}. {escape(run['machine'])}; "
        f"{escape(run['system'])}; {escape(run['compiler'])}, {escape(run['build_type'])}; "
        f"load when started {escape(run['load'])}.</p>",
        '<p class="weak">Every ratio is taken within one run, side by side, and is the median of its samples; whiskers '
        "are quartiles, the scale is logarithmic, dashed is what is expected. Times decide no test.</p>"
    ]
    for program, what in programs.items():
        rows = [row for row in run["results"] if row["program"] == program]
        if not rows:
            continue
        out += [f"<h2>{escape(program)}</h2><p>{escape(what)}</p>", plot_run(rows),
                "<details><summary>numbers</summary>", table(rows), "</details>"]
        plots = [plot_history(key(row), history, run) for row in rows
                 if bound_of(row) is not None or row["unit"] == "instructions"]
        if any(plots):
            out += [f"<h3>History of {len(history)} runs</h3>",
                    '<p class="weak">Hollow: another machine or compiler.</p><div class="many">', *filter(None, plots),
                    "</div>"]
    return "\n".join(out) + "</body></html>\n"
