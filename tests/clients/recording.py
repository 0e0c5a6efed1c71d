"""What is kept of a result in the repository, in results/NAME.json. run.py writes these files and nobody else;
document.py makes packaging/doc/clients.md of them."""
import json
import os
import re

from judging import asked

HERE = os.path.dirname(os.path.abspath(__file__))
RESULTS = os.path.join(HERE, "results")
SAID = 2  # Different lines of torchada that are kept of each step: ranks print the same.
DIGITS = 12  # Of the SHA-256 of a build.


def without_places(result, places):
    """With the same paths on every machine: `places` says which name each folder of this one gets."""
    text = json.dumps(result, ensure_ascii=False)
    named = {form(path): name for path, name in places.items() for form in (os.path.abspath, os.path.realpath)}
    for path in sorted(named, key=len, reverse=True):  # A folder within another comes first.
        text = re.sub(re.escape(path) + r"(?![\w.-])", named[path], text)
    return json.loads(text)


def record(result, folder=RESULTS):
    """"", or why it is not recorded."""
    if "failure" in result:
        return f"{result['name']}: not recorded: {result['failure']}"
    if not result.get("revision"):
        return (f"{result['name']}: not recorded: the sources changed while it ran; commit them, and run it again "
                "with --record")
    kept = {"name": result["name"], "version": result["version"], "build": result["torchada"][:DIGITS],
            "revision": result["revision"], "date": result["date"]}
    # Not the kinds of the steps: steps.py declares them, nothing that happened does.
    kept["steps"] = {name: {**{key: step[key] for key in ("outcome", "message", "compared", "alone") if key in step},
                            "said": list(dict.fromkeys(step["said"]))[:SAID]} for name, step in result["steps"].items()}
    if result["partly"]:
        kept["partly"] = result["partly"]
    for who in asked(result):
        kept[who] = {key: result[who][key] for key in ("claim", "words", "loaded")}
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, result["name"] + ".json"), "w", encoding="utf-8") as out:
        json.dump(kept, out, indent=2)
        out.write("\n")
    return ""
