"""The pictures of doc/using/qmon.md, which `./aimk pictures` makes anew: no test, so that its name is not that of one. A cell works on a
pipeline up to where its tasks wait at gates, so that the pictures look the same each time; nothing of this machine is in them."""
import os
import subprocess
from pathlib import Path

import pytest

from cell import TOP, wait
from test_load_sensors import install, value
from test_qmon import display, fill, open_jobs, open_submit  # noqa: F401 - display is a fixture

PLACE = TOP / "doc/using/pictures"
SMALL = 60 * 1024  # bytes
LAYOUT = ("-xrm", "Qmon*jobs*form.width: 1230", "-xrm", "Qmon*jobs*form.height: 400", "-xrm", "Qmon*frameMatrix*form.width: 1060",
          "-xrm", "Qmon*frameMatrix*form.height: 560", "-xrm", "Qmon*queues*form.width: 1010", "-xrm", "Qmon*queues*form.height: 300",
          "-xrm", "Qmon*objectEditor*form.height: 600", "-xrm", "Qmon*submitJob*form.height: 700", "-xrm", "Qmon*blinkRate: 0",
          "-xrm", "Qmon.jobColumns: 8 24 14 7 13 40 8 7 9 9 7 8 7 9 14 22")
ROOT = "/opt/sge"  # where the cell seems to be
SENSOR = """#!/bin/sh
while read -r line && [ "$line" != quit ]; do printf 'begin\\n{host}:load_avg:7.25\\nend\\n'; done
"""


def seen(display, window):
    """What is seen of WINDOW, as PNG without a time."""
    done = subprocess.run(["import", "-silent", "-window", window, "-strip", "-define", "png:exclude-chunks=date,time",
                           "-define", "png:compression-level=9", "+dither", "-colors", "256", "png8:-"],
                          env=os.environ | {"DISPLAY": display.name}, capture_output=True, timeout=60, check=True)
    return done.stdout


def take(display, title, name):
    """Save a picture of the window TITLE when it does not change any more."""
    window, looks = display.sees(title), [b""]
    display.hands("windowraise", window)

    def is_still():
        looks.append(seen(display, window))
        return looks[-1] == looks[-2]
    wait(is_still, f"{title} to stand still")
    assert len(looks[-1]) < SMALL, f"{name} has {len(looks[-1])} bytes"
    (PLACE / f"{name}.png").write_bytes(looks[-1])


@pytest.fixture
def farm(make_cell, pytestconfig):
    """alice, an operator, and what others do."""
    if pytestconfig.no_users:
        pytest.fail(pytestconfig.no_users)
    cell = make_cell(slots=16, owner="root", user="alice")
    cell.ok("qconf", "-ao", "alice", user="root")
    subprocess.run(["mount", "-t", "tmpfs", "opt", "/opt"], check=True)  # of this process and those that it starts
    install(cell, SENSOR)
    wait(lambda: value(cell, "load_avg") == "7.25", "a load that is always the same")
    Path(ROOT).mkdir()
    subprocess.run(["mount", "--bind", cell.root, ROOT], check=True)
    yield cell
    subprocess.run(["umount", "-R", "/opt"], check=True)


def work_on_a_pipeline(cell):
    """ribs, shadow for four of them, render for two; then what is not part of it."""
    frames = range(1, 25)
    ribs = cell.array("ribs", "1-24", "-tc", "4", gated=frames)
    shadow = cell.array("shadow", "1-24:4", "-hold_jid_ad", ribs, gated=frames[::4])
    render = cell.array("render", "1-24:2", "-hold_jid_ad", shadow, gated=frames[::2])
    cell.qsub("-N", "comp", "-hold_jid", render, "-b", "y", "-o", "/dev/null", "-j", "y", "true")
    for task in frames[:13]:
        cell.open("ribs", task, 100 if task == 11 else 0)
        cell.wait_state(ribs, task, "Eqw") if task == 11 else wait(lambda: task not in cell.tasks(ribs), "a task of ribs to end")
    cell.wait_state(shadow, 5, "r")
    cell.open("shadow", 1)
    for task in (1, 3):
        cell.wait_state(render, task, "r")
    cell.open("render", 1)
    wait(lambda: 1 not in cell.tasks(render), "a task of render to end")


def work_for_others(cell):
    cell.held_array("plates", "1-100", user="bob")
    lookdev = cell.array("lookdev", "1-2", gated=(1, 2))
    for task in (1, 2):
        cell.wait_state(lookdev, task, "r")
    cell.ok("qmod", "-sj", lookdev)
    cell.wait_state(lookdev, 2, "s")


def test_pictures_of_the_guide(farm, display):
    PLACE.mkdir(exist_ok=True)
    work_on_a_pipeline(farm)
    work_for_others(farm)
    display.start(farm, "qmon", *LAYOUT, env={"SGE_ROOT": ROOT})
    display.to(display.sees("qmon: default, connected"), 300, 250)
    take(display, "qmon: default, connected", "qmon-main")
    window = open_submit(display)
    display.to(window, 300, 60)
    fill(display, command="comp.sh", N="denoise", t="1-24:4", hold_jid_ad="3")
    display.sees("Submit Job")
    take(display, "Submit Job", "qmon-submit")
    display.keys("ctrl+w")
    display.misses("Submit Job")
    display.to(display.sees("qmon: default, connected"), 300, 250)
    jobs = open_jobs(display)
    display.sees("Job Control: 6 jobs")
    display.click(jobs, 300, 170)
    display.sees("Job Control: 6 jobs, 1 selected")
    take(display, "Job Control: ", "qmon-jobs")
    show_frames(display, jobs)
    show_queues(display)


def show_frames(display, jobs):
    """Of the pipeline that the third job is part of."""
    display.keys("ctrl+f")
    window = display.sees("Frames: 4 stages")
    display.to(window, 300, 290)
    display.keys("Down", "Down", "Right", "Right", "Right")
    display.sees("Frames: 4 stages, frames 1 to 24: render 3, task 7")
    take(display, "Frames: ", "qmon-frames")


def show_queues(display):
    """And the form in which the queue is changed."""
    display.keys("ctrl+w")
    display.misses("Frames: ")
    display.to(display.sees("Job Control: "), 300, 290)
    display.keys("ctrl+w")
    display.misses("Job Control: ")
    display.to(display.sees("qmon: default, connected"), 300, 250)
    display.keys("ctrl+u")
    window = display.sees("Queue Control: 1 queue instance")
    display.click(window, 240, 63)
    display.click(window, 300, 143)
    display.sees("Queue Control: 1 queue instance, 1 selected")
    take(display, "Queue Control: ", "qmon-queues")
    display.keys("ctrl+m")
    form = display.sees("Object: change cluster queue all.q")
    display.click(form, 400, 182)
    display.click(form, 400, 300)
    take(display, "Object: ", "qmon-object")
