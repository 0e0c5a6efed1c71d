"""For the scripts of the clients: declares steps, runs them in order and reports each outcome.

    from client_steps import step, equal, main

    @step("load")
    def load():
        import module
        return module

    @step("library")
    def addition(load):        # takes what the step `load` returned; not tried if `load` failed
        equal(load.add(1, 2), 3)

    main()

Kinds: "load" imports or opens something, "host" needs no GPU. The others need it: "query" asks the device or makes
objects of it, "copy" compares data that came back from it, "library" what a library computed, and "kernel" what the
client's own device code computed.
Standard library only: it runs in the client's own environment."""
import inspect
import json
import math
import os
import sys
import sysconfig

KINDS = ("load", "host", "query", "copy", "library", "kernel")
_steps = {}  # name: (kind, function)
_compared = 0  # Values that were compared with a reference.


class Wrong(Exception):
    """A result that differs from the reference."""


def step(kind):
    assert kind in KINDS, kind

    def declare(function):
        assert function.__name__ not in _steps, function.__name__
        _steps[function.__name__] = (kind, function)
        return function
    return declare


class Unavailable(Exception):
    """The client found no GPU, or went on without one."""


def available(condition, otherwise):
    if not condition:
        raise Unavailable(otherwise)


def equal(actual, expected, what="result"):
    global _compared
    _compared += 1
    if actual != expected:
        raise Wrong(f"{what}: {str(actual)[:300]}, expected {str(expected)[:300]}")


def close(actual, expected, relative=1e-5, absolute=0.0, what="element"):
    """Compares two sequences of numbers element by element."""
    global _compared
    actual, expected = list(actual), list(expected)
    _compared += len(expected)
    equal(len(actual), len(expected), "number of elements")
    for index, (one, other) in enumerate(zip(actual, expected)):
        if not math.isclose(one, other, rel_tol=relative, abs_tol=absolute):
            raise Wrong(f"{what} {index}: {one}, expected {other}")


def _outcome_of(function, arguments):
    """(outcome, message, returned)"""
    try:
        return "ok", "", function(*arguments)
    except Wrong as error:
        return "wrong", str(error), None
    except (Exception, SystemExit) as error:  # pylint: disable=broad-except
        return "error", f"{type(error).__name__}: {error}"[:2000], None


def _mapped():
    """The files that the process has loaded."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        return sorted({line[line.index("/"):].rstrip("\n") for line in maps if "/" in line})


def _package_of(path, folders):
    """The name of the package of site-packages that a file is of, "" if it is of none."""
    for folder in folders:
        name, below, _ = path.removeprefix(folder + os.sep).partition(os.sep)
        if below and path.startswith(folder + os.sep) and os.path.exists(os.path.join(folder, name, "__init__.py")):
            return name
    return ""


def partly():
    """What shows that the steps do not run a package as it is published: modules that were replaced by mocks, and files
    that were loaded outside their package."""
    mocks = sys.modules.get("unittest.mock")
    kind = mocks.NonCallableMock if mocks else ()
    replaced = {name for name, module in sys.modules.items() if isinstance(module, kind)}
    folders = {sysconfig.get_path(name) for name in ("purelib", "platlib")}
    out = {f"{name} is a mock" for name in replaced}
    for name, module in list(sys.modules.items()):
        path = getattr(getattr(module, "__spec__", None), "origin", None) if name not in replaced else None
        package = _package_of(path, folders) if isinstance(path, str) else ""
        # One that has its name within the package remains of an import of the package that failed. One that has its
        # name within another package, or has others below it, is part of a package that the program made of the files.
        above, _, rest = name.partition(".")
        within = (rest and above in sys.modules) or any(each.startswith(name + ".") for each in sys.modules)
        own = above == package or (within and above not in replaced)
        if package and not own and (package in replaced or package not in sys.modules):
            out.add(f"{os.path.basename(path)} was loaded as {name}, without its package {package}")
    return sorted(out)


def main():
    """steps.py list | steps.py REPORT [NAME...] [-NAME...]: runs the steps that are named.

    Steps that these need are run first, unreported, but not those with a dash, which failed in another process.
    Writes JSON lines to REPORT."""
    if sys.argv[1:] == ["list"]:
        print(json.dumps({name: kind for name, (kind, _) in _steps.items()}))
        return
    names = [name for name in sys.argv[2:] if name[0] != "-"]
    # Unbuffered, and not inherited by programs that a step starts: a crash loses nothing.
    report = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
    done = {name[1:]: ("failed", "", None, 0) for name in sys.argv[2:] if name[0] == "-"}

    def write(record):
        sys.stdout.flush()
        sys.stderr.flush()
        os.write(report, (json.dumps({**record, "log": os.fstat(2).st_size}) + "\n").encode())

    def run(name):
        if name in done:
            return done[name][0]
        function = _steps[name][1]
        needed = list(inspect.signature(function).parameters)
        outcomes = [run(other) for other in needed]
        if set(outcomes) - {"ok"}:
            failed = needed[[outcome == "ok" for outcome in outcomes].index(False)]
            done[name] = ("unreached", f"needs {failed}", None, 0)
        else:
            if name in names:
                write({"begin": name})
            before = _compared
            done[name] = (*_outcome_of(function, [done[other][2] for other in needed]), _compared - before)
        if name in names:
            outcome, message, _, compared = done[name]
            write({"end": name, "outcome": outcome, "message": message, "compared": compared,
                   "partly": partly()})
        return done[name][0]

    for name in names:
        run(name)
    write({"finished": True, "mapped": _mapped()})
