"""The developer's guide speaks of files and names that exist: whatever stands in backquotes and looks like one is looked up."""
import re


def sources(top):
    places = [top / "source", top / "testsuite", top / "doc"]
    return [p for place in places if place.exists() for p in place.rglob("*") if p.is_file() and "__pycache__" not in p.parts]


GUIDE_COLUMNS = 120  # of prose; rows of tables, and what a command prints, are as wide as they are
TERMINAL = {"README": 80, "doc/installing/install.md": 80}  # what newcomers read, in a terminal of this many columns


def too_wide(top):
    for name, columns in TERMINAL.items():
        path = top / name
        for number, line in enumerate(path.read_text().splitlines() if path.exists() else [], 1):
            if len(line) > columns:
                yield f"{name}:{number}: wider than {columns} columns"


def long_lines(top):
    """Lines of prose in guides: neither rows of tables nor what is indented or fenced."""
    for path in sorted((top / "doc").rglob("*.md")):
        is_fenced = False
        for number, line in enumerate(path.read_text().splitlines(), 1):
            is_fenced ^= line.startswith("```")
            if len(line) > GUIDE_COLUMNS and not is_fenced and not line.startswith(("|", "    ")):
                yield f"{path.relative_to(top)}:{number}: wider than {GUIDE_COLUMNS} columns"


def problems(top, build):
    yield from too_wide(top)
    yield from long_lines(top)
    paths = sources(top)
    names = ["/" + str(p.relative_to(top)) for p in paths]
    text = "\n".join(p.read_text(errors="replace") for p in paths if p.suffix in (".c", ".h", ".py", ".txt", ".build"))
    words = set(re.findall(r"\w+", text))
    for page in sorted((top / "doc/developing").glob("*.md")):
        for number, line in enumerate(page.read_text().splitlines(), 1):
            for quoted in re.findall(r"`([^`]+)`", line):
                if is_missing(quoted, names, words):
                    yield f"{page.relative_to(top)}:{number}: there is no {quoted}"


def is_missing(quoted, names, words):
    """Paths must be the end of a file's path or a directory in one; names of functions and rows must occur in the sources."""
    if re.fullmatch(r"[\w.-]+(/[\w.-]+)*\.(c|h|py|txt|md)", quoted) and not re.search(r"(^|/)[xy](/|\.)|^db\.h$", quoted):
        return not any(name.endswith("/" + quoted) for name in names)
    if re.fullmatch(r"(libs|daemons|clients|testsuite)(/[\w-]+)+/?", quoted):
        return not any("/" + quoted.rstrip("/") + "/" in name for name in names) and not any(
            name.rsplit(".", 1)[0].endswith("/" + quoted) for name in names)
    if re.fullmatch(r"[a-z]+(_[a-z0-9]+)+|[A-Z]{2,3}_\w+", quoted):
        return quoted not in words
    return False
