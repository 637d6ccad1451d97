#!/usr/bin/python3 -B
"""flames.py BUILD [--dir DIR] - where a task and a submit spend the processors: task.svg and submit.svg in DIR (doc/performance).

A cell of its own runs an array without shells, then submits one job after the other, while perf(1) looks at all processors. Frames stand
on their callers and are as wide as their share of the samples; the lowest row names the program. perf needs root, and linux-perf of Debian."""
import argparse
import html
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

from bench import QUIET, opened

WIDTH, ROW, LEAST_SHARE, CHARACTER = 1200, 17, 0.002, 6.6
FRAME = re.compile(r"\s+[0-9a-f]+ (.+?)(?:\+0x[0-9a-f]+)? \(.*\)$")


def stacks(text):
    """Samples of `perf script` as a counter of tuples: program, outermost function ... innermost function."""
    found = Counter()
    for sample in text.strip().split("\n\n"):
        head, *frames = sample.split("\n")
        names = [match.group(1) for match in map(FRAME.match, frames) if match]
        known = [name for name in reversed(names) if name != "[unknown]"]  # frames of programs that keep no frame pointers
        found[(head.split()[0], *known)] += 1
    return found


class Tree:
    def __init__(self):
        self.samples, self.below = 0, {}

    def add(self, stack, samples):
        self.samples += samples
        if stack:
            self.below.setdefault(stack[0], Tree()).add(stack[1:], samples)

    def depth(self, least):
        return 1 + max((child.depth(least) for child in self.below.values() if child.samples >= least), default=0)


def boxes(tree, name, left, row, whole):
    """(name, samples, left edge in samples, row) of all frames that are wide enough to be seen."""
    if tree.samples < whole * LEAST_SHARE:
        return
    yield name, tree.samples, left, row
    for child in sorted(tree.below):
        yield from boxes(tree.below[child], child, left, row + 1, whole)
        left += tree.below[child].samples


def colour(name):
    """Warm, and the same for the same name in every picture."""
    seed = sum(ord(c) * (i + 1) for i, c in enumerate(name))
    return f"rgb({205 + seed % 50},{90 + seed // 7 % 120},{40 + seed // 3 % 40})"


def drawn(title, found):
    tree = Tree()
    for stack, samples in sorted(found.items()):
        tree.add(stack, samples)
    height = (tree.depth(tree.samples * LEAST_SHARE) + 2) * ROW
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" font-family="monospace" font-size="11">',
             '<rect width="100%" height="100%" fill="white"/>', f'<text x="4" y="12">{html.escape(title)}: {tree.samples} samples</text>']
    for name, samples, left, row in boxes(tree, "all", 0, 0, tree.samples):
        x, width, y = left * WIDTH / tree.samples, samples * WIDTH / tree.samples, height - (row + 1) * ROW
        share = f"{100 * samples / tree.samples:.1f} %"
        lines.append(f'<g><title>{html.escape(name)}: {share}</title><rect x="{x:.1f}" y="{y}" width="{max(width - 0.5, 0.3):.1f}" height="{ROW - 1}" fill="{colour(name)}"/>')
        if width > 4 * CHARACTER:
            lines.append(f'<text x="{x + 2:.1f}" y="{y + 12}">{html.escape(name[:int(width / CHARACTER)])}</text>')
        lines.append("</g>")
    return "\n".join([*lines, "</svg>", ""])


def recorded(place, act):
    """The stacks of all processors while ACT runs."""
    data = place / "perf.data"
    perf = subprocess.Popen(["perf", "record", "-q", "-a", "-F", "999", "-g", "-o", str(data)], stderr=subprocess.PIPE)
    try:
        act()
    finally:
        perf.terminate()
        complaint = perf.communicate()[1].decode()
    if not data.exists():
        sys.exit(f"flames: perf: {complaint.strip()}")
    script = subprocess.run(["perf", "script", "-i", str(data), "-F", "comm,ip,sym,dso"], capture_output=True, text=True, errors="replace", check=True)
    return stacks(script.stdout)


def main():
    parser = argparse.ArgumentParser(prog="aimk flames")
    parser.add_argument("--dir", type=Path, default=Path("doc/performance"))
    build, options = Path(sys.argv[1]), parser.parse_args(sys.argv[2:])
    if not shutil.which("perf"):
        sys.exit("flames: there is no perf here; on Debian it is in linux-perf")
    with opened(build, "/var/tmp", "sge-flames.") as bench:
        options.dir.mkdir(parents=True, exist_ok=True)
        for name, title, act in (("task", "an array of 10,000 tasks without shells", lambda: bench.array_seconds(10000, "-shell", "n")),
                                 ("submit", "2,000 qsub, one after the other", lambda: bench.limit("spawn", 2000, bench.bin / "qsub", "-h", *QUIET, "-b", "y", "/bin/true"))):
            found = Counter({stack: n for stack, n in recorded(bench.place, act).items() if not stack[0].startswith(("swapper", "perf"))})
            (options.dir / f"{name}.svg").write_text(drawn(title, found))
            print(options.dir / f"{name}.svg")


main()
