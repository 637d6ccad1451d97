"""DRMAA, drmaa_session(3) to drmaa_wait(3): Debian's python3-drmaa, as it comes, over our libdrmaa."""
import re
import subprocess
import textwrap

import pytest

from cell import ARCH, wait

PYTHON = "/usr/bin/python3"  # Debian's: the one that has the package


@pytest.fixture(scope="session")
def binding():
    found = subprocess.run([PYTHON, "-c", "import importlib.util as u; raise SystemExit(u.find_spec('drmaa') is None)"])
    if found.returncode != 0:
        pytest.skip("python3-drmaa is not installed: ./aimk deps -test")


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


def test_it_names_itself_as_a_grid_engine(program):
    out = program.run("""
        print(s.contact == "", s.drmsInfo, s.drmaaImplementation, s.version)
        s.initialize()
        print(s.contact)
        s.exit()
        """)
    first, second = out.splitlines()
    assert first == "True SGE 9.0.0 SGE 9.0.0 1.0"
    assert re.fullmatch(r"session=[A-Za-z0-9._-]+", second)


def test_a_job_is_submitted_and_waited_for(program):
    out = program.run("""
        s.initialize()
        job = s.runJob(template("/bin/sh", "-c", "exit 7"))
        end = s.wait(job, s.TIMEOUT_WAIT_FOREVER)
        print(end.jobId == job, end.hasExited, end.exitStatus, end.hasSignal, end.wasAborted)
        print(float(end.resourceUsage["exit_status"]), sorted(end.resourceUsage)[:3])
        print(refused(drmaa.errors.InvalidJobException, s.wait, job, 0))
        s.exit()
        """)
    assert out.splitlines()[:2] == ["True True 7 False False", "7.0 ['acct_cpu', 'acct_io', 'acct_iow']"]
    assert "or its end has been taken" in out
