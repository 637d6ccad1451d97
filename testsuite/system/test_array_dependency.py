"""-hold_jid_ad, submit(1): dependencies between the tasks of array jobs, in whole cells.

The definition is brute force: chunk i of B covers the indices i .. i+sb-1, cut at the end of the range; chunk j of A covers
j .. j+sa-1; B.i waits for A.j when they share an index."""
import itertools
import random
import socket

import pytest

from cell import wait

NOT_AN_ARRAY = 'Can only specify "-hold_jid_ad" option with an array job (using "-t" option)'
OTHER_RANGE = "This array job must have the same range of sub-tasks as the dependent array job specified with -hold_jid_ad"


def indices(first, last, step):
    return range(first, last + 1, step)


def covered(task, last, step):
    return set(range(task, min(task + step - 1, last) + 1))


def waits_for(first, last, a_step, b_step):
    """{task of B: set of the tasks of A that it waits for}."""
    return {i: {j for j in indices(first, last, a_step) if covered(j, last, a_step) & covered(i, last, b_step)}
            for i in indices(first, last, b_step)}


def still_held(wanted, gone):
    return {i for i, needs in wanted.items() if needs - gone}


SHAPES = [(1, 6, 1, 1), (1, 6, 1, 2), (1, 6, 2, 1), (1, 6, 3, 2), (1, 6, 2, 3), (1, 10, 1, 4), (1, 10, 4, 1), (1, 7, 3, 1), (1, 7, 1, 3),
          (1, 12, 3, 2), (1, 11, 3, 2), (2, 9, 2, 3), (3, 10, 4, 1), (5, 5, 1, 1), (1, 9, 4, 6), (1, 5, 9, 1), (1, 5, 1, 9)]


def span(first, last, step):
    return f"{first}-{last}:{step}"


# ---- the map: which tasks are held as those they wait for disappear -------------------------------------------------

def test_deleting_tasks_of_a_releases_those_of_b_at_once_and_no_others(any_cell):
    for first, last, a_step, b_step in SHAPES:
        a = any_cell.held_array("A", span(first, last, a_step))
        b = any_cell.held_array("B", span(first, last, b_step), "-hold_jid_ad", a)
        wanted, gone = waits_for(first, last, a_step, b_step), set()
        assert any_cell.array_held(b) == set(wanted)
        for task in indices(first, last, a_step):
            any_cell.ok("qdel", f"{a}.{task}")
            gone.add(task)
            assert any_cell.array_held(b) == still_held(wanted, gone), (first, last, a_step, b_step, gone)
        any_cell.ok("qdel", b)


def test_the_last_chunk_waits_for_the_tasks_in_it_and_no_others(any_cell):
    a = any_cell.held_array("A", "1-10")
    b = any_cell.held_array("B", "1-10:4", "-hold_jid_ad", a)
    any_cell.ok("qdel", f"{a}.9")
    assert any_cell.array_held(b) == {1, 5, 9}
    any_cell.ok("qdel", f"{a}.10")
    assert any_cell.array_held(b) == {1, 5}
    c = any_cell.held_array("C", "1-10:4")
    d = any_cell.held_array("D", "1-10", "-hold_jid_ad", c)
    any_cell.ok("qdel", f"{c}.9")
    assert any_cell.array_held(d) == set(range(1, 9))


def test_a_predecessor_deleted_as_a_whole_releases_everything(any_cell):
    a = any_cell.held_array("A", "1-1000:3")
    b = any_cell.held_array("B", "1-1000", "-hold_jid_ad", a)
    any_cell.ok("qdel", a)
    assert any_cell.array_held(b) == set()


@pytest.mark.parametrize("shape", [(1, 6, 1, 1), (1, 10, 1, 4), (1, 10, 4, 1), (1, 11, 3, 2)], ids=lambda s: "-".join(map(str, s)))
def test_a_task_starts_after_all_it_waits_for_has_ended(cell, shape):
    first, last, a_step, b_step = shape
    a = cell.array("A", span(first, last, a_step))
    b = cell.array("B", span(first, last, b_step), "-hold_jid_ad", a)
    cell.wait_gone(a, b, seconds=60)
    at = {(kind, name, task): when for kind, name, task, when in cell.notes()}
    for task, needs in waits_for(*shape).items():
        for need in needs:
            assert at["end", "A", need] < at["start", "B", task], (task, need)
    assert len(at) == 2 * (len(indices(first, last, a_step)) + len(indices(first, last, b_step)))


def test_a_task_starts_while_others_of_its_predecessor_still_run(cell):
    a = cell.array("A", "1-3", gated=[1, 2, 3])
    b = cell.array("B", "1-3", "-hold_jid_ad", a)
    for task in (2, 3, 1):
        cell.wait_note("start", "A", task)
        cell.open("A", task)
        cell.wait_note("end", "B", task)
    cell.wait_gone(a, b)
    assert [n[2] for n in cell.notes("start") if n[1] == "B"] == [2, 3, 1]


# ---- several predecessors -------------------------------------------------------------------------------------------

def endings():
    """Every order in which tasks 1 of two predecessors end, each by running to its end or by qdel."""
    for order in itertools.permutations(["A", "B"]):
        yield from ((order, ways) for ways in itertools.product(["exit", "fail", "delete"], repeat=2))


def test_whichever_of_two_predecessors_ends_last_releases(any_cell):
    for number, (order, ways) in enumerate(endings()):
        names = {letter: f"{letter}{number}" for letter in "ABC"}
        jobs = {letter: any_cell.array(names[letter], "1-2", gated=[1, 2]) for letter in "AB"}
        c = any_cell.array(names["C"], "1-2", "-hold_jid_ad", f"{jobs['A']},{jobs['B']}")
        for letter in order:
            any_cell.wait_note("start", names[letter], 1)
        assert any_cell.array_held(c) == {1, 2}
        for position, (letter, way) in enumerate(zip(order, ways)):
            if way == "delete":
                any_cell.ok("qdel", f"{jobs[letter]}.1")
            else:
                any_cell.open(names[letter], 1, 1 if way == "fail" else 0)
            wait(lambda: 1 not in any_cell.tasks(jobs[letter]), "the task to end")
            held = any_cell.array_held(c)
            assert held == ({1, 2} if position == 0 else {2}), (order, ways, position)
        any_cell.wait_note("end", names["C"], 1)
        any_cell.ok("qdel", jobs["A"], jobs["B"], c)
        any_cell.wait_gone(jobs["A"], jobs["B"], c)


def test_hold_jid_and_hold_jid_ad_work_together(cell):
    x = cell.qsub("-h", "-N", "X", "-b", "y", "-o", "/dev/null", "-j", "y", "/bin/true")
    a = cell.held_array("A", "1-3")
    c = cell.array("C", "1-3", "-hold_jid", x, "-hold_jid_ad", a)
    assert cell.tasks(c, "-s", "hj").keys() == {1, 2, 3} == cell.array_held(c)
    cell.ok("qdel", a)
    assert cell.array_held(c) == set() and set(cell.tasks(c).values()) == {"hqw"}
    cell.ok("qdel", x)
    cell.wait_gone(c)
    assert len(cell.notes("end")) == 3


def test_a_predecessor_counts_once_however_it_is_named(any_cell):
    a = any_cell.held_array("A", "1-2")
    b = any_cell.held_array("B", "1-2", "-hold_jid_ad", f"{a},A,A*", "-hold_jid_ad", a)
    assert any_cell.detail(b)["ja_ad_predecessor_list"] == str(a)
    any_cell.ok("qdel", f"{a}.1")
    assert any_cell.array_held(b) == {2}


def test_a_diamond_joins_both_sides(cell):
    a = cell.array("A", "1-4")
    b = cell.array("B", "1-4:2", "-hold_jid_ad", a)
    c = cell.array("C", "1-4", "-hold_jid_ad", a)
    d = cell.array("D", "1-4:2", "-hold_jid_ad", f"{b},{c}")
    cell.wait_gone(a, b, c, d)
    at = {note[:3]: note[3] for note in cell.notes()}
    for task in (1, 3):
        assert at["start", "D", task] > max(at["end", "B", task], at["end", "C", task], at["end", "C", task + 1])


# ---- what ends a task and what does not -----------------------------------------------------------------------------

@pytest.mark.parametrize("code", [0, 1, 2, 98, 101, 255])
def test_any_exit_status_ends_a_task(any_cell, code):
    a = any_cell.array("A", "1-2", gated=[1, 2])
    b = any_cell.array("B", "1-2", "-hold_jid_ad", a)
    any_cell.wait_note("start", "A", 2)
    any_cell.open("A", 2, code)
    any_cell.wait_note("end", "B", 2)
    assert any_cell.array_held(b) == {1}
    any_cell.ok("qdel", a, b)
    any_cell.wait_gone(a, b)


def test_a_signal_ends_a_task(any_cell):
    a = any_cell.qsub("-N", "A", "-wd", any_cell.files, "-t", "1-2", "-o", "/dev/null", "-j", "y", "-b", "y", "kill -SEGV $$")
    b = any_cell.array("B", "1-2", "-hold_jid_ad", a)
    any_cell.wait_gone(a, b)
    assert len(any_cell.notes("end")) == 2


def test_exit_99_puts_the_task_back_and_releases_nothing(any_cell):
    a = any_cell.array("A", "1-2", gated=[1, 2])
    b = any_cell.array("B", "1-2", "-hold_jid_ad", a)
    any_cell.wait_note("start", "A", 1)
    any_cell.open("A", 1, 99)
    any_cell.wait_note("start", "A", 1, count=2)
    assert any_cell.array_held(b) == {1, 2}
    any_cell.open("A", 1, 0)
    any_cell.wait_note("end", "B", 1)
    any_cell.open("A", 2)
    any_cell.wait_gone(a, b)


def test_exit_100_parks_the_task_until_its_error_is_cleared(any_cell):
    a = any_cell.array("A", "1-2", gated=[1, 2])
    b = any_cell.array("B", "1-2", "-hold_jid_ad", a)
    any_cell.wait_note("start", "A", 1)
    any_cell.open("A", 1, 100)
    any_cell.wait_state(a, 1, "Eqw")
    assert any_cell.array_held(b) == {1, 2}
    any_cell.ok("qmod", "-cj", f"{a}.1")
    any_cell.wait_note("start", "A", 1, count=2)
    assert any_cell.array_held(b) == {1, 2}
    any_cell.open("A", 1, 0)
    any_cell.wait_note("end", "B", 1)
    any_cell.open("A", 2)
    any_cell.wait_gone(a, b)


def test_deleting_a_task_in_error_releases(any_cell):
    a = any_cell.array("A", "1", gated=[1])
    b = any_cell.array("B", "1", "-hold_jid_ad", a)
    any_cell.wait_note("start", "A", 1)
    any_cell.open("A", 1, 100)
    any_cell.wait_state(a, 1, "Eqw")
    any_cell.ok("qdel", f"{a}.1")
    any_cell.wait_gone(a, b)
    assert [n[:2] for n in any_cell.notes("end")][-1] == ("end", "B")


def test_a_rescheduled_task_releases_nothing_until_it_ends(any_cell):
    a = any_cell.array("A", "1", "-r", "y", gated=[1])
    b = any_cell.array("B", "1", "-hold_jid_ad", a)
    any_cell.wait_note("start", "A", 1)
    any_cell.wait_state(a, 1, "r")
    any_cell.ok("qmod", "-rj", f"{a}.1")
    any_cell.wait_note("start", "A", 1, count=2)
    assert any_cell.array_held(b) == {1}
    any_cell.open("A", 1)
    any_cell.wait_gone(a, b)


def test_deleting_running_and_pending_tasks_releases(any_cell):
    a = any_cell.array("A", "1-8", "-tc", "2", gated=range(1, 9))
    b = any_cell.held_array("B", "1-8", "-hold_jid_ad", a)
    any_cell.wait_note("start", "A", 2)
    any_cell.ok("qdel", f"{a}.5")
    assert any_cell.array_held(b) == {1, 2, 3, 4, 6, 7, 8}
    any_cell.ok("qdel", f"{a}.7-8")
    assert any_cell.array_held(b) == {1, 2, 3, 4, 6}
    any_cell.ok("qdel", f"{a}.1")
    wait(lambda: any_cell.array_held(b) == {2, 3, 4, 6}, "B.1 to be released")
    any_cell.ok("qdel", a)
    wait(lambda: any_cell.array_held(b) == set(), "all to be released")


def test_predecessors_that_have_ended_hold_nothing(cell):
    a = cell.array("A", "1-3", gated=[3])
    wait(lambda: set(cell.tasks(a)) == {3}, "two tasks to end")
    b = cell.array("B", "1-3", "-hold_jid_ad", a)
    assert cell.array_held(b) == {3}
    cell.wait_note("end", "B", 2)
    cell.open("A", 3)
    cell.wait_gone(a, b)
    late = cell.array("late", "1-3", "-hold_jid_ad", a)
    assert cell.array_held(late) == set()
    cell.wait_gone(late)


# ---- holds of other kinds -------------------------------------------------------------------------------------------

def test_qrls_and_qalter_h_n_do_not_lift_an_array_hold(users_cell):
    a = users_cell.held_array("A", "1-2")
    b = users_cell.qsub("-N", "B", "-t", "1-2", "-b", "y", "-hold_jid_ad", a, "/bin/true")
    assert users_cell.ok("qrls", b) == ""
    users_cell.ok("qalter", "-h", "n", b, user="root")
    assert users_cell.array_held(b) == {1, 2}
    assert set(users_cell.tasks(b).values()) == {"hqw"}


def test_kinds_of_hold_are_told_apart(users_cell):
    a = users_cell.held_array("A", "1-2")
    b = users_cell.qsub("-N", "B", "-t", "1-2", "-b", "y", "-hold_jid_ad", a, "/bin/true")
    users_cell.ok("qhold", f"{b}.1")
    assert users_cell.tasks(b, "-s", "hu").keys() == {1}
    assert users_cell.tasks(b, "-s", "hd").keys() == {1, 2}
    assert users_cell.tasks(b, "-s", "h").keys() == {1, 2}
    for other in ("ho", "hs", "hj", "ha"):
        assert users_cell.tasks(b, "-s", other) == {}
    users_cell.ok("qdel", a)
    assert users_cell.tasks(b, "-s", "h").keys() == {1}


# ---- qalter ---------------------------------------------------------------------------------------------------------

def test_qalter_recomputes_the_holds_in_both_directions(any_cell):
    a1, a2 = any_cell.held_array("A1", "1-4"), any_cell.held_array("A2", "1-4")
    b = any_cell.held_array("B", "1-4")
    out = any_cell.ok("qalter", "-hold_jid_ad", a1, b)
    assert out == f"modified job id hold array list of job {b}\n   blocking jobs: {a1}\n   exited jobs:   NONE\n"
    assert any_cell.array_held(b) == {1, 2, 3, 4}
    any_cell.ok("qdel", f"{a1}.1", f"{a2}.2")
    assert any_cell.array_held(b) == {2, 3, 4}
    any_cell.ok("qalter", "-hold_jid_ad", a2, b)
    assert any_cell.array_held(b) == {1, 3, 4}
    assert "ja_ad_sucessor_list" not in any_cell.detail(a1)
    assert any_cell.detail(a2)["ja_ad_sucessor_list"] == str(b)
    any_cell.ok("qalter", "-hold_jid_ad", f"{a1},{a2}", b)
    assert any_cell.array_held(b) == {1, 2, 3, 4}
    any_cell.ok("qdel", a1)
    assert any_cell.array_held(b) == {1, 3, 4}


def test_an_empty_list_clears(any_cell):
    a = any_cell.held_array("A", "1-3")
    b = any_cell.held_array("B", "1-3", "-hold_jid_ad", a, "-hold_jid", a)
    any_cell.ok("qalter", "-hold_jid_ad", "", b)
    assert any_cell.array_held(b) == set()
    detail = any_cell.detail(b)
    assert not [label for label in detail if label.startswith("ja_ad_")]
    assert detail["jid_predecessor_list"] == str(a)
    any_cell.ok("qalter", "-hold_jid", "", b)
    assert not [label for label in any_cell.detail(b) if "predecessor" in label]
    c = any_cell.held_array("C", "1-3", "-hold_jid_ad", "", "-hold_jid", "")
    assert not [label for label in any_cell.detail(c) if "predecessor" in label]


def test_qresub_takes_and_clears_the_list(any_cell):
    a = any_cell.held_array("A", "1-3")
    b = any_cell.held_array("B", "1-3", "-hold_jid_ad", a)
    before = {number for number, _ in any_cell.states()}
    any_cell.ok("qresub", b)
    any_cell.ok("qresub", "-h", "u", "-hold_jid_ad", "", b)
    same, cleared = sorted({number for number, _ in any_cell.states()} - before)
    assert any_cell.array_held(same) == {1, 2, 3}
    assert any_cell.array_held(cleared) == set()


def test_a_script_line_and_a_request_file_take_the_option(any_cell):
    a = any_cell.held_array("A", "1-3")
    script = any_cell.files / "embedded.sh"
    script.write_text(f"#!/bin/sh\n#$ -t 1-3 -hold_jid_ad {a}\n#$ -h\ntrue\n")
    assert any_cell.array_held(any_cell.qsub(script)) == {1, 2, 3}
    request = any_cell.files / "request"
    request.write_text(f"-t 1-3\n-hold_jid_ad {a}\n")
    assert any_cell.array_held(any_cell.qsub("-@", request, "-h", "-b", "y", "/bin/true")) == {1, 2, 3}


# ---- refusals -------------------------------------------------------------------------------------------------------

def test_refused_lists_say_why_and_change_nothing(any_cell):
    a, single = any_cell.held_array("A", "1-3"), any_cell.qsub("-h", "-N", "single", "-b", "y", "/bin/true")
    longer, b = any_cell.held_array("R", "1-10"), any_cell.held_array("B", "1-3")
    before = any_cell.states()
    cases = [(["-hold_jid_ad", a], NOT_AN_ARRAY), (["-t", "1-3", "-hold_jid_ad", single], NOT_AN_ARRAY),
             (["-t", "1-3", "-hold_jid_ad", longer], OTHER_RANGE), (["-t", "1-10", "-hold_jid_ad", a], OTHER_RANGE),
             (["-t", "1", "-hold_jid_ad", a], OTHER_RANGE), (["-t", "2-4", "-hold_jid_ad", a], OTHER_RANGE),
             (["-t", "1-3", "-hold_jid_ad", f"{a},{longer}"], OTHER_RANGE),
             (["-t", "1-3", "-hold_jid_ad", f"{a}.1"], f'denied: job "{a}.1" not found')]
    for options, text in cases:
        result = any_cell.refused("qsub", "-b", "y", *options, "/bin/true")
        assert (result.out, result.err) == ("", f"Unable to run job: {text}\nExiting.\n"), options
    for words, text in (([longer, b], OTHER_RANGE), ([single, b], NOT_AN_ARRAY), ([a, single], NOT_AN_ARRAY),
                        ([b, b], f'denied: job "{b}" may not be its own jobnet predecessor')):
        result = any_cell.refused("qalter", "-hold_jid_ad", *words)
        assert (result.out, result.err) == (text + "\n", ""), words
    assert any_cell.states() == before
    assert any_cell.array_held(b) == set()


def test_ranges_are_compared_as_submitted(any_cell):
    for have, same, other in (("1-10", ["1-10:4", "1-10:9"], ["1-9", "2-10"]), ("1-9:3", ["1-9", "1-9:2"], ["1-7", "1-8"]), ("1", ["1-1"], ["2"])):
        a = any_cell.held_array("A", have)
        for tasks in same:
            any_cell.held_array("B", tasks, "-hold_jid_ad", a)
        for tasks in other:
            assert OTHER_RANGE in any_cell.refused("qsub", "-b", "y", "-t", tasks, "-hold_jid_ad", a, "/bin/true").err


def test_unknown_names_and_ids_are_accepted(any_cell):
    a = any_cell.held_array("A", "1-3")
    for names in ("nosuch", "999999"):
        b = any_cell.held_array("B", "1-3", "-hold_jid_ad", names)
        assert any_cell.array_held(b) == set()
        assert any_cell.detail(b)["ja_ad_predecessor_list (req)"] == names
    b = any_cell.held_array("B", "1-3", "-hold_jid_ad", f"{a},nosuch,999999")
    assert any_cell.detail(b)["ja_ad_predecessor_list"] == str(a)


def test_cycles_over_both_kinds_of_edge_are_refused(any_cell):
    a = any_cell.held_array("A", "1-3")
    b = any_cell.held_array("B", "1-3", "-hold_jid_ad", a)
    c = any_cell.held_array("C", "1-3", "-hold_jid", b)
    for option, predecessor, job, last in (("-hold_jid_ad", c, a, b), ("-hold_jid", c, a, b), ("-hold_jid_ad", b, a, b), ("-hold_jid", b, a, b),
                                           ("-hold_jid_ad", c, b, c)):
        result = any_cell.refused("qalter", option, predecessor, job)
        assert result.out == f"job {job} dependency change would generate a dependency cycle with job {last}\n"
    assert any_cell.array_held(a) == set()


def test_a_lattice_of_diamonds_is_checked_at_once(any_cell):
    top = any_cell.held_array("top", "1-2")
    last = top
    for _ in range(60):
        left = any_cell.held_array("left", "1-2", "-hold_jid_ad", last)
        right = any_cell.held_array("right", "1-2", "-hold_jid", last)
        last = any_cell.held_array("join", "1-2", "-hold_jid_ad", left, "-hold_jid", right)
    result = any_cell.refused("qalter", "-hold_jid_ad", last, top, timeout=20)
    assert result.out in [f"job {top} dependency change would generate a dependency cycle with job {first}\n" for first in (top + 1, top + 2)]


def test_names_mean_the_owners_jobs_and_ids_anybodys(users_cell):
    a = users_cell.held_array("foo1", "1-3")
    named = users_cell.held_array("B", "1-3", "-hold_jid_ad", "foo1", user="bob")
    by_id = users_cell.held_array("B", "1-3", "-hold_jid_ad", a, user="bob")
    assert users_cell.array_held(named) == set()
    assert users_cell.array_held(by_id) == {1, 2, 3}


@pytest.mark.parametrize("pattern, matched", [("foo1", "1"), ("foo*", "12"), ("foo1,bar", "1b"), ("*", "12b"), ("fo?1", "1"), ("foo[12]", "12"),
                                              ("foo*|bar", "12b"), ("foo1,nosuch", "1")])
def test_patterns(any_cell, pattern, matched):
    jobs = {"1": any_cell.held_array("foo1", "1-3"), "2": any_cell.held_array("foo2", "1-3"), "b": any_cell.held_array("bar", "1-3")}
    d = any_cell.held_array("D", "1-3", "-hold_jid_ad", pattern)
    detail = any_cell.detail(d)
    assert detail["ja_ad_predecessor_list (req)"] == pattern
    assert detail["ja_ad_predecessor_list"] == ",".join(str(jobs[m]) for m in matched)


# ---- what is shown --------------------------------------------------------------------------------------------------

def seed_scenario(cell):
    """The five jobs of the specification's example."""
    first, second = (cell.qsub("-h", "-N", "A", "-b", "y", "/bin/true") for _ in range(2))
    third, fourth = (cell.held_array("B", "1-3") for _ in range(2))
    c = cell.qsub("-hold_jid", "A", "-hold_jid_ad", "B", "-t", "1-3", "-N", "C", "-b", "y", "-o", "/dev/null", "-j", "y", "/bin/true")
    return first, second, third, fourth, c


def test_qstat_j_shows_all_lists_once(any_cell):
    first, second, third, fourth, c = seed_scenario(any_cell)
    lines = any_cell.ok("qstat", "-j", c).splitlines()
    shown = [line for line in lines if "predecessor_list" in line or "sucessor_list" in line]
    assert [tuple(line.split(":", 1)) for line in shown] == [
        ("jid_predecessor_list (req)", " A"), ("jid_predecessor_list", f"       {first},{second}"),
        ("ja_ad_predecessor_list (req)", " B"), ("ja_ad_predecessor_list", f"     {third},{fourth}")]
    assert any_cell.detail(first)["jid_sucessor_list"] == str(c)
    assert any_cell.detail(third)["ja_ad_sucessor_list"] == str(c)
    assert "ja_ad_sucessor_list" not in any_cell.detail(first)
    assert any_cell.ok("qstat", "-s", "hd").splitlines()[2].split()[0] == str(c)


def test_xml_has_the_elements_of_the_specification(any_cell):
    import xml.etree.ElementTree as tree
    first, second, third, fourth, c = seed_scenario(any_cell)

    def lists(job):
        text = any_cell.ok("qstat", "-j", job, "-xml")
        lint = any_cell.run("xmllint", "--noout", "-", stdin=text)
        assert lint.code == 0, str(lint)
        found = {}
        for name in ("JB_jid_request_list", "JB_jid_predecessor_list", "JB_jid_sucessor_list", "JB_ja_ad_request_list",
                     "JB_ja_ad_predecessor_list", "JB_ja_ad_sucessor_list"):
            elements = tree.fromstring(text).findall(f".//{name}")
            assert len(elements) <= 1, name
            if elements:
                found[name] = [[(field.tag, field.text) for field in entry] for entry in elements[0].findall("element")]
        return found

    assert lists(c) == {
        "JB_jid_request_list": [[("JRE_job_number", "0"), ("JRE_job_name", "A")]],
        "JB_jid_predecessor_list": [[("JRE_job_number", str(first))], [("JRE_job_number", str(second))]],
        "JB_ja_ad_request_list": [[("JRE_job_number", "0"), ("JRE_job_name", "B")]],
        "JB_ja_ad_predecessor_list": [[("JRE_job_number", str(third))], [("JRE_job_number", str(fourth))]]}
    assert lists(first) == {"JB_jid_sucessor_list": [[("JRE_job_number", str(c))]]}
    assert lists(third) == {"JB_ja_ad_sucessor_list": [[("JRE_job_number", str(c))]]}


def test_why_names_what_a_task_waits_for(any_cell):
    a = any_cell.held_array("A", "1-10:4")
    b = any_cell.held_array("B", "1-10:3", "-hold_jid_ad", a)

    def waits():
        lines = any_cell.ok("qstat", "-j", f"{b}.4", "-why").splitlines()
        assert lines[0].split() == ["waits", "for", "name", "state", "because", "of"]
        assert lines[-1] == f"user hold; release with qrls {b}.4"
        return [line.split() for line in lines[2:-1]]

    assert waits() == [[f"{a}.1", "A", "hqw", "hold_jid_ad"], [f"{a}.5", "A", "hqw", "hold_jid_ad"]]
    any_cell.ok("qdel", f"{a}.1")
    assert waits() == [[f"{a}.5", "A", "hqw", "hold_jid_ad"]]


def test_why_answers_for_arrays_and_names(any_cell):
    a = any_cell.held_array("A", "1-3")
    b = any_cell.held_array("B", "1-3", "-hold_jid_ad", a)
    single = any_cell.qsub("-h", "-N", "S", "-b", "y", "-hold_jid", a, "/bin/true")
    assert any_cell.ok("qstat", "-j", single, "-why").count("hold_jid\n") == 3
    assert any_cell.ok("qstat", "-j", "S", "-why") == any_cell.ok("qstat", "-j", single, "-why")
    assert any_cell.ok("qstat", "-j", "B.3", "-why") == any_cell.ok("qstat", "-j", f"{b}.3", "-why")
    any_cell.ok("qrls", f"{b}.3")
    held, free = any_cell.ok("qstat", "-j", b, "-why").split("\n\n")
    assert free.splitlines()[0] == f"task {b}.3 (hqw):" and f"{a}.3 " in free and "qrls" not in free
    assert held.splitlines()[0] == f"tasks 1,2 of job {b} (hqw), such as {b}.1:" and held.endswith(f"user hold; release with qrls {b}.1")
    headings = [line for line in any_cell.ok("qstat", "-j", "*", "-why").splitlines() if line.endswith(":")]
    assert [line.split(" (")[0] for line in headings] == [f"tasks 1-3:1 of job {a}", f"tasks 1,2 of job {b}", f"task {b}.3", f"job {single}"]
    assert f'job "{b}" task "4" does not exist' in any_cell.refused("qstat", "-j", f"{b}.4", "-why").err


def test_why_says_that_it_does_not_show_all(any_cell):
    a, x = any_cell.held_array("A", "1-20000"), any_cell.held_array("X", "1-20000:10000")
    b = any_cell.held_array("B", "1-20000:20000", "-hold_jid_ad", f"{a},{x}")
    c = any_cell.held_array("C", "1-20000:10000", "-hold_jid_ad", a)
    for job, warning in ((b, "warning: it waits for more than the 10000 tasks that are shown\n"), (c, "")):
        result = any_cell.run("qstat", "-j", f"{job}.1", "-why")
        assert (result.code, result.err, result.out.count("\n")) == (0, warning, 10003)


def test_a_task_that_runs_waits_for_nothing_and_one_that_ended_is_gone(any_cell):
    b = any_cell.array("B", "1-2", "-r", "y", gated=[1, 2])
    any_cell.wait_state(b, 1, "r")
    any_cell.wait_state(b, 2, "r")
    a = any_cell.held_array("A", "1-2")
    any_cell.ok("qalter", "-hold_jid_ad", a, b)
    assert any_cell.ok("qstat", "-j", f"{b}.1", "-why") == f'running in queue instance "all.q@{socket.gethostname()}"\n'
    any_cell.ok("qmod", "-rj", f"{b}.1")
    any_cell.wait_state(b, 1, "hRq")
    assert f"{a}.1 " in any_cell.ok("qstat", "-j", f"{b}.1", "-why")
    any_cell.ok("qdel", f"{b}.1")
    assert f'job "{b}" task "1" does not exist' in any_cell.refused("qstat", "-j", f"{b}.1", "-why").err
    any_cell.ok("qdel", b)
    any_cell.wait_gone(b)


def test_without_the_option_nothing_of_it_is_seen(any_cell):
    a = any_cell.held_array("A", "1-3")
    assert "ja_ad" not in any_cell.ok("qstat", "-j", a)
    assert "ja_ad" not in any_cell.ok("qstat", "-j", a, "-xml")
    assert any_cell.ok("qstat", "-s", "hd") == ""


# ---- everything at random, against the definition --------------------------------------------------------------------

class Model:
    """What jobs there should be: {number: [first, last, step, unfinished tasks, predecessors]}."""

    def __init__(self):
        self.jobs = {}

    def end(self, number, tasks):
        self.jobs[number][3] -= set(tasks)
        if not self.jobs[number][3]:
            del self.jobs[number]
            for job in self.jobs.values():
                job[4].discard(number)

    def held(self):
        """(job, task) of all that wait."""
        return {(number, task) for number, (first, last, step, unfinished, predecessors) in self.jobs.items() for task in unfinished
                if any(covered(need, last, self.jobs[p][2]) & covered(task, last, step) for p in predecessors for need in self.jobs[p][3])}

    def closes_cycle(self, number, predecessors):
        return any(p == number or self.closes_cycle(number, self.jobs[p][4]) for p in predecessors)

    def some(self, dice, ends, besides=None):
        """Up to three jobs with a range of these ends."""
        fitting = [number for number, job in self.jobs.items() if number != besides and tuple(job[:2]) == ends]
        return set(dice.sample(fitting, min(len(fitting), dice.randint(0, 3))))


def one_change(cell, model, dice):
    number, kind = dice.choice(list(model.jobs) or [None]), dice.random()
    if number is None or kind < 0.4:
        ends, step = dice.choice([(1, 12), (2, 13), (5, 5)]), dice.randint(1, 9)
        predecessors = model.some(dice, ends)
        number = cell.held_array("J", span(*ends, step), "-hold_jid_ad", ",".join(map(str, predecessors)))
        model.jobs[number] = [*ends, step, set(indices(*ends, step)), predecessors]
    elif kind < 0.75:
        tasks = dice.sample(sorted(model.jobs[number][3]), dice.randint(1, min(3, len(model.jobs[number][3]))))
        cell.ok("qdel", *(f"{number}.{task}" for task in tasks))
        model.end(number, tasks)
    elif kind < 0.95:
        predecessors = model.some(dice, tuple(model.jobs[number][:2]), number)
        is_cycle = model.closes_cycle(number, predecessors)
        assert cell.run("qalter", "-hold_jid_ad", ",".join(map(str, predecessors)), number).code == is_cycle
        if not is_cycle:
            model.jobs[number][4] = predecessors
    else:
        cell.restart_master()


@pytest.mark.parametrize("seed", [1, 2])
def test_holds_are_true_whatever_happens(any_cell, seed):
    model, dice = Model(), random.Random(seed)
    for change in range(80):
        one_change(any_cell, model, dice)
        assert set(any_cell.states("-s", "hd")) == model.held(), (seed, change)
        assert set(any_cell.states()) == {(number, task) for number, job in model.jobs.items() for task in job[3]}, (seed, change)


# ---- restart --------------------------------------------------------------------------------------------------------

def test_holds_are_the_same_after_kill_and_restart(any_cell):
    a, x = any_cell.array("A", "1-10:4", gated=[5, 9]), any_cell.held_array("X", "1-10:3")
    b = any_cell.held_array("B", "1-10", "-hold_jid_ad", f"{a},{x}")
    c = any_cell.held_array("C", "1-10:2", "-hold_jid_ad", "B", "-hold_jid", x)
    wait(lambda: set(any_cell.tasks(a)) == {5, 9}, "A.1 to end")
    any_cell.ok("qdel", f"{x}.1-4:3", f"{b}.7")

    def seen():
        jobs = (a, x, b, c)
        lists = [{k: v for k, v in any_cell.detail(j).items() if "cessor" in k} for j in jobs]
        return lists, [any_cell.tasks(j, "-s", kind) for j in jobs for kind in ("hd", "hj", "hu", "h", "p")]

    before = seen()
    assert any_cell.array_held(b) == {5, 6, 8, 9, 10}
    for _ in range(2):
        any_cell.restart_master()
        assert seen() == before
    any_cell.wait_state(a, 5, "r")
    any_cell.open("A", 5)
    wait(lambda: 5 not in any_cell.tasks(a), "A.5 to end")
    assert any_cell.array_held(b) == {8, 9, 10}
    any_cell.ok("qdel", x)
    assert any_cell.array_held(b) == {9, 10}
