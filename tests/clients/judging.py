"""Compares what happened with what was expected, and with what the commands had said."""
from claims import ALL, NO_ANSWER, NO_KERNELS, NONE, NOTHING_SAID, PART
from client import PACKAGE

# The truths with which a claim agrees. The steps do not try everything: "in part" may stand for all of them. "Until it
# launches its own kernels" is too dark for a program of which every step works.
AGREES = {ALL: {ALL}, PART: {ALL, PART}, NO_KERNELS: {PART}, NONE: {NONE}, NOTHING_SAID: {ALL, PART, NONE}}


# The kinds of steps that need the GPU, and the level of a client whose steps of that kind work, lowest first.
ON_GPU = {"query": "queries", "copy": "copies", "library": "library calls", "kernel": "kernels"}
LEVELS = ("does not load", "loads", *ON_GPU.values(), "whole")


def asked(result):
    """Which commands were asked about the client: none about one that was built for MUSA."""
    return [who for who in ("check", "doctor") if who in result]


def truth_of(results):
    """How many of the steps that need the GPU worked: all, part, none."""
    worked = [result["outcome"] == "ok" for result in results.values() if result["kind"] in ON_GPU]
    return ALL if worked and all(worked) else PART if any(worked) else NONE


def works(result):
    """A query works if it ends well. The other kinds say something of a result, so it must have been compared."""
    return result["outcome"] == "ok" and (result["kind"] == "query" or result["compared"] > 0)


def level_of(results, part=PACKAGE):
    """One of LEVELS. Whole: the package as published was imported, every step ended well, and something that came from
    the GPU was compared. Otherwise that of the highest kind of which a step works."""
    compared = any(result["compared"] for result in results.values() if result["kind"] in ON_GPU)
    if part == PACKAGE and compared and all(result["outcome"] == "ok" for result in results.values()):
        return LEVELS[-1]
    for kind, level in reversed(ON_GPU.items()):
        if any(works(result) for result in results.values() if result["kind"] == kind):
            return level
    loaded = all(result["outcome"] == "ok" for result in results.values() if result["kind"] == "load")
    return "loads" if loaded else "does not load"


def judge_claim(claim, truth):
    """"", "false promise", "false alarm" or "no answer". CLAIM is stored by Claim.as_dict."""
    if claim["claim"] == NO_ANSWER:
        return NO_ANSWER
    if claim["loaded"]:
        return "false alarm"
    if truth in AGREES[claim["claim"]]:
        return ""
    too_dark = claim["claim"] == NONE or (claim["claim"] == NO_KERNELS and truth == ALL)
    return "false alarm" if too_dark else "false promise"


def unexpected(client, results):
    """[(step, expected, happened)] for every difference."""
    out, said = [], []
    for step in [*results, *(step for step in client.steps if step not in results)]:
        expected, result = client.steps.get(step), results.get(step)
        said += result["said"] if result else []
        if expected is None or result is None or not expected.met_by(result["outcome"], result["message"], said):
            out.append((step, str(expected or "not in client.yaml"), happened(result) if result else "not in steps.py"))
    return out


def happened(result):
    return f"{result['outcome']}: {result['message']}" if result["message"] else result["outcome"]


def judge(client, result):
    """Adds to a result what follows from it and from client.yaml."""
    steps = result["steps"]
    result["truth"], result["level"] = truth_of(steps), level_of(steps, client.part)
    result["unexpected"] = unexpected(client, steps)
    for who in asked(result):
        result[who]["judgement"] = judge_claim(result[who], result["truth"])
    return result
