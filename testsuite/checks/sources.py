"""Checks that read the sources: banned calls, include guards, sizes, layout."""
import re
import shutil
import subprocess
from pathlib import Path

BANNED = "strcpy strcat sprintf strtok atoi system popen signal localtime gets vsprintf alloca".split()
EXPANSIONS = {"libs/cull/declare.h", "libs/cull/define.h", "libs/cull/here.h"}  # definitions of the row macros: included several times by design
LONG_FUNCTION, LONG_FILE, LONG_HEADER = 60, 800, 200
COLUMNS = 100
CLANG_FORMAT = 14  # the release that judges the layout


def files(top, *suffixes):
    return sorted(p for p in (top / "source").rglob("*") if p.suffix in suffixes)


def is_rows(path):
    """The row files are tables that are included several times, not headers; so is what expands them."""
    return re.fullmatch(r"sge_\w+L\.h", path.name) is not None or any(str(path).endswith("/" + e) for e in EXPANSIONS)


def code_only(text):
    """Blank out comments and strings, keep the lines."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def banned(top, build):
    call = re.compile(r"(?<![\w.>])(" + "|".join(BANNED) + r")\s*\(")
    for path in files(top, ".c", ".h"):
        for number, line in enumerate(code_only(path.read_text()).splitlines(), 1):
            for found in call.finditer(line):
                yield f"{path.relative_to(top)}:{number}: {found.group(1)}"


DECIMAL = re.compile(r"(?<!\w)(?:strto[fd]|strtold)\s*\(|(?<!\w)(?:f|d|s|sn)?printf\s*\([^;]*?%[-+ #0-9.*]*[lL]?[aefgAEFG]")


def decimals(top, build):
    """Numbers have a point in every locale: parse_double reads them, and dstr_addf writes them."""
    for path in files(top, ".c", ".h"):
        if "test" in path.parent.parts:
            continue
        text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group().count("\n"), path.read_text(), flags=re.S)
        for found in DECIMAL.finditer(text):
            yield f"{path.relative_to(top)}:{text.count(chr(10), 0, found.start()) + 1}: a number as the locale has it"


def architectures(top, build):
    """dist/util/arch alone knows the names: programs that spell them anew look for each other in different directories."""
    paths = [p for p in [top / "meson.build", *files(top, ".c", ".h", ".build")] if "test" not in p.parent.parts]
    for path in paths:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if re.search(r"\b(lx|sol|darwin)-\w+", re.sub(r"/\*.*?\*/", "", line)):
                yield f"{path.relative_to(top)}:{number}: ask dist/util/arch: {line.strip()}"


def guards(top, build):
    for path in files(top, ".h"):
        if is_rows(path):
            continue
        relative = re.sub(r"^(libs|daemons)/", "", str(path.relative_to(top / "source")))
        want = re.sub(r"\W", "_", relative).upper()
        found = re.search(r"^#ifndef (\w+)", path.read_text(), re.M)
        if not found or found.group(1) != want:
            yield f"{path.relative_to(top)}: guard should be {want}"


def functions(text):
    """(line, name, length) of each function: style puts its braces into the first column."""
    start = name = None
    previous = ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("{"):
            start, name = number, previous
        elif line.startswith("}") and start:
            yield start, name, number - start - 1
            start = None
        if line.strip() and not line[0].isspace():
            previous = line.strip()


NUMBERED = ("libs/cull/cull.h", "libs/gdi", "libs/sgeobj", "libs/config", "libs/uti/answer.h")  # what travels and what is kept
COUNTS = re.compile(r"_(KINDS|STATUSES|VERBS)$")  # the last one of an enum, which counts the others


def enumerators(body):
    """(name, has a number) of each enumerator that BODY has itself; those of a row file have their numbers there."""
    body = re.sub(r"^\s*#.*$", "", re.sub(r"/\*.*?\*/", "", body, flags=re.S), flags=re.M)
    for part in body.split(","):
        found = re.match(r"\s*(\w+)\s*(=)?", part)
        if found:
            yield found.group(1), found.group(2) is not None


def numbers(top, build):
    """Enums that travel or are kept: where the first one has a number all have, so that none changes when another comes in between."""
    for path in files(top, ".h"):
        if not str(path.relative_to(top / "source")).startswith(NUMBERED) or "test" in path.parent.parts:
            continue
        for body in re.findall(r"\benum\s*\w*\s*\{(.*?)\}", path.read_text(), re.S):
            names = list(enumerators(body))
            if names and names[0][1]:
                yield from (f"{path.relative_to(top)}: {name} has no number" for name, has in names if not has and not COUNTS.search(name))


def wide_comments(top, build):
    """Comments that stand above something keep to the columns; clang-format leaves their lines alone."""
    for path in [*files(top, ".c", ".h"), *sorted((top / "testsuite").rglob("*.[ch]"))]:
        for number, line in enumerate([] if is_rows(path) else path.read_text().splitlines(), 1):
            if len(line) > COLUMNS and line.startswith(("/*", " *")):
                yield f"{path.relative_to(top)}:{number}: a comment of {len(line)} columns, the limit is {COLUMNS}"


STATIC = re.compile(r"^static\s[^;={}()]*?\b(\w+)\s*\((?!\s*\*)", re.M)
WORDS_OF_TESTS = {"feed"}  # of test/: said so often that one word is enough


def statics(top, build):
    """Functions of one file are called by two words or more, who does what: the name alone says it where it is called."""
    for path in files(top, ".c", ".h"):
        text = code_only(path.read_text())
        for found in STATIC.finditer(text):
            name = found.group(1)
            if "_" not in name and not ("test" in path.parent.parts and name in WORDS_OF_TESTS):
                yield f"{path.relative_to(top)}:{text.count(chr(10), 0, found.start(1)) + 1}: {name}: two words"


BROKEN = re.compile(r"^\s+[A-Z][A-Z0-9_]* =$")


def broken_rows(top, build):
    """Enumerators whose comment made the formatter put the value on a line of its own: the comment goes above."""
    for path in files(top, ".c", ".h"):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if BROKEN.match(line):
                yield f"{path.relative_to(top)}:{number}: the comment goes above: {line.strip()}"


def silent_skips(top, build):
    """A unit test that skips says why in the lines above, or once where its file sets up: counts.py refuses a skip without a reason."""
    for path in files(top, ".c"):
        text = path.read_text()
        lines = text.splitlines()
        sets_up = re.search(r"^static int \w+\(void \*\*state\)\n\{(?:\n(?!\}).*)*impossible here", text, re.M)
        for number, line in enumerate(lines):
            if line.strip() == "skip();" and not sets_up and "impossible here" not in "\n".join(lines[max(0, number - 3):number]):
                yield f"{path.relative_to(top)}:{number + 1}: a skip without a reason: print \"impossible here: ...\" first"


def sizes(top, build):
    for path in files(top, ".c", ".h"):
        text, relative = path.read_text(), path.relative_to(top)
        lines = text.count("\n")
        if not is_rows(path) and lines > (LONG_HEADER if path.suffix == ".h" else LONG_FILE):
            yield f"{relative}: {lines} lines"
        for start, name, length in functions(text):
            if length > LONG_FUNCTION and "[]" not in name:
                yield f"{relative}:{start}: {length} lines: {name[:70]}"


def unformatted(top, build):
    """What differs from .clang-format, as Debian 12's clang-format reads it; releases differ, so that others do not judge."""
    if not shutil.which("clang-format"):
        yield "clang-format is not installed"
        return
    version = subprocess.run(["clang-format", "--version"], capture_output=True, text=True, check=True).stdout
    if not re.search(rf"version {CLANG_FORMAT}\.", version):
        return
    paths = [p for p in [*files(top, ".c", ".h"), *(top / "testsuite").rglob("*.[ch]")] if not is_rows(p)]
    done = subprocess.run(["clang-format", "--dry-run", "--style=file", *map(str, paths)], capture_output=True, text=True)
    first = {}
    for path, line in re.findall(r"^(\S+?):(\d+):\d+: warning", done.stderr, re.M):
        first.setdefault(Path(path).relative_to(top), line)
    for path, line in first.items():
        yield f"{path}:{line}: differs from .clang-format; clang-format -i {path}"
