"""qmon's Job Control and Submit Job: holds, why, columns, dependencies, changes, scripts."""
import os
import subprocess

import pytest

from cell import wait
from display import Display, why_not
from test_qmon import FIELDS, choose_first, fill, open_jobs, open_submit, saved_lines, saved_rows, saved_settings, say_yes


@pytest.fixture
def home(any_cell):
    path = any_cell.files / "home"
    path.mkdir()
    path.chmod(0o777)
    return path


@pytest.fixture
def qmon(any_cell, home):
    """A qmon whose user has an empty home directory."""
    if why_not():
        pytest.skip("impossible here: " + why_not())
    display = Display()
    start(any_cell, display, home)
    yield display
    display.end()


def start(cell, display, home):
    display.start(cell, "qmon", "-xrm", "Qmon*blinkRate: 0", env={"HOME": str(home)})
    display.to(display.sees("qmon: default, connected"), 300, 250)


def row_of(cell, display, job):
    return next(row for row in saved_rows(cell, display) if row["job"] == str(job))


def test_each_job_says_what_kinds_of_hold_it_has(any_cell, qmon):
    ribs = any_cell.held_array("ribs", "1-4")
    shadow = any_cell.held_array("shadow", "1-4", "-hold_jid_ad", ribs)
    comp = any_cell.qsub("-N", "comp", "-hold_jid", shadow, "-b", "y", "true")
    open_jobs(qmon)
    qmon.sees("Job Control: 3 jobs")
    wait(lambda: [row["holds"] for row in saved_rows(any_cell, qmon)] == ["j", "ua", "u"], "the kinds of hold")
    any_cell.ok("qrls", shadow)
    any_cell.ok("qrls", ribs, "-t", "1-2")
    wait(lambda: row_of(any_cell, qmon, shadow)["holds"] == "a", "a kind that has gone")
    any_cell.ok("qrls", ribs)
    any_cell.wait_gone(ribs, shadow, comp)
    wait(lambda: {row["holds"] for row in saved_rows(any_cell, qmon)} == {""}, "no holds")


def test_columns_are_chosen_and_kept(any_cell, qmon, home):
    any_cell.held_array("ribs", "1-4")
    open_jobs(qmon)
    jobs = qmon.sees("Job Control: 1 job")
    qmon.to(jobs, 300, 200)
    qmon.keys("ctrl+k")
    qmon.to(qmon.sees("Columns: 10 of 16 shown"), 100, 100)
    qmon.keys("ctrl+Down", "ctrl+t")  # job goes below name, and is not shown any more
    qmon.sees("Columns: 9 of 16 shown")
    qmon.keys("ctrl+w")
    qmon.misses("Columns: ")
    kept = home / ".qmon_preferences"
    wait(lambda: kept.exists() and kept.read_text().startswith("jobColumns: name owner state "), "the file")
    qmon.to(jobs, 300, 200)
    assert list(saved_rows(any_cell, qmon)[0])[:2] == ["name", "owner"]
    qmon.keys("ctrl+w")
    qmon.misses("Job Control: ")
    qmon.to(qmon.sees("qmon: default, connected"), 300, 250)
    qmon.keys("ctrl+q")
    assert qmon.programs[0].wait(timeout=60) == 0
    kept.write_text("what is this\njobColumns: state slots job\n")
    start(any_cell, qmon, home)
    jobs = open_jobs(qmon)
    qmon.sees("Job Control: 1 job")
    qmon.to(jobs, 300, 200)
    assert list(saved_rows(any_cell, qmon)[0]) == ["state", "job"]


def test_windows_fit_on_a_small_screen(any_cell, qmon):
    any_cell.held_array("ribs", "1-4")
    open_jobs(qmon)
    jobs = qmon.sees("Job Control: 1 job")
    choose_first(qmon, jobs)
    qmon.keys("ctrl+f")
    qmon.sees("Frames: 1 stage")
    main = qmon.sees("qmon: default, connected")
    qmon.hands("windowraise", main)
    qmon.to(main, 300, 250)
    qmon.keys("ctrl+u")
    qmon.sees("Queue Control: 1 queue instance")
    assert {title: qmon.geometry(window)["WIDTH"] for title, window in qmon.titles().items() if qmon.geometry(window)["WIDTH"] > 1280} == {}


def test_a_question_does_not_cover_what_it_is_about(any_cell, qmon):
    any_cell.held_array("ribs", "1-4")
    jobs = open_jobs(qmon)
    qmon.sees("Job Control: 1 job")
    choose_first(qmon, jobs)
    row = qmon.geometry(jobs)["Y"] + 125
    qmon.keys("ctrl+d")
    question = qmon.geometry(qmon.sees("Delete"))
    assert question["Y"] > row or question["Y"] + question["HEIGHT"] < row


def test_the_wheel_scrolls_a_form(any_cell, qmon):
    qmon.keys("ctrl+u")
    queues = qmon.sees("Queue Control: 1 queue instance")
    choose_first(qmon, queues)
    qmon.keys("ctrl+m")
    form = qmon.sees("Object: change cluster queue all.q")
    qmon.to(form, 300, 250)
    seen = []
    for wheel in (5, 5, 4, 4):
        seen.append(qmon.picture(form))
        qmon.hands("click", wheel)
        wait(lambda: qmon.picture(form) != seen[-1], "the form to move")
    wait(lambda: qmon.picture(form) == seen[0], "the form as it was")


def test_words_and_a_key_choose_a_pipeline(any_cell, qmon):
    ribs = any_cell.held_array("ribs", "1-4")
    shadow = any_cell.array("shadow", "1-4", "-hold_jid_ad", ribs)
    any_cell.held_array("other", "1-2")
    any_cell.qsub("-N", "comp", "-hold_jid", shadow, "-b", "y", "true")
    jobs = open_jobs(qmon)
    qmon.sees("Job Control: 4 jobs")
    qmon.keys("Tab")
    qmon.write(f"before:{shadow}")
    qmon.sees("Job Control: 1 job")
    choose_first(qmon, jobs)
    qmon.keys("ctrl+b")
    qmon.sees("Job Control: 3 jobs, 1 selected")


def test_why_is_followed_from_job_to_job_and_back(any_cell, qmon):
    ribs = any_cell.held_array("ribs", "1-4")
    shadow = any_cell.array("shadow", "1-4", "-hold_jid_ad", ribs)
    jobs = open_jobs(qmon)
    qmon.sees("Job Control: 2 jobs")
    choose_first(qmon, jobs)
    qmon.keys("Return")
    qmon.to(qmon.sees(f"Why: {shadow}, 2 lines"), 300, 200)
    qmon.keys("Down", "Return")
    qmon.sees(f"Why: {ribs}.1, 1 line")
    qmon.keys("Return")  # a user hold leads nowhere
    qmon.keys("ctrl+Left")
    window = qmon.sees(f"Why: {shadow}, 2 lines")
    qmon.click(window, 300, 85)
    qmon.hands("click", "--repeat", 2, "--delay", 20, 1)
    qmon.sees(f"Why: {ribs}.1, 1 line")


def go_changed(display, at, option):
    """The keys go from one field of Change to another: those of Submit Job without what only a submit has."""
    order = [field for field in FIELDS if field not in ("command", "b", "t")]
    display.keys(*["Tab"] * (order.index(option) - order.index(at)))


def test_a_job_is_changed_in_the_form_of_submit(any_cell, qmon):
    ribs = any_cell.held_array("ribs", "1-4")
    job = any_cell.held_array("shadow", "1-4", "-p", "-3", "-hold_jid", ribs)
    jobs = open_jobs(qmon)
    qmon.sees("Job Control: 2 jobs")
    choose_first(qmon, jobs)
    qmon.keys("ctrl+g")
    wait(lambda: f"Change: {job}" in qmon.titles(), "what the job has")
    qmon.to(qmon.titles()[f"Change: {job}"], 300, 50)
    go_changed(qmon, "N", "hold_jid")
    qmon.keys("ctrl+a", "Delete")
    go_changed(qmon, "hold_jid", "q")
    qmon.write("nowhere")
    go_changed(qmon, "q", "p")
    qmon.keys("ctrl+Return")
    qmon.sees(f"Change: {job}, check Queues")
    assert any_cell.detail(job).get("jid_predecessor_list (req)") == str(ribs)
    qmon.keys("ctrl+a", "Delete")
    go_changed(qmon, "q", "p")
    qmon.keys("ctrl+a", "Delete")
    qmon.write("-9")
    qmon.keys("ctrl+Return")
    wait(lambda: any_cell.detail(job).get("priority") == "-9", "another priority")
    assert "jid_predecessor_list (req)" not in any_cell.detail(job)


def test_several_jobs_get_what_is_said_alone(any_cell, qmon):
    numbers = [any_cell.held_array(name, "1-2") for name in ("ribs", "shadow")]
    jobs = open_jobs(qmon)
    qmon.sees("Job Control: 2 jobs")
    choose_first(qmon, jobs)
    qmon.keys("ctrl+a", "ctrl+g")
    qmon.to(qmon.sees("Change: 2 jobs"), 300, 50)
    go_changed(qmon, "N", "tc")
    qmon.write("1")
    qmon.keys("ctrl+Return")
    for job, name in zip(numbers, ("ribs", "shadow")):
        wait(lambda job=job: any_cell.detail(job).get("maximum concurrency") == "1", "a limit")
        assert any_cell.detail(job)["job_name"] == name


def test_a_script_is_edited_and_read_again(any_cell, qmon):
    script = any_cell.files / "comp.sh"
    script.write_text("#!/bin/sh\n#$ -N comp\ntrue\n")
    script.chmod(0o777)
    window = open_submit(qmon)
    qmon.to(window, 300, 60)
    qmon.write(f"{script} -x")
    qmon.keys("ctrl+e")
    qmon.to(qmon.sees(f"Script: {script}"), 300, 200)
    qmon.keys("ctrl+End")
    qmon.write("#$ -t 1-3")
    qmon.keys("Return", "ctrl+s")
    say_yes(qmon, "Overwrite")
    wait(lambda: script.read_text().endswith("true\n#$ -t 1-3\n"), "the script")
    qmon.to(qmon.sees("Script: "), 300, 200)
    qmon.keys("ctrl+w")
    qmon.misses("Script: ")
    qmon.to(window, 300, 60)
    assert saved_settings(any_cell, qmon) == ["-N comp", "-t 1-3"]
    script.write_text("#$ -N other\n")
    qmon.keys("ctrl+r")
    assert saved_settings(any_cell, qmon) == ["-N other", "-t 1-3"]


def test_an_interactive_job_starts_in_the_configured_terminal(any_cell, home):
    if why_not():
        pytest.skip("impossible here: " + why_not())
    called = any_cell.files / "called"
    terminal = any_cell.files / "terminal"
    terminal.write_text(f"""#!/bin/sh
shift
"$@" </dev/null >{called}.new 2>&1
echo "exit $?" >>{called}.new
mv {called}.new {called}
""")
    terminal.chmod(0o755)
    display = Display()
    try:
        display.start(any_cell, "qmon", "-xrm", f"Qmon*terminal: {terminal} -e", env={"HOME": str(home)})
        display.to(display.sees("qmon: default, connected"), 300, 250)
        window = open_submit(display)
        display.to(window, 300, 60)
        fill(display, command="echo $JOB_NAME $ENVIRONMENT", N="inter")
        display.keys("ctrl+t")
        wait(called.exists, "the terminal")
        assert called.read_text() == "inter INTERACTIVE\nexit 0\n"
        called.unlink()
        # it stays if the job is refused
        fill(display, q="nosuch.q")
        display.keys("ctrl+t")
        wait(called.exists, "the terminal")
        assert 'unknown queue "nosuch.q"' in called.read_text() and "[Return]exit 1\n" in called.read_text()
    finally:
        display.end()
    display = Display()
    try:
        display.start(any_cell, "qmon", "-xrm", "Qmon*terminal: /nonexistent/terminal -e", env={"HOME": str(home)})
        display.to(display.sees("qmon: default, connected"), 300, 250)
        window = open_submit(display)
        display.to(window, 300, 60)
        before = status_line(display, window)
        display.keys("ctrl+t")
        wait(lambda: status_line(display, window) != before, "the reason")
    finally:
        display.end()


def test_a_script_that_is_no_text_is_not_opened(any_cell, qmon):
    script = any_cell.files / "binary"
    script.write_bytes(b"\x7fELF\xff\n")
    window = open_submit(qmon)
    qmon.to(window, 300, 60)
    qmon.write(str(script))
    qmon.keys("ctrl+e")
    qmon.sees("Script")
    qmon.to(window, 900, 700)
    assert not any(title.startswith(f"Script: {script}") for title in qmon.titles())


def test_a_map_of_many_tasks_is_drawn_and_pointed_at(any_cell, qmon):
    ribs = any_cell.held_array("ribs", "1-70000")
    window = open_submit(qmon)
    qmon.to(window, 300, 60)
    fill(qmon, command="true", b="y", hold_jid_ad=str(ribs), t="1-70000:7")
    for x in (1000, 1100, 1250):
        qmon.click(window, x, 300)
    qmon.to(window, 300, 60)
    assert saved_settings(any_cell, qmon) == ["-b y", f"-hold_jid_ad {ribs}", "-t 1-70000:7"]


def seen(display):
    """What is seen on the whole screen, without the pointer."""
    done = subprocess.run(["import", "-silent", "-window", "root", "-depth", "8", "ppm:-"], env=os.environ | {"DISPLAY": display.name},
                          capture_output=True, timeout=60, check=True)
    return done.stdout


def test_f10_leads_to_the_menu_and_escape_back(any_cell, qmon):
    window = open_submit(qmon)
    qmon.to(window, 300, 60)
    qmon.write("true")
    qmon.keys("F10", "Escape", "Escape")
    qmon.write(" -x")
    qmon.sees("Submit Job")
    qmon.keys("F10", "Down", "Up", "Return")  # the last entry of the menu closes the window
    qmon.misses("Submit Job")


def test_a_button_shows_its_key_while_the_pointer_rests_on_it(any_cell, qmon):
    window = open_submit(qmon)
    height = qmon.geometry(window)["HEIGHT"]
    qmon.to(window, 300, 60)
    bare = []

    def is_steady():
        bare.append(seen(qmon))
        return len(bare) > 1 and bare[-1] == bare[-2]
    wait(is_steady, "a window that does not change")
    qmon.to(window, 40, height - 48)
    wait(lambda: seen(qmon) != bare[-1], "the key of the button", 60)
    qmon.to(window, 300, 60)
    wait(lambda: seen(qmon) == bare[-1], "no key any more")


def status_line(display, window):
    """What is seen at the lower edge of WINDOW."""
    rows = 18 * display.geometry(window)["WIDTH"] * 3
    return display.picture(window)[-rows:]


def test_what_a_window_said_goes_when_another_row_is_selected(any_cell, qmon):
    qmon.keys("ctrl+u")
    window = qmon.sees("Queue Control: 1 queue instance")
    height = qmon.geometry(window)["HEIGHT"]
    qmon.to(window, 300, 200)
    nothing = status_line(qmon, window)
    qmon.click(window, 40, height - 48)  # Enable, without a row
    qmon.to(window, 300, 200)
    wait(lambda: status_line(qmon, window) != nothing, "a word on the missing row")
    choose_first(qmon, window)
    qmon.sees("Queue Control: 1 queue instance, 1 selected")
    wait(lambda: status_line(qmon, window) == nothing, "an empty line")


def queue_row(cell, display):
    titles, row = saved_lines(cell, display, "Queue Control: ")
    return dict(zip(titles, row))


def test_queue_control_follows_events_also_after_a_restart(any_cell, qmon):
    """Slots change without Reload."""
    qmon.keys("ctrl+u")
    qmon.to(qmon.sees("Queue Control: 1 queue instance"), 300, 200)
    assert queue_row(any_cell, qmon)["used"] == "0"
    job = any_cell.array("render", "1-2", gated=[1, 2])
    any_cell.wait_state(job, 2, "r")
    wait(lambda: queue_row(any_cell, qmon)["used"] == "2", "used slots")
    any_cell.kill("sge_qmaster")
    any_cell.start()
    any_cell.open("render", 1)
    wait(lambda: queue_row(any_cell, qmon)["used"] == "1", "used slots after the restart", 60)
    any_cell.open("render", 2)
    any_cell.wait_gone(job)
    wait(lambda: queue_row(any_cell, qmon)["used"] == "0", "free slots")
