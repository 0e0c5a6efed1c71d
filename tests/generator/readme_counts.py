#!/usr/bin/env python3
"""Checks that the README shows the counts of the tables: readme_counts.py README COUNTS"""

import sys
from pathlib import Path

readme, counts = (Path(path).read_text(encoding="utf-8") for path in sys.argv[1:3])
if counts not in readme:
    sys.exit(f"{sys.argv[1]} does not contain the table of {sys.argv[2]}")
