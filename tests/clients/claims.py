"""What `torchada check` and `torchada doctor --run` say about a client before it is started."""
import json
import os
import shutil
import subprocess

from client import ClientError

SECONDS = 300

# What an answer claims about the steps that need the GPU.
ALL, PART, NO_KERNELS, NONE = "all", "part", "no kernels", "none"
NOTHING_SAID, NO_ANSWER = "nothing said", "no answer"
OF_VERDICT = {"nothing": ALL, "replaced": ALL, "runs": ALL, "assumed": ALL, "partly": PART, "kernels": NO_KERNELS,
              "cannot": NONE}


class Claim:
    """`unloadable` are the files of which it says that a library they need is missing."""

    def __init__(self, claim, words, reasons, unloadable=()):
        self.claim, self.words, self.reasons, self.unloadable = claim, words, reasons, set(unloadable)

    def as_dict(self, mapped):
        """With those of the files that the client had loaded all the same."""
        return {"claim": self.claim, "words": self.words, "reasons": self.reasons,
                "loaded": sorted(os.path.basename(path) for path in self.unloadable & mapped)}


def _ask(command, environment, statuses):
    """The JSON that the command prints, or a Claim that it gave no answer."""
    try:
        ended = subprocess.run(command, env=environment, capture_output=True, timeout=SECONDS, check=False,
                               stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return Claim(NO_ANSWER, f"no answer within {SECONDS} s", [])
    if ended.returncode not in statuses:
        return Claim(NO_ANSWER, f"status {ended.returncode}", [ended.stderr.decode(errors="replace")[-500:]])
    try:
        return json.loads(ended.stdout)
    except ValueError as error:
        return Claim(NO_ANSWER, "answer is not JSON", [str(error)])


def of_check(answer):
    """`check` was given the script, and its verdict is about the script with all that this loads."""
    deciding = [report for report in answer["reports"] if report["decides"]]
    worst = [report for report in deciding if report["verdict"] == answer["verdict"]]
    reasons = [f"{os.path.basename(report['path'])}: {'; '.join(report['reasons'])}" for report in worst]
    unloadable = [os.path.realpath(report["path"]) for report in answer["reports"]
                  if any(other["listed"] and not other["found"] for other in report.get("other_libraries", []))]
    return Claim(OF_VERDICT.get(answer["verdict"], NOTHING_SAID), answer["verdict"], reasons[:20], unloadable)


# What doctor says if it does not know, as check's verdict "unexamined", and for check's verdict "kernels".
UNKNOWN = {"script-not-examined", "program-not-examined"}
KERNELS = {"script-kernels", "program-kernels"}


def of_doctor(answer):
    """An error: no CUDA call of the program works. A warning: some do not, or its own kernels. Otherwise all do."""
    warnings = {finding["id"] for finding in answer["findings"] if finding["severity"] == "warning"}
    claim = NO_KERNELS if KERNELS & warnings else PART if warnings else ALL
    if warnings and warnings <= UNKNOWN:
        claim = NOTHING_SAID
    if answer["stops"]:
        claim = NONE
    words = ", ".join(f"{finding['severity']} {finding['id']}" for finding in answer["findings"]
                      if finding["severity"] != "note")
    return Claim(claim, words or "no problems found", [f"{finding['message']} {finding['evidence']}"
                                                       for finding in answer["findings"]][:20])


def _with_recipe(claim, answer, client):
    """The client is started with its recipe: an answer that names it promises the kernels, too, but for what it says
    is refused."""
    said = json.dumps(answer)
    named = any(f"--kernels-from={recipe}" in said for recipe in client.kernels.split(":"))
    if claim.claim == NO_KERNELS and client.kernels and named:
        claim.claim = PART if "refused all the same: " in said else ALL
    return claim


def program_of(client, environment):
    """The path of the program that the answers are about, if they are not about the script."""
    if not client.command:
        return ""
    found = shutil.which(client.command[0], path=environment["PATH"])
    if not found:
        raise ClientError(f"{client.name}: command: {client.command[0]}: not found after the installation")
    return found


def ask_check(stage, client, python, packages, environment):
    paths = [program_of(client, environment) or client.script, *(os.path.join(packages, path) for path in client.check)]
    missing = [path for path in paths if not os.path.exists(path)]
    if missing:
        raise ClientError(f"{client.name}: check: {', '.join(missing)}: not found after the installation")
    options = [option for option in client.options if option.startswith("--abi=")]
    answer = _ask([os.path.join(stage, "bin", "torchada"), "check", "--format=json", "--python=" + python, *options,
                   "--", *paths],
                  environment, (0, 1, 3, 4))
    return answer if isinstance(answer, Claim) else _with_recipe(of_check(answer), answer, client)


def ask_doctor(stage, client, python, environment):
    program = program_of(client, environment)
    command = [program, *client.command[1:]] if program else [python, client.script, "/dev/null"]
    answer = _ask([os.path.join(stage, "bin", "torchada"), "doctor", "--run", "--format=json", "--", *command],
                  environment, (0, 1))
    return answer if isinstance(answer, Claim) else _with_recipe(of_doctor(answer), answer, client)
