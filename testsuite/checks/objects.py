"""Checks that need the compiler: writable globals in the object files, headers that compile alone."""
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

from sources import files, is_rows

THREAD_LOCAL = re.compile(r"\.t(data|bss)\b")  # objdump calls their symbols no objects
WRITABLE = re.compile(r"\.(data|bss|tdata|tbss)(?!\.rel\.ro)\b|\*COM\*")


def allowed(top):
    """globals.allow: `FILE SYMBOL reason` a line."""
    lines = (top / "testsuite/checks/globals.allow").read_text().splitlines()
    return {tuple(line.split()[:2]) for line in lines if line.strip() and not line.startswith("#")}


def objects(build):
    """Object files of the product with the source they come from; tests and fuzz targets are not the product."""
    for path in sorted((build / "source").rglob("*.o")):
        directory = path.parent.name
        if not re.match(r"(test|fuzz)_", directory):
            room = path.parent.parent.relative_to(build / "source")
            yield path, f"{room}/{path.name[:-2]}"


def writable_globals(top, build):
    allow, used = allowed(top), set()
    for path, source in objects(build):
        table = subprocess.run(["objdump", "-t", "-w", str(path)], capture_output=True, text=True, check=True).stdout
        for line in table.splitlines():
            found = re.match(r"[0-9a-f]+ (.{7}) (\S+)\s+[0-9a-f]+ (?:\.hidden )?(\S+)$", line)
            is_object = found and ("O" in found.group(1) or THREAD_LOCAL.match(found.group(2)))
            if not is_object or "d" in found.group(1) or not WRITABLE.match(found.group(2)):
                continue
            name = re.sub(r"\.\d+$", "", found.group(3))
            used.add((source, name))
            if (source, name) not in allow:
                yield f"source/{source}: writable global {name} (a context should own it)"
    for source, name in sorted(allow - used):
        yield f"globals.allow: {source} has no {name} any more"


def headers_alone(top, build):
    def compiles(path):
        command = ["gcc", "-std=gnu17", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I",
                   str(top / "source"), "-include", str(path), "-x", "c", "/dev/null"]
        return path, subprocess.run(command, capture_output=True, text=True).stderr

    headers = [p for p in files(top, ".h") if not is_rows(p)]
    with ThreadPoolExecutor(2) as pool:
        for path, errors in pool.map(compiles, headers):
            if errors:
                yield f"{path.relative_to(top)}: {errors.splitlines()[0]}"
