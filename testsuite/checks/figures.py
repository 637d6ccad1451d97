"""What the product's sources look like in numbers: ./aimk figures. Compared over time, they say whether the tree gets easier to read."""
import json
import re
import statistics
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

from sources import code_only, files, functions, is_rows

SHORT_BODY = 3  # lines: a caller would often read better with it in place
SHORT_FILE = 30
SHORT_STATIC = re.compile(r"^static [^\n;{}=]*?\b(\w+)\([^;{}]*?\)\n\{\n(?:(?!\}).*\n){0,%d}\}$" % SHORT_BODY, re.M)


def product(top, *suffixes):
    return [path for path in files(top, *suffixes) if not {"test", "fuzz"} & set(path.relative_to(top).parts)]


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))]


def spread(values):
    return f"{statistics.median(values):.0f} / {percentile(values, 0.95)} / {max(values)}"


def objects(top, build):
    """{product source: an object file of it}."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = (build / entry["file"]).resolve()
        if source.is_relative_to(top / "source") and not {"test", "fuzz"} & set(source.parts):
            found.setdefault(source.relative_to(top / "source"), build / entry["output"])
    return found


def symbols(top, build):
    """({function: the source that defines it}, {source: functions that it needs})."""
    defines, needs = {}, {}
    for source, path in objects(top, build).items():
        needs[source] = set()
        for line in subprocess.run(["nm", "--format=posix", path], capture_output=True, text=True, check=True).stdout.splitlines():
            name, kind, *_ = line.split()
            if kind == "T" and name != "main":
                defines[name] = source
            elif kind == "U":
                needs[source].add(name)
    return defines, needs


def strong_components(graph):
    """Sets of more than one node that reach each other (Tarjan, without recursion)."""
    index, low, on, stack, found, count = {}, {}, set(), [], [], 0
    for root in sorted(graph):
        if root in index:
            continue
        work = [(root, iter(sorted(graph.get(root, ()))))]
        index[root] = low[root] = count
        count += 1
        stack.append(root)
        on.add(root)
        while work:
            node, rest = work[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = count
                    count += 1
                    stack.append(other)
                    on.add(other)
                    work.append((other, iter(sorted(graph.get(other, ())))))
                    break
                if other in on:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component = set()
                    while node not in component:
                        component.add(stack.pop())
                    on -= component
                    if len(component) > 1:
                        found.append(component)
    return found


def circles(defines, needs):
    """Sources that call each other in a circle."""
    graph = {source: {defines[name] for name in names if name in defines} - {source} for source, names in needs.items()}
    return sorted(strong_components(graph), key=len, reverse=True)


def inlinable(text):
    """The short static functions of a source that are called once and named nowhere else."""
    code = code_only(text)
    names = (found.group(1) for found in SHORT_STATIC.finditer(code))
    return [name for name in names if len(re.findall(rf"\b{name}\b", code)) == len(re.findall(rf"\b{name}\(", code)) == 2]


def tags(top):
    """Struct tags that more than one file defines: {tag: files}."""
    found = defaultdict(set)
    for path in product(top, ".c", ".h"):
        for tag in re.findall(r"^(?:typedef )?struct (\w+)\s*\{", code_only(path.read_text()), re.M):
            found[tag].add(path)
    return {tag: paths for tag, paths in found.items() if len(paths) > 1}


def table(top, build):
    """The figures, as (name, text)."""
    sources, headers = product(top, ".c"), product(top, ".h")
    lines = {path: path.read_text().count("\n") for path in sources + headers}
    total = sum(lines.values())
    bodies = [length for path in sources for _, _, length in functions(path.read_text())]
    asserts = sum(len(re.findall(r"\bASSERT\(", code_only(path.read_text()))) for path in sources)
    doubled = tags(top)
    names = Counter(path.name for path in sources)
    folders = Counter(path.parent.relative_to(top / "source") for path in lines)
    folder, most = folders.most_common(1)[0]
    yield "files (.c and .h), lines", f"{len(lines)} ({len(sources)} and {len(headers)}), {total}"
    yield "files per 1,000 lines", f"{1000 * len(lines) / total:.1f}"
    yield "lines of a .c file: median / 95 % / longest", spread([lines[p] for p in sources])
    yield f"  .c files of at most {SHORT_FILE} lines", str(sum(lines[p] <= SHORT_FILE for p in sources))
    yield "lines of a .h file: median / 95 % / longest", spread([lines[p] for p in headers])
    yield f"  .h files of at most {SHORT_FILE} lines", str(sum(lines[p] <= SHORT_FILE for p in headers))
    yield "row files", str(sum(is_rows(p) for p in headers))
    yield "functions; lines of a body: median / 95 % / longest", f"{len(bodies)}; {spread(bodies)}"
    yield f"  bodies of at most {SHORT_BODY} lines", f"{100 * sum(b <= SHORT_BODY for b in bodies) / len(bodies):.0f} %"
    yield "    of these static, with one caller", str(sum(len(inlinable(path.read_text())) for path in sources))
    yield "most files in one directory", f"{folder} {most}"
    yield "ASSERT in .c files", str(asserts)
    yield "struct tags that several files define; several headers", f"{len(doubled)}; {sum(sum(p.suffix == '.h' for p in ps) > 1 for ps in doubled.values())}"
    yield "names that several .c files have", str(sum(count > 1 for count in names.values()))
    if not build.is_dir():
        return
    defines, needs = symbols(top, build)
    users = Counter()
    for source, wanted in needs.items():
        users.update(name for name in wanted if defines.get(name) not in (None, source))
    single = sum(users[name] == 1 for name in defines)
    yield "external functions; used by exactly one other file", f"{len(defines)}; {100 * single / len(defines):.0f} %"
    found = circles(defines, needs)
    yield "circles of calls between files", f"{len(found)}: " + ", ".join(f"{min(c).parent} {len(c)}" for c in found)


def mentions(top, word):
    """Product files that name WORD."""
    return [path.relative_to(top) for path in product(top, ".c", ".h") if re.search(rf"\b{re.escape(word)}\b", path.read_text())]


def main():
    top, build, *words = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), *sys.argv[3:]
    if words:
        for word in words:
            found = mentions(top, word)
            print(f"{word}: {len(found)} product files", *found, sep="\n  ")
        return
    rows = list(table(top, build))
    width = max(len(name) for name, _ in rows)
    for name, text in rows:
        print(f"{name:{width}}  {text}")


if __name__ == "__main__":
    main()
