"""Checks of who includes whom: rooms and the doors of outside libraries (source/layers.txt), circles, what nobody uses any more."""
import fnmatch
import re
from collections import defaultdict

from sources import files, is_rows

INCLUDE = re.compile(r'\s*#\s*include\s+(["<])([^">]+)')
ROOM_DEPTHS = (4, 3, 2, 1)  # daemons/qmaster/requests/jobs, daemons/qmaster/jobs, libs/uti, common


class Layers:
    """source/layers.txt: rooms with the rooms below them, and doors of outside libraries."""

    def __init__(self, path):
        self.below, self.doors = {}, {}
        for line in path.read_text().splitlines():
            if line.startswith("#") or not line.strip():
                continue
            if line.startswith("door "):
                _, prefix, *rooms = line.split()
                self.doors[prefix] = rooms
            else:
                room, rooms = line.split(":")
                self.below[room] = rooms.split()

    def room_of(self, relative):
        """The row in the table for a path below source/, and the room's own directory."""
        parts = relative.split("/")
        for depth in ROOM_DEPTHS:
            own = "/".join(parts[:depth])
            for row in self.below:
                if row.count("/") == own.count("/") and fnmatch.fnmatch(own, row):
                    return row, own
        return None, None

    def reach(self, rooms):
        """ROOMS and all that may be included by who may include them: an arrow brings what lies beneath it."""
        seen, todo = set(), list(rooms)
        while todo:
            room = todo.pop()
            if room not in seen:
                seen.add(room)
                todo += self.below[room]
        return seen


def includes(path):
    """(line, quote, name) of each #include."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        found = INCLUDE.match(line)
        if found:
            yield number, found.group(1), found.group(2)


def layers(top, build):
    table = Layers(top / "source/layers.txt")
    for path in files(top, ".c", ".h"):
        relative = str(path.relative_to(top / "source"))
        row, own = table.room_of(relative)
        if row is None:
            yield f"source/{relative}: its room is not in source/layers.txt"
            continue
        reach = table.reach(table.below[row])
        for number, quote, name in includes(path):
            problem = wrong_include(top, table, reach, own, quote, name)
            if problem:
                yield f"source/{relative}:{number}: {problem}"


def door_of(table, name):
    return next((prefix for prefix in table.doors if name.startswith(prefix)), None)


def wrong_include(top, table, reach, own, quote, name):
    if quote == "<":
        door = door_of(table, name)
        if door and not any(fnmatch.fnmatch(own, room) for room in table.doors[door]):
            return f"<{name}> has its door in {' '.join(table.doors[door])}"
        return None
    if not (top / "source" / name).exists():
        return f'"{name}" is not written from source/'
    _, other = table.room_of(name)
    if other != own and other not in reach:
        return f'"{name}": {own} may not use {other}'
    return None


def unused(top, build):
    """Rows, arrows and doors of source/layers.txt that nothing needs, and flags of cull's rows that no row has or no code reads."""
    table = Layers(top / "source/layers.txt")
    used, opened = defaultdict(set), set()
    for path in files(top, ".c", ".h"):
        row, own = table.room_of(str(path.relative_to(top / "source")))
        used[row]  # the row has a file
        for _, quote, name in includes(path):
            if quote == '"':
                used[row].add(table.room_of(name)[0])
            else:
                opened |= {(door_of(table, name), room) for room in table.doors.get(door_of(table, name), []) if fnmatch.fnmatch(own, room)}
    yield from unused_rows(table, used)
    for door, rooms in table.doors.items():
        for room in rooms:
            if (door, room) not in opened:
                yield f"source/layers.txt: {room} does not use its door {door}"
    yield from unused_flags(top)


def unused_rows(table, used):
    for row, below in table.below.items():
        if row not in used:
            yield f"source/layers.txt: {row}: there is no such room"
            continue
        for room in below:
            others = table.reach(other for other in below if other != room)
            if not (used[row] & table.reach([room])) - others:
                yield f"source/layers.txt: {row} does not use {room}"


def unused_flags(top):
    for header, prefix in ((top / "source/libs/cull/cull.h", "CULL"), (top / "source/libs/sgeobj/rows.h", "JOB")):
        if header.exists():
            yield from unused_flags_of(top, header, prefix)


def unused_flags_of(top, header, prefix):
    bits = re.sub(r"\benum \w+ \{.*?\}", "", header.read_text(), flags=re.S)  # an enum with a name has values, not flags
    flags = re.findall(rf"^ +({prefix}_\w+) = [1-9]\d*,?", bits, re.M)
    texts = {path: path.read_text() for path in files(top, ".c", ".h") if path != header and "test" not in path.parent.parts}
    for flag in flags:
        for what, is_wanted in (("no row has it", is_rows), ("no code reads it", lambda path: not is_rows(path))):
            if not any(re.search(rf"\b{flag}\b", text) for path, text in texts.items() if is_wanted(path)):
                yield f"{header.relative_to(top)}: {flag}: {what}"


def unit_of(name):
    """A .c, its .h and its _priv.h are one unit: NAME without what tells them apart."""
    return re.sub(r"(_priv)?\.[ch]$", "", name)


def circles(top, build):
    """Units that include each other, over however many others: each circle once, with its includes."""
    graph = defaultdict(dict)
    for path in files(top, ".c", ".h"):
        relative = str(path.relative_to(top / "source"))
        if is_rows(path):
            continue
        for number, quote, name in includes(path):
            if quote == '"' and unit_of(name) != unit_of(relative) and not is_rows(top / "source" / name):
                graph[unit_of(relative)].setdefault(unit_of(name), f"{relative}:{number}")
    for circle in strongly_connected(graph):
        members = sorted(circle)
        places = [f"source/{place} -> {other}" for unit in members for other, place in sorted(graph[unit].items()) if other in circle]
        yield f"circle of {len(members)}: {' '.join(members)}\n    " + "\n    ".join(places)


def strongly_connected(graph):
    """The sets of more than one node that reach each other; without recursion: order by end, then walk backwards."""
    back = defaultdict(set)
    for unit, others in graph.items():
        for other in others:
            back[other].add(unit)
    left = set(graph) | set(back)
    for start in reversed(list(by_end(graph, sorted(left)))):
        if start in left:
            found = reached(back, start, left)
            left -= found
            if len(found) > 1:
                yield found


def by_end(graph, starts):
    """Each node after all that it reaches."""
    seen = set()
    for start in starts:
        stack = [] if start in seen else [(start, iter(graph.get(start, ())))]
        seen.add(start)
        while stack:
            node, others = stack[-1]
            nearest = next((other for other in others if other not in seen), None)
            if nearest is None:
                stack.pop()
                yield node
            else:
                seen.add(nearest)
                stack.append((nearest, iter(graph.get(nearest, ()))))


def reached(graph, start, within):
    found, todo = set(), [start]
    while todo:
        node = todo.pop()
        if node in within and node not in found:
            found.add(node)
            todo += graph.get(node, ())
    return found
