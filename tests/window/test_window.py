#!/usr/bin/env python3
"""The real program in a real window (Xvfb), driven by xdotool: it is typed into,
hovered, switched from screen to screen, resized and closed.

Usage: test_window.py HEADLIGHT MODELS WAKE_STORM
Exits with 77 when Xvfb or xdotool is not installed.
"""
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

EXE, MODELS, WAKE_STORM = sys.argv[1:4]


def free_display():
    for n in range(90, 200):
        if not os.path.exists(f"/tmp/.X11-unix/X{n}") and not os.path.exists(f"/tmp/.X{n}-lock"):
            return n
    raise RuntimeError("no free display")


class Screen:
    """A virtual display whose pixels can be read."""

    def __init__(self, size="1400x900x24", dpi=None):
        self.dir = tempfile.TemporaryDirectory()
        self.n = free_display()
        self.x = subprocess.Popen(["Xvfb", f":{self.n}", "-screen", "0", size, "-fbdir",
                                   self.dir.name, "-noreset", "-nolisten", "tcp"],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            if os.path.exists(f"/tmp/.X11-unix/X{self.n}"):
                break
            time.sleep(0.05)
        self.env = {**os.environ, "DISPLAY": f":{self.n}", "HEADLIGHT_MODELS": MODELS,
                    "XDG_STATE_HOME": self.dir.name, "SDL_VIDEODRIVER": "x11"}
        self.env.pop("WAYLAND_DISPLAY", None)
        if dpi:
            subprocess.run(["xprop", "-root", "-f", "RESOURCE_MANAGER", "8s", "-set",
                            "RESOURCE_MANAGER", f"Xft.dpi:\t{dpi}\n"], env=self.env, check=True)

    def close(self):
        self.x.terminate()
        self.x.wait()
        self.dir.cleanup()

    def pixels(self):
        """Bytes of the frame buffer (XWD file: header, colour map, rows)."""
        data = (pathlib.Path(self.dir.name) / "Xvfb_screen0").read_bytes()
        head = struct.unpack(">25I", data[:100])
        return data[head[0] + head[19] * 12:]

    def tool(self, *args):
        r = subprocess.run(["xdotool", *map(str, args)], env=self.env, capture_output=True,
                           text=True, timeout=30)
        return r.stdout.strip()

    def geometry(self, window):
        """x, y, width, height of a window's content."""
        lines = dict(line.split("=") for line in
                     self.tool("getwindowgeometry", "--shell", window).splitlines())
        return [int(lines[k]) for k in ("X", "Y", "WIDTH", "HEIGHT")]

    def state(self):
        path = pathlib.Path(self.dir.name) / "headlight" / "state.json"
        return json.loads(path.read_text()) if path.exists() else {}


class Program(unittest.TestCase):
    """The program on a screen of its own."""

    def start(self, *args, **more):
        self.s = Screen(*args, **more)
        self.p = subprocess.Popen([EXE], env=self.s.env, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
        self.w = self.s.tool("search", "--sync", "--onlyvisible", "--class", "headlight").split()[0]
        self.s.tool("windowmove", self.w, 0, 0)
        self.s.tool("windowfocus", self.w)
        self.settle()

    p = s = None

    def tearDown(self):
        if not self.p:
            return
        if self.p.poll() is None:
            self.p.kill()
        self.p.communicate()
        self.s.close()

    def settle(self, limit=10.0):
        """Waits until the picture has stood still for 0.4 s."""
        end = time.time() + limit
        last, since = None, time.time()
        while time.time() < end:
            now = hash(self.s.pixels())
            if now != last:
                last, since = now, time.time()
            elif time.time() - since > 0.4:
                return
            time.sleep(0.05)
        self.fail("the picture never came to rest")

    def changes(self, action):
        before = self.s.pixels()
        action()
        self.settle()
        return before != self.s.pixels()

    def quit(self):
        self.s.tool("key", "--window", self.w, "ctrl+q")
        self.assertEqual(self.p.wait(timeout=20), 0, self.p.stderr.read())


class Window(Program):
    def setUp(self):
        self.start()

    def test_type_hover_switch_close(self):
        key = lambda k: self.s.tool("key", "--delay", 30, k)
        key("ctrl+a")
        self.assertTrue(self.changes(lambda: self.s.tool("type", "--delay", 40,
                                                         "My sister bought a red car")))
        self.settle()
        self.assertTrue(self.changes(lambda: self.s.tool("mousemove", 520, 480)), "hover")
        for digit in "1342":  # the first start shows screen 2
            self.assertTrue(self.changes(lambda d=digit: key("ctrl+" + d)), "screen " + digit)
        self.assertTrue(self.changes(lambda: key("F1")), "help")
        self.assertTrue(self.changes(lambda: key("Escape")), "help closed")
        self.quit()
        self.assertIn("My sister bought a red car", json.dumps(self.s.state()))
        self.assertEqual(self.p.stderr.read(), b"")

    def test_paste(self):
        """Shift+Insert and the middle button, as everywhere on X11."""
        if not shutil.which("xsel"):
            self.skipTest("no xsel")
        give = lambda flag, text: subprocess.run(["xsel", flag, "-i"], input=text, text=True,
                                                 env=self.s.env, check=True)
        give("-b", "from the clipboard")
        give("-p", "from the selection")
        self.s.tool("key", "ctrl+a")
        self.changes(lambda: self.s.tool("key", "shift+Insert"))
        self.changes(lambda: self.s.tool("mousemove", 900, 86, "click", 2))
        self.quit()
        self.assertIn("from the clipboardfrom the selection", json.dumps(self.s.state()))

    def test_text_survives_a_kill(self):
        self.s.tool("key", "ctrl+a")
        self.s.tool("type", "--delay", 40, "Something worth keeping")
        self.settle()
        time.sleep(1.5)
        self.p.send_signal(signal.SIGKILL)
        self.p.wait()
        self.assertIn("Something worth keeping", json.dumps(self.s.state()))

    def test_own_pictures(self):
        """Opened on a thread of its own, and remembered."""
        self.quit()
        data = pathlib.Path(__file__).resolve().parents[1] / "data" / "pictures"
        self.p = subprocess.Popen([EXE, "--image", str(data / "cmyk.jpg")], env=self.s.env,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.w = self.s.tool("search", "--sync", "--onlyvisible", "--class",
                             "headlight").split()[0]
        self.s.tool("windowfocus", self.w)
        self.settle()
        shown = lambda: self.s.state().get("settings", {}).get("images", {}).get("image", "")
        self.wait_for(lambda: shown().endswith("cmyk.jpg"))
        self.quit()

    def wait_for(self, what, limit=15.0):
        end = time.time() + limit
        while not what():
            self.assertLess(time.time(), end, "it never came")
            time.sleep(0.1)

    def test_resize(self):
        for w, h in ((900, 600), (1400, 900), (1000, 700)):
            self.s.tool("windowsize", self.w, w, h)
            self.settle()
            self.assertIsNone(self.p.poll())
        self.quit()


class Scales(Program):
    """The window shows what a picture drawn anew shows, at each of four scales."""

    def stale(self):
        """Pixels that differ once the window was made another size and back, which
        has all of it drawn into a new surface."""
        before = self.s.pixels()
        x, y, w, h = self.s.geometry(self.w)
        for width in (w - 8, w):
            self.s.tool("windowsize", "--sync", self.w, width, h)
            self.settle()
        after = self.s.pixels()
        return sum(before[i:i + 4] != after[i:i + 4] for i in range(0, len(before), 4)) \
            if before != after else 0

    def follow(self, dpi):
        self.start("1940x1060x24", dpi=dpi)
        key = lambda *k: self.s.tool("key", "--delay", 60, *k)
        x, y, w, h = self.s.geometry(self.w)
        steps = [
            ("start", lambda: None),
            ("type and smaller", lambda: (self.s.tool("type", "--delay", 40, " red dog"),
                                          key("ctrl+minus"))),
            ("hover, click, larger", lambda: (self.s.tool("mousemove", w * 2 // 5, h * 3 // 5),
                                              self.s.tool("click", 1), key("ctrl+plus"))),
            ("dark and smaller", lambda: key("ctrl+t", "ctrl+minus")),
            ("another screen and back to 1", lambda: key("ctrl+3", "ctrl+0")),
        ]
        for name, act in steps:
            act()
            self.settle()
            wrong = self.stale()
            self.assertEqual(wrong, 0, f"after {name!r} at {dpi} dpi")
        self.quit()

    def test_96(self):
        self.follow(96)

    def test_120(self):
        self.follow(120)

    def test_144(self):
        self.follow(144)

    def test_192(self):
        self.follow(192)


class Screens(Program):
    """On any screen all of the window is seen, and something is in it."""

    def fits(self, size, dpi=None):
        self.start(size + "x24", dpi=dpi)
        width, height = map(int, size.split("x"))
        x, y, w, h = self.s.geometry(self.w)
        self.assertLessEqual(w, width - 2)
        self.assertLessEqual(h, height - 24, "no room for a title bar")
        hints = subprocess.run(["xprop", "-id", self.w, "WM_NORMAL_HINTS"], env=self.s.env,
                               capture_output=True, text=True).stdout
        least = hints.split("minimum size: ")[1].split("\n")[0].split(" by ")
        self.assertLessEqual(int(least[0]), width)
        self.assertLessEqual(int(least[1]), height - 24)
        self.quit()

    def test_small(self):
        for size in ("1366x768", "1280x720", "640x480"):
            self.fits(size)
            self.s.close()

    def test_fine(self):
        self.fits("1920x1080", 192)

    def test_footer(self):
        """At 640x480 the footer is the last line of the window."""
        self.start("640x480x24")
        x, y, w, h = self.s.geometry(self.w)
        data = self.s.pixels()
        row = lambda dy: data[(h - dy) * 640 * 4:][:w * 4]
        colours = lambda dy: len({row(dy)[i:i + 4] for i in range(0, w * 4, 4)})
        self.assertGreater(max(colours(dy) for dy in range(5, 24)), 5, "no words at the bottom")
        self.assertEqual(colours(2), 1, "cut off")
        self.quit()

    def test_depths(self):
        for depth in (15, 16):
            self.start(f"1400x900x{depth}")
            data = self.s.pixels()
            seen = {data[i:i + 2] for i in range(0, len(data), 2)}
            self.assertGreater(len(seen), 30, f"depth {depth}")
            self.quit()
            self.s.close()

    def test_palette(self):
        s = Screen("1400x900x8")
        try:
            r = subprocess.run([EXE], env=s.env, capture_output=True, timeout=60)
            self.assertEqual(r.returncode, 3)
            self.assertEqual(r.stderr.decode().count("\n"), 1, r.stderr)
            self.assertIn(b"depth", r.stderr)
        finally:
            s.close()


class Closing(Program):
    def test_wake_storm(self):
        """A worker that reports while the window goes (wake_storm.c)."""
        s = Screen()
        try:
            r = subprocess.run([WAKE_STORM, "300"], env=s.env, capture_output=True, timeout=200)
            self.assertEqual((r.returncode, r.stderr), (0, b""))
        finally:
            s.close()

    def test_text_is_kept(self):
        """The last letter, typed just before closing."""
        for i in range(5):
            self.start()
            self.s.tool("key", "ctrl+a")
            self.s.tool("type", "--delay", 5, f"closing number {i}")
            self.quit()
            self.assertIn(f"closing number {i}", json.dumps(self.s.state()))
            self.s.close()


class Busy(unittest.TestCase):
    """The loop never stops for 50 ms: with a worker that takes half a second for
    each run, and with 10,000 characters pasted. A pause of the program's own comes
    back at each try; one that a starved X server made does not, so the best of
    five counts."""

    def quickest(self, env, action, text):
        best = 1e9
        for _ in range(5):
            pause, state = self.drive(env, action)
            self.assertIn(text, state)
            best = min(best, pause)
            if best < 50:
                break
        self.assertLess(best, 50)

    def drive(self, env, action):
        s = Screen()
        try:
            p = subprocess.Popen([EXE], env={**s.env, "HEADLIGHT_REPORT_LOOP": "1", **env},
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            w = s.tool("search", "--sync", "--onlyvisible", "--class", "headlight").split()[0]
            s.tool("windowfocus", w)
            time.sleep(1)
            action(s)
            s.tool("key", "ctrl+q")
            out, err = p.communicate(timeout=60)
            self.assertEqual(p.returncode, 0, err)
            pause = float(out.decode().split("event loop: ")[1].split(" ms")[0])
            return pause, json.dumps(s.state(), ensure_ascii=False)
        finally:
            s.close()

    def test_slow_worker(self):
        def act(s):
            s.tool("key", "ctrl+a")
            s.tool("type", "--delay", 60, "The dog is tired and the cat sleeps")
            time.sleep(2.5)
        self.quickest({"HEADLIGHT_SLOW_MS": "500"}, act, "The dog is tired and the cat sleeps")

    def test_ten_thousand_characters(self):
        def act(s):
            s.tool("key", "ctrl+a")
            s.tool("type", "--delay", 40, "a b. ")
            for _ in range(11):
                for key in ("ctrl+a", "ctrl+c", "End", "ctrl+v"):
                    s.tool("key", "--delay", 20, key)
                    time.sleep(0.05)
            time.sleep(1)
            s.tool("key", "ctrl+2")
            time.sleep(1)
        self.quickest({}, act, "a b. " * 2048)


class Broken(unittest.TestCase):
    def test_no_display(self):
        """HL_E_DISPLAY"""
        env = {**os.environ, "HEADLIGHT_MODELS": MODELS, "XDG_STATE_HOME": "/nonexistent"}
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
            env.pop(name, None)
        r = subprocess.run([EXE], env=env, capture_output=True, timeout=60)
        self.assertEqual(r.returncode, 3)
        self.assertEqual(r.stderr.decode().count("\n"), 1, r.stderr)
        self.assertIn(b"headlight render", r.stderr)

    def test_dead_display(self):
        """Named, but nobody is there: as without one."""
        env = {**os.environ, "HEADLIGHT_MODELS": MODELS, "XDG_STATE_HOME": "/nonexistent",
               "DISPLAY": ":4242"}
        for name in ("WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
            env.pop(name, None)
        r = subprocess.run([EXE], env=env, capture_output=True, timeout=60)
        self.assertEqual(r.returncode, 3)
        self.assertIn(b"headlight render", r.stderr)

    def test_settings_cannot_be_kept(self):
        """The folder of the settings is a file: said once, and everything else works."""
        s = Screen()
        try:
            path = pathlib.Path(s.dir.name) / "headlight"
            path.write_text("in the way")
            p = subprocess.Popen([EXE], env=s.env, stderr=subprocess.PIPE)
            s.tool("search", "--sync", "--onlyvisible", "--class", "headlight")
            time.sleep(1)
            s.tool("type", "--delay", 60, "two words")
            time.sleep(1)
            self.assertIsNone(p.poll())
            s.tool("key", "ctrl+q")
            self.assertEqual(p.wait(timeout=20), 0)
            err = p.stderr.read().decode()
            self.assertEqual(err.count("state.json"), 1, err)
            self.assertEqual(path.read_text(), "in the way")
        finally:
            s.close()

    def test_models_missing(self):
        """The window opens, says so in a sentence, and the rest works."""
        s = Screen()
        try:
            with tempfile.TemporaryDirectory() as empty:
                for name in ("en-fr-transformer", "en-fr-gru"):
                    (pathlib.Path(empty) / name).mkdir()
                    (pathlib.Path(empty) / name / "config.json").write_text("{")
                env = {**s.env, "HEADLIGHT_MODELS": empty}
                p = subprocess.Popen([EXE], env=env, stderr=subprocess.PIPE)
                w = s.tool("search", "--sync", "--onlyvisible", "--class", "headlight").split()[0]
                s.tool("windowfocus", w)
                time.sleep(1)
                s.tool("key", "ctrl+4")
                time.sleep(0.5)
                self.assertIsNone(p.poll())
                s.tool("key", "ctrl+q")
                self.assertEqual(p.wait(timeout=20), 0)
                self.assertIn(b"config.json", p.stderr.read())
        finally:
            s.close()


if __name__ == "__main__":
    if not shutil.which("Xvfb") or not shutil.which("xdotool"):
        sys.exit(77)
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=1).run(suite)
    bad = len(result.failures) + len(result.errors)
    print(f"[  PASSED  ] {result.testsRun - bad} test(s).")
    if bad:
        print(f"[  FAILED  ] {bad} test(s)")
    sys.exit(1 if bad else 0)
