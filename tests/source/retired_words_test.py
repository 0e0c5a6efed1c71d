"""Words that once named our libraries do not come back.

retired_words_test.py SOURCE [LISTED]

LISTED (default: retired_words.txt beside this file) has the words, with the word that took their
place, and the files that may have one, each with the reason. CONTRIBUTING.md explains the words
that are left, in a table of at most 25.
"""
import os
import re
import subprocess
import sys

from library_names_test import read_listed

MOST_TERMS = 25
# Facts that were recorded, not written; and what says which words are retired.
LEFT_OUT = re.compile(r"^(mappings/(cuda|musa)/|tests/clients/(programs|results)/|CHANGELOG\.md|VALIDATION\.md"
                      r"|tests/source/retired_words)")


def read_words(path):
    """([(pattern, instead)], {path: reason})"""
    words, files = [], {}
    for name, reason in read_listed(path).items():
        if name.startswith("/"):
            words.append((re.compile(name.strip("/"), re.IGNORECASE), reason))
        else:
            files[name] = reason
    return words, files


def found_in(text, words):
    """[(line number, what was found, what to write instead)]"""
    return [(number, match.group(), instead)
            for number, line in enumerate(text.split("\n"), 1)
            for pattern, instead in words for match in pattern.finditer(line)]


def terms_of(contributing):
    """The terms of the table under "Words", in its order."""
    section = re.search(r"^## Words\n(.*?)^## ", contributing, re.MULTILINE | re.DOTALL)
    return re.findall(r"^\| \*([^*]+)\* \|", section.group(1), re.MULTILINE) if section else []


def defects_of_terms(terms):
    if not terms:
        return ["CONTRIBUTING.md: expected a table of terms under 'Words'"]
    out = [] if len(terms) <= MOST_TERMS else [f"CONTRIBUTING.md: {len(terms)} terms, expected at most {MOST_TERMS}"]
    if terms != sorted(terms, key=str.casefold):
        out.append("CONTRIBUTING.md: expected the terms in alphabetical order")
    return out


def check_itself(words):
    for text in ("a shim of ours", "int in_shim(", "kShims", "the fake libraries", "FakeLibrary", "an emitted library",
                 "the cold stub", "exceptions through stubs"):
        assert found_in(text, words), text
    for text in ("the replacement libraries", "a link stub", "the host stub of a kernel", "stubs/cuda/launch.cpp",
                 "a fake zstd"):
        assert not found_in(text, words), text
    table = "## Words\n\n| *b* | x |\n| *a* | y |\n\n## Next\n"
    assert terms_of(table) == ["b", "a"] and defects_of_terms(["b", "a"]) and not defects_of_terms(["a", "b"])
    assert defects_of_terms([]) and defects_of_terms([f"{i:02}" for i in range(MOST_TERMS + 1)])


def main():
    source = sys.argv[1]
    words, files = read_words(sys.argv[2] if len(sys.argv) > 2
                              else os.path.join(os.path.dirname(__file__), "retired_words.txt"))
    check_itself(words)
    listed = subprocess.run(["git", "-C", source, "ls-files", "-z"], capture_output=True, text=True, check=True).stdout
    defects, used = [], set()
    for name in filter(None, listed.split("\0")):
        path = os.path.join(source, name)
        if LEFT_OUT.match(name) or not os.path.isfile(path):
            continue
        with open(path, encoding="utf-8", errors="replace") as file:
            found = found_in(name + "\n" + file.read(), words)
        if name in files:
            used |= {name} if found else set()
            continue
        defects += [f"{name}:{number - 1}: '{word}': write '{instead}'" for number, word, instead in found]
    defects += [f"retired_words.txt: {name} has no retired word" for name in sorted(files.keys() - used)]
    with open(os.path.join(source, "CONTRIBUTING.md"), encoding="utf-8") as file:
        defects += defects_of_terms(terms_of(file.read()))
    print("\n".join(defects) or "no retired word")
    sys.exit(1 if defects else 0)


if __name__ == "__main__":
    main()
