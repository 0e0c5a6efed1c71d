"""Compiles programs for the tests at run time."""
import os
import subprocess

import support_path  # noqa: F401  pylint: disable=unused-import
import support


def build(folder, name, *words, source=None, language="c"):
    """Compiles with the system's compiler and returns the path."""
    path = os.path.join(folder, name)
    read = [] if source is None else ["-x", language, "-", "-x", "none"]
    command = ["cc", "-o", path, *read, "-Wl,--no-as-needed", *words]
    subprocess.run(command, input=source, text=True, check=True, timeout=300)
    return path


def ours(*names, major="cu12"):
    """Options that link with the libraries of this build, which have the real version nodes."""
    folder = os.path.join(support.STAGE, "lib", major)
    return ["-L" + folder, *("-l:" + name for name in names), "-Wl,--allow-shlib-undefined"]


def calls(*names):
    """A program that refers to these functions, with arbitrary prototypes."""
    declared = "".join("void %s(void);\n" % name for name in names)
    return declared + "int main(void) {\n%s  return 0;\n}\n" % "".join(
        "  %s();\n" % name for name in names)


def posed(folder, soname, node, *names, words=()):
    """A library under another library's name, with these functions."""
    script = os.path.join(folder, soname + ".map")
    with open(script, "w", encoding="utf-8") as out:
        out.write("%s { global: %s local: *; };\n" % (
            node, " ".join(name + ";" for name in names) or "nothing_at_all;"))
    source = "".join("void %s(void) {}\n" % name for name in names) or "int nothing_at_all;\n"
    return build(folder, soname, "-shared", "-fPIC", "-Wl,-soname," + soname,
                 "-Wl,--version-script=" + script, *words, source=source)
