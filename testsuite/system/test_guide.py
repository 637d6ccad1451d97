"""The snippets of doc/using/array-pipelines.md, copied from there and run until they end."""
import re

import pytest

from cell import wait
from snippets import snippets_of

snippet = snippets_of("using/array-pipelines.md")
NOTE = '#!/bin/sh\necho "$JOB_NAME $SGE_TASK_ID" >>ended\n'


@pytest.fixture
def place(any_cell):
    """A directory of the submitter's, where jobs run and print nothing."""
    path = any_cell.files / "place"
    any_cell.ok("mkdir", "-m", "755", path)
    write(any_cell, path / ".sge_request", "-cwd -o /dev/null -j y\n")
    return path


def write(cell, path, text):
    cell.ok("tee", path, stdin=text)


def run(cell, place, commands):
    """Run COMMANDS in PLACE, beside scripts of all names that stand in them, and wait for the end of all jobs."""
    for name in set(re.findall(r"\b(\w+\.sh)\b", commands)):
        write(cell, place / name, NOTE)
    cell.ok("sh", "-e", "-c", commands, cwd=place)
    wait(lambda: cell.ok("qstat", "-u", "*") == "", lambda: cell.ok("qstat", "-u", "*"), 120)
    return [(name, int(task) if task != "undefined" else 0) for name, task in map(str.split, (place / "ended").read_text().splitlines())]


def assert_after(ended, name, tasks, before):
    """TASKS of NAME are there, each once, and behind all that BEFORE says it waits for."""
    at = {one: i for i, one in enumerate(ended)}
    assert len(at) == len(ended)
    assert {task for other, task in ended if other == name} == set(tasks)
    for task in tasks:
        assert all(at[pred] < at[name, task] for pred in before(task)), (name, task)


def chunk(first, step, last):
    return range(first, min(first + step - 1, last) + 1)


def test_the_tasks_of_a_chunk_do_each_frame_once(any_cell, place):
    write(any_cell, place / "scenes.sh", "#!/bin/sh\nmake_scene() { echo $1 >>frames; }\n" + snippet("make_scene", "seq"))
    any_cell.ok("qsub", "-sync", "y", "-t", "1-10:4", "scenes.sh", cwd=place)
    assert sorted(map(int, (place / "frames").read_text().split())) == list(range(1, 11))


def test_the_four_stages(any_cell, place):
    ended = run(any_cell, place, snippet("-N A", "-N B", "-N C", "-N D"))
    assert_after(ended, "B", range(1, 25), lambda i: [("A", (i - 1) // 4 * 4 + 1)])
    assert_after(ended, "C", range(1, 25, 2), lambda i: [("B", frame) for frame in chunk(i, 2, 24)])
    assert ended[-1] == ("D", 0)


def test_numbers_are_taken_from_terse_output(any_cell, place):
    ended = run(any_cell, place, snippet("a=$(qsub -terse", "b=$(qsub -terse"))
    assert_after(ended, "depth.sh", range(1, 25), lambda i: [("scenes.sh", (i - 1) // 4 * 4 + 1)])


def test_a_render(any_cell, place):
    ended = run(any_cell, place, snippet("t=1-240"))
    assert_after(ended, "shadow.sh", range(1, 241), lambda i: [("scenes.sh", (i - 1) // 4 * 4 + 1)])
    assert_after(ended, "comp.sh", range(1, 241, 2),
                 lambda i: [(name, frame) for frame in chunk(i, 2, 240) for name in ("shadow.sh", "beauty.sh")])
    assert ended[-1] == ("movie", 0)


def test_samples(any_cell, place):
    write(any_cell, place / "samples.txt", "oak\nash\nelm\n")
    commands, line = snippet("samples.txt", "clean.sh"), snippet("# in each script")
    write(any_cell, place / "named.sh", f'#!/bin/sh\n{line}echo "$sample" >>named\n')
    ended = run(any_cell, place, commands)
    assert_after(ended, "call.sh", range(1, 4), lambda i: [("align.sh", i), ("clean.sh", i)])
    assert ended[-1] == ("joint", 0)
    any_cell.ok("qsub", "-sync", "y", "-t", "1-3", "named.sh", cwd=place)
    assert sorted((place / "named").read_text().split()) == ["ash", "elm", "oak"]


def test_scatter_and_gather(any_cell, place):
    ended = run(any_cell, place, snippet("region.sh", "merge.sh"))
    assert_after(ended, "merge.sh", range(1, 101, 10), lambda i: [("region.sh", one) for one in chunk(i, 10, 100)])
    assert ended[-1] == ("whole", 0)


def test_a_bad_frame_is_tried_once_more_and_then_waits_for_a_person(any_cell, place):
    """Also when it was put back before it failed: RESTARTED counts."""
    cell = any_cell
    write(cell, place / "frame.sh", "#!/bin/sh\nrender() { echo $RESTARTED >>tried; [ -e bad ] || sleep 1000; return 1; }\n"
          + snippet("RESTARTED", "exit 99"))

    def wait_tried(count):
        wait(lambda: (place / "tried").exists() and len((place / "tried").read_text().split()) == count, f"{count} starts")

    write(cell, place / "bad", "")
    job = cell.qsub("-t", "1-1", "frame.sh", cwd=place)
    cell.wait_state(job, 1, "ERqw")
    assert (place / "tried").read_text() == "0\n1\n"
    cell.ok("qdel", job)
    cell.ok("rm", place / "bad", place / "tried")
    job = cell.qsub("-t", "1-1", "-r", "y", "frame.sh", cwd=place)
    for count in (1, 2):
        wait_tried(count)
        cell.wait_state(job, 1, "Rr" if count > 1 else "r")
        cell.ok("qmod", "-rj", f"{job}.1")
    wait_tried(3)
    write(cell, place / "bad", "")
    cell.wait_state(job, 1, "Rr")
    cell.ok("qmod", "-rj", f"{job}.1")
    cell.wait_state(job, 1, "ERqw")
    assert (place / "tried").read_text() == "0\n1\n2\n3\n"


def test_a_stage_that_is_paused_starts_nothing_and_goes_on(any_cell):
    job = any_cell.array("A", "1-4", "-tc", "2", gated=[1, 2])
    wait(lambda: any_cell.tasks(job) == {1: "r", 2: "r", 3: "qw", 4: "qw"}, "two to run")
    any_cell.ok("sh", "-e", "-c", snippet("qhold JOB", "qmod -sj JOB").replace("JOB", str(job)))
    assert any_cell.tasks(job) == {1: "hs", 2: "hs", 3: "hqw", 4: "hqw"}
    any_cell.ok("sh", "-e", "-c", snippet("qrls JOB", "qmod -usj JOB").replace("JOB", str(job)))
    for task in (1, 2):
        any_cell.open("A", task)
    any_cell.wait_gone(job)
