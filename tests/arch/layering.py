#!/usr/bin/env python3
"""Fails on an include that points upwards.

The table is the architecture: a folder may include its own headers, those of
the folders it names, the C library, and the libraries it names.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])

# folder -> folders of ours it may include
MAY = {
    "core/base": [],
    "core/num": ["base"],
    "core/record": ["base"],
    "core/attn": ["base", "num", "record"],
    "core/io": ["base", "num", "record"],
    "core/nn": ["base", "num", "attn", "record"],
    "core/tok": ["base", "io"],
    "core/analysis": ["base", "num", "record"],
    "core/mech": ["base", "num", "attn", "nn", "record", "io"],
    "core/model": ["base", "num", "attn", "nn", "record", "io", "tok"],
    "core": ["base", "num", "record", "attn", "io", "nn", "tok", "analysis", "mech", "model"],
    "app/draw": ["base"],
    "app/ui": ["base", "draw"],
    "app/state": ["base", "record", "model", "session.h", "io", "draw", "ui"],  # no screen
    "app/view": ["base", "record", "analysis", "draw", "ui"],
    "app/export": ["base", "record", "draw"],
    "app/screen": ["base", "record", "analysis", "mech", "attn", "model", "tok", "session.h",
                   "draw", "ui", "view", "state", "export"],
    "app/screen/memory": ["base", "model", "screen", "draw", "ui", "view", "state"],
    "app/screen/images": ["base", "model", "record", "screen", "draw", "ui", "view", "state"],
    "app/sdl": ["base", "draw", "ui", "state", "session.h", "model", "record", "export"],
    "app": None,  # main and command line: anything
}

# third-party header prefix -> files or folders that may name it
LIBRARY = {
    "SDL": ["app/sdl"],
    "cblas": ["core/num/gemm.c"],
    "openblas": ["core/num/gemm.c"],
    "cjson": ["core/io/json.c"],
    "utf8proc": ["core/base/utf8.c", "core/tok"],
    "pcre2": ["core/tok"],
    "png": ["app/sdl"],
    "fontconfig": ["app/sdl"],
    "fribidi": ["app/sdl"],
    "hb": ["app/sdl"],
    "harfbuzz": ["app/sdl"],
    "libintl": ["app"],
    "immintrin": ["core/num/kernels"],
    "arm_neon": ["core/num/kernels"],
}

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.M)
bad = []


def check_own(rel, folder, target):
    """An include in quotes names a path below core/ or app/."""
    if MAY[folder] is None:
        return
    top = target.split("/")[0] if "/" in target else target
    own = folder.split("/")[-1]
    if top in (own, pathlib.Path(rel).name) or top in MAY[folder]:
        return
    if (ROOT / folder / target).exists():
        return
    bad.append(f"{rel}: {folder} may not include \"{target}\"")


def check_library(rel, target):
    head = target.split("/")[0].split(".")[0]
    for lib, where in LIBRARY.items():
        if head == lib or (lib == "SDL" and head.startswith("SDL")) or head.startswith(lib + "-"):
            if not any(rel.startswith(w) for w in where):
                bad.append(f"{rel}: only {', '.join(where)} may include <{target}>")


def folder_of(rel):
    parts = rel.split("/")
    while parts:
        name = "/".join(parts[:-1]) if parts else ""
        if name in MAY:
            return name
        parts = parts[:-1]
    return None


for path in sorted(ROOT.glob("core/**/*.[ch]")) + sorted(ROOT.glob("app/**/*.[ch]")):
    rel = str(path.relative_to(ROOT))
    folder = folder_of(rel)
    if folder is None:
        bad.append(f"{rel}: its folder is not in the table of tests/arch/layering.py")
        continue
    text = path.read_text(encoding="utf-8")
    for quote, target in INCLUDE.findall(text):
        if "tests/" in target:
            bad.append(f"{rel}: nothing includes tests")
        if quote == '"':
            check_own(rel, folder, target)
            if target.endswith("_priv.h") and not (path.parent / pathlib.Path(target).name).exists():
                bad.append(f"{rel}: {target} is private to its own folder")
        check_library(rel, target)
    if rel.startswith("core/"):
        code = re.sub(r"/\*.*?\*/|//[^\n]*|\"(\\.|[^\"\\])*\"", "", text, flags=re.S)
        for word in ("printf", "fprintf", "puts", "putchar", "perror", "exit", "abort", "getenv",
                     "time", "clock_gettime", "gettimeofday", "malloc", "calloc", "realloc", "free"):
            for m in re.finditer(rf"(?<![\w.>]){word}\s*\(", code):
                if rel == "core/base/alloc.c" and word in ("malloc", "calloc", "realloc", "free"):
                    continue
                line = code.count("\n", 0, m.start()) + 1
                bad.append(f"{rel}: core does not call {word}() (near line {line} without comments)")

for line in bad:
    print(line)
print(f"layering: {len(bad)} violations")
sys.exit(1 if bad else 0)
