#!/usr/bin/env python3
"""Installs the build folder below a temporary root and runs what came there.

Usage: test_install.py BUILD PREFIX
"""
import pathlib
import subprocess
import sys
import tempfile

WANTED = """bin/headlight
share/applications/headlight.desktop
share/icons/hicolor/scalable/apps/headlight.svg
share/metainfo/headlight.metainfo.xml
share/man/man1/headlight.1
share/bash-completion/completions/headlight
share/zsh/site-functions/_headlight
share/doc/headlight/LICENSE""".split()
MODELS = ("en-fr-gru", "en-fr-transformer", "ntm-copy", "ntm-recall", "sagan-fashion")


def main():
    build, prefix = sys.argv[1], sys.argv[2].lstrip("/")
    with tempfile.TemporaryDirectory() as root:
        subprocess.run(["meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir",
                        root], check=True, stdout=subprocess.DEVNULL)
        top = pathlib.Path(root) / prefix
        bad = [name for name in WANTED if not (top / name).is_file()]
        # Moved: the program finds its models wherever it stands.
        moved = pathlib.Path(root) / "elsewhere"
        top.rename(moved)
        out = subprocess.run([moved / "bin/headlight", "models"], capture_output=True, text=True,
                             env={"HOME": root, "PATH": "/usr/bin:/bin"}, cwd=root)
        shipped = [line.split()[1] for line in out.stdout.splitlines()
                   if line.startswith("shipped")]
        bad += [f"model {m}" for m in MODELS if m not in shipped]
        translated = subprocess.run(
            [moved / "bin/headlight", "translate", "--model", "en-fr-transformer", "--text",
             "The cat sleeps"], capture_output=True, text=True,
            env={"HOME": root, "PATH": "/usr/bin:/bin"}, cwd=root)
        if translated.returncode != 0 or not translated.stdout.strip():
            bad.append("a translation")
    for name in bad:
        print("missing:", name)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
