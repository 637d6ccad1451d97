"""Frames of qmon: tasks are marked by key and by pointer, and what is asked for is done to them and to no others; what is known of a task."""
import itertools
import os
import struct

from cell import wait
from test_qmon import display, open_frames, open_jobs, qmon, saved_rows, say_yes  # noqa: F401 - fixtures

FAILED, DONE = b"\xa3\x00\x1e", b"\x00\x9e\x73"  # their colors


def two_stages(cell, qmon):
    """ribs 1-8, render 1-8:4 behind them; Frames of both."""
    ribs = cell.held_array("ribs", "1-8")
    render = cell.held_array("render", "1-8:4", "-hold_jid_ad", ribs)
    jobs = open_jobs(qmon)
    qmon.sees("Job Control: 2 jobs")
    window = open_frames(qmon, jobs)
    qmon.sees("Frames: 2 stages, frames 1 to 8")
    return ribs, render, window


def waiting(cell, job):
    return sorted(cell.tasks(job))


def test_marked_tasks_are_released_and_deleted_and_no_others(any_cell, qmon):
    ribs, render, window = two_stages(any_cell, qmon)
    qmon.keys("Right", "shift+Right", "shift+Right")
    qmon.sees("Frames: 2 stages, frames 1 to 8, 3 tasks marked: ribs")
    qmon.keys("ctrl+r")
    wait(lambda: waiting(any_cell, ribs) == [1, 5, 6, 7, 8], "tasks 2 to 4 to run")
    qmon.keys("Right", "shift+Down")
    qmon.sees("Frames: 2 stages, frames 1 to 8, 2 tasks marked: render")
    qmon.keys("ctrl+d")
    say_yes(qmon, "Delete Tasks")
    wait(lambda: (waiting(any_cell, ribs), waiting(any_cell, render)) == ([1, 6, 7, 8], [1]), "5 of ribs and 5 of render to go")
    qmon.to(window, 300, 400)
    qmon.keys("Escape")
    qmon.sees("Frames: 2 stages, frames 1 to 8: ")


def test_the_pointer_marks_tells_and_zooms(any_cell, qmon):
    ribs, render, window = two_stages(any_cell, qmon)
    qmon.hands("mousemove", "--window", window, 400, 95, "mousedown", 1, "mousemove", "--window", window, 640, 150, "mouseup", 1)
    qmon.sees(f"Frames: 2 stages, frames 1 to 8, 5 tasks marked: render {render}, task 5: held; waits for ribs 5-8")
    qmon.to(window, 100, 95)
    qmon.sees(f"Frames: 2 stages, frames 1 to 8, 5 tasks marked: ribs {ribs}, task 1: held")
    qmon.hands("keydown", "ctrl", "click", 4, "keyup", "ctrl")
    qmon.sees("Frames: 2 stages, frames 1 to 4, 5 tasks marked")
    qmon.hands("keydown", "shift", "click", 5, "keyup", "shift")
    qmon.sees("Frames: 2 stages, frames 2 to 5, 5 tasks marked")
    qmon.hands("mousemove", "--window", window, 900, 95, "click", 1)
    qmon.sees(f"Frames: 2 stages, frames 2 to 5: ribs {ribs}, task 4")
    qmon.keys("ctrl+h")
    qmon.keys("Up", "ctrl+0")
    qmon.sees(f"Frames: 2 stages, frames 1 to 8: ribs {ribs}, task 4")


def drag_below(display, window, title):
    """The pointer goes to and fro below the matrix until a window is called so."""
    places = itertools.cycle((600, 602))

    def is_there():
        display.to(window, 100, next(places))
        return any(name.startswith(title) for name in display.titles())
    wait(is_there, lambda: f"{title!r} among {sorted(display.titles())}")


def test_the_wheel_goes_through_the_stages(any_cell, qmon):
    names = [f"stage{i:02}" for i in range(12)]
    before = []
    for name in names:
        before = ["-hold_jid_ad", any_cell.held_array(name, "1-4", *before)]
    jobs = open_jobs(qmon)
    qmon.sees("Job Control: 12 jobs")
    window = open_frames(qmon, jobs)
    qmon.sees("Frames: 12 stages")
    qmon.to(window, 100, 95)
    qmon.sees("Frames: 12 stages, frames 1 to 4: stage00")
    qmon.hands("click", 5)
    qmon.hands("mousemove_relative", 1, 0)
    qmon.sees("Frames: 12 stages, frames 1 to 4: stage01")
    qmon.hands("click", 4)
    qmon.hands("mousemove_relative", 1, 0)
    qmon.sees("Frames: 12 stages, frames 1 to 4: stage00")
    qmon.hands("mousedown", 1)
    drag_below(qmon, window, "Frames: 12 stages, frames 1 to 4, 12 tasks marked: stage11")
    qmon.hands("mouseup", 1)


def saved_text(cell, display, window):
    """What WINDOW (its title) writes into a file."""
    path = cell.files / f"text.{os.urandom(4).hex()}"
    display.to(display.sees(window), 300, 200)
    display.keys("ctrl+s")
    display.to(display.sees("Save as Text"), 100, 30)
    display.write(str(path))
    display.keys("Return")
    wait(lambda: path.exists() and path.read_text().endswith("\n"), "what was saved")
    display.misses("Save as Text")
    return path.read_text()


def test_the_matrix_is_saved_as_a_picture(any_cell, qmon):
    """As wide as the window; a file that is there stays as it is."""
    _, _, window = two_stages(any_cell, qmon)
    path = any_cell.files / "matrix.png"
    for _ in range(2):
        qmon.keys("ctrl+p")
        qmon.to(qmon.sees("Save as PNG"), 100, 30)
        qmon.write(str(path))
        qmon.keys("Return")
        qmon.misses("Save as PNG")
        wait(path.exists, "the picture")
        qmon.to(window, 300, 400)
        path.chmod(0o400)
    wait(lambda: path.read_bytes().endswith(b"IEND\xaeB`\x82"), "all of the picture")
    data = path.read_bytes()
    width, height = struct.unpack(">II", data[16:24])
    assert data.startswith(b"\x89PNG\r\n") and width > 1000 and 60 < height < 300 and len(data) < 20000


def test_a_task_shows_its_record_and_its_output(any_cell, qmon):
    """While it runs its output is followed; when it has ended its record is there."""
    log = any_cell.files / "out"
    job = any_cell.array("render", "1-4:2", "-o", f"{log}.$TASK_ID", "-j", "n", gated=[3])
    any_cell.wait_state(job, 3, "r")
    jobs = open_jobs(qmon)
    qmon.sees("Job Control: 1 job")
    open_frames(qmon, jobs)
    qmon.keys("Right")
    qmon.sees(f"Frames: 1 stage, frames 1 to 4: render {job}, task 3: running in all.q@")
    qmon.keys("Return")
    qmon.sees(f"Task {job}.3: render, running")
    (any_cell.files / "out.3").write_text("half of it\xe4\n")
    wait(lambda: "half of it\xe4\n" in saved_text(any_cell, qmon, "Task "), "what it wrote")
    assert "job_number:" in saved_text(any_cell, qmon, "Task ")
    any_cell.open("render", 3)
    qmon.sees(f"Task {job}.3: render, done")
    wait(lambda: "taskid       3 " in saved_text(any_cell, qmon, "Task "), "its record")


def failed_and_running(cell):
    """A job whose tasks exited with 1 and with 0, was killed, and runs."""
    job = cell.array("render", "1-4", gated=[1, 2, 3, 4])
    for task in (1, 2, 3, 4):
        cell.wait_state(job, task, "r")
    cell.open("render", 1, 1)
    cell.open("render", 2)
    cell.ok("qdel", f"{job}.3")
    wait(lambda: list(cell.tasks(job)) == [4], "three tasks to end")
    return job


def test_a_failed_task_does_not_look_done(any_cell, qmon):
    job = failed_and_running(any_cell)
    jobs = open_jobs(qmon)
    qmon.sees("Job Control: 1 job")
    wait(lambda: saved_rows(any_cell, qmon)[0]["progress"] == "1 done, 1 running, 2 failed", "two failed tasks")
    window = open_frames(qmon, jobs)
    for task, look in ((1, "failed"), (2, "done"), (3, "failed"), (4, "running")):
        qmon.sees(f"Frames: 1 stage, frames 1 to 4: render {job}, task {task}: {look}")
        qmon.keys("Right")
    picture = qmon.picture(window)
    assert FAILED in picture and DONE in picture
    line = saved_text(any_cell, qmon, "Frames: ").rstrip("\n").split("\t")
    assert (set(line[2]), line[3]) == (set("F.r"), "1 of 4 done, 1 running, 2 failed")


def test_the_window_of_a_task_says_how_it_ended(any_cell, qmon):
    job = failed_and_running(any_cell)
    jobs = open_jobs(qmon)
    qmon.sees("Job Control: 1 job")
    window = open_frames(qmon, jobs)
    qmon.keys("Home", "Return")
    qmon.to(qmon.sees(f"Task {job}.1: render, failed, exit status 1"), 300, 100)
    qmon.keys("ctrl+w")
    qmon.misses("Task ")
    qmon.to(window, 300, 400)
    qmon.keys("Right", "Right", "Return")
    qmon.sees(f"Task {job}.3: render, failed, killed by signal 9")


def test_frames_shows_how_a_task_ended_and_its_output(any_cell, qmon):
    """Of the task under the pointer; the words are copied from the text."""
    log = any_cell.files / "out.1"
    log.write_text("no texture\n")
    log.chmod(0o666)
    job = any_cell.array("render", "1-2", "-o", f"{any_cell.files}/out.$TASK_ID", "-j", "n", gated=[1, 2])
    any_cell.wait_state(job, 2, "r")
    any_cell.open("render", 1, 3)
    wait(lambda: list(any_cell.tasks(job)) == [2], "a task to end")
    jobs = open_jobs(qmon)
    qmon.sees("Job Control: 1 job")
    window = open_frames(qmon, jobs)
    qmon.sees(f"Frames: 1 stage, frames 1 to 2: render {job}, task 1: failed, exit status 3 on ")

    def copied():
        qmon.click(window, 300, 520)
        qmon.keys("ctrl+a", "ctrl+c")
        return qmon.clipboard()
    wait(lambda: copied() == "no texture\n", "the end of its output")


def test_what_failed_before_is_known_after_a_restart(any_cell, display):
    """qmon has heard none of it, and the qmaster has read it from its spool."""
    failed_and_running(any_cell)
    any_cell.kill("sge_qmaster")
    any_cell.start()
    display.start(any_cell, "qmon")
    display.to(display.sees("qmon: default, connected"), 300, 250)
    open_jobs(display)
    display.sees("Job Control: 1 job")
    wait(lambda: saved_rows(any_cell, display)[0]["progress"] == "1 done, 1 running, 2 failed", "what the spool says")


def test_two_clicks_show_a_task(any_cell, qmon):
    ribs, render, window = two_stages(any_cell, qmon)
    qmon.hands("mousemove", "--window", window, 900, 95, "click", "--repeat", 2, "--delay", 20, 1)
    qmon.sees(f"Task {ribs}.6: ribs, held")
    qmon.to(qmon.sees("Task "), 300, 100)
    qmon.keys("ctrl+w")
    qmon.misses("Task ")


def test_an_error_is_cleared_where_it_is_marked(any_cell, qmon):
    """A question that is not answered changes nothing."""
    job = any_cell.array("render", "1-3", gated=[1, 2, 3])
    for task in (1, 2, 3):
        any_cell.wait_state(job, task, "r")
    for task in (1, 2):
        any_cell.open("render", task, 100)
        any_cell.wait_state(job, task, "Eqw")
    jobs = open_jobs(qmon)
    qmon.sees("Job Control: 1 job")
    window = open_frames(qmon, jobs)
    qmon.keys("Right", "shift+Right", "shift+Left")
    qmon.sees(f"Frames: 1 stage, frames 1 to 3, 1 task marked: render {job}, task 2: error")
    qmon.keys("ctrl+e")
    any_cell.wait_state(job, 2, "r")
    qmon.keys("ctrl+d")
    qmon.to(qmon.sees("Delete Tasks"), 100, 30)
    qmon.keys("Return")
    qmon.misses("Delete Tasks")
    assert any_cell.tasks(job) == {1: "Eqw", 2: "r", 3: "r"}
    qmon.to(window, 300, 400)
    for task in (2, 3):
        any_cell.open("render", task)
