"""qmon: queues and the objects of administrators, listed, shown, added, cloned, changed and deleted in windows."""
import re
from xml.etree import ElementTree

import pytest

from cell import wait
from test_qmon import display, qmon, say_yes, saved_lines

__all__ = ["display", "qmon"]

@pytest.fixture
def manager(any_cell, display):
    """A qmon of the cell's owner; the pointer is in its main window."""
    display.start(any_cell, "qmon", user=any_cell.owner)
    display.to(display.sees("qmon: default, connected"), 300, 250)
    return display


def open_window(display, key, title):
    """The window that a key of the main window opens; the pointer is in it."""
    display.to(display.sees("qmon: default"), 300, 250)
    display.keys(f"ctrl+{key}")
    window = display.sees(title)
    display.to(window, 300, 300)
    return window


def choose_first(display, window):
    """The first row of the list in WINDOW."""
    display.click(window, 100, 108)
    wait(lambda: any(", " in title for title in display.titles() if title.startswith(("Calendar Conf", "User Conf", "Complex Conf"))), "a row that is selected")


def type_over(display, text):
    """In place of what stands in the field that has the keys."""
    display.keys("Home", "shift+End")
    display.write(text)


def calendars(cell):
    return cell.run("qconf", "-scall").out.split()


def saved_queues(cell, display):
    """The rows of Queue Control: a dict each."""
    titles, *rows = saved_lines(cell, display, "Queue Control: ")
    return [dict(zip(titles, row)) for row in rows]


def queue_states(cell):
    return re.findall(r"(?m)^(\S+@\S+) +\S+ +[\d/]+ +\S+ +\S+ *(\w*) *$", cell.ok("qstat", "-f"))


def test_queue_control_disables_and_enables(any_cell, manager):
    queues = open_window(manager, "u", "Queue Control: 1 queue instance")
    [(name, _)] = queue_states(any_cell)
    manager.click(queues, 300, 122)
    manager.sees("Queue Control: 1 queue instance, 1 selected")
    manager.keys("ctrl+b")
    wait(lambda: queue_states(any_cell) == [(name, "d")], "a queue that is disabled")
    wait(lambda: [(q["queue"], q["states"]) for q in saved_queues(any_cell, manager)] == [(name, "d")], "a row that says so")
    manager.keys("ctrl+e")
    wait(lambda: [(q["queue"], q["states"]) for q in saved_queues(any_cell, manager)] == [(name, "")], "a queue that is enabled")
    assert queue_states(any_cell) == [(name, "")]


def test_queue_control_counts_slots_as_tasks_come_and_go(any_cell, manager):
    open_window(manager, "u", "Queue Control: 1 queue instance")
    job = any_cell.array("render", "1-3", gated=[1, 2, 3])
    wait(lambda: saved_queues(any_cell, manager)[0]["used"] == "3", "slots that are taken")
    for task in (1, 2, 3):
        any_cell.open("render", task)
    any_cell.wait_gone(job)
    wait(lambda: saved_queues(any_cell, manager)[0]["used"] == "0", "slots that are free")


def test_queues_by_host_open_and_close(any_cell, manager):
    queues = open_window(manager, "u", "Queue Control: 1 queue instance")
    [(name, _)] = queue_states(any_cell)
    manager.click(queues, 240, 63)
    wait(lambda: [q["queue"].strip() for q in saved_queues(any_cell, manager)] == ["- " + name.split("@")[1], name], "a host and its queue")
    manager.click(queues, 300, 122)
    manager.keys("Return")
    wait(lambda: [q["queue"] for q in saved_queues(any_cell, manager)] == ["+ " + name.split("@")[1]], "a host that is closed")


def test_a_queue_is_cloned_and_deleted(any_cell, manager):
    queues = open_window(manager, "u", "Queue Control: 1 queue instance")
    manager.click(queues, 300, 122)
    manager.keys("ctrl+k")
    form = manager.sees("Object: new cluster queue all.q")
    manager.to(form, 500, 400)
    type_over(manager, "night.q")
    manager.sees("Object: new cluster queue night.q")
    manager.keys("ctrl+Return")
    manager.misses("Object: ")
    manager.to(queues, 300, 300)
    manager.sees("Queue Control: 2 queue instances")
    assert any_cell.ok("qconf", "-sql").split() == ["all.q", "night.q"]
    manager.click(queues, 300, 143)
    manager.sees("Queue Control: 2 queue instances, 1 selected")
    manager.keys("ctrl+d")
    say_yes(manager, "Delete")
    manager.sees("Queue Control: 1 queue instance")
    assert any_cell.ok("qconf", "-sql").split() == ["all.q"]


def test_a_calendar_from_add_to_delete(any_cell, manager):
    window = open_window(manager, "a", "Calendar Configuration: 0 objects")
    manager.keys("ctrl+n")
    form = manager.sees("Object: new calendar")
    manager.to(form, 500, 400)
    manager.write("night")
    manager.sees("Object: new calendar night")
    manager.keys("Tab", "Tab")
    type_over(manager, "mon-fri=6-20=off")
    manager.keys("ctrl+Return")
    manager.misses("Object: ")
    manager.sees("Calendar Configuration: 1 object")
    assert "week             mon-fri=6-20=off" in any_cell.ok("qconf", "-scal", "night")
    manager.to(window, 300, 300)
    choose_first(manager, window)
    manager.keys("ctrl+m")
    manager.to(manager.sees("Object: change calendar night"), 500, 400)
    manager.keys("Tab", "Tab")
    type_over(manager, "mon-fri=7-20=off")
    manager.keys("ctrl+Return")
    manager.misses("Object: ")
    assert "week             mon-fri=7-20=off" in any_cell.ok("qconf", "-scal", "night")
    manager.to(window, 300, 300)
    manager.keys("ctrl+d")
    say_yes(manager, "Delete")
    manager.sees("Calendar Configuration: 0 objects")
    assert calendars(any_cell) == []


def test_what_the_qmaster_refuses_stays_in_the_window(any_cell, manager):
    open_window(manager, "a", "Calendar Configuration: 0 objects")
    manager.keys("ctrl+n")
    manager.to(manager.sees("Object: new calendar"), 500, 400)
    manager.write("night")
    manager.keys("Tab", "Tab")
    type_over(manager, "someday=off")
    manager.keys("ctrl+Return")
    manager.keys("Tab", "shift+Tab")
    type_over(manager, "mon=off")
    manager.keys("ctrl+Return")
    manager.misses("Object: ")
    assert "mon=off" in any_cell.ok("qconf", "-scal", "night")


@pytest.mark.alone  # the answer must come before the next key, and no window shows that it has
def test_what_somebody_else_has_changed_meanwhile_stays(any_cell, manager):
    any_cell.ok("qconf", "-Acal", write_calendar(any_cell, "mon=off"), user=any_cell.owner)
    window = open_window(manager, "a", "Calendar Configuration: 1 object")
    choose_first(manager, window)
    manager.keys("ctrl+m")
    form = manager.sees("Object: change calendar night")
    any_cell.ok("qconf", "-Mcal", write_calendar(any_cell, "tue=off"), user=any_cell.owner)
    manager.to(form, 500, 400)
    manager.keys("Tab", "Tab")
    type_over(manager, "wed=off")
    manager.keys("ctrl+Return", "ctrl+w")
    say_yes(manager, "Close")
    manager.misses("Object: ")
    assert "tue=off" in any_cell.ok("qconf", "-scal", "night")


def write_calendar(cell, week):
    file = cell.files / "calendar"
    file.write_text(f"calendar_name night\nyear NONE\nweek {week}\n")
    return file


def test_lists_follow_what_is_done_elsewhere(any_cell, manager):
    window = open_window(manager, "a", "Calendar Configuration: 0 objects")
    any_cell.ok("qconf", "-Acal", write_calendar(any_cell, "mon=off"), user=any_cell.owner)
    manager.sees("Calendar Configuration: 1 object")
    choose_first(manager, window)
    any_cell.ok("qconf", "-dcal", "night", user=any_cell.owner)
    manager.sees("Calendar Configuration: 0 objects")


def test_managers_are_names(any_cell, manager):
    window = open_window(manager, "e", "User Configuration: ")
    manager.click(window, 220, 55)
    before = any_cell.ok("qconf", "-sm").split()
    manager.sees(f"User Configuration: {len(before)} object")
    manager.to(window, 300, 300)
    manager.keys("ctrl+n")
    manager.to(manager.sees("Add"), 100, 30)
    manager.write("carol")
    manager.keys("Return")
    manager.misses("Add")
    wait(lambda: any_cell.ok("qconf", "-sm").split() == sorted([*before, "carol"]), "a manager more")
    manager.sees(f"User Configuration: {len(before) + 1} objects")


def test_who_has_no_rights_hears_so_and_keeps_what_was_written(any_cell, qmon):
    if any_cell.user == any_cell.owner:
        pytest.skip("the only user here is a manager")
    window = open_window(qmon, "a", "Calendar Configuration: 0 objects")
    qmon.keys("ctrl+n")
    qmon.to(qmon.sees("Object: new calendar"), 500, 400)
    qmon.write("night")
    qmon.keys("ctrl+Return")
    any_cell.ok("qconf", "-am", any_cell.user, user=any_cell.owner)
    qmon.sees("Object: new calendar night")
    qmon.keys("ctrl+Return")
    qmon.misses("Object: ")
    assert calendars(any_cell) == ["night"]
    qmon.to(window, 300, 300)


def test_windows_come_back_with_the_qmaster(any_cell, manager):
    open_window(manager, "h", "Host Configuration: 1 object")
    manager.keys("ctrl+w")
    manager.misses("Host Configuration")
    open_window(manager, "h", "Host Configuration: 1 object")
    any_cell.kill("sge_qmaster")
    manager.sees("Host Configuration: 1 object (not current")
    manager.keys("ctrl+w")
    open_window(manager, "u", "Queue Control: ")
    manager.sees("Queue Control: 0 queue instances (not current")
    any_cell.sge_cell("start")
    wait(lambda: "Queue Control: 1 queue instance" in manager.titles(), "a window that is current", 60)


def test_what_was_written_is_not_lost_without_a_question(any_cell, manager):
    open_window(manager, "a", "Calendar Configuration: 0 objects")
    manager.keys("ctrl+n")
    form = manager.sees("Object: new calendar")
    manager.to(form, 500, 400)
    manager.keys("ctrl+w")
    manager.misses("Object: ")
    manager.to(manager.sees("Calendar Configuration"), 300, 300)
    manager.keys("ctrl+n")
    manager.to(manager.sees("Object: new calendar"), 500, 400)
    manager.write("night")
    manager.keys("ctrl+w")
    manager.to(manager.sees("Close"), 100, 30)
    manager.keys("Return")
    manager.misses("Close")
    manager.to(manager.sees("Object: new calendar night"), 500, 400)
    manager.keys("ctrl+w")
    say_yes(manager, "Close")
    manager.misses("Object: ")
    assert calendars(any_cell) == []


def shown(cell, display):
    """The text in the Browser."""
    return "\n".join("\t".join(words) for words in saved_lines(cell, display, "Browser: "))


def ask_browser(display, window, what):
    display.click(window, 650, 63)
    type_over(display, what)
    display.keys("Return")
    display.sees(f"Browser: {what}")
    display.to(window, 300, 200)


def test_the_browser_shows_events_as_they_come(any_cell, manager):
    window = open_window(manager, "b", "Browser: ")
    job = any_cell.held_array("render", "1-2")
    wait(lambda: re.search(rf"(?m)^job_add .*JB_job_number={job} ", shown(any_cell, manager)), "the event of a job")
    any_cell.ok("qdel", job)
    wait(lambda: re.search(rf"(?m)^job_del .*EV_job_number={job}$", shown(any_cell, manager)), "its end")
    manager.to(window, 300, 200)


def test_the_browser_shows_any_object_raw_and_as_xml(any_cell, manager):
    window = open_window(manager, "b", "Browser: ")
    job = any_cell.held_array("render", "1-2")
    ask_browser(manager, window, f"job {job}")
    wait(lambda: "JB_job_name render\n" in shown(any_cell, manager).replace("    ", ""), "the job")
    ask_browser(manager, window, "queue all.q")
    wait(lambda: "CQ_name all.q\n" in shown(any_cell, manager).replace("    ", ""), "the queue")
    manager.click(window, 840, 63)
    wait(lambda: "<CQ_name>all.q</CQ_name>" in shown(any_cell, manager), "the queue as XML")
    ElementTree.fromstring(shown(any_cell, manager))


def test_the_browser_shows_messages_of_the_qmaster(any_cell, manager):
    window = open_window(manager, "b", "Browser: ")
    manager.click(window, 130, 63)
    manager.sees("Browser: messages of the qmaster")
    manager.to(window, 300, 200)
    assert "starting up SGE" in shown(any_cell, manager)


def test_a_queue_has_other_values_on_single_hosts(any_cell, manager):
    queues = open_window(manager, "u", "Queue Control: 1 queue instance")
    [host] = any_cell.ok("qconf", "-sel").split()
    manager.click(queues, 300, 122)
    manager.keys("ctrl+m")
    form = manager.sees("Object: change cluster queue all.q")
    manager.click(form, 400, 182)
    manager.click(form, 714, 691)
    manager.write(host)
    manager.click(form, 865, 691)
    manager.write("7")
    manager.keys("Return", "ctrl+Return")
    manager.misses("Object: ")
    assert re.search(rf"(?m)^seq_no +0,\[{host}=7\]$", any_cell.ok("qconf", "-sq", "all.q"))


def test_weights_have_sliders(any_cell, manager):
    window = open_window(manager, "t", "Tickets and Scheduler: 1 object")
    manager.click(window, 100, 108)
    manager.sees("Tickets and Scheduler: 1 object, ")
    manager.keys("ctrl+m")
    form = manager.sees("Object: change scheduler configuration")
    manager.to(form, 500, 300)
    names = [line.split()[0] for line in any_cell.ok("qconf", "-ssconf").splitlines()]
    manager.keys(*["Tab"] * (names.index("weight_user") + 1), "Right", "ctrl+Return")
    manager.misses("Object: ")
    assert re.search(r"(?m)^weight_user +0\.251000$", any_cell.ok("qconf", "-ssconf"))


def test_a_week_is_painted(any_cell, manager):
    open_window(manager, "a", "Calendar Configuration: 0 objects")
    manager.keys("ctrl+n")
    form = manager.sees("Object: new calendar")
    manager.to(form, 500, 400)
    manager.write("night")
    manager.keys("Tab", "Tab")
    manager.to(form, 897, 585)
    manager.hands("mousedown", 1)
    manager.to(form, 937, 585)
    manager.hands("mouseup", 1)
    manager.keys("Down", "space", "ctrl+Return")
    manager.misses("Object: ")
    assert re.search(r"(?m)^week +wed=10-12:30=off thu=10-10:30=off$", any_cell.ok("qconf", "-scal", "night"))


def test_a_share_tree_is_built_and_rearranged(any_cell, manager):
    window = open_window(manager, "t", "Tickets and Scheduler: ")
    manager.click(window, 130, 55)
    manager.sees("Tickets and Scheduler: 0 objects")
    manager.to(window, 300, 300)
    manager.keys("ctrl+n")
    form = manager.sees("Object: new ")
    manager.click(form, 100, 124)
    for name, shares in (("film", 30), ("default", 10)):
        manager.click(form, 146, 487)
        type_over(manager, name)
        manager.click(form, 339, 487)
        type_over(manager, str(shares))
        manager.click(form, 426, 487)
    manager.to(form, 100, 166)
    manager.hands("mousedown", 1)
    manager.to(form, 100, 145)
    manager.hands("mouseup", 1)
    manager.keys("ctrl+Return")
    manager.misses("Object: ")
    manager.sees("Tickets and Scheduler: 1 object")
    assert re.search(r"name=film\ntype=0\nshares=30\nchildnodes=2\n", any_cell.ok("qconf", "-sstree"))


def test_resources_are_a_table_and_change_one_by_one(any_cell, manager):
    n = len([line for line in any_cell.ok("qconf", "-sc").splitlines() if not line.startswith("#")])
    open_window(manager, "c", f"Complex Configuration: {n} objects")
    manager.keys("ctrl+n")
    manager.to(manager.sees("Object: new "), 500, 400)
    manager.write("licence")
    manager.keys("Tab")
    type_over(manager, "lic")
    manager.keys("ctrl+Return")
    manager.misses("Object: ")
    manager.sees(f"Complex Configuration: {n + 1} objects")
    assert re.search(r"(?m)^licence +lic +INT ", any_cell.ok("qconf", "-sc"))
