#!/usr/bin/env python3
"""The README shows the counts that the tables yield: readme_counts.py README COUNTS"""

import sys
from pathlib import Path

readme, counts = (Path(path).read_text(encoding="utf-8") for path in sys.argv[1:3])
if counts not in readme:
    sys.exit(f"{sys.argv[1]} does not contain the table of {sys.argv[2]}")
