#!/usr/bin/env python3
"""A function that takes an object is no support if no supported function makes such an object.

objects_test.py TABLES: tables.json. An object is what has a handle type; a function makes one
if it takes a pointer through which it can return it.
"""
import copy
import json
import re
import sys

SERVED = ("supported", "assumed", "emulated")
# A number before a pointer is the length of an array that the function reads: cuGraphicsMapResources(count, resources).
COUNT = re.compile(r"^(?:unsigned int|int|size_t) (?:count|num\w*)$")
ENDS = re.compile(r"Destroy|Free|Unmap")


def parameters(symbol):
    """(type, is a pointer through which an object may come back) of each."""
    found = re.search(r"\b%s\((.*)\)$" % re.escape(symbol["name"]), symbol.get("prototype", ""))
    before = ""
    for text in re.split(r",(?![^()]*\))", found.group(1)) if found else []:
        words = re.findall(r"\w+|\*", text)
        names = [word for word in words if word not in ("*", "const", "struct")]
        if names:
            reads = words[0] == "const" or COUNT.match(before) or ENDS.search(symbol["name"])
            # Arrays that may not be written have the same type with this in its name.
            yield names[0].replace("_const_t", "_t"), "*" in words and not reads
        before = text.strip()


def without_maker(tables):
    """{(library, object): functions}"""
    handles = {item["name"].replace("_const_t", "_t") for item in tables["layouts"]
               if item["variants"][-1]["layout"]["kind"] == "handle"}
    made, taken = set(), {}
    for library in tables["libraries"]:
        for symbol in library["symbols"]:
            if symbol["standing"] not in SERVED:
                continue
            for kind, comes_back in parameters(symbol):
                if kind not in handles:
                    continue
                for major in library["majors"]:
                    if comes_back:
                        made.add((major, kind))
                    else:
                        taken.setdefault((major, kind), set()).add(symbol["name"])
    return {place: names for place, names in taken.items() if place not in made}, taken


def main(path):
    with open(path, encoding="utf-8") as file:
        tables = json.load(file)
    wrong, taken = without_maker(tables)
    for (major, kind), names in sorted(wrong.items()):
        print(f"CUDA {major}: no supported function makes a {kind}, so these are no support: "
              f"{', '.join(sorted(names))}")
    # A callback cannot be registered, so what unregisters one must not count; nor can a graphics resource, of which
    # the second takes an array.
    for name in ("cudaLogsUnregisterCallback", "cuGraphicsMapResources"):
        planted = copy.deepcopy(tables)
        for library in planted["libraries"]:
            for symbol in library["symbols"]:
                if symbol["name"] == name:
                    symbol["standing"] = "supported"
        if not any(name in names for names in without_maker(planted)[0].values()):
            print(f"a planted function without an object was not found: {name}")
            return 1
    print(f"{len(taken)} kinds of objects, by CUDA major")
    return 1 if wrong or len(taken) < 30 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
