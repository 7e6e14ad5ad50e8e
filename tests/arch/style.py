#!/usr/bin/env python3
"""House rules a compiler does not check: line and file length, tabs, words of
unfinished work, bare products inside allocation calls."""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
bad = []
n = 0
for g in ("core/**/*.[ch]", "app/**/*.[ch]", "tests/**/*.[ch]"):
    for path in sorted(ROOT.glob(g)):
        rel = path.relative_to(ROOT)
        text = path.read_text(encoding="utf-8")
        n += 1
        lines = text.splitlines()
        if len(lines) > 800:
            bad.append(f"{rel}: {len(lines)} lines (800)")
        for i, line in enumerate(lines, 1):
            if len(line) > 100 and "http" not in line and rel.name != "error_list.h":
                bad.append(f"{rel}:{i}: {len(line)} columns (100)")
            if "\t" in line:
                bad.append(f"{rel}:{i}: a tab")
            if line != line.rstrip():
                bad.append(f"{rel}:{i}: trailing space")
            if re.search(r"\b(TODO|FIXME|XXX)\b", line):
                bad.append(f"{rel}:{i}: unfinished work")
            if re.search(r"\bhl_(alloc|realloc|arena_alloc)\([^;]*[\w)] \* [\w(][^;]*sizeof", line):
                bad.append(f"{rel}:{i}: a bare product in an allocation; use hl_size_mul")
for line in bad:
    print(line)
print(f"style: {n} files, {len(bad)} violations")
sys.exit(1 if bad or n == 0 else 0)
