#!/usr/bin/env python3
"""Fails when a public prototype of core has no contract.

A contract is the comment above a prototype or above the group of prototypes it
stands in (no blank line between). Where something can fail (the function
returns enum hl_status, a pointer or bool and allocates) it says "Fails", and a
header says "Thread-safety" or "Reentrant" / "pure" at least once.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
PROTO = re.compile(r"^(?:const\s+)?(?:enum|struct|void|bool|int|int32_t|uint32_t|uint64_t|size_t|char|"
                   r"double|float|hl_\w+|uint8_t|ptrdiff_t|unsigned|long)\b[^;={}()]*\(", re.M)
bad = []
n = 0

for path in sorted(ROOT.glob("core/**/*.h")):
    rel = path.relative_to(ROOT)
    if path.name.endswith("_priv.h"):
        continue
    text = path.read_text(encoding="utf-8")
    if "#pragma once" not in text:
        bad.append(f"{rel}: no #pragma once")
    if not text.lstrip().startswith("/*"):
        bad.append(f"{rel}: a header opens with a comment that says what it is")
    blocks = re.split(r"\n\s*\n", text)
    protos = 0
    for block in blocks:
        code = re.sub(r"/\*.*?\*/", "", block, flags=re.S)
        if code.lstrip().startswith(("#", "struct", "enum", "typedef", "static inline")) and "{" in code:
            continue
        hits = [m for m in PROTO.finditer(code)]
        if not hits or "#define" in code:
            continue
        protos += len(hits)
        if "/*" not in block:
            first = code.strip().splitlines()
            bad.append(f"{rel}: no contract for: {' '.join(first[:2])}")
        if "enum hl_status\n" in code and "Fails" not in block and "fails" not in block \
                and "as above" not in block.lower() and "the same" not in block.lower():
            bad.append(f"{rel}: does not say what can fail: {' '.join(code.split())[:80]}")
    n += protos
    lower = text.lower()
    if protos and not any(w in lower for w in ("thread-safe", "thread-safety", "reentrant", "pure")):
        bad.append(f"{rel}: says nothing of threads")

for line in bad:
    print(line)
print(f"contracts: {n} prototypes, {len(bad)} violations")
sys.exit(1 if bad or n == 0 else 0)
