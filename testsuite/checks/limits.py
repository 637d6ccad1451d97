"""doc/administering/limits.md: each setting that it names is explained in its manual page, and each setting of sge_conf(5) that takes a
figure stands in it."""
import re

import manpages

COLUMNS = 5
OTHERS = {"systemd.service.5", "systemd.exec.5"}  # pages that are not ours


def rows(text):
    """The cells of each row of the tables, with the number of its line."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("|") and not re.fullmatch(r"[|\- ]+", line):
            yield number, [cell.strip() for cell in line.strip("|").split("|")]


def settings(cell):
    """(name, page) of `slots` in queue_conf(5)."""
    for names, page, section in re.findall(r"((?:`[^`]+`(?:, | and | to )?)+) in ([\w.]+)\((\d)\)", cell):
        for name in re.findall(r"`([^`]+)`", names):
            yield name, f"{page}.{section}"


def figures_of(text):
    """Settings of sge_conf(5) that are given as NAME=VALUE and are more than a yes or no."""
    return sorted(set(re.findall(r"\b([A-Z]{3,}(?:_[A-Z]+)*)=(?!true\b|false\b)\w", text)))


def problems(top, build):
    path = top / "doc/administering/limits.md"
    have, text = manpages.pages(top), path.read_text()
    texts = {name: manpages.rendered(page) for name, page in have.items()}
    for number, cells in rows(text):
        if len(cells) != COLUMNS:
            yield f"limits.md:{number}: {len(cells)} columns instead of {COLUMNS}"
            continue
        for name, page in settings(cells[2]):
            if page not in OTHERS and not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", texts.get(page, "")):
                yield f"limits.md:{number}: {page} does not explain {name}"
        if cells[2] not in ("fixed", "set in") and not cells[2].startswith("`ulimit") and not list(settings(cells[2])):
            yield f'limits.md:{number}: "{cells[2]}" names no setting and is not "fixed"'
    for name in figures_of(texts.get("sge_conf.5", "")):
        if f"`{name}" not in text:
            yield f"limits.md: {name} of sge_conf(5) is missing"
