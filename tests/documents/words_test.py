#!/usr/bin/env python3
"""The documents spell alike: words_test.py REPOSITORY

British English, and names as their owners write them. Code, links and the texts of licences are left alone.
"""
import re
import sys
from pathlib import Path

import links_test
import markdown

# Wrong word: correct word. Whole words, case-sensitive.
WRONG = {
    "behavior": "behaviour", "color": "colour", "colors": "colours", "honor": "honour", "honors": "honours",
    "favor": "favour", "neighbor": "neighbour", "center": "centre", "license": "licence", "License": "Licence",
    "initialize": "initialise", "initialized": "initialised", "optimize": "optimise", "optimized": "optimised",
    "unoptimized": "unoptimised", "recognize": "recognise", "recognized": "recognised", "analyze": "analyse",
    "serialize": "serialise", "synchronize": "synchronise", "canceled": "cancelled", "labeled": "labelled",
    "Torchada": "torchada", "TorchAda": "torchada", "Cuda": "CUDA", "Musa": "MUSA", "CUBLAS": "cuBLAS",
    "CuBLAS": "cuBLAS",
    "MuBLAS": "muBLAS", "MUBLAS": "muBLAS", "CURAND": "cuRAND", "CuRAND": "cuRAND", "MURAND": "muRAND", "Nccl": "NCCL",
    "Mccl": "MCCL", "Github": "GitHub", "github": "GitHub", "debian": "Debian", "Pytorch": "PyTorch",
    "pytorch": "PyTorch",
    "Sglang": "SGLang", "VLLM": "vLLM", "OpenBlas": "OpenBLAS", "Cmake": "CMake", "standin": "stand-in",
    "Moore threads": "Moore Threads",
}
PATTERN = re.compile(r"(?<![\w./-])(" + "|".join(map(re.escape, WRONG)) + r")(?![\w/-])")


def prose(text):
    text = markdown.CODE_SPAN.sub("", text)
    return re.sub(r"\]\([^)]*\)|<[^>]*>|\bhttps?://\S+", "", text)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root, findings, checked = Path(sys.argv[1]), 0, 0
    for file in sorted(links_test.tracked(root)):
        if file.suffix != ".md":
            continue
        checked += 1
        document = markdown.read(root / file)
        texts = document.paragraphs + [(line, text) for line, _, text in document.headings]
        texts += [(line, " | ".join(row)) for line, rows in document.tables for row in rows]
        for line, text in sorted(texts):
            for word in PATTERN.findall(prose(text)):
                print(f"{file}:{line}: {word}: write {WRONG[word]}")
                findings += 1
    print(f"{checked} documents, {findings} words to mend")
    return 1 if findings or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
