#!/usr/bin/env python3
"""Looks into the core library: it exports only hl_*, holds no writable data, and
asks for nothing of SDL.

Usage: symbols.py LIBRARY
"""
import re
import subprocess
import sys

ALLOWED = re.compile(r"^(hl_|_hl_|__asan|__ubsan|__odr_asan|__tsan|__sanitizer|__start_|__stop_)")
# The hook that lets tests fail an allocation is thread-local and NULL outside tests.
# The table of mapped files is what a handler of SIGBUS knows a fault by; the gate lets
# one thread at a time into the JSON library, which has globals of its own.
WRITABLE_ALLOWED = {"maps", "json_gate", "hook", "hook_user", "alloc_hook", "alloc_hook_user"}

# The system format names the section: tables of pointers lie in .data.rel.ro, which
# the loader makes read-only after it has filled them in.
out = subprocess.run(["nm", "-f", "sysv", sys.argv[1]], capture_output=True, text=True,
                     check=True).stdout
bad = []
n = 0
for line in out.splitlines():
    parts = [p.strip() for p in line.split("|")]
    if len(parts) != 7 or len(parts[2]) != 1:
        continue
    name, kind, section = parts[0], parts[2], parts[6]
    if kind in "TDBRVC":
        n += 1
        if not ALLOWED.match(name):
            bad.append(f"exported without hl_: {name}")
    if kind in "dDbBC" and not section.startswith(".data.rel.ro"):
        base = name.split(".")[0]
        if base not in WRITABLE_ALLOWED and not base.startswith(("__", "_ZL", "asan.")) \
                and not re.match(r"^\.?L|^__const|^\.", name):
            bad.append(f"writable datum: {name}")
    if kind == "U" and name.startswith(("SDL_", "TTF_", "IMG_")):
        bad.append(f"core asks for {name}")
for line in bad:
    print(line)
print(f"symbols: {n} exported, {len(bad)} violations")
sys.exit(1 if bad or n == 0 else 0)
