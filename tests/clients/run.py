#!/usr/bin/env python3
"""Installs real clients one after the other, runs their steps under torchada, and reports the outcomes.

  run.py --stage BUILD/stage --results DIR [--work DIR] [--gigabytes N] [--clients DIR] [--again] [--record]
         [NAME...]

Each client is installed by pip with pinned hashes, asked about (`check`, `doctor --run`), run, and removed. One that
was built for MUSA itself runs on the CPU stand-in alone, and nothing is asked about it. The result is kept in
DIR/NAME.json: a second run with the same build of torchada and the same client takes it from there, unless --again is
given. --table prints the results that are there and runs nothing. --record builds what lies in BUILD/stage
first, and also keeps the results in results/, from which document.py writes packaging/doc/clients.md.

Exit status: 0 if every step ended as its client.yaml expects and what check and doctor had said was true;
1 if not; 2 for bad usage; 3 if a client could not be tried or recorded."""
import argparse
import contextlib
import datetime
import json
import os
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from build import ROOT, BuildError, clean_commit, commit_of, identity_of  # noqa: E402
from claims import ask_check, ask_doctor  # noqa: E402
from client import ClientError, clients_below  # noqa: E402
from installing import Installed, fetch_sources  # noqa: E402
from judging import ON_GPU, judge  # noqa: E402
from playing import HERE, Player, remove_account  # noqa: E402
from recording import record, without_places  # noqa: E402
from table import counts_of, details_of, table_of  # noqa: E402

PROGRAMS = os.path.join(HERE, "programs")


def installed_for(client, arguments):
    """Stays until a client needs other packages."""
    if arguments.installed is None or not arguments.installed.serves(client):
        arguments.cleanup.close()
        arguments.installed = None
        arguments.cleanup.callback(remove_account)
        arguments.installed = arguments.cleanup.enter_context(Installed(client, arguments.work, arguments.gigabytes))
    return arguments.installed


def try_client(client, arguments):
    """What happened, and what had been said."""
    stage, installed = arguments.stage, installed_for(client, arguments)
    if client.kernels:
        fetch_sources(stage, client)
    log = os.path.join(arguments.results, client.name + ".log")
    player = Player(stage, installed.python, client, installed.new_home(), log)
    claims = {}
    if client.built_for == "CUDA":
        # Asked before the first start: afterwards the client may have left files.
        claims = {"check": ask_check(stage, client, installed.python, installed.packages, player.environment),
                  "doctor": ask_doctor(stage, client, installed.python, player.environment)}
    steps = player.play()
    if not any(step["kind"] in ON_GPU for step in steps.values()):
        raise ClientError(f"{client.script}: no step needs the GPU, so nothing to compare; expected a step of one of "
                          f"the kinds {', '.join(ON_GPU)}")
    refusal = client.refusal(sorted(player.partly))
    if refusal:
        raise ClientError(refusal)
    crashes = {name: step for name, step in steps.items() if step["outcome"] == "crash"}
    if crashes and client.built_for == "CUDA":
        # Whose crashes are they?
        without = Player(stage, installed.python, client, installed.new_home(), log + ".alone", alone=True).play()
        for name, step in crashes.items():
            step["alone"] = f"{without[name]['outcome']}: {without[name]['message']}"
    result = {"megabytes": round(installed.bytes / 1e6), "steps": steps, "partly": sorted(player.partly),
              **{who: claim.as_dict(player.mapped) for who, claim in claims.items()}}
    inside = {os.path.join(installed.root, name): name for name in ("venv", "sources", "home")}
    return without_places(result, {
        **inside, installed.root: "client", arguments.work: "work", arguments.results: "results",
        arguments.clients: "tests/clients/programs", HERE: "tests/clients", stage: "/opt/torchada", ROOT: "checkout"})


def result_of(client, arguments, identity):
    path = os.path.join(arguments.results, client.name + ".json")
    known = {"name": client.name, "version": client.version, "torchada": identity, "client": client.digest()}
    try:
        with open(path, encoding="utf-8") as file:
            stored = json.load(file)
    except (OSError, ValueError):
        stored = {}
    if arguments.table or not arguments.again and (stored.get("revision") or not arguments.record) and all(
            stored.get(key) == value for key, value in known.items()):
        # The table also shows the results of other builds.
        return judge(client, stored) if "steps" in stored else {**known, "failure": "no result yet"}
    print(f"{client.name} {client.version} ...", end=" ", flush=True)
    start = time.monotonic()
    try:
        result = {**known, "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
                  **try_client(client, arguments)}
        # The sources may have changed meanwhile.
        result["revision"] = arguments.commit if arguments.commit == clean_commit() else ""
    except ClientError as error:  # Not stored: the next run tries again.
        print("not tried", flush=True)
        return {**known, "failure": str(error)}
    result["seconds"] = round(time.monotonic() - start, 1)
    print(f"{judge(client, result)['level']}, {result['seconds']} s", flush=True)
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)
    os.replace(path + ".new", path)
    return result


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stage", required=True, help="installation of torchada with the CPU stand-in")
    parser.add_argument("--results", required=True, help="directory that keeps the results")
    parser.add_argument("--work", help="directory for the installed client (default: a new one in TMPDIR)")
    parser.add_argument("--gigabytes", type=float, default=20, help="most disk space for a client (default: 20)")
    parser.add_argument("--clients", default=PROGRAMS, help="directory of clients")
    parser.add_argument("--again", action="store_true", help="run clients again that have a result")
    parser.add_argument("--record", action="store_true", help="keep the results in the repository as well")
    parser.add_argument("--table", action="store_true", help="print the stored results, run nothing")
    parser.add_argument("names", nargs="*", metavar="NAME", help="clients (default: all)")
    return parser.parse_args()


def main():
    arguments = parse()
    arguments.stage = os.path.realpath(arguments.stage)
    if not os.access(os.path.join(arguments.stage, "bin", "torchada"), os.X_OK):
        print(f"run.py: {arguments.stage}/bin/torchada: not found; build the target quickstart", file=sys.stderr)
        return 2
    try:
        clients = clients_below(arguments.clients)
    except ClientError as error:
        print(f"run.py: {error}", file=sys.stderr)
        return 2
    unknown = set(arguments.names) - {client.name for client in clients}
    if unknown or not clients:
        print(f"run.py: {', '.join(sorted(unknown)) or arguments.clients}: not a client; expected one of "
              f"{', '.join(sorted(client.name for client in clients))}", file=sys.stderr)
        return 2
    os.makedirs(arguments.results, exist_ok=True)
    try:
        arguments.commit = commit_of(arguments.stage) if arguments.record else None
    except BuildError as error:
        print(f"run.py: not recorded: {error}", file=sys.stderr)
        return 3
    identity = identity_of(arguments.stage)
    arguments.installed = None
    with tempfile.TemporaryDirectory(prefix="torchada-clients-", dir=arguments.work) as arguments.work, \
            contextlib.ExitStack() as arguments.cleanup:
        results = [result_of(client, arguments, identity) for client in clients
                   if not arguments.names or client.name in arguments.names]
    unrecorded = [] if not arguments.record else [said for said in map(record, results) if said]
    counts = counts_of(results)
    print("\n" + table_of(results) + "\n" + details_of(results), end="")
    print(", ".join(f"{what}: {number}" for what, number in counts.items()))
    for said in unrecorded:
        print(f"run.py: {said}", file=sys.stderr)
    if counts["not tried"] or unrecorded:
        return 3
    return 1 if any(counts[what] for what in counts if what != "clients") else 0


if __name__ == "__main__":
    sys.exit(main())
