#!/usr/bin/env python3
"""Each header of core and of the SDL-free part of app compiles on its own.

Usage: headers.py ROOT CC [flags ...]
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT, cc = pathlib.Path(sys.argv[1]), sys.argv[2:]
headers = [h for g in ("core/**/*.h", "app/**/*.h") for h in sorted(ROOT.glob(g))
           if "sdl" not in h.relative_to(ROOT).parts and not h.name.endswith(".in.h")]


def compile_alone(h):
    """What the compiler says to the header included twice, alone; "" if nothing."""
    with tempfile.TemporaryDirectory() as tmp:
        src = pathlib.Path(tmp) / "one.c"
        src.write_text(f'#include "{h.relative_to(ROOT)}"\n#include "{h.relative_to(ROOT)}"\n'
                       "typedef int not_empty;\n")
        r = subprocess.run([*cc, "-std=c11", "-D_DEFAULT_SOURCE", "-fsyntax-only", "-Wall", "-Wextra",
                            "-Werror", "-I", str(ROOT), "-I", str(ROOT / "core"),
                            "-I", str(ROOT / "app"), str(src)], capture_output=True, text=True)
        return r.stderr if r.returncode else ""


bad = 0
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for h, said in zip(headers, pool.map(compile_alone, headers)):
        if said:
            bad += 1
            print(f"{h.relative_to(ROOT)} does not stand alone:\n{said}")
print(f"headers: {len(headers)} checked, {bad} fail")
sys.exit(1 if bad or not headers else 0)
