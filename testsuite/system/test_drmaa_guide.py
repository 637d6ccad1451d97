"""The programs of doc/using/drmaa.md, copied from there, compiled and run."""
import shutil
import subprocess

import pytest

from snippets import snippets_of
from drmaa_python import as_it_is

snippet = snippets_of("using/drmaa.md")
NOTE = '#!/bin/sh\necho "$JOB_NAME $SGE_TASK_ID" >>"$(dirname "$0")/ended"\n'
STEPS = {"A": 4, "B": 1, "C": 2}


@pytest.fixture
def place(any_cell):
    path = any_cell.files / "place"
    any_cell.ok("mkdir", "-m", "755", path)
    any_cell.ok("tee", path / "frame.sh", stdin=NOTE)
    return path


def assert_in_order(place):
    """Every task has run, and behind those that do its frames in the stage before."""
    ended = [(name, int(task)) for name, task in map(str.split, (place / "ended").read_text().splitlines())]
    assert sorted(ended) == sorted((name, task) for name, step in STEPS.items() for task in range(1, 25, step))
    for before, after in ("A", "B"), ("B", "C"):
        for task in range(1, 25, STEPS[after]):
            for frame in range(task, task + STEPS[after]):
                done = frame - (frame - 1) % STEPS[before]
                assert ended.index((before, done)) < ended.index((after, task))


@as_it_is
def test_the_c_program_runs_its_stages_in_order(any_cell, place):
    if not shutil.which("pkg-config"):
        pytest.skip("pkg-config is not installed: ./aimk deps -build")
    any_cell.ok("tee", place / "stages.c", stdin=snippet("#include <drmaa.h>"))
    any_cell.ok("sh", "-e", "-c", snippet("cc -o stages"), cwd=place)
    assert_in_order(place)


@as_it_is
def test_the_python_program_runs_its_stages_in_order(any_cell, place):
    if subprocess.run(["/usr/bin/python3", "-c", "import importlib.util as u; raise SystemExit(u.find_spec('drmaa') is None)"]).returncode:
        pytest.skip("python3-drmaa is not installed: ./aimk deps -tools")
    any_cell.ok("tee", place / "stages.py", stdin=snippet("import drmaa"))
    any_cell.ok("sh", "-e", "-c", snippet("stages.py"), cwd=place)
    assert_in_order(place)
