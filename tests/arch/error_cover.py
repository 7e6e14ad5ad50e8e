#!/usr/bin/env python3
"""Each error code is raised somewhere in the program and asked for by some test."""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
codes = re.findall(r"^\s*X\((\w+),", (ROOT / "core/base/error_list.h").read_text(), re.M)


def text_of(*globs):
    return "\n".join(p.read_text(encoding="utf-8", errors="replace")
                     for g in globs for p in ROOT.glob(g))


program = text_of("core/**/*.c", "app/**/*.c")
tests = text_of("tests/**/*.c", "tests/**/*.py")
bad = [f"{c}: no code raises it" for c in codes if f"HL_E_{c}" not in program]
bad += [f"{c}: no test asks for it" for c in codes if f"HL_E_{c}" not in tests]
for line in bad:
    print(line)
print(f"errors: {len(codes)} codes, {len(bad)} gaps")
sys.exit(1 if bad or not codes else 0)
