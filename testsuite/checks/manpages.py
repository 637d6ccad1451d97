"""Manual pages: clean under mandoc, within a terminal, one for each installed program, each file of a cell and each function of
drmaa.h, and every option explained in its page."""
import json
import re
import subprocess

COLUMNS = 80


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


def client_rows(top):
    """(option, page) of the tables of clients that show things: rows with a function, of the client in whose directory they stand."""
    for path in sorted((top / "source/clients").glob("*/*.c")):
        rows = re.finditer(r'^ *\{ "(-\w+)", (?:ARGUMENT_\w+|\d+, *\w+), (\w+),', path.read_text(), re.M)
        section = 8 if path.parent.name.startswith("sge_") else 1
        yield from ((row.group(1), f"{path.parent.name}.{section}") for row in rows if row.group(2) != "NULL")
        yield from ((row, f"{path.parent.name}.{section}") for row in re.findall(r'^ *OF_KIND\("(-\w+)"', path.read_text(), re.M))


STORED = ".Ss Accepted and stored, but not implemented yet\n"


def attribute_rows(top):
    """(attribute, whether it is only stored, page) of the tables of what qconf sets."""
    rules = top / "source/libs/config"
    for path, page in ((rules / "cqueue.c", "queue_conf.5"), (rules / "host.c", "host_conf.5")):
        for row in re.finditer(r'ATTR_ROW\w*\("(\w+)"[^;]*?\),\s+[CE][QH]_\w+,\s*ATTR_(\w+) \}', path.read_text()):
            yield row.group(1), row.group(2) == "STORED", page
    for row in re.finditer(r'\{ \{ "(\w+)", ATTR_.*, CONF_OF_(\w+), ATTR_(\w+) \}', (rules / "conf.c").read_text()):
        yield row.group(1), row.group(3) == "STORED", "sched_conf.5" if row.group(2) == "SCHEDULER" else "sge_conf.5"


def kind_tables(top):
    """(page, table) of the kinds of objects: each table stands below a comment that names its page."""
    for path in sorted((top / "source/libs/config").glob("*.c")):
        for page, section, table in re.findall(r"/\* ---- (\w+)\((\d)\) ---- \*/(.*?)^};", path.read_text(), re.M | re.S):
            yield f"{page}.{section}", table


def kind_rows(top):
    """(attribute, page) of the kinds of objects."""
    for page, table in kind_tables(top):
        yield from ((name, page) for name in re.findall(r'ATTR_ROW\w*\("(\w+)"', table))


def kind_problems(top, have):
    for name, page in kind_rows(top):
        if page not in have or not re.search(rf"^\.It Sy (?:.* , ?)?{name}\b", have[page].read_text(), re.M):
            yield f"{name}: not explained in {page}"


def attribute_problems(top, have):
    """An attribute stands in that half of its page which says whether anything obeys it."""
    halves = {page: (have[page].read_text() + STORED).split(STORED)[:2] for page in {page for *_, page in attribute_rows(top)}}
    for name, is_stored, page in attribute_rows(top):
        if not re.search(rf"^\.(?:It )?Sy (?:.* , ?)?{name}\b", halves[page][is_stored], re.M):
            yield f"{name}: not {'among what is only stored' if is_stored else 'explained'} in {page}"


IDLE = "no effect yet"


def kind_effect_problems(top, texts):
    """A sentence with IDLE names the attributes that nothing obeys, and no others; where nothing of a kind is obeyed there is one."""
    for page, table in kind_tables(top):
        effects = dict(re.findall(r'ATTR_ROW\w*\("(\w+)".*?ATTR_(STORED|IN_FORCE) \}', table, re.S))
        idle = [words for words in re.split(r"\.\s", texts.get(page, "")) if IDLE in " ".join(words.split())]
        if set(effects.values()) == {"STORED"}:
            yield from [] if idle else [f"{page}: does not say that nothing of it has an effect"]
            continue
        for name, effect in effects.items():
            if (effect == "STORED") != any(re.search(rf"\b{name}\b", words) for words in idle):
                yield f"{name}: {page} {'does not say' if effect == 'STORED' else 'says'} that it has no effect"


def option_effects(top):
    """(option, HELP or LATER or WAITS ..., page) of the option rows."""
    for path in sorted((top / "source").rglob("*.h")):
        rows = re.finditer(r'^OPTION\("-([^"]*)"[^\n]*"([\w.]+)\((\d)\)"\)\s+([A-Z]+)\(', path.read_text(), re.M)
        yield from ((row.group(1), row.group(4), f"{row.group(2)}.{row.group(3)}") for row in rows)


def entry(text, option):
    """What the source of a page says of an option: its entries, up to the next ones."""
    return "".join(re.findall(rf"^\.It Fl (?:\\&)?{re.escape(option)}(?!\w)[^\n]*\n(.*?)^\.(?:It|El)", text, re.M | re.S))


def option_effect_problems(top, have):
    """A page says of exactly those options that nothing obeys that they are stored, or not supported yet."""
    for option, effect, page in option_effects(top):
        said = entry(have[page].read_text(), option) if page in have else ""
        for word, text in (("LATER", ".Em Stored ."), ("WAITS", "Not supported yet.")):
            if (effect == word) != (text in said):
                yield f"-{option}: {page} {'does not say' if effect == word else 'says'} \"{text.removeprefix('.Em ')}\""


def supported_problems(top, texts):
    """What a client has a function for is not called "not supported yet" by its page."""
    for option, page in client_rows(top):
        said = re.findall(r"((?:-\w+(?:,| and)?\s+)+)(?:is|are)\s+not\s+supported\s+yet", texts.get(page, ""))
        if any(option in re.findall(r"-\w+", words) for words in said):
            yield f"{option}: {page} says that it is not supported"


def declared_functions(header):
    """{function: (its type, its parameters)} of a C header."""
    text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
    rows = re.finditer(r"^((?:const )?\w+ \*?)(\w+)\((.*?)\);", text, re.M | re.S)
    return {row.group(2): (row.group(1).strip(), [" ".join(word.split()) for word in row.group(3).split(",")]) for row in rows}


def explained_functions(page):
    """The same of the synopsis of a page."""
    rows = re.finditer(r"^\.Ft (.*)\n\.Fo (\w+)\n((?:\.Fa .*\n)*)\.Fc", page.read_text(), re.M)
    return {row.group(2): (row.group(1), re.findall(r'\.Fa "?([^"\n]*)"?', row.group(3))) for row in rows}


def function_problems(top, have):
    for name, declared in declared_functions(top / "source/libs/drmaa/drmaa.h").items():
        if f"{name}.3" not in have:
            yield f"{name}: the function has no page in man/man3"
        elif explained_functions(have[f"{name}.3"]).get(name) != declared:
            yield f"{name}: its page has another prototype than drmaa.h"


def files_of_a_cell(top):
    """What sge_cell writes into the directory common of a new cell."""
    text = (top / "source/dist/util/sge_cell").read_text()
    return sorted(set(re.findall(r'>"\$1/(\w+(?:\.\w+)?)"', text)))


def rendered(path):
    done = subprocess.run(["mandoc", "-T", "ascii", "-O", f"width={COLUMNS}", str(path)], capture_output=True, text=True)
    return re.sub(r".\x08", "", done.stdout)


def explains(text, option):
    """A page explains an option in a line that begins with it or with others beside it; that an example has it is not enough."""
    return re.search(r"^ {5}(-[^\n]*?[^\w\n-])?" + re.escape(option) + r"(?![\w-])", text, re.M)


def problems(top, build):
    have = pages(top)
    for path in have.values():
        done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", str(path)], capture_output=True, text=True)
        yield from (line.replace(str(top) + "/", "") for line in done.stdout.splitlines())
    for name in programs(build) + ["sge_cell"]:
        if f"{name}.1" not in have and f"{name}.8" not in have:
            yield f"{name}: the program has no page in man/man1 or man/man8"
    texts = {name: rendered(path) for name, path in have.items()}
    for name, text in texts.items():
        yield from (f"{name}: wider than {COLUMNS} columns: {line.strip()}" for line in text.splitlines() if len(line) > COLUMNS)
    for name in files_of_a_cell(top):
        if f"{name}.5" not in have and not any(re.search(rf"/common/(\S+, )*{re.escape(name)}(?!\w)", text) for text in texts.values()):
            yield f"{name}: the file of a cell has no page, nor is it among the FILES of one"
    yield from attribute_problems(top, have)
    yield from kind_problems(top, have)
    yield from kind_effect_problems(top, texts)
    yield from option_effect_problems(top, have)
    yield from supported_problems(top, texts)
    yield from function_problems(top, have)
    for option, page in [*option_rows(top), *client_rows(top)]:
        if page not in have:
            yield f"{option}: its page {page} is not there"
            continue
        if not explains(texts[page], option):
            yield f"{option}: not explained in {page}"
