"""Manual pages: clean under mandoc, one for each installed program and file, and every option in its page."""
import json
import re
import subprocess

COMMON_FILES = {"bootstrap": "bootstrap.5"}


def pages(top):
    return {p.name: p for p in sorted((top / "man").rglob("*.[1-8]"))}


def programs(build):
    """Names of the programs that are installed."""
    done = subprocess.run(["meson", "introspect", "--installed", str(build)], capture_output=True, text=True, check=True)
    return sorted(path.rsplit("/", 1)[1] for path in json.loads(done.stdout).values() if path.startswith("/bin/"))


def option_rows(top):
    """(option, page) of every option row in the sources."""
    for path in sorted((top / "source").rglob("*.[ch]")):
        for row in re.finditer(r'^\s*OPTION\s*\(\s*"(-[^"]*)"[^\n]*"([\w.]+)\((\d)\)"\s*\)', path.read_text(), re.M):
            yield row.group(1), f"{row.group(2)}.{row.group(3)}"


def rendered(path):
    done = subprocess.run(["mandoc", "-T", "ascii", str(path)], capture_output=True, text=True)
    return re.sub(r".\x08", "", done.stdout)


def problems(top, build):
    have = pages(top)
    for path in have.values():
        done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", str(path)], capture_output=True, text=True)
        yield from (line.replace(str(top) + "/", "") for line in done.stdout.splitlines())
    for name in programs(build) + ["sge_cell"]:
        if f"{name}.1" not in have and f"{name}.8" not in have:
            yield f"{name}: the program has no page in man/man1 or man/man8"
    for page in COMMON_FILES.values():
        if page not in have:
            yield f"{page}: the file has no page"
    texts = {}
    for option, page in option_rows(top):
        if page not in have:
            yield f"{option}: its page {page} is not there"
            continue
        text = texts.setdefault(page, rendered(have[page]))
        if not re.search(r"(?<![\w-])" + re.escape(option) + r"(?![\w-])", text):
            yield f"{option}: not in {page}"
