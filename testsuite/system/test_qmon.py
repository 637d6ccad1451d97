"""qmon: its windows show what the cell does, by key and by pointer."""
import os
import subprocess

import pytest

from cell import wait
from display import Display, why_not


@pytest.fixture
def display():
    if why_not():
        pytest.skip("impossible here: " + why_not())
    one = Display()
    yield one
    one.end()


@pytest.fixture
def qmon(any_cell, display):
    """A qmon of the cell's user that is connected; the pointer is in its main window."""
    display.start(any_cell, "qmon")
    display.to(display.sees("qmon: default, connected"), 300, 250)
    return display


def open_jobs(display):
    display.keys("ctrl+j")
    return display.sees("Job Control: ")


def saved_lines(cell, display, window):
    """What WINDOW (its title) writes into a file: the words of each line. The pointer is in it, before and afterwards."""
    path = cell.files / f"rows.{os.urandom(4).hex()}"
    display.keys("ctrl+s")
    display.to(display.sees("Save as Text"), 100, 30)
    display.write(str(path))
    display.keys("Return")
    wait(lambda: path.exists() and path.read_text().endswith("\n"), "what was saved")
    display.misses("Save as Text")
    display.to(display.sees(window), 300, 200)
    return [line.split("\t") for line in path.read_text().splitlines()]


def saved_rows(cell, display):
    """The rows of Job Control: a dict each."""
    titles, *rows = saved_lines(cell, display, "Job Control: ")
    return [dict(zip(titles, row)) for row in rows]


def choose_first(display, jobs):
    display.click(jobs, 300, 125)
    wait(lambda: any(title.endswith(", 1 selected") for title in display.titles()), "a job that is selected")


def say_yes(display, question):
    """The button that does nothing is the first; the other one stands left of it."""
    display.to(display.sees(question), 100, 30)
    display.keys("Left", "space")
    display.misses(question)


def open_frames(display, jobs):
    """Of the job in the first row of Job Control."""
    choose_first(display, jobs)
    display.keys("ctrl+f")
    window = display.sees("Frames: ")
    display.to(window, 300, 400)
    return window


def test_job_control_follows_the_cell(any_cell, qmon):
    open_jobs(qmon)
    qmon.sees("Job Control: 0 jobs")
    before = any_cell.held_array("ribs", "1-4")
    after = any_cell.array("shadow", "1-4:2", "-hold_jid_ad", before)
    qmon.sees("Job Control: 2 jobs")
    rows = saved_rows(any_cell, qmon)
    assert [(r["job"], r["name"], r["owner"], r["state"], r["progress"]) for r in rows] == [
        (str(after), "shadow", any_cell.user, "hqw", "2 held"), (str(before), "ribs", any_cell.user, "hqw", "4 held")]
    any_cell.ok("qrls", before)
    any_cell.wait_gone(before, after)
    wait(lambda: [(r["state"], r["progress"]) for r in saved_rows(any_cell, qmon)] == [("z", "2 done"), ("z", "4 done")], "jobs that are over")


def test_words_choose_rows_and_keys_choose_jobs(any_cell, qmon):
    for name in ("ribs", "shadow", "comp"):
        any_cell.held_array(name, "1-2")
    jobs = open_jobs(qmon)
    qmon.sees("Job Control: 3 jobs")
    qmon.keys("Tab")
    qmon.write("*s*")
    qmon.sees("Job Control: 2 jobs")
    qmon.click(jobs, 300, 125)
    qmon.sees("Job Control: 2 jobs, 1 selected")
    qmon.keys("ctrl+a")
    qmon.sees("Job Control: 2 jobs, 2 selected")
    qmon.keys("Home")
    qmon.sees("Job Control: 2 jobs, 1 selected")


def test_keys_copy_cut_paste_and_undo_in_text_fields(any_cell, qmon):
    any_cell.held_array("abab", "1")
    any_cell.held_array("other", "1")
    open_jobs(qmon)
    qmon.sees("Job Control: 2 jobs")
    qmon.keys("Tab")
    qmon.write("ab")
    qmon.sees("Job Control: 0 jobs")
    qmon.keys("ctrl+a", "ctrl+c", "End", "ctrl+v")
    qmon.sees("Job Control: 1 job")
    qmon.keys("ctrl+z")
    qmon.sees("Job Control: 0 jobs")
    qmon.keys("ctrl+shift+z")
    qmon.sees("Job Control: 1 job")
    assert qmon.clipboard() == "ab"
    qmon.keys("ctrl+a", "ctrl+x")
    qmon.sees("Job Control: 2 jobs")
    assert qmon.clipboard() == "abab"
    qmon.keys("ctrl+z", "ctrl+shift+z", "ctrl+z")
    qmon.sees("Job Control: 1 job")
    qmon.keys("ctrl+z", "ctrl+z", "ctrl+z", "ctrl+z")  # further than there is something to undo
    qmon.sees("Job Control: 2 jobs")


def test_rows_of_a_table_are_copied(any_cell, qmon):
    for name in ("ribs", "comp"):
        any_cell.held_array(name, "1-2")
    jobs = open_jobs(qmon)
    qmon.sees("Job Control: 2 jobs")
    choose_first(qmon, jobs)
    qmon.keys("ctrl+a")
    qmon.sees("Job Control: 2 jobs, 2 selected")
    qmon.keys("ctrl+c")
    wait(lambda: [line.split("\t")[1] for line in qmon.clipboard().splitlines()] == ["comp", "ribs"], "two rows in the clipboard")


def test_errors_and_suspensions_are_seen_and_cleared(any_cell, qmon):
    job = any_cell.array("render", "1-2", gated=[1, 2])
    jobs = open_jobs(qmon)
    qmon.sees("Job Control: 1 job")
    for task in (1, 2):
        any_cell.wait_state(job, task, "r")
    any_cell.open("render", 2, 100)
    any_cell.wait_state(job, 2, "Eqw")
    wait(lambda: [(r["state"], r["progress"]) for r in saved_rows(any_cell, qmon)] == [("Eqw", "1 running, 1 in error")], "a task in error")
    choose_first(qmon, jobs)
    qmon.keys("ctrl+e")
    any_cell.wait_state(job, 2, "r")
    any_cell.ok("qmod", "-sj", job)
    wait(lambda: [r["state"] for r in saved_rows(any_cell, qmon)] == ["s"], "a job that is suspended")
    any_cell.ok("qmod", "-usj", job)
    any_cell.open("render", 1)
    any_cell.open("render", 2)
    any_cell.wait_gone(job)


def test_frames_shows_who_waits_for_whom(any_cell, qmon):
    ribs = any_cell.held_array("ribs", "1-8")
    render = any_cell.held_array("render", "1-8:4", "-hold_jid_ad", ribs)
    any_cell.held_array("other", "1-50")
    jobs = open_jobs(qmon)
    qmon.sees("Job Control: 3 jobs")
    qmon.keys("Tab")
    qmon.write("r*")
    qmon.sees("Job Control: 2 jobs")
    open_frames(qmon, jobs)
    qmon.sees("Frames: 2 stages, frames 1 to 8")
    qmon.keys("Down")
    qmon.sees(f"Frames: 2 stages, frames 1 to 8: render {render}, task 1: held; waits for ribs 1-4")
    qmon.keys("Right")
    qmon.sees(f"Frames: 2 stages, frames 1 to 8: render {render}, task 5: held; waits for ribs 5-8")
    qmon.keys("plus")
    qmon.sees("Frames: 2 stages, frames 3 to 6: ")
    qmon.keys("minus")
    qmon.sees("Frames: 2 stages, frames 1 to 8: ")
    lines = saved_lines(any_cell, qmon, "Frames: ")
    assert [(line[0], line[1], set(line[2]), line[3]) for line in lines] == [
        (str(ribs), "ribs", {"h"}, "0 of 8 done, 8 held"), (str(render), "render", {"h"}, "0 of 2 done, 2 held")]


def test_frames_follows_the_cell(any_cell, qmon):
    ribs = any_cell.held_array("ribs", "1-4")
    render = any_cell.array("render", "1-4:2", "-hold_jid_ad", ribs)
    jobs = open_jobs(qmon)
    qmon.sees("Job Control: 2 jobs")
    open_frames(qmon, jobs)
    qmon.keys("Down")
    qmon.sees(f"Frames: 2 stages, frames 1 to 4: render {render}, task 1: held; waits for ribs 1-2")
    any_cell.ok("qrls", ribs, "-t", "1-2")
    qmon.sees(f"Frames: 2 stages, frames 1 to 4: render {render}, task 1: done")
    any_cell.qsub("-h", "-N", "comp", "-hold_jid", render, "-b", "y", "true")
    qmon.sees("Frames: 3 stages, frames 1 to 4: ")


def test_a_lost_qmaster_is_said_and_found_again(any_cell, qmon):
    any_cell.held_array("ribs", "1-2")
    open_jobs(qmon)
    qmon.sees("Job Control: 1 job")
    any_cell.kill("sge_qmaster")
    qmon.sees("qmon: default, no connection to the qmaster: ")
    qmon.sees("Job Control: 1 job (not current: no connection to the qmaster)")
    any_cell.start()
    any_cell.held_array("shadow", "1-2")
    qmon.sees("qmon: default, connected")
    qmon.sees("Job Control: 2 jobs")


BANNER = b"\x8a\x0f\x0f"


def test_every_window_says_that_the_qmaster_is_lost(any_cell, qmon):
    """Also one that is opened then; the line goes with the qmaster's return."""
    main = qmon.sees("qmon: default, connected")
    jobs = open_jobs(qmon)
    assert BANNER not in qmon.picture(main)
    any_cell.kill("sge_qmaster")
    qmon.sees("qmon: default, no connection to the qmaster: ")
    wait(lambda: BANNER * 50 in qmon.picture(main) and BANNER * 50 in qmon.picture(jobs), "a line in both windows")
    qmon.hands("windowraise", main)
    qmon.to(main, 300, 250)
    qmon.keys("ctrl+u")
    queues = qmon.sees("Queue Control")
    wait(lambda: BANNER * 50 in qmon.picture(queues), "a line in a new window")
    any_cell.start()
    qmon.sees("qmon: default, connected")
    wait(lambda: not any(BANNER * 50 in qmon.picture(one) for one in (main, jobs, queues)), "no such line")


def test_the_main_window_shows_figures(any_cell, qmon):
    """Its title has them, too, behind what jobs it knows of."""
    def shows(figures):
        wait(lambda: any(title.startswith("qmon: default, connected") and title.endswith(": " + figures) for title in qmon.titles()),
             lambda: f"{figures!r} among {sorted(qmon.titles())}", 60)
    shows("0 of 4 slots, 0 running, 0 waiting")
    any_cell.held_array("ribs", "1-5")
    job = any_cell.array("render", "1-3", gated=[1, 2, 3])
    shows("3 of 4 slots, 3 running, 5 waiting")
    any_cell.open("render", 1, 1)
    any_cell.open("render", 2, 100)
    shows("1 of 4 slots, 1 running, 5 waiting, 1 in error, 1 failed")
    any_cell.ok("qconf", "-mattr", "queue", "prolog", "/bin/false", "all.q", user=any_cell.owner)
    any_cell.qsub("-b", "y", "-o", "/dev/null", "-j", "y", "true")
    shows("1 of 4 slots, 1 running, 6 waiting, 1 in error, 1 failed, 1 host ill")
    any_cell.ok("qconf", "-mattr", "queue", "prolog", "NONE", "all.q", user=any_cell.owner)
    any_cell.ok("qmod", "-cq", "all.q", user=any_cell.owner)
    any_cell.open("render", 3)
    shows("0 of 4 slots, 0 running, 5 waiting, 1 in error, 1 failed")
    any_cell.ok("qdel", job)


def test_qmon_starts_before_the_qmaster(any_cell, display):
    any_cell.kill("sge_qmaster")
    display.start(any_cell, "qmon")
    display.sees("qmon: default, connecting")
    any_cell.start()
    display.sees("qmon: default, connected")


def test_exit_leaves_the_program(any_cell, qmon):
    qmon.keys("ctrl+q")
    assert qmon.programs[0].wait(timeout=60) == 0


def test_a_display_that_goes_away_is_named(any_cell, qmon):
    qmon.server.kill()
    out, err = qmon.programs[0].communicate(timeout=60)
    assert qmon.programs[0].returncode == 1 and out == ""
    assert f'the connection to display "{qmon.name}" was lost' in err


def test_a_font_that_is_missing_is_replaced_by_another(any_cell, display):
    display.start(any_cell, "qmon", "-xrm", "Qmon.tableFont: Nobody Has This-10", "-xrm", "Qmon.titleFont: Nor This-10",
                  "-xrm", "Qmon*renderTable.text.fontName: Nor That")
    display.to(display.sees("qmon: default, connected"), 300, 250)
    any_cell.held_array("ribs", "1-4")
    open_jobs(display)
    display.sees("Job Control: 1 job")


def test_what_is_wrong_is_one_line(any_cell, display):
    for argv, env, words in (([], {"DISPLAY": ":nowhere"}, 'cannot open display ":nowhere"'), (["-fly"], {}, '"-fly" is not an option of qmon'),
                             (["-xrm", "Qmon.colorError: mud-like"], {}, 'colorError: "mud-like" is not a color')):
        result = any_cell.run("qmon", *argv, env={"DISPLAY": display.name} | env)
        assert result.code == 1 and result.err.startswith("error: ") and words in result.err and result.err.count("\n") == 1, str(result)


def test_help_needs_no_display(any_cell):
    assert "usage: qmon" in any_cell.ok("qmon", "-help")


def open_submit(display):
    display.keys("ctrl+n")
    return display.sees("Submit Job")


# the fields in the order of Tab; "slots" belongs to -pe
FIELDS = ["command", "b", "N", "t", "tc", "hold_jid", "hold_jid_ad", "l", "pe", "slots", "o", "j", "cwd", "q", "masterq", "soft_q", "soft_l", "R",
          "binding", "ar", "w", "p", "a"]
CHOICES = {"b": ["", "n", "y"], "j": ["", "y", "n"], "R": ["", "y", "n"]}


def go(display, at, field):
    """The keys go from one field of Submit Job to another."""
    step = FIELDS.index(field) - FIELDS.index(at)
    display.keys(*["Tab" if step > 0 else "shift+Tab"] * abs(step))


def fill(display, **values):
    """Fields of Submit Job; the keys are in the first one. Returns the one that has them afterwards."""
    at = "command"
    for field in sorted(values, key=FIELDS.index):
        go(display, at, field)
        if field in CHOICES:
            display.keys(*["Right"] * CHOICES[field].index(values[field]), "space")
        else:
            display.write(values[field])
        at = field
    return at


def saved_settings(cell, display):
    return ["\t".join(words) for words in saved_lines(cell, display, "Submit Job")]


def test_a_job_is_submitted_with_what_it_waits_for(any_cell, qmon):
    """By keys alone. The window says what qsub says, in its title for us."""
    before = any_cell.held_array("ribs", "1-6:3")
    window = open_submit(qmon)
    qmon.to(window, 300, 60)
    fill(qmon, command="true", b="y", hold_jid_ad=str(before), j="y", N="shadow", o="/dev/null", t="1-6:2", binding="linear:1")
    assert saved_settings(any_cell, qmon) == ["-b y", "-binding linear:1", f"-hold_jid_ad {before}", "-j y", "-N shadow", "-o /dev/null", "-t 1-6:2"]
    qmon.keys("ctrl+Return")
    wait(lambda: "shadow" in any_cell.ok("qstat"), "the job")
    detail = any_cell.ok("qstat", "-j", "shadow")
    assert f"ja_ad_predecessor_list:     {before}\n" in detail and "binding:                    set linear:1\n" in detail
    after = int(any_cell.ok("qstat").splitlines()[-1].split()[0])
    any_cell.ok("qrls", before)
    any_cell.wait_gone(before, after)


def test_qmon_starts_terminals_and_no_other_command(any_cell):
    """What it shows comes by requests and from files; Submit Job starts a terminal (widgets/terminal.c). (libs/gdi can start the tunnel of a user with a certificate, by clone and execv.)"""
    symbols = subprocess.run(["nm", "-D", "-u", any_cell.bin / "qmon"], capture_output=True, text=True, check=True).stdout
    names = {line.split()[-1].split("@")[0] for line in symbols.splitlines()}
    assert names & {"fork", "vfork", "system", "popen", "posix_spawn", "posix_spawnp", "execve", "execvp", "execl", "execlp"} == {"fork", "execvp"}


def test_what_cannot_be_submitted_stays_in_the_window(any_cell, qmon):
    window = open_submit(qmon)
    qmon.to(window, 300, 60)
    qmon.keys("ctrl+Return")
    qmon.sees("Submit Job: check Command")
    fill(qmon, command="true", b="y", o="/dev/null", p="high")
    qmon.keys("ctrl+Return")
    qmon.sees("Submit Job: check Priority")
    qmon.keys(*["BackSpace"] * 4)
    qmon.write("-7")
    wait(lambda: "Submit Job" in qmon.titles(), "a form without a refusal")
    qmon.keys("ctrl+Return")
    wait(any_cell.accounting, "the job to end")
    assert [r["job_number"] for r in any_cell.accounting()] == ["1"]


REFUSED = [("l", "Resources", "nosuch=1"), ("pe", "Parallel environment", "nosuch 2"), ("q", "Queues", "nosuch.q"), ("hold_jid", "Waits for jobs", "12_3"),
           ("hold_jid_ad", "Waits for tasks of", "998"), ("tc", "Tasks at a time", "2")]


@pytest.mark.parametrize("field, label, value", REFUSED)
def test_a_refusal_of_the_qmaster_leads_to_its_field(any_cell, qmon, field, label, value):
    """It has the keys then, wherever they were."""
    window = open_submit(qmon)
    qmon.to(window, 300, 60)
    at = fill(qmon, command="true", b="y", o="/dev/null", N="comp")
    go(qmon, at, field)
    qmon.write(value.split()[0])
    if field == "pe":
        qmon.keys("Tab")
        qmon.write(value.split()[1])
    go(qmon, "slots" if field == "pe" else field, "p")
    qmon.keys("ctrl+Return")
    qmon.sees(f"Submit Job: check {label}")
    qmon.keys("ctrl+a", "Delete")
    if field == "pe":
        qmon.keys("Tab", "ctrl+a", "Delete")
    wait(lambda: "Submit Job" in qmon.titles(), "a form without a refusal")
    qmon.keys("ctrl+Return")
    wait(any_cell.accounting, "the job to end")


def test_names_of_the_cell_are_chosen_from_a_list(any_cell, qmon):
    window = open_submit(qmon)
    qmon.to(window, 300, 60)
    fill(qmon, command="true", q="")
    qmon.keys("Down")
    assert saved_settings(any_cell, qmon) == ["-q all.q"]


def test_a_script_fills_the_window(any_cell, qmon):
    script = any_cell.files / "comp.sh"
    script.write_text("#!/bin/sh\n#$ -N comp -t 1-3\n#$ -l h_rt=60\ntrue\n")
    window = open_submit(qmon)
    qmon.to(window, 300, 60)
    qmon.keys("ctrl+o")
    qmon.to(qmon.sees("Choose a Script"), 100, 30)
    qmon.write(str(script))
    qmon.keys("Return")
    qmon.misses("Choose a Script")
    qmon.to(qmon.sees("Submit Job"), 300, 60)
    assert saved_settings(any_cell, qmon) == ["-l h_rt=60", "-N comp", "-t 1-3"]


def test_jobs_are_released_and_deleted_after_a_question(any_cell, qmon):
    released = any_cell.held_array("ribs", "1-2")
    jobs = open_jobs(qmon)
    qmon.sees("Job Control: 1 job")
    choose_first(qmon, jobs)
    qmon.keys("ctrl+r")
    any_cell.wait_gone(released)
    deleted = any_cell.held_array("shadow", "1-2")
    qmon.sees("Job Control: 2 jobs, 1 selected")
    qmon.keys("Home", "ctrl+d")
    say_yes(qmon, "Delete")
    any_cell.wait_gone(deleted)


def test_what_a_filter_hides_is_not_selected(any_cell, qmon):
    for name in ("ribs", "shadow"):
        any_cell.held_array(name, "1-2")
    jobs = open_jobs(qmon)
    qmon.sees("Job Control: 2 jobs")
    choose_first(qmon, jobs)
    qmon.keys("ctrl+a")
    qmon.sees("Job Control: 2 jobs, 2 selected")
    qmon.keys("shift+Tab")
    qmon.write("ribs")
    wait(lambda: "Job Control: 1 job" in qmon.titles(), "a row that is not selected")


def test_a_question_that_is_not_answered_changes_nothing(any_cell, qmon):
    job = any_cell.held_array("ribs", "1-2")
    jobs = open_jobs(qmon)
    qmon.sees("Job Control: 1 job")
    choose_first(qmon, jobs)
    qmon.keys("ctrl+d")
    qmon.to(qmon.sees("Delete"), 100, 30)
    qmon.keys("Return")
    qmon.misses("Delete")
    assert set(any_cell.tasks(job)) == {1, 2}


def test_jobs_are_held_and_get_a_priority(any_cell, qmon):
    before = any_cell.held_array("ribs", "1-2")
    after = any_cell.array("shadow", "1-2", "-hold_jid", before)
    jobs = open_jobs(qmon)
    qmon.sees("Job Control: 2 jobs")
    choose_first(qmon, jobs)
    qmon.keys("ctrl+h")
    wait(lambda: {job for job, _ in any_cell.states("-s", "hu")} == {before, after}, "a user hold")
    qmon.keys("ctrl+p")
    qmon.to(qmon.sees("Priority"), 100, 30)
    qmon.write("-7")
    qmon.keys("Return")
    wait(lambda: any_cell.detail(after).get("priority") == "-7", "another priority")
