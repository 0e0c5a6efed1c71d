"""What is kept of a result in the repository, in results/NAME.json. run.py writes these files and nobody else;
document.py makes packaging/doc/clients.md of them."""
import datetime
import json
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
RESULTS = os.path.join(HERE, "results")
# What follows from results may differ from the commit.
FOLLOWS = (":!/tests/clients/results", ":!/packaging/doc/clients.md", ":!/README.md", ":!/README_CN.md")
SAID = 2  # Lines of torchada that are kept of each step.


def _git(*words):
    return subprocess.run(["git", "-C", HERE, *words], capture_output=True, text=True, check=False)


def when_and_of_what():
    """The commit at which the sources are, "" if they differ from it, and today's date."""
    head = _git("rev-parse", "HEAD")
    clean = head.returncode == 0 and _git("diff", "--quiet", "HEAD", "--", ":/", *FOLLOWS).returncode == 0
    return {"revision": head.stdout.strip() if clean else "",
            "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat()}


def without_places(result, work, stage):
    """With the same paths on every machine."""
    return json.loads(json.dumps(result).replace(work + "/", "").replace(stage, "/opt/torchada"))


def record(result, folder=RESULTS):
    """"", or why it is not recorded."""
    if "failure" in result:
        return f"{result['name']}: not recorded: {result['failure']}"
    if not result.get("revision"):
        return (f"{result['name']}: not recorded: it ran with sources that differ from every commit; commit them, "
                "build, and run it again with --again")
    kept = {key: result[key] for key in ("name", "version", "revision", "date")}
    # Not the kinds of the steps: steps.py declares them, nothing that happened does.
    kept["steps"] = {name: {**{key: step[key] for key in ("outcome", "message", "compared")},
                            "said": step["said"][:SAID]} for name, step in result["steps"].items()}
    for who in ("check", "doctor"):
        kept[who] = {key: result[who][key] for key in ("claim", "words", "loaded")}
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, result["name"] + ".json"), "w", encoding="utf-8") as out:
        json.dump(kept, out, indent=2)
        out.write("\n")
    return ""
