#!/usr/bin/env python3
"""Runs the benchmarks and reports their ratios, medians with quartiles, side by side in one run.

  benchmarks/run.py                     all of them, about six minutes on an idle machine
  benchmarks/run.py --only calls,check  some (--list names them)
  benchmarks/run.py --save              also append to benchmarks/history.json: date, commit, machine, compiler, results
  benchmarks/run.py --page FILE         also write one HTML page with plots of this run and of the history
  benchmarks/run.py --page FILE --from-history     the page alone, nothing is run
  benchmarks/run.py --compare REV --only calls     also builds revision REV, runs both in turns, reports the ratios

Times decide nothing: the exit status is 0 when all programs ran, 1 when one failed or is not built (it is named, the
others go on), 2 for bad usage. What is expected of a number stands beside it.
"""
import argparse
import datetime
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import compare
import page

SOURCE = Path(__file__).resolve().parent.parent
HISTORY = SOURCE / "benchmarks" / "history.json"
FORMAT = {"format": "torchada-benchmarks", "version": 1}

# Name; what it compares; the command; additional arguments for --quick. {build} and {source} are
# folders.
PROGRAMS = [
    ("calls", "calls against direct ones: slot (this project's mechanism), the emitted cudart, and other designs",
     ["{build}/benchmarks/torchada_benchmarks"], ["--benchmark_repetitions=3"]),
    ("adapted", "adapted calls against MUSA's function",
     ["{build}/benchmarks/adapted/torchada_adapted_benchmarks"], ["--benchmark_repetitions=2"]),
    ("traced", "traced calls against direct ones",
     ["{build}/benchmarks/traced/torchada_traced_benchmarks"], ["--benchmark_repetitions=2"]),
    ("instructions", "instructions per call, counted by callgrind",
     [sys.executable, "-B", "{source}/benchmarks/instructions/count_test.py",
      "{build}/benchmarks/instructions/benchmark_instructions", "{source}/benchmarks/instructions/limits.csv",
      "{build}/stage/lib"], []),
    ("registration", "registering 50,000 kernels",
     ["{build}/benchmarks/benchmark_registration", "{build}/stage/lib/libcudart.so.12",
      "{build}/stage/lib/libcudart.so.13"], []),
    ("stand-in", "the CPU stand-in against OpenBLAS, memcpy and libcurand",
     ["{build}/benchmarks/host/torchada_host_benchmarks"], ["--benchmark_filter=graph"]),
    ("short-calls", "calls of the stand-in whose work is short",
     ["{build}/benchmarks/host/torchada_short_calls"], []),
    ("device-code", "device code on the stand-in: launches against MUSA's driver, kernels against OpenMP",
     ["{build}/benchmarks/host/torchada_device_code_benchmarks"], ["1"]),
    ("cub", "CUB on the stand-in against std::reduce and std::sort on all cores, only on request: minutes",
     [sys.executable, "-B", "{source}/benchmarks/host/cub.py", "{build}"], ["1", "14"]),
    ("collectives", "all-reduce of the stand-in against gloo's ring",
     ["{build}/benchmarks/host/torchada_collective_benchmarks"], ["1"]),
]
CHECK = SOURCE / "benchmarks" / "check_speed.py"
if CHECK.exists():
    PROGRAMS.append(("check", "torchada check against find and nm over 0.7 GB of libraries and a Python package",
                     [sys.executable, "-B", str(CHECK), "--torchada", "{build}/stage/bin/torchada"],
                     ["--size", "0.1", "--repetitions", "1"]))
PROGRAMS.append(("compile", "compiling the project from nothing, only on request: about seven minutes on two cores",
                 [sys.executable, "-B", "{source}/benchmarks/compile_time.py"], ["--target", "torchada_inspect"]))
ON_REQUEST = {"compile", "cub"}
# MUSA for the programs that do not bring their own.
ROOTS = {"instructions": "{build}/benchmarks/root", "registration": "{build}/stage/host/current",
         "device-code": "{build}/stage/host/current"}
NOT_RUN = 77  # Exit status of tests that need something that is not installed.


def said(text):
    print(text, file=sys.stderr, flush=True)


def output_of(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def cached(build, name):
    text = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    found = re.search(rf"^{name}:[A-Z]+=(.*)$", text, re.MULTILINE)
    return found.group(1) if found else ""


def about_the_machine(build):
    """What the numbers depend on."""
    model = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "commit": output_of("git", "-C", str(SOURCE), "describe", "--always", "--dirty", "--abbrev=12"),
        "machine": f"{model.group(1) if model else platform.machine()}, {os.cpu_count()} cores",
        "system": f"Linux {platform.release()}, {' '.join(platform.libc_ver())}",
        "compiler": output_of(cached(build, "CMAKE_CXX_COMPILER"), "--version").split("\n")[0],
        "build_type": cached(build, "CMAKE_BUILD_TYPE") or "RelWithDebInfo",
        "load": round(os.getloadavg()[0], 1),
    }


def times_of_check(printed):
    """Reads lines `COMMAND  0.4 s (0.3 to 0.5)   ratio  81.0`: each takes this many times as
    long as torchada check."""
    repetitions = int(re.search(r"(\d+) repetitions", printed).group(1))
    for what, ratio in re.findall(r"^(\S.*?)\s+[\d.]+ s \(.*\)\s+ratio\s+([\d.]+)$", printed, re.MULTILINE):
        value = float(ratio)
        row = {"program": "check", "name": what, "quantity": "times as long", "unit": "ratio", "median": value,
               "low": value, "high": value, "samples": repetitions}
        if what == "find, one nm -D for each file, libraries":
            row["at_least"] = 20
        elif what.startswith("find | xargs nm -D"):
            row["at_least"] = 1
        yield row


def run_program(name, command, build, source=SOURCE):
    """(results, trouble): one of the two is empty."""
    places = {"build": str(build), "source": str(source)}
    command = [word.format(**places) for word in command]
    for word in command:
        if word.startswith(str(build) + "/") and not Path(word).exists():
            return [], f"{word} is not built"
    with tempfile.NamedTemporaryFile(prefix="torchada-benchmark-") as results:
        environment = {**os.environ, "BENCHMARK_RESULTS": results.name}
        if name in ROOTS:
            environment["TORCHADA_MUSA_PATH"] = ROOTS[name].format(**places)
        ended = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace", check=False)
        if ended.returncode:
            last = (ended.stdout.strip().splitlines() or [""])[-1]
            return [], last if ended.returncode == NOT_RUN else f"status {ended.returncode}: {last}"
        lines = Path(results.name).read_text(encoding="utf-8").splitlines()
    rows = [{"program": name, **json.loads(line)} for line in lines]
    if name == "check":
        rows = list(times_of_check(ended.stdout))
    for row in rows:
        # The same for every build folder.
        row["name"] = row["name"].replace(f"{build}/stage/lib/", "")
        row.update({value: float(f"{row[value]:.4g}") for value in ("median", "low", "high")})
    return rows, "" if rows else "wrote no result"


def write_table(rows, out):
    width = max(len(row["name"]) for row in rows) + 2
    wide = max(len(row["quantity"]) for row in rows) + 2
    program = None
    for row in rows:
        if row["program"] != program:
            program = row["program"]
            print(f"\n{program}: {next(what for name, what, _, _ in PROGRAMS if name == program)}", file=out)
        spread = f"({page.number(row['low'])}-{page.number(row['high'])})"
        unit = "" if row["unit"] == "ratio" else row["unit"]
        line = (
            f"  {row['name']:<{width}}{row['quantity']:<{wide}}{page.number(row['median']):>8} {spread:<18}{unit:<13}"
            f"{page.expected(row)}")
        print(line.rstrip(), file=out)


def read_history(path):
    if not path.exists():
        return []
    try:
        history = json.loads(path.read_text(encoding="utf-8"))
        if {key: history.get(key) for key in FORMAT} != FORMAT:
            raise ValueError("is none of this format and version")
        return history["runs"]
    except (ValueError, KeyError, AttributeError) as error:
        sys.exit(f"{path}: {error}")


def write_history(path, runs):
    """One line for each result, so that a new run only adds lines to a diff."""
    parts = []
    for run in runs:
        head = json.dumps({key: value for key, value in run.items() if key != "results"}, ensure_ascii=False)
        rows = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in run["results"])
        parts.append(f'{head[:-1]}, "results": [\n{rows}]}}')
    head = json.dumps(FORMAT)[:-1]
    path.write_text(f'{head}, "runs": [\n' + ",\n".join(parts) + "]}\n", encoding="utf-8")


def chosen(only):
    names = [name for name, _, _, _ in PROGRAMS]
    wanted = only.split(",") if only else [name for name in names if name not in ON_REQUEST]
    for name in wanted:
        if name not in names:
            said(f"run.py: no benchmark '{name}'; there are {', '.join(names)}")
            sys.exit(2)
    return [program for program in PROGRAMS if program[0] in wanted]


def measure(options):
    """(the run, number of failures)"""
    build = options.build.resolve()
    if not (build / "CMakeCache.txt").exists():
        said(f"run.py: {build} is no build folder; cmake -S . -B build -G Ninja, then ninja -C build")
        sys.exit(2)
    run, failed = {**about_the_machine(build), "results": []}, 0
    programs = chosen(options.only)
    for position, (name, what, command, quick) in enumerate(programs, 1):
        said(f"[{position}/{len(programs)}] {name}: {what}")
        rows, trouble = run_program(name, command + (quick if options.quick else []), build)
        run["results"] += rows
        if trouble:
            said(f"run.py: {name}: {trouble}")
            failed += 1
    return run, failed


def compare_builds(options):
    """Exit status, as main's."""
    build = options.build.resolve()
    programs = [program for program in chosen(options.only) if program[0] in compare.TARGETS]
    names = [name for name, _, _, _ in programs]
    if not names:
        said(f"run.py: only these can be compared: {', '.join(compare.TARGETS)}")
        return 2
    if options.against:
        other, title = options.against.resolve(), str(options.against)
    else:
        said(f"building {options.compare}, which may take minutes")
        other, title = compare.build_revision(SOURCE, build, options.compare, names), options.compare
        compare.build_targets(build, names)
    failed = set()

    def measure(name, where):
        _, _, command, quick = next(program for program in programs if program[0] == name)
        rows, trouble = run_program(name, command + quick, where, compare.source_of(where))
        if trouble and name not in failed:
            said(f"run.py: {name} of {where}: {trouble}")
            failed.add(name)
        return rows

    turns = compare.in_turns([other, build], names, options.turns, measure)
    rows = compare.compared(turns)
    if options.json:
        print(json.dumps(rows, indent=1, ensure_ascii=False))
    elif rows:
        compare.write_table(rows, [title, "this tree"], sys.stdout)
    return 1 if failed or not rows else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=SOURCE / "build", help="the build folder (default: build)")
    parser.add_argument("--only", default="", metavar="NAME,...", help="these benchmarks alone")
    parser.add_argument("--list", action="store_true", help="list the benchmarks")
    parser.add_argument("--quick", action="store_true", help="few repetitions: to see that it works; never saved")
    parser.add_argument("--save", action="store_true", help="append the run to the history")
    parser.add_argument("--history", type=Path, default=HISTORY, help="the history (default: benchmarks/history.json)")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write one HTML page")
    parser.add_argument("--from-history", action="store_true", help="run nothing: the page shows the last saved run")
    parser.add_argument("--json", action="store_true", help="print the run as JSON instead of the table")
    parser.add_argument("--compare", metavar="REV", help="build REV too, run it and this tree in turns, report ratios")
    parser.add_argument("--against", type=Path, metavar="BUILD", help="the same with a build folder that is there")
    parser.add_argument("--turns", type=int, default=15, help="of --compare and --against (default: 15)")
    options = parser.parse_args()
    if options.compare or options.against:
        if options.save or options.page:
            parser.error("a comparison is neither saved nor shown as a page")
        return compare_builds(options)
    if options.quick and options.save:
        parser.error("a quick run is not saved")
    if options.from_history and not options.page:
        parser.error("--from-history is for --page")
    if options.list:
        for name, what, _, _ in PROGRAMS:
            print(f"{name:14}{what}")
        return 0
    history, failed = read_history(options.history), 0
    if options.from_history:
        if not history:
            said(f"run.py: {options.history} holds no run")
            return 1
        run = history[-1]
    else:
        run, failed = measure(options)
        if options.json:
            print(json.dumps(run, indent=1, ensure_ascii=False))
        elif run["results"]:
            write_table(run["results"], sys.stdout)
    if options.save and run["results"]:
        history.append(run)
        write_history(options.history, history)
    if options.page and run["results"]:
        options.page.write_text(page.html(run, history, dict((name, what) for name, what, _, _ in PROGRAMS)),
                                encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:  # `run.py | head`
        sys.stderr.close()
        sys.exit(1)
