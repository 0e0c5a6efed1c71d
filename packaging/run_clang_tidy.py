#!/usr/bin/env python3
"""Runs clang-tidy on sources; each finding is an error.

run_clang_tidy.py BUILD SOURCE...

BUILD has compile_commands.json. BUILD/tidy has a file for each source that passed, named after all that its outcome
depends on: its text and that of its headers with the comments, the options, .clang-tidy, and the program's version.
Such a source is not read again, so that a run that was interrupted goes on where it stopped.
Exit status: 0 no findings, 1 findings, 2 bad usage or a source that no command compiles.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def outcome_key(entry, common):
    """What the outcome depends on, or None if the source cannot be preprocessed: then clang-tidy tells why."""
    words = shlex.split(entry["command"])
    output = words.index("-o")
    del words[output:output + 2]
    try:
        read = subprocess.run([*words, "-E", "-C"], cwd=entry["directory"], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return hashlib.sha256(common + "\0".join(words).encode() + read.stdout).hexdigest()


def examine(source, entry, build, common):
    """Whether the source passed, and what clang-tidy said; None if it had passed before."""
    key = outcome_key(entry, common)
    passed = build / "tidy" / str(key)
    if passed.exists():
        return True, None
    result = subprocess.run(["clang-tidy", "--quiet", "-p", build, "--warnings-as-errors=*", source],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    if result.returncode == 0 and key is not None:
        passed.touch()
    return result.returncode == 0, result.stdout


def main():
    if sys.argv[1:2] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    build = pathlib.Path(sys.argv[1])
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    entries = {os.path.realpath(os.path.join(entry["directory"], entry["file"])): entry for entry in commands}
    sources = [os.path.realpath(source) for source in sys.argv[2:]]
    if unknown := [source for source in sources if source not in entries]:
        print(f"run_clang_tidy.py: {build}/compile_commands.json does not compile {unknown[0]}", file=sys.stderr)
        return 2
    version = subprocess.run(["clang-tidy", "--version"], stdout=subprocess.PIPE, check=True).stdout
    common = version + (ROOT / ".clang-tidy").read_bytes()
    (build / "tidy").mkdir(exist_ok=True)
    failed = before = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        running = {pool.submit(examine, source, entries[source], build, common): source for source in sources}
        for count, done in enumerate(concurrent.futures.as_completed(running), 1):
            good, said = done.result()
            before += said is None
            failed += not good
            if said is not None:
                name = os.path.relpath(running[done], ROOT)
                print(f"[{count}/{len(sources)}] {name}" + ("" if good else f": FAILED\n{said}"), flush=True)
    print(f"{len(sources)} files, {failed} failed" + (f", {before} passed before" if before else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
