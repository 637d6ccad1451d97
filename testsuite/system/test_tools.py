"""Workflow tools of others, unmodified, as doc/using/workflow-tools.md tells their users to call them."""
import importlib.util
import shutil
import signal
from pathlib import Path

import pytest

from cell import wait
from snippets import snippets_of

snippet = snippets_of("using/workflow-tools.md")
PYTHON = "/usr/bin/python3"  # Debian's: the one that the tools belong to

SAMPLES = """
rule all:
    input: "all.txt"
rule cut:
    output: "{sample}.cut"
    shell: "echo {wildcards.sample} >{output}"
rule join:
    input: expand("{sample}.cut", sample=["a", "b", "c"])
    output: "all.txt"
    shell: "cat {input} >{output}"
"""
ENDLESS = """
rule all:
    output: "never"
    shell: "echo started >started; sleep 1000"
"""
FAILING = """
rule all:
    output: "never"
    shell: "exit 7"
"""
TOIL = """
from toil.common import Toil
from toil.job import Job

def square(job, n):
    return n * n

def total(job, numbers):
    return sum(numbers)

def spread(job):
    squares = [job.addChildJobFn(square, n, cores=1, memory="256M", disk="10M").rv() for n in range(4)]
    return job.addFollowOnJobFn(total, squares, cores=1, memory="256M", disk="10M").rv()

if __name__ == "__main__":
    with Toil(Job.Runner.getDefaultArgumentParser().parse_args()) as toil:
        print("total", toil.start(Job.wrapJobFn(spread, cores=1, memory="256M", disk="10M")))
"""
MAKEFLOW = """
a.txt:
	echo a >a.txt
b.txt:
	echo b >b.txt
all.txt: a.txt b.txt
	cat a.txt b.txt >all.txt
"""
BATCHTOOLS = """
library(batchtools)
reg = makeRegistry(file.dir = "registry", seed = 1, conf.file = NA)
%s
ids = batchMap(function(x) x^2, x = 1:6)
ids$chunk = chunk(ids$job.id, chunk.size = 2)
submitJobs(ids)
stopifnot(waitForJobs(sleep = 0.3, timeout = 100))
cat("squares", unlist(reduceResultsList()), "\\n")
"""
NIPYPE = """
from nipype import Function, MapNode, Node, Workflow

def square(n):
    return n * n

def total(numbers):
    open("../../total", "w").write(str(sum(numbers)))

squares = MapNode(Function(["n"], ["out"], square), iterfield=["n"], name="squares")
squares.inputs.n = [1, 2, 3]
flow = Workflow("flow", base_dir=".")
flow.connect(squares, "out", Node(Function(["numbers"], [], total), name="add"), "numbers")
%s
"""


def need(program, how=None):
    if not shutil.which(program) or (how == "--drmaa" and not importlib.util.find_spec("drmaa")):
        pytest.skip(f"{program} is not installed, or python3-drmaa: ./aimk deps -tools")


class Place:
    """A directory of the submitter's, where a tool runs."""

    def __init__(self, cell):
        self.cell, self.path = cell, cell.files / "place"
        cell.ok("mkdir", "-m", "755", self.path)

    def write(self, name, text, is_program=False):
        self.cell.ok("tee", self.path / name, stdin=text)
        if is_program:
            self.cell.ok("chmod", "755", self.path / name)

    def text(self, name):
        return (self.path / name).read_text()

    def shell(self, commands):
        return self.cell.run("sh", "-e", "-c", commands, cwd=self.path, env=self.environment(), timeout=180)

    def environment(self):
        """CI=true: Snakemake asks every second, not every ten."""
        return {"CI": "true"}

    def ok(self, commands):
        done = self.shell(commands)
        assert done.code == 0, str(done)
        return done

    def jobs(self):
        """The numbers of those that have ended."""
        return {row["job_number"] for row in self.cell.accounting()}


@pytest.fixture
def place(any_cell):
    return Place(any_cell)


@pytest.mark.parametrize("how", ["--cluster-status", "--cluster-sync", "--drmaa"])
def test_snakemake_runs_each_rule_as_a_job(place, how):
    need("snakemake", how)
    place.write("Snakefile", SAMPLES)
    place.write("status.sh", snippet("echo running"), is_program=True)
    place.ok(snippet("snakemake", how))
    assert place.text("all.txt") == "a\nb\nc\n" and len(place.jobs()) == 4


@pytest.mark.parametrize("how", ["--cluster-status", pytest.param("--cluster-sync", marks=pytest.mark.long), pytest.param("--drmaa", marks=pytest.mark.long)])
def test_snakemake_hears_of_a_job_that_fails(place, how):
    need("snakemake", how)
    place.write("Snakefile", FAILING)
    place.write("status.sh", snippet("echo running"), is_program=True)
    done = place.shell(snippet("snakemake", how))
    assert done.code == 1 and "Error executing rule all" in done.err, str(done)


def test_snakemake_hears_of_a_job_that_was_deleted_before_it_ran(place):
    need("snakemake")
    place.write("Snakefile", FAILING)
    place.write("status.sh", snippet("echo running"), is_program=True)
    place.cell.ok("qmod", "-d", "all.q", user=place.cell.owner)
    tool = place.cell.start_program("sh", "-c", snippet("snakemake", "--cluster-status"), cwd=place.path, env=place.environment())
    wait(lambda: len(place.cell.states()) == 1, "the job")
    place.cell.ok("qdel", *{number for number, _ in place.cell.states()})
    assert tool.wait(60) == 1, tool.communicate()
    tool.communicate()


def test_snakemake_deletes_its_jobs_when_it_is_interrupted(place):
    need("snakemake")
    place.write("Snakefile", ENDLESS)
    place.write("status.sh", snippet("echo running"), is_program=True)
    tool = place.cell.start_program("sh", "-c", "exec " + snippet("snakemake", "--cluster-status"), cwd=place.path, env=place.environment())
    wait((place.path / "started").exists, "the job to run", 60)
    tool.send_signal(signal.SIGINT)  # Ctrl-C
    place.cell.wait_gone(*{number for number, _ in place.cell.states()})
    tool.communicate(timeout=60)
    assert place.cell.accounting()[0]["failed"] == "100"


def test_one_rule_of_snakemake_runs_stages_frame_by_frame(place):
    need("snakemake")
    place.write("Snakefile", snippet("localrules"))
    place.ok("snakemake -j 1")
    lines = place.text("film.txt").splitlines()
    assert sorted(lines) == sorted([f"depth {n}" for n in range(1, 25)] + [f"beauty {n}" for n in range(1, 25, 2)] + ["sheet"])
    assert lines[-1] == "sheet"
    for n in range(1, 25, 2):
        assert lines.index(f"beauty {n}") > max(lines.index(f"depth {n}"), lines.index(f"depth {n + 1}"))


def test_toil_runs_children_and_what_follows(place):
    need("toil")
    place.write("flow.py", TOIL)
    assert "total 14\n" in place.ok(snippet("flow.py").replace("python3", PYTHON)).out
    assert len(place.jobs()) == 6


def test_makeflow_runs_a_graph(place):
    need("makeflow")
    place.write("flow.mf", MAKEFLOW)
    place.ok(snippet("makeflow -T sge"))
    assert place.text("all.txt") == "a\nb\n" and len(place.jobs()) == 3


def test_batchtools_runs_chunks_of_calls(place):
    need("Rscript")
    place.write("sge.tmpl", snippet("doJobCollection"))
    place.write("squares.R", BATCHTOOLS % snippet("makeClusterFunctionsSGE"))
    assert "squares 1 4 9 16 25 36" in place.ok("Rscript squares.R").out
    assert len(place.jobs()) == 3


@pytest.mark.parametrize("plugin, jobs", [("SGE", 5), ("SGEGraph", 2)])
def test_nipype_runs_a_workflow(place, plugin, jobs):
    if not Path("/usr/lib/python3/dist-packages/nipype").exists():
        pytest.skip("nipype is not installed: ./aimk deps -tools")
    calls = snippet("flow.run").splitlines()
    place.write("flow.py", NIPYPE % next(call for call in calls if f'"{plugin}"' in call))
    place.ok(f"{PYTHON} flow.py")
    place.cell.wait_gone(*{number for number, _ in place.cell.states()}, seconds=60)
    assert place.text("total") == "14" and len(place.jobs()) == jobs


def test_parallel_notes_the_exit_status_of_each_job(place):
    need("parallel")
    for name, status in ("one", 0), ("two", 3), ("three", 0):
        place.write(f"{name}.sh", f"#!/bin/sh\nexit {status}\n", is_program=True)
    assert place.shell(snippet("parallel")).code == 1, "one of the commands failed"
    rows = [line.split("\t") for line in place.text("log").splitlines()[1:]]
    assert {row[8].split()[-1]: row[6] for row in rows} == {"one.sh": "0", "two.sh": "3", "three.sh": "0"}
