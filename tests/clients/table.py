"""Prints what the clients did, one row for each."""
from judging import asked


def _rows(results):
    yield ("client", "steps ok", "as expected", "level", "check said", "doctor said", "false")
    for result in results:
        name = f"{result['name']} {result['version']}"
        if "failure" in result:
            yield (name, "-", "-", "not tried", "-", "-", "-")
            continue
        steps = result["steps"].values()
        false = [f"{who}: {result[who]['judgement']}" for who in asked(result) if result[who]["judgement"]]
        said = [result[who]["words"] for who in asked(result)] or ["-", "-"]
        yield (name, f"{sum(step['outcome'] == 'ok' for step in steps)} of {len(steps)}",
               "yes" if not result["unexpected"] else f"{len(result['unexpected'])} not",
               result["level"], *said, "; ".join(false))


def table_of(results):
    """A table in Markdown."""
    rows = list(_rows(results))
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "|" + "---|" * len(rows[0]))
    return "\n".join(lines) + "\n"


def details_of(results):
    """What differs from what was expected, and why each client was not tried."""
    out = []
    for result in results:
        if "failure" in result:
            out.append(f"{result['name']}: not tried: {result['failure']}")
            continue
        for step, expected, happened in result["unexpected"]:
            out.append(f"{result['name']}: {step}: {happened}; expected {expected}")
        for who in asked(result):
            if result[who]["judgement"]:
                words = "; ".join([result[who]["words"], *result[who]["reasons"]])[:400]
                happened = (f"the client loaded {', '.join(result[who]['loaded'])}" if result[who]["loaded"]
                            else f"level: {result['level']}")
                out.append(f"{result['name']}: {result[who]['judgement']} of {who}: it said '{words}'; {happened}")
    return "".join(line + "\n" for line in out)


def counts_of(results):
    def judged(what):
        return sum(result[who]["judgement"] == what for result in results if "failure" not in result
                   for who in asked(result))
    tried = [result for result in results if "failure" not in result]
    return {"clients": len(results), "not tried": len(results) - len(tried),
            "unexpected steps": sum(len(result["unexpected"]) for result in tried),
            "false promises": judged("false promise"), "false alarms": judged("false alarm"),
            "no answers": judged("no answer")}
