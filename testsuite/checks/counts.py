#!/usr/bin/python3 -B
"""counts BUILD PART... - the last lines of a test run: how much of each part passed, failed or was skipped, and why it was skipped.

Each part (unit, checks, system, alone) has left a report in JUnit's form. With SGE_TEST_STRICT=1 a skip fails, unless it says that
the test is impossible here, or that it ran and is known to fall short; exits 1 then."""
import collections
import os
import re
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

REPORTS = {"unit": "meson-logs/testlog.junit.xml", "checks": "checks.junit.xml", "system": "system.junit.xml",
           "alone": "alone.junit.xml"}
IMPOSSIBLE = "impossible here: "
FALLS_SHORT = "ran, and falls short as yet: "


def unit_skips(text):
    """Reasons of the cases that a cmocka program skipped: what it said last before it did."""
    said = ""
    for line in text.splitlines():
        if line.startswith("[  SKIPPED ]"):
            yield said
        elif not line.startswith("["):
            said = line


def cases(root, is_program):
    """(outcome, reason) of every test in a report; a program of unit tests has several, and one that tells of none was cut short."""
    for case in root.iter("testcase"):
        output = case.findtext("system-out") or ""
        several = [("skipped", reason) for reason in unit_skips(output)]
        passed = len(re.findall(r"^\[       OK \]", output, re.M))
        if case.find("failure") is not None or case.find("error") is not None:
            yield "failed", ""
        elif (skipped := case.find("skipped")) is not None:
            yield "skipped", (FALLS_SHORT if skipped.get("type") == "pytest.xfail" else "") + (skipped.get("message") or "")
        elif not passed and not several:
            yield "failed" if is_program else "passed", ""
        yield from several + [("passed", "")] * passed


def line_of(part, found):
    count = collections.Counter(outcome for outcome, _ in found)
    return f"{part:<8}{count['passed']:6} passed {count['failed']:4} failed {count['skipped']:4} skipped"


def main(build, parts):
    is_strict = os.environ.get("SGE_TEST_STRICT") == "1"
    lines, code = [], 0
    for part in parts:
        path = build / REPORTS[part]
        if not path.exists():
            lines.append(f"{part:<8}no report: it was not run to its end")
            code = 1
            continue
        found = list(cases(xml.parse(path).getroot(), part == "unit"))
        lines.append(line_of(part, found))
        for reason, number in collections.Counter(reason for outcome, reason in found if outcome == "skipped").items():
            is_excused = reason.strip().startswith((IMPOSSIBLE, FALLS_SHORT))
            code = code if is_excused or not is_strict else 1
            print(f"{part}: skipped {number}: {reason.strip() or 'no reason given'}")
    print("\n".join(lines))
    return code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
