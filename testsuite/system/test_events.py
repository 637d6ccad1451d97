"""qevent: each change is heard of once, in order, by those who may hear of it."""
import json
import os
import signal
import subprocess

import pytest

from cell import wait

jsonschema = pytest.importorskip("jsonschema")


class Listener:
    """A qevent that writes into a file; what it has said so far."""

    def __init__(self, cell, *options, **more):
        self.out = cell.files / f"events.{os.urandom(4).hex()}"
        with open(self.out, "w", encoding="utf-8") as out:
            self.process = cell.start_program("qevent", *options, stdout=out, **more)

    def lines(self):
        return self.out.read_text().splitlines()

    def heard(self, word):
        wait(lambda: any(word in line for line in self.lines()), f"an event with {word!r}")
        return [line for line in self.lines() if word in line]

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=20)
        return self.process.returncode


@pytest.fixture
def listen(any_cell):
    listeners = []

    def start(*options, **more):
        listeners.append(Listener(any_cell, *options, **more))
        return listeners[-1]
    yield start
    for one in listeners:
        if one.process.poll() is None:
            one.stop()


def test_hosts_are_heard_of_by_those_who_name_them(any_cell, listen):
    named, usual = listen("-json", "-kinds", "host"), listen("-sm")
    assert {json.loads(line)["event"] for line in named.heard('"host"')} == {"host"}
    usual.heard(" synced")
    assert not [line for line in usual.lines() if " host " in line]


def test_a_jobs_life_is_heard_in_order(any_cell, listen):
    ears = listen("-sm")
    ears.heard(" synced")
    job = any_cell.array("arr", "1-5:2")
    any_cell.wait_gone(job)
    ears.heard(f" job_del {job} ")
    words = [line.split()[1] for line in ears.lines() if f" {job} " in line]
    assert words[0] == "job_add" and words[-1] == "job_del"
    done = [line for line in ears.lines() if f" tasks_done {job} " in line]
    assert sorted("".join(line.split("tasks=")[1].split()[0] + "," for line in done).replace("1-5:2,", "1,3,5,").strip(",").split(",")) == ["1", "3", "5"]
    assert all(line.endswith(" failed=0 exit_status=0") for line in done)
    failing = int(any_cell.ok("qsub", "-terse", "-b", "y", "exit 7"))
    ears.heard(f" job_del {failing} ")
    assert [line for line in ears.lines() if f" tasks_done {failing} " in line][0].endswith(" failed=0 exit_status=7")
    waiting = int(any_cell.ok("qsub", "-terse", "-h", "-b", "y", "true"))
    any_cell.ok("qdel", waiting)
    ears.heard(f" job_del {waiting} ")
    assert "exit_status" not in [line for line in ears.lines() if f" tasks_done {waiting} " in line][0]
    assert ears.stop() == 0


def test_what_tasks_have_used_is_heard_by_those_who_name_it(any_cell, listen):
    ears, usual = listen("-json", "-kinds", "usage,synced"), listen("-sm")
    ears.heard('"synced"')
    job = int(any_cell.ok("qsub", "-terse", "-b", "y", "true"))
    used = json.loads(ears.heard('"usage"')[0])
    assert used["job"] == job and {"owner", "wallclock", "cpu", "mem", "io"} <= used.keys()
    jsonschema.validate(used, json.loads((any_cell.root / "share/schemas/qevent.schema.json").read_text()))
    usual.heard(f" job_del {job} ")
    assert not [line for line in usual.lines() if " usage " in line]


def test_each_line_of_json_suits_the_schema(any_cell, listen):
    ears = listen("-json")
    rules = json.loads((any_cell.root / "share/schemas/qevent.schema.json").read_text())
    job = any_cell.array("<&>M\u00fcller", "1-3")
    any_cell.wait_gone(job)
    ears.heard("job_del")
    events = [json.loads(line) for line in ears.lines()]
    for event in events:
        jsonschema.Draft202012Validator(rules).validate(event)
    assert next(e for e in events if e["event"] == "job_add")["name"] == "<&>M\u00fcller"


def test_a_script_runs_once_for_each_task_and_once_for_the_job(any_cell, listen):
    script, said = any_cell.files / "ended", any_cell.files / "said"
    script.write_text(f"#!/bin/sh\necho $1 $2 $3 >>{said}\n")
    script.chmod(0o755)
    ears = listen("-sm", "-trigger", "JB_TASK_END", str(script), "-trigger", "JB_END", str(script))
    ears.heard(" synced")
    job = any_cell.array("arr", "2-6:2")
    expected = [f"JB_END {job} 0"] + [f"JB_TASK_END {job} {task}" for task in (2, 4, 6)]
    wait(lambda: said.exists() and len(said.read_text().splitlines()) >= len(expected), "four scripts that have run")
    assert sorted(said.read_text().splitlines()) == expected


def test_what_a_restart_of_the_qmaster_interrupts_goes_on(any_cell, listen):
    ears = listen("-sm")
    ears.heard(" synced")
    any_cell.restart_master()
    wait(lambda: sum(" synced" in line for line in ears.lines()) >= 2, "the state once more")
    job = any_cell.array("late", "1")
    any_cell.wait_gone(job)
    ears.heard(f" job_del {job} ")


def test_a_listener_whose_reader_has_gone_ends(any_cell):
    reader = subprocess.Popen(["true"], stdin=subprocess.PIPE)
    ears = any_cell.start_program("qevent", "-sm", stdout=reader.stdin)
    reader.stdin.close()
    reader.wait(timeout=20)
    any_cell.array("any", "1")
    assert ears.wait(timeout=30) != 0


def test_wrong_words_are_named(any_cell):
    for options, words in ((["-kinds", "job_flown", "-sm"], "job_flown"), (["-trigger", "JB_END"], "needs a script"), ([], "-sm")):
        result = any_cell.run("qevent", *options)
        assert result.code == 1 and words in result.err


def test_objects_of_administrators_are_heard_of(any_cell, listen):
    ears = listen("-sm", "-json", "-kinds", "synced,object,object_del")
    ears.heard('"synced"')
    first = [json.loads(line) for line in ears.lines()]
    assert ("pe", "smp") in {(one.get("kind"), one.get("object")) for one in first} and first[-1]["event"] == "synced"
    template = any_cell.ok("qconf", "-sp", "smp").replace("smp", "gang", 1)
    (any_cell.files / "gang").write_text(template)
    any_cell.ok("qconf", "-Ap", any_cell.files / "gang", user=any_cell.owner)
    any_cell.ok("qconf", "-dp", "gang", user=any_cell.owner)
    ears.heard('"object_del"')
    later = [json.loads(line) for line in ears.lines()[len(first):]]
    assert [(one["event"], one["kind"], one["object"]) for one in later] == [("object", "pe", "gang"), ("object_del", "pe", "gang")]


def test_suspensions_and_errors_are_heard_of_also_by_who_comes_later(any_cell, listen):
    ears = listen("-sm", "-all") if any_cell.user == any_cell.owner else listen("-sm")
    ears.heard(" synced")
    job = any_cell.array("render", "1-2", gated=[1, 2])
    for task in (1, 2):
        any_cell.wait_state(job, task, "r")
    any_cell.ok("qmod", "-sj", f"{job}.1", user=any_cell.owner)
    ears.heard(f" tasks_state {job} ")
    any_cell.open("render", 2, 100)
    any_cell.wait_state(job, 2, "Eqw")
    wait(lambda: any("state=Eqw" in line for line in ears.lines()), "an error")
    late = listen("-sm")
    late.heard(" synced")
    said = {line.split("tasks=")[1].split()[0]: line.split("state=")[1] for line in late.lines() if f" tasks_state {job} " in line}
    assert said == {"1": "s", "2": "Eqw"}
    any_cell.ok("qmod", "-usj", f"{job}.1", user=any_cell.owner)
    any_cell.ok("qmod", "-cj", f"{job}.2", user=any_cell.owner)
    wait(lambda: any(f" tasks_state {job} " in line and "state=r" in line for line in late.lines()), "a task that goes on")
    any_cell.open("render", 1)
    any_cell.open("render", 2)
    any_cell.wait_gone(job)
