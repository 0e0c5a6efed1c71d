"""Results of torchada check, good and bad ones, for the tests of the coverage page."""
import copy
import json

REMEDY = "write it with torchada check --format=json"
HOSTILE = "</script><img src=x onerror=\"window.hacked = true\">"


def symbol(name, standing="supported", reason="", weak=False, lines=None):
    out = {"name": name, "weak": weak, "standing": standing, "reason": reason}
    if lines:
        out["lines"] = lines
    return out


def library(soname, *symbols, asked=None):
    return {"asked": asked or soname, "soname": soname, "symbols": list(symbols)}


def report(path, verdict, libraries, others=(), reasons=(), remedies=()):
    return {"path": path, "verdict": verdict, "reasons": list(reasons), "remedies": list(remedies),
            "libraries": list(libraries), "other_libraries": list(others)}


def check_result(**members):
    """A program of three files. What the page does not read is left out."""
    cudnn = {"name": "libcudnn.so.9", "what": "cuDNN, neural networks", "advice": "Port it.",
             "listed": True}
    return {"verdict": "cannot", "files": 7, "reports": [
        report("bin/program", "cannot", [
            library("libcudart.so.12", symbol("cudaFree"), symbol("cudaMalloc"),
                    symbol("cudaNothingSuch", "missing"),
                    symbol("cudaPerhapsSuch", "missing", weak=True)),
            library(None, symbol("cublasSgemm", "missing"), asked="libcublas.so.9")],
               others=[cudnn], reasons=["it needs libcudnn.so.9"], remedies=["libcudnn: port it"]),
        report("lib/part.so", "runs", [library("libcudart.so.12", symbol("cudaMalloc"))],
               others=[{**cudnn, "listed": False}]),
        report("lib/libnccl.so.2", "replaced", [
            library("libcudart.so.12", symbol("cudaEventCreate"))]),
    ], **members}


def hostile_result():
    """Markup in every text."""
    other = {"name": HOSTILE, "what": HOSTILE, "advice": HOSTILE, "listed": True}
    symbols = [symbol(HOSTILE, HOSTILE, HOSTILE, lines=[1]), symbol("cudaMalloc")]
    return {"verdict": HOSTILE, "files": 1, "reports": [
        report(HOSTILE, HOSTILE, [library("libcudart.so.12", *symbols),
                                  library(HOSTILE, *symbols), library(None, *symbols,
                                                                      asked=HOSTILE)],
               others=[other], reasons=[HOSTILE], remedies=[HOSTILE])]}


def spoilt(change):
    out = copy.deepcopy(check_result())
    change(out)
    return json.dumps(out)


def _bad_results():
    """Texts, and what is said of each: by the command and by the page alike."""
    def remove(out):
        del out["reports"][1]["libraries"]

    def lines(out):
        out["reports"][0]["libraries"][0]["symbols"][1]["lines"] = [1, "2"]

    return [
        ("[]", "top level: expected an object, found a list"),
        ("null", "top level: expected an object, found null"),
        ('"runs"', "top level: expected an object, found a string"),
        ("{}", "verdict: not found"),
        ('{"verdict": "runs", "libraries": []}', "files: not found"),
        ('{"verdict": "runs", "files": "many"}', "files: expected a number, found a string"),
        ('{"verdict": true, "files": 1, "reports": []}',
         "verdict: expected a string, found true or false"),
        ('{"verdict": "runs", "files": 1, "reports": {}}',
         "reports: expected a list, found an object"),
        ('{"verdict": "runs", "files": 1, "reports": [3]}',
         "reports[0]: expected an object, found a number"),
        (spoilt(remove), "reports[1].libraries: not found"),
        (spoilt(lambda out: out["reports"][0]["libraries"][1].update(soname=5)),
         "reports[0].libraries[1].soname: expected a string, found a number"),
        (spoilt(lines),
         "reports[0].libraries[0].symbols[1].lines[1]: expected a number, found a string"),
        (spoilt(lambda out: out["reports"][1]["other_libraries"][0].update(listed=None)),
         "reports[1].other_libraries[0].listed: expected true or false, found null"),
    ]


BAD_RESULTS = _bad_results()
# Nothing but blanks: said apart, since no place in it is wrong.
EMPTY = ["", " \n"]
