"""A display of one's own (Xvfb), and hands on it: keys and pointer by xdotool. Windows are known by their titles; nothing here sleeps."""
import os
import shutil
import subprocess

from cell import wait

NEEDED = ("Xvfb", "xdotool", "xclip", "import")


def why_not():
    """Why there can be no display here; None if there can."""
    missing = [name for name in NEEDED if not shutil.which(name)]
    return f"{' and '.join(missing)} not installed" if missing else None


class Display:
    def __init__(self):
        reading, writing = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", "1400x900x24", "-nolisten", "tcp", "-ac", "-noreset"],
                                       pass_fds=(writing,), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writing)
        with open(reading, encoding="ascii") as number:
            self.name = ":" + number.readline().strip()  # written when clients can connect
        self.programs = []

    def end(self):
        self.server.terminate()
        self.server.wait(timeout=20)
        for program in self.programs:
            if program.poll() is None:
                program.wait(timeout=20)  # who loses its display ends
            for stream in (program.stdout, program.stderr):
                if not stream.closed:
                    stream.close()

    def start(self, cell, *argv, **more):
        """A program of CELL on this display; it ends with the display."""
        env = {"DISPLAY": self.name, "LC_ALL": "C.UTF-8"} | more.pop("env", {})
        self.programs.append(cell.start_program(*argv, env=env, **more))
        return self.programs[-1]

    def hands(self, *argv):
        done = subprocess.run(["xdotool", *map(str, argv)], env=os.environ | {"DISPLAY": self.name}, capture_output=True, text=True, timeout=30)
        return done.stdout.split("\n")[:-1]

    def clipboard(self):
        """What was copied or cut last."""
        got = subprocess.run(["xclip", "-selection", "clipboard", "-o", "-d", self.name], capture_output=True, text=True, timeout=30)
        return got.stdout

    def titles(self):
        """{title: window} of all windows that are seen."""
        found = {}
        for window in self.hands("search", "--onlyvisible", "--name", "."):
            for title in self.hands("getwindowname", window):
                found[title] = window
        return found

    def ended(self):
        """What the programs said that have ended."""
        return [program.communicate() for program in self.programs if program.poll() is not None and not program.stdout.closed]

    def sees(self, title):
        """Wait for a window whose title begins with TITLE; returns the window."""
        def those():
            return [window for name, window in self.titles().items() if name.startswith(title)]
        wait(those, lambda: f"a window {title!r} among {sorted(self.titles())}, {self.ended()}", 60)
        return those()[0]

    def misses(self, title):
        """Wait until no window has such a title."""
        wait(lambda: not any(name.startswith(title) for name in self.titles()), lambda: f"no window {title!r} any more", 60)

    def geometry(self, window):
        """Where WINDOW is and how large: X, Y, WIDTH, HEIGHT."""
        found = dict(line.split("=") for line in self.hands("getwindowgeometry", "--shell", window) if "=" in line)
        return {name: int(found[name]) for name in ("X", "Y", "WIDTH", "HEIGHT")}

    def picture(self, window):
        """What is seen of WINDOW, in front of others: the bytes of a PPM, three for a pixel."""
        self.hands("windowraise", window)
        done = subprocess.run(["import", "-silent", "-window", window, "-depth", "8", "ppm:-"], env=os.environ | {"DISPLAY": self.name},
                              capture_output=True, timeout=60, check=True)
        return done.stdout

    def to(self, window, x, y):
        """The pointer, and with it the keys, goes to a place in WINDOW."""
        self.hands("mousemove", "--window", window, x, y)

    def click(self, window, x, y):
        self.to(window, x, y)
        self.hands("click", 1)

    def keys(self, *keys):
        self.hands("key", *keys)

    def write(self, text):
        self.hands("type", "--delay", "2", "--", text)
