#!/usr/bin/env python3
"""Draws facts from the tables for an audit, in equal parts per library. Same seed, same tables: same draw.

draw_facts.py --seed=N [--count=100] [--library=NAME] [--all]

Each fact is printed with its place, its tier, and its sources with the commit or the day at which they
were read, and the SDK to which they are tied. Open every source; CONTRIBUTING.md says what to ask of each
fact.

A fact is a symbol, a prototype, an enumerator's number, a member or the size of a struct, another type,
a constant, a name to open, a version, a variable of the environment map or a quirk of mappings/musa; the range
of SDKs of one of these; or a row or a pair of enumerators of mappings/forward. Half of a library's part
is about MUSA and half is of mappings/forward. Facts of tier map claim nothing and are drawn with --all
only.
"""

import argparse
import random
import sys
from collections import namedtuple
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent / "mappings"
Fact = namedtuple("Fact", "library place says tier sources")
Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # Ten times as fast.


def composed(path):
    return yaml.compose((ROOT / path).read_text(), Loader=Loader)


def loaded(path):
    return yaml.load((ROOT / path).read_text(), Loader=Loader)


def children(node):
    """Pairs of key and node of a mapping; nothing of anything else."""
    return [(key.value, value) for key, value in node.value] if isinstance(node, yaml.MappingNode) else []


def child(node, key):
    return next((value for name, value in children(node) if name == key), None)


def plain(node):
    return yaml.SafeLoader("").construct_document(node) if node is not None else None


def text(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {text(item)}" for key, item in value.items()) + "}"
    return "[" + ", ".join(map(text, value)) + "]" if isinstance(value, list) else str(value)


def entries(node):
    """The entries of a name, of which tables have one, or one for each range of SDKs."""
    return node.value if isinstance(node, yaml.SequenceNode) else [node]


def tied(gives):
    """The SDKs of a source, and what ties it to them."""
    if not isinstance(gives, dict) or "sdk" not in gives:
        return ", no SDK"
    why = f", because {gives['because']}" if "because" in gives else ""
    return f", SDK {text(gives['sdk'])}{why}"


class Draw:
    def __init__(self):
        self.facts = []
        libraries = loaded("libraries.yaml")["libraries"]
        self.of_backend = {row["backend"]: name for name, row in libraries.items()}
        self.prefixes = sorted(((prefix, name) for name, row in libraries.items() for prefix in row["prefixes"]),
                               key=lambda pair: -len(pair[0]))
        self.libraries = list(libraries)
        known = loaded("musa/sources.yaml")
        self.read_at = {page: row["read"] + tied(row["gives"]) for page, row in known["pages"].items()}
        for name, row in known["repositories"].items():
            for path, gives in row["files"].items():
                own = gives.get("commit") if isinstance(gives, dict) else None
                self.read_at[f"{name}:{path}"] = (own or row["commit"])[:12] + tied(gives)
        self.borders = {}  # Of the table that is read: why ranges begin or end at a release.

    def add(self, library, path, node, says, tier, sources):
        place = f"mappings/{path}:{node.start_mark.line + 1}"
        self.facts.append(Fact(library, place, says, tier,
                               [f"{source} @ {self.read_at.get(source, '?')}" for source in sources if source]))

    def of_name(self, name):
        """The library whose prefix of names this is, in either case."""
        return next((library for prefix, library in self.prefixes if name.lower().startswith(prefix)),
                    self.libraries[0])

    def range_of(self, library, path, name, node, row, tier, sources):
        """The range of an entry, and why it is wider than its sources show, if the tables say so."""
        if "sdk" not in row and "assumed" not in row:
            return
        why = [f"\n  border {end}: {self.borders[end]}" for end in
               (word.lstrip("<>=") for word in row.get("sdk", "").split()) if end in self.borders]
        why += [f"\n  assumed: {row['assumed']}"] if "assumed" in row else []
        self.add(library, path, node, f"range {name}: {row.get('sdk', 'every SDK')}{''.join(why)}", tier, sources)

    def symbols(self, library, path, node):
        for name, symbol in children(node):
            row = plain(symbol)
            sources = row.get("sources", [])
            claim = {key: row[key] for key in ("sdk", "also", "note") if key in row}
            self.add(library, path, symbol, f"symbol {name} {text(claim)}", row["tier"], sources)
            self.range_of(library, path, f"{name} (symbol)", symbol, row, row["tier"], sources)
            for prototype in entries(child(symbol, "prototypes")):
                arguments = plain(prototype)
                shown_by = [arguments["source"]] if arguments.get("source") else sources
                self.add(library, path, prototype, f"prototype {name} {text(arguments)}", arguments["tier"], shown_by)
                self.range_of(library, path, f"{name} (prototype)", prototype, {**claim, **arguments},
                              arguments["tier"], shown_by)

    def types(self, library, path, node):
        for name, group in children(node):
            for entry in entries(group):
                row = plain(entry)
                # A type without a range claims nothing about other SDKs than that of its source.
                sdk, sources = row.get("sdk", "no range"), row.get("sources", [])
                parts = {"kind", "tier", "sources", "values", "fields", "sdk", "assumed", "size"}
                whole = {key: value for key, value in row.items() if key not in parts}
                self.add(library, path, entry, f"{row['kind']} {name} ({sdk}) {text(whole)}", row["tier"], sources)
                self.range_of(library, path, f"{name} (type)", entry, row, row["tier"], sources)
                if "size" in row:
                    self.add(library, path, child(entry, "size"), f"size {name} ({sdk}) = {row['size']} bytes",
                             row["tier"], sources)
                for enumerator, value in children(child(entry, "values") or entry):
                    if "values" not in row or plain(value) == "unknown":
                        continue
                    own = plain(value) if isinstance(value, yaml.MappingNode) else {"value": plain(value)}
                    note = f" (note: {row['note']})" if "note" in row else ""
                    self.add(library, path, value, f"value {name}.{enumerator} ({sdk}) = {own['value']}{note}",
                             own.get("tier", row["tier"]), [own["source"]] if "source" in own else sources)
                    if "source" in own:
                        shared = {"sdk": row["sdk"]} if "sdk" in row else {}
                        self.range_of(library, path, f"{name}.{enumerator} (value)", value, {**shared, **own},
                                      own["tier"], [own["source"]])
                for field in (child(entry, "fields").value if "fields" in row else []):
                    self.add(library, path, field, f"field {name} ({sdk}) {text(plain(field))}", row["tier"], sources)

    def tables_of_musa(self):
        for backend, library in self.of_backend.items():
            path = f"musa/{backend}.yaml"
            tables = composed(path)
            self.borders = plain(child(tables, "borders")) or {}
            self.symbols(library, path, child(tables, "symbols"))
            self.types(library, path, child(tables, "types"))
            for name, value in children(child(tables, "constants") or tables):
                row = plain(value)
                if isinstance(row, dict) and "value" in row:
                    self.add(library, path, value, f"constant {name} = {row['value']}", row["tier"],
                             [row.get("source", "")])
                    self.range_of(library, path, f"{name} (constant)", value, row, row["tier"],
                                  [row.get("source", "")])
        self.borders = {}

    def shared_tables(self):
        for name, quirk in children(composed("musa/quirks.yaml")):
            row = plain(quirk)
            self.add(self.of_backend[row["library"]], "musa/quirks.yaml", quirk, f"quirk {name}: {row['says']}",
                     row["tier"], row.get("sources", []))
            other = row.get("otherwise")
            if other:
                self.add(self.of_backend[row["library"]], "musa/quirks.yaml", quirk,
                         f"quirk {name}, otherwise: {other['says']}", other["tier"], other["sources"])
        for name, backend in children(child(composed("libraries.yaml"), "backends")):
            for soname in child(backend, "sonames").value:
                row = plain(soname)
                self.add(self.of_backend[name], "libraries.yaml", soname,
                         f"name to open {row['name']} ({row.get('sdk', 'no range')})", row["tier"], [row["source"]])
                self.range_of(self.of_backend[name], "libraries.yaml", f"{row['name']} (name to open)", soname, row,
                              row["tier"], [row["source"]])
        backends = composed("musa/backend.yaml")
        for name, version in children(child(backends, "version")):
            row = plain(version)
            for part in [version] + (child(version, "sdk").value if "sdk" in row else []):
                says = {key: value for key, value in plain(part).items() if key not in ("tier", "source", "sdk")}
                self.add(self.of_backend[name], "musa/backend.yaml", part, f"version of {name} {text(says)}",
                         plain(part)["tier"], [plain(part)["source"]])
        for variable in child(backends, "environment").value:
            row = plain(variable)
            says = {key: value for key, value in row.items() if key not in ("tier", "source")}
            self.add(self.of_name(row.get("cuda", row.get("cuda_prefix"))), "musa/backend.yaml", variable,
                     f"environment {text(says)}", row["tier"], [row["source"]])

    def forward_tables(self):
        for library in self.libraries:
            path = f"forward/{library}.yaml"
            tables = composed(path)
            reasons = plain(child(tables, "reasons")) or {}
            for name, group in children(child(tables, "rows")):
                for row in entries(group):
                    decision = plain(row)
                    why = [reasons[word] for word in decision.values() if isinstance(word, str) and word in reasons]
                    self.add(library, path, row, f"row {name} {text(decision)}"
                             + "".join(f"\n  reason: {reason}" for reason in why), "decision", [])
        path = "forward/types.yaml"
        tables = composed(path)
        for kind in ("enumerator_names", "refused", "results"):
            for name, other in children(child(tables, kind)):
                ours = other.value if kind == "results" else name
                self.add(self.of_name(ours), path, other, f"{kind}: {name} -> {other.value}", "decision", [])

    def read(self):
        self.tables_of_musa()
        self.shared_tables()
        self.forward_tables()
        return self.facts


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seed", required=True)
    options.add_argument("--count", type=int, default=100)
    options.add_argument("--library", help="print the part of this library only")
    options.add_argument("--all", action="store_true", help="also facts of tier map")
    chosen = options.parse_args()
    draw = Draw()
    facts = [fact for fact in draw.read() if chosen.all or fact.tier != "map"]
    if chosen.library and chosen.library not in draw.libraries:
        sys.exit(f"draw_facts.py: no library '{chosen.library}'; expected one of {', '.join(draw.libraries)}")
    print(f"seed {chosen.seed}: {chosen.count} of {len(facts)} facts")
    for number, library in enumerate(draw.libraries):
        # The first libraries get one more if the parts cannot be equal.
        part = chosen.count // len(draw.libraries) + (number < chosen.count % len(draw.libraries))
        own = [fact for fact in facts if fact.library == library]
        decisions = [fact for fact in own if fact.tier == "decision"]
        known = [fact for fact in own if fact.tier != "decision"]
        dice = random.Random(f"{chosen.seed}/{library}")
        drawn = dice.sample(known, min(part - part // 2, len(known)))
        drawn += dice.sample(decisions, min(part - len(drawn), len(decisions)))
        if chosen.library in (None, library):
            print(f"\n{library}: {len(drawn)} of {len(own)}")
            for fact in drawn:
                print(f"{fact.place}: [{fact.tier}] {fact.says}")
                print("".join(f"  source: {source}\n" for source in fact.sources), end="")


if __name__ == "__main__":
    main()
