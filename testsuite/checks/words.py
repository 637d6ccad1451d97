"""Plain English: manual pages, guides, news, messages and comments of headers have none of the phrases that readers stumble over.

Each pattern stands beside what to write instead. A line that needs one (a quoted name, a captured text) is in ALLOWED."""
import re

PHRASES = {
    r"\b[Ww]hoever\b": "name the thing: the reader, the owner, a client",
    r"\b([Nn]obody|[Ss]omebody)\b": "no user, no other process; a user, a client; or the passive",
    r"\b(hears?|heard)\b": "receive, be notified",
    r"\b(is|are|was|were|been) (told|said)\b": "is sent, is shown, is printed",
    r"\btells?\b(?! apart)": "notify, report, show",
    r"\bis no value\b": "is not a value",
    r"(?<![Tt]here )\bis none\b": "does not exist",
    r"\bof (ours|yours)\b": "our, your",
    r"\bat first\b": "default, initially",
    r"\bfor good\b": "permanently",
    r"\bcomes of it\b|\bgoes with it\b": "name what happens",
    r"\bwindow on\b": "view of, interface to",
}
ALLOWED = [
    r"\btells?\b.*\b(threshold_fn|gdi_tell)\b|\bgdi_tell\b|^ \*   tell  ",  # names of the interface
    r"\bheard/|`heard`|heard/exec_hear|EH_lt_heard_from|exec_hear|membership_hear|members_heard|is_heard",  # a directory and names
    r"qstat -u nobody|jobs_list_nobody|NAMES_NOBODY",  # the user called nobody
    r"max_unheard",
]
PATTERNS = [(re.compile(pattern), instead) for pattern, instead in PHRASES.items()]
EXCUSES = re.compile("|".join(ALLOWED))
EXAMPLES = re.compile(r"^\| not \| but \|\n(?:\|.*\n)+", re.M)  # of the page of style
COMMENT = re.compile(r"/\*.*?\*/", re.S)
TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')


def prose(path):
    """[(number of the line, what people read in it)]."""
    text = path.read_text()
    if path.suffix != ".h":
        return list(enumerate(EXAMPLES.sub(lambda match: "\n" * match.group().count("\n"), text).splitlines(), 1))
    found = []
    for match in COMMENT.finditer(text):
        first = text.count("\n", 0, match.start()) + 1
        found += [(first + i, line) for i, line in enumerate(match.group().splitlines())]
    if path.name.startswith("msg_"):
        found += [(number, " ".join(TEXT.findall(line))) for number, line in enumerate(COMMENT.sub("", text).splitlines(), 1)]
    return found


def pages(top):
    yield from (p for p in sorted((top / "man").rglob("*.[1-8]")) if not p.is_symlink())
    yield from sorted((top / "doc").rglob("*.md"))
    yield from (p for p in sorted((top / "source").rglob("*.h")) if not {"test", "fuzz"} & set(p.parts))


def phrases(top, build):
    for path in pages(top):
        for number, line in prose(path):
            for pattern, instead in [] if EXCUSES.search(line) else PATTERNS:
                if match := pattern.search(line):
                    yield f'{path.relative_to(top)}:{number}: "{match.group()}": {instead}'
