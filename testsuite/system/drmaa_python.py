"""Programs in Python that use DRMAA: Debian's python3-drmaa, as it comes, over our libdrmaa."""
import os
import subprocess
import textwrap

import pytest

from cell import ARCH, SANITIZED

as_it_is = pytest.mark.skipif(SANITIZED, reason="the program comes without the sanitizer that the library wants")

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


def sanitizer_library():
    """The one that libdrmaa was built with."""
    name = f"lib{os.environ['AIMK_KIND']}.so"
    return subprocess.run(["cc", f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()


class Program:
    """A program that uses DRMAA in a cell."""

    def __init__(self, cell):
        self.cell = cell
        self.library = cell.root / "lib" / ARCH / "libdrmaa.so.1.0"

    def environment(self):
        """A sanitizer has to be there before Python is, whose own leaks are not ours."""
        where = {"DRMAA_LIBRARY_PATH": str(self.library)}
        if SANITIZED:
            where["LD_PRELOAD"] = sanitizer_library()
            where["ASAN_OPTIONS"] = self.cell.sanitizer_options()["ASAN_OPTIONS"] + ":detect_leaks=0"
        return where

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
