"""Why tests fail or are skipped, and the table of it."""
import collections
import re

# What is closed, or comes without sources, by what a test or torchada says.
CLOSED = {
    "cuSOLVER": r"cusolver",
    "cuSPARSE": r"cusparse",
    "cuDNN": r"cudnn",
    "flash attention, CUTLASS": r"kernel \S*(fmha_cutlass|flash|cutlass)|flash_attention|CUTLASS",
    "Triton": r"triton",
    "MAGMA": r"\bmagma",
    "cuFile": r"cufile",
}
MISSING = re.compile(r"kernel ([^<(\n]+).* is (in none of the \d+ kernel|not made by)")
MISSING_LINES = re.compile(r".* is (?:in none of the \d+ kernel|not made by).*")
CLOSED_LIBRARY = "closed library"
EXPECTED = "passes, where PyTorch expects a failure"
ASSERTION = re.compile(r"assertion `.*' failed")


def closed_in(text):
    # Folders' names say nothing: `site-packages/nvidia/cudnn/...`, `torch/backends/cudnn`.
    words = re.sub(r'File "[^"]*"|/\S+', "", text)
    return next((name for name, pattern in CLOSED.items() if re.search(pattern, words, re.IGNORECASE)), None)


def last_line(text):
    """What was raised, of a traceback."""
    raised = [line for line in text.splitlines() if re.match(r"[\w.]*(Error|Exception|Failed|Skip\w*)\b", line)]
    lines = raised or text.strip().splitlines() or [""]
    return re.sub(r"0x[0-9a-f]+|\d+(\.\d+)?(e[-+]\d+)?", "N", lines[-1])[:100]


def of_failure(entry):
    """(kind, detail) of a test that did not pass."""
    if entry["outcome"] in ("crash", "time"):
        return entry["outcome"], entry["text"]
    text, said = entry["text"], entry["stderr"]
    raised = text[text.rfind("\n  File"):]  # what was raised last, and where
    closed = closed_in(text if "mta_called" in text else raised) or closed_in("\n".join(MISSING_LINES.findall(said)))
    if closed:
        return CLOSED_LIBRARY, closed
    missing = MISSING.search(said)
    if missing:
        return "missing kernel", missing[1]
    if "no kernel image is available" in text:
        return "missing kernel", "named before in this process"
    if "aborted early" in text or "CUDA error" in text:
        assertion = ASSERTION.search(said)
        return "CUDA error", assertion[0] if assertion else last_line(text)
    if text == "unexpected success":
        return EXPECTED, ""
    if re.search(r"not close|not equal|Mismatched", raised):
        return "wrong results", last_line(text)
    return "other", last_line(text)


def lines_of(title, counts):
    yield title
    for reason, count in counts.most_common():
        yield f"  {count:5} {': '.join(part for part in reason if part)}"


def table(results):
    """The table, and the share of tests that pass."""
    lines = [f"{'file':30} {'selected':>8} {'passed':>7} {'failed':>7} {'closed':>7} {'skipped':>8}"]
    failures, skips, all_counts = collections.Counter(), collections.Counter(), collections.Counter()
    for file, entries in results.items():
        counts = collections.Counter(selected=len(entries))
        for entry in entries:
            outcome = entry["outcome"]
            if outcome == "skipped":
                skips[(last_line(entry["text"]),)] += 1
            elif outcome != "passed":
                reason = of_failure(entry)
                failures[reason] += 1
                outcome = "closed" if reason[0] == CLOSED_LIBRARY else "failed"
            counts[outcome] += 1
        all_counts += counts
        lines.append(row(file, counts))
    lines.append(row("all", all_counts))
    run = all_counts["passed"] + all_counts["failed"]
    lines.append(f"passed: {all_counts['passed']} of {run} that ran and name no closed library "
                 f"({100 * all_counts['passed'] / max(1, run):.1f} %)")
    lines += lines_of("failed:", failures)
    lines += lines_of("skipped:", skips)
    return "\n".join(lines)


def row(name, counts):
    return (f"{name:30} {counts['selected']:8} {counts['passed']:7} {counts['failed']:7} {counts['closed']:7} "
            f"{counts['skipped']:8}")
