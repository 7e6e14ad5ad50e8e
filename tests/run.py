#!/usr/bin/env python3
"""Runs the tests of a build folder and closes with one line: N passed, N failed.

Usage: tests/run.py BUILD [meson test arguments ...]

A program that reports cases of its own (cmocka's closing lines) counts with
them; any other test counts as one. A test that exits with 77 is skipped and
said so.
"""
import json
import pathlib
import re
import subprocess
import sys

CMOCKA = re.compile(r"\[  (PASSED|FAILED) *\] (\d+) test\(s\)")


def count(test):
    """(passed, failed, skipped) of one entry of meson's log."""
    if test["result"] in ("SKIP",):
        return 0, 0, 1
    passed = failed = 0
    for kind, n in CMOCKA.findall(test.get("stdout", "") + test.get("stderr", "")):
        if kind == "PASSED":
            passed += int(n)
        else:
            failed += int(n)
    good = test["result"] in ("OK", "EXPECTEDFAIL")
    if good:
        return max(passed, 1), failed, 0
    return passed, max(failed, 1), 0


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1])
    run = subprocess.run(["meson", "test", "-C", str(build), "--no-rebuild", "--print-errorlogs",
                          "--quiet", *sys.argv[2:]])
    log = build / "meson-logs" / "testlog.json"
    passed = failed = skipped = 0
    if log.exists():
        for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
            test = json.loads(line)
            p, f, s = count(test)
            passed, failed, skipped = passed + p, failed + f, skipped + s
            if test["result"] == "SKIP":
                print("skipped: " + test["name"])
    if run.returncode != 0 and failed == 0:
        failed = 1
    tail = f", {skipped} skipped" if skipped else ""
    print(f"{passed} passed, {failed} failed{tail}")
    return 1 if failed or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
