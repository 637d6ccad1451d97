"""Programs in Python that use DRMAA: Debian's python3-drmaa, as it comes, over our libdrmaa."""
import subprocess
import textwrap

import pytest

from cell import ARCH

PYTHON = "/usr/bin/python3"  # Debian's: the one that has the package


@pytest.fixture(scope="session")
def binding():
    found = subprocess.run([PYTHON, "-c", "import importlib.util as u; raise SystemExit(u.find_spec('drmaa') is None)"])
    if found.returncode != 0:
        pytest.skip("python3-drmaa is not installed: ./aimk deps -tools")


HEAD = """
import drmaa, sys, os, time
from drmaa import Session, JobControlAction as Do, JobState as Is
s = Session()
def template(command, *args, native="", output=":/dev/null", **more):
    jt = s.createJobTemplate()
    jt.remoteCommand, jt.args, jt.nativeSpecification = command, list(args), native
    jt.outputPath, jt.joinFiles = output, True
    for name, value in more.items():
        setattr(jt, name, value)
    return jt
def refused(kind, act, *args):
    try:
        act(*args)
    except kind as why:
        return str(why)
    raise AssertionError(f"{act} agreed to {args}")
"""


class Program:
    """A program that uses DRMAA in a cell."""

    def __init__(self, cell):
        self.cell = cell
        self.library = cell.root / "lib" / ARCH / "libdrmaa.so.1.0"

    def environment(self):
        return {"DRMAA_LIBRARY_PATH": str(self.library)}

    def start(self, script, *args, **more):
        return self.cell.start_program(PYTHON, "-c", HEAD + textwrap.dedent(script), *args, env=self.environment(), **more)

    def run(self, script, *args, **more):
        """Its output; it must succeed, and stay silent on stderr."""
        result = self.cell.run(PYTHON, "-c", HEAD + textwrap.dedent(script), *args, env=self.environment(), **more)
        assert (result.code, result.err) == (0, ""), str(result)
        return result.out


@pytest.fixture
def program(binding, any_cell):
    return Program(any_cell)
