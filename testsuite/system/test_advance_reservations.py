"""Advance reservations: who may make them, what they hold and when, which jobs run in them, and what qrsub, qrstat and qrdel say."""
import re
import socket
import time
import xml.etree.ElementTree as ElementTree

import pytest

import simulated
from cell import wait
from test_documents import as_json, as_xml
from test_mail import Post

HOST = socket.gethostname().split(".")[0]
QUEUE = f"all.q@{HOST}"
FAR = 86400  # nothing here lasts so long


@pytest.fixture
def cell(make_cell, pytestconfig):
    """Root's cell, where alice may reserve, bob may not."""
    if pytestconfig.no_users:
        pytest.skip("impossible here: " + pytestconfig.no_users)
    cell = make_cell(owner="root", user="alice", slots=4)
    cell.ok("qconf", "-au", "alice", "arusers", user="root")
    return cell


def stamp(seconds):
    """That far from now, as -a and -e have it."""
    return time.strftime("%Y%m%d%H%M.%S", time.localtime(time.time() + seconds))


def reserve(cell, *options, **more):
    said = cell.ok("qrsub", *options, **more)
    return re.fullmatch(r"Your advance reservation (\d+) has been granted\n", said)[1]


def states(cell):
    """Number -> state, of all users."""
    return {line.split()[0]: re.search(r" (\S+) +\d\d/\d\d/\d{4}", line)[1]
            for line in cell.ok("qrstat", "-u", "*").splitlines()[2:]}


def resv(cell):
    """reserved/used/total of the queue instance."""
    return re.search(r" (\d+/\d+/\d+) ", cell.ok("qstat", "-f"))[1]


def job(cell, *options, **more):
    return cell.qsub("-o", "/dev/null", "-j", "y", *options, **more)


def test_reservations(cell):
    rights(cell)
    refusals(cell)
    views(cell)
    jobs_inside_and_outside(cell)
    a_coming_one_is_kept_free(cell)
    what_is_reserved_stays(cell)
    who_may_use_it(cell)
    a_queue_that_fails(cell)
    jobs_that_move(cell)
    kill_and_restart(cell)
    end_by_the_clock(cell)


def rights(cell):
    denied = 'denied: "{}" must be manager or in userset "arusers"\n'
    assert cell.refused("qrsub", "-d", "60", user="bob").out == denied.format("bob")
    ar = reserve(cell, "-d", "60", "-N", "mine")
    assert cell.refused("qrdel", ar, user="bob").out == denied.format("bob")
    cell.ok("qconf", "-au", "bob", "arusers", user="root")
    text = f'bob - you do not have the necessary privileges to delete the advance_reservation "{ar}"\n'
    assert cell.refused("qrdel", ar, user="bob").out == text
    cell.ok("qconf", "-du", "bob", "arusers", user="root")
    assert cell.ok("qrdel", "mine") == f"alice has deleted advance_reservation {ar}\n"
    assert cell.ok("qrdel", reserve(cell, "-d", "60"), user="root").startswith("root has deleted")
    assert cell.refused("qrdel", "999").out == 'denied: advance_reservation "999" does not exist\n'
    none = "There is no advance_reservation registered for the following users: bob\n"
    assert cell.refused("qrdel", "-u", "bob").out == none


def refusals(cell):
    later, latest = stamp(3600), stamp(7200)
    missing = 'missing value for "end time or duration" in advance reservation request\n'
    for options, text in [
            (("-d", "0"), missing), (("-d", "INFINITY"), missing), (("-a", later), missing),
            (("-a", stamp(-3600), "-d", "60"), "start time is in the past\n"),
            (("-a", latest, "-e", later), "start time is later than end time\n"),
            (("-e", stamp(-3600)), "start time is later than end time\n"),
            (("-a", later, "-e", latest, "-d", "60"),
             "difference between end and start time does not correspond to duration\n"),
            (("-d", str(11 * 366 * 86400)),
             "denied: the end of an advance reservation may be 3660 days ahead at most\n"),
            (("-d", "60", "-pe", "smp", "1000"), "advance_reservation: no suitable queues\n"),
            (("-d", "60", "-l", "arch=none"), "advance_reservation: no suitable queues\n"),
            (("-d", "60", "-l", "nosuch=1"), 'unknown resource "nosuch"\n'),
            (("-d", "60", "-u", "@nosuch"), 'Userset "nosuch" does not exist\n'),
            (("-d", "60", "-l", "slots=2"), '"advance_reservation" denied: use parallel environments '
             "instead of requesting slots explicitly\n"),
            (("-d", "60", "-N", "1 x"),
             'denied: "1 x" is not a valid object name (cannot start with a digit)\n'),
            (("-d", "60", "-w", "v", "-pe", "smp", "1000"), "verification: no suitable queues\n")]:
        assert cell.refused("qrsub", *options).out == text, options
    for options, text in [(("-d", "x"), 'qrsub: Wrong time format "x" specified to -d option\n'),
                          (("-d", "-5"), 'qrsub: Wrong time format "-5" specified to -d option\n'),
                          (("-zz",), 'qrsub: invalid option argument "-zz"\n'),
                          (("-d", "60", "what"), 'qrsub: invalid option argument "what"\n')]:
        assert cell.refused("qrsub", *options).err == text, options
    assert cell.ok("qrsub", "-d", "60", "-w", "v") == "verification: found suitable queue(s)\n"
    found = "verification: found possible assignment with 4 slots\n"
    assert cell.ok("qrsub", "-d", "60", "-w", "v", "-pe", "smp", "1-100") == found
    assert cell.ok("qrstat", "-u", "*") == ""


def views(cell):
    at = time.localtime(time.time() + 3600)
    ar = reserve(cell, "-a", time.strftime("%Y%m%d%H%M.%S", at), "-d", "1:0:0", "-N", "full", "-pe", "smp", "2-4",
                 "-A", "acct", "-m", "be", "-M", "a@b", "-u", "alice,bob", "-l", "h_rt=100")
    begin = time.strftime("%m/%d/%Y %H:%M:%S", at)
    line = cell.ok("qrstat").splitlines()[2]
    assert line.startswith(f"{ar:>7} full       alice        w     {begin}  ") and line.endswith("  01:00:00")
    assert cell.ok("qrstat", user="bob") == ""
    assert cell.ok("qrstat", "-u", "alice", user="bob").splitlines()[2] == line
    text = dict(line.split(maxsplit=1) for line in cell.ok("qrstat", "-ar", ar).splitlines()[1:])
    assert text["granted_slots_list"] == f"{QUEUE}=4" and text["granted_parallel_environment"] == "smp slots 2-4"
    assert text["acl_list"] == "alice,bob" and text["mail_list"] == "a@b" and text["account"] == "acct"
    assert text["resource_list"] == "h_rt=100" and text["owner"] == "alice" and text["state"] == "w"
    root = ElementTree.fromstring(as_xml(cell, "qrstat", "-ar", ar, "-explain"))
    slots = root.find("ar_summary/granted_slots_list/granted_slots")
    assert slots.attrib == {"queue_instance": QUEUE, "slots": "4"}
    assert root.findtext("ar_summary/start_time") == time.strftime("%Y-%m-%dT%H:%M:%S", at)
    one, = as_json(cell, "qrstat", "-ar", ar, "-explain")["advance_reservations"]
    assert one["granted_slots_list"] == [{"queue_instance": QUEUE, "slots": 4}] and one["id"] == int(ar)
    assert cell.refused("qrstat", "-ar", "99").out == "Following advance reservations do not exist:\n99\n"
    assert cell.refused("qrstat", "-ar", "x").err == "error: ERROR! invalid id, must be an unsigned integer\n"
    cell.ok("qmod", "-d", QUEUE, user="root")
    assert states(cell) == {ar: "W"}
    assert cell.ok("qrstat", "-explain").splitlines()[3] == f"       reserved queue {QUEUE} is disabled"
    cell.ok("qmod", "-e", QUEUE, user="root")
    assert states(cell) == {ar: "w"}
    cell.ok("qrdel", "-u", "alice")


def jobs_inside_and_outside(cell):
    ar = reserve(cell, "-d", str(FAR), "-pe", "smp", "2")
    assert states(cell) == {ar: "r"} and resv(cell) == "2/0/4"
    assert "the advance reservation id 99 is invalid" in cell.refused("qsub", "-ar", "99", "-b", "y", "true").err
    text = f"the job duration is longer than duration of the advance reservation id {ar}"
    assert text in cell.refused("qsub", "-ar", ar, "-l", f"h_rt={FAR + 1}", "-b", "y", "true").err
    outside = cell.array("outside", "1-4", gated=range(1, 5))
    inside = cell.array("inside", "1-3", "-ar", ar, gated=range(1, 4), user="bob")
    for name, job_id in (("outside", outside), ("inside", inside)):
        for task in (1, 2):
            cell.wait_state(job_id, task, "r")
    assert resv(cell) == "2/4/4"
    assert f"ar_id:                      {ar}\n" in cell.ok("qstat", "-j", inside, user="root")
    cell.open("inside", 1)  # what it gives back is the reservation's
    cell.wait_state(inside, 3, "r")
    assert [line.split()[4] for line in cell.ok("qstat", "-u", "*", "-s", "p").splitlines()[2:]] == ["qw"]
    said = cell.ok("qrdel", ar)
    assert said == f"alice has registered the advance_reservation {ar} for deletion\n"
    cell.wait_gone(inside)
    wait(lambda: states(cell) == {}, "the reservation has gone")
    for task in (3, 4):  # its slots are free
        cell.wait_state(outside, task, "r")
    record = [r for r in cell.accounting() if int(r["job_number"]) == inside][0]
    assert record["arid"] == ar and int(record["ar_submission_time"]) > 0
    totals = cell.ok("qacct", "-ar", ar).splitlines()
    assert totals[0].split()[:2] == ["AR", "WALLCLOCK"] and totals[2].split()[0] == ar and len(totals) == 3
    assert as_json(cell, "qacct", "-ar", "999")["totals"] == []
    for task in range(1, 5):
        cell.open("outside", task)
    cell.wait_gone(outside)


def a_coming_one_is_kept_free(cell):
    """All four slots from an hour on: what ends before then starts, what may not end stays."""
    ar = reserve(cell, "-a", stamp(3600), "-d", "60", "-pe", "smp", "4")
    endless = job(cell, "-b", "y", "true")
    short = cell.array("short", "1-1", "-l", "h_rt=1800", gated=[1])
    cell.wait_state(short, 1, "r")
    assert cell.tasks(endless) == {0: "qw"}
    assert cell.refused("qrsub", "-a", stamp(3600), "-d", "60").out == "advance_reservation: no suitable queues\n"
    inner = reserve(cell, "-a", stamp(7200), "-d", "60", "-pe", "smp", "4")
    cell.open("short", 1)
    cell.wait_gone(short)
    cell.ok("qrdel", ar, inner)
    cell.wait_gone(endless)


def what_is_reserved_stays(cell):
    """No change of the configuration takes away what a reservation has; all others are as before."""
    def change(*argv, file=None):
        if file is not None:
            (cell.files / "object").write_text(file)
        return cell.run("qconf", *argv, user="root")

    def lines(option, name, attr, value):
        return re.sub(rf"(?m)^({attr} +).*$", rf"\g<1>{value}", cell.ok("qconf", option, name, user="root"))

    lic = "lic lic INT <= YES YES 0 0\n"
    complexes = cell.ok("qconf", "-sc", user="root")
    assert change("-Mc", cell.files / "object", file=complexes + lic).code == 0
    assert change("-mattr", "exechost", "complex_values", "lic=4", "global").code == 0
    for name, week in (("off", "mon-sun=0-24=off"), ("open", "NONE")):
        text = f"calendar_name {name}\nyear NONE\nweek {week}\n"
        assert change("-Acal", cell.files / "object", file=text).code == 0
    ar = reserve(cell, "-a", stamp(3600), "-d", "60", "-pe", "smp", "3", "-l", "lic=1")
    before = cell.ok("qconf", "-sq", "all.q", user="root"), cell.ok("qconf", "-sp", "smp", user="root")
    hosts = re.search(r"(?m)^hostlist +(.*)$", before[0])[1]
    broken = f"would break advance reservation {ar}"
    for argv, file, text in [
            (("-mattr", "queue", "slots", "2", "all.q"), None,
             f"denied: 3 slots are already reserved in {QUEUE} by an advance reservation"),
            (("-mattr", "queue", "calendar", "off", "all.q"), None, f'denied: changing "off" to calendar {broken}'),
            (("-dattr", "queue", "pe_list", "smp", "all.q"), None, f'denied: removing "smp" from pe_list {broken}'),
            (("-Mq", cell.files / "object"), lines("-sq", "all.q", "hostlist", "NONE"),
             f'denied: removing "{HOST}" from hostlist {broken}'),
            (("-dq", "all.q"), None, f'denied: removing cluster queue "all.q" {broken}'),
            (("-mattr", "exechost", "complex_values", "lic=2", "global"), None,
             'denied: more of "lic" is already reserved in global by an advance reservation'),
            (("-mattr", "exechost", "complex_values", "NONE", "global"), None,
             'denied: more of "lic" is already reserved in global by an advance reservation'),
            (("-Mp", cell.files / "object"), lines("-sp", "smp", "slots", "2"),
             'denied: 3 slots are already reserved in parallel environment "smp" by an advance reservation'),
            (("-Mc", cell.files / "object"), complexes + lic.replace("YES YES", "YES NO"),
             'denied: "lic" is reserved by an advance reservation: it stays consumable')]:
        result = change(*argv, file=file)
        assert result.code == 1 and text in (result.out + result.err).splitlines(), str(result)
    if hosts.startswith("@"):
        text = f"group_name {hosts}\nhostlist NONE\n"
        assert f'removing "{HOST}" from hostlist {broken}' in change("-Mhgrp", cell.files / "object", file=text).err
    assert before == (cell.ok("qconf", "-sq", "all.q", user="root"), cell.ok("qconf", "-sp", "smp", user="root"))
    for argv in (("-mattr", "queue", "slots", "3", "all.q"), ("-mattr", "queue", "calendar", "open", "all.q"),
                 ("-mattr", "exechost", "complex_values", "lic=3", "global")):
        assert change(*argv).code == 0, argv
    text = "calendar_name open\nyear NONE\nweek mon-sun=0-24=off\n"
    assert f'denied: changing calendar "open" {broken}' in change("-Mcal", cell.files / "object", file=text).err
    assert cell.refused("qrsub", "-a", stamp(3600), "-d", "60", "-l", "lic=1").out == "advance_reservation: no suitable queues\n"
    cell.ok("qrdel", ar)
    for argv in (("-mattr", "exechost", "complex_values", "NONE", "global"),
                 ("-mattr", "queue", "calendar", "NONE", "all.q"), ("-mattr", "queue", "slots", "4", "all.q")):
        assert change(*argv).code == 0, argv


def who_may_use_it(cell):
    for name in ("nosuchuser", "!nosuchuser"):
        assert cell.refused("qrsub", "-d", "60", "-u", name).err == "error: nosuchuser is not known as a user\n"
    cell.ok("qconf", "-au", "bob", "team", user="root")
    refused = "Unable to run job: error: no suitable queues\nExiting.\n"
    for users in ("alice", "!bob", "@team", "bob,!@team"):
        ar = reserve(cell, "-d", str(FAR), "-u", users)
        for user in ("alice", "bob"):
            argv = ("qsub", "-ar", ar, "-h", "-b", "y", "true")
            if (user == "alice") == (users in ("alice", "!bob")):
                cell.ok(*argv, user=user)
            else:
                assert cell.refused(*argv, user=user).err == refused, (users, user)
        cell.ok("qrdel", ar)
    cell.ok("qrdel", "-f", "-u", "alice")
    wait(lambda: states(cell) == {}, "all have gone")
    cell.ok("qconf", "-du", "bob", "team", user="root")


def a_queue_that_fails(cell):
    """While its queue instance is disabled no task starts there; with -he y not even elsewhere. Mail says so, and when it is over."""
    post = Post(cell)
    soft = reserve(cell, "-d", str(FAR), "-N", "soft", "-m", "a", "-M", "x@y")
    cell.ok("qmod", "-d", QUEUE, user="root")
    assert states(cell) == {soft: "E"}
    text, = post.wait(f"Advance Reservation {soft} (soft) in Error")
    assert f" reserved queue {QUEUE} is disabled\n" in text and " User = alice\n" in text
    inside = cell.array("waits", "1-1", "-ar", soft, gated=[1])
    cell.ok("qmod", "-e", QUEUE, user="root")
    post.wait(f"Advance Reservation {soft} (soft) without Error")
    cell.wait_state(inside, 1, "r")
    assert states(cell) == {soft: "r"}
    cell.kill("sge_execd")
    wait(lambda: states(cell) == {soft: "E"}, "the host to be lost")
    assert cell.ok("qrstat", "-explain").splitlines()[3] == f"       reserved queue {QUEUE} is unknown"
    cell.start()
    wait(lambda: states(cell) == {soft: "r"}, "the host to be back")
    cell.ok("qrdel", "-f", soft)
    cell.wait_gone(inside)
    wait(lambda: states(cell) == {}, "it has gone")


def jobs_that_move(cell):
    """qalter -ar, before anything runs; held jobs and arrays in a reservation, which all end with it."""
    ar = reserve(cell, "-d", str(FAR), "-pe", "smp", "2")
    other = reserve(cell, "-d", "100")
    moved = cell.qsub("-h", "-b", "y", "true")
    says = f"alice@{socket.gethostname()} sets job advance reservation of job {moved} to {{}}\n"
    for to in (ar, "0", ar):
        assert cell.ok("qalter", "-ar", to, str(moved)).split("sets")[1] == says.format(to).split("sets")[1]
    assert f"ar_id:                      {ar}\n" in cell.ok("qstat", "-j", str(moved))
    assert "the advance reservation id 99 is invalid" in cell.refused("qalter", "-ar", "99", str(moved)).out
    too_long = f"the job duration is longer than duration of the advance reservation id {other}"
    cell.ok("qalter", "-l", "h_rt=101", str(moved))
    assert too_long in cell.refused("qalter", "-ar", other, str(moved)).out
    cell.ok("qalter", "-ar", other, "-l", "h_rt=100", str(moved))
    assert too_long in cell.refused("qalter", "-l", "h_rt=101", str(moved)).out
    cell.ok("qalter", "-ar", ar, str(moved))
    first = cell.array("first", "1-2", "-ar", ar, gated=[1, 2])
    second = cell.array("second", "1-2", "-ar", ar, "-hold_jid_ad", "first", gated=[1, 2])
    cell.wait_state(first, 2, "r")
    running = f"job {first} can't modify running jobs"
    assert running in cell.refused("qalter", "-ar", other, str(first)).out
    cell.open("first", 1)
    cell.wait_state(second, 1, "r")
    assert cell.tasks(second)[2] == "hqw"
    cell.ok("qrdel", ar, other)
    cell.wait_gone(moved, first, second)
    wait(lambda: states(cell) == {}, "both have gone")


def kill_and_restart(cell):
    ar = reserve(cell, "-d", str(FAR), "-pe", "smp", "3")
    coming = reserve(cell, "-a", stamp(FAR), "-d", "60", "-pe", "smp", "4")
    inside = cell.array("again", "1-2", "-ar", ar, gated=[1, 2])
    cell.wait_state(inside, 1, "r")
    cell.kill("sge_qmaster")
    cell.start()
    assert states(cell) == {ar: "r", coming: "w"}
    cell.wait_state(inside, 2, "r")
    assert resv(cell) == "3/2/4"
    assert cell.refused("qrsub", "-d", "60", "-pe", "smp", "2").out == "advance_reservation: no suitable queues\n"
    cell.open("again", 1)
    cell.open("again", 2)
    cell.wait_gone(inside)
    cell.ok("qrdel", "-u", "alice")
    assert reserve(cell, "-d", "60") == str(int(coming) + 1)  # no number is given twice
    cell.ok("qrdel", "-u", "alice")


def end_by_the_clock(cell):
    ar = reserve(cell, "-a", stamp(2), "-d", "3", "-pe", "smp", "4")
    inside = job(cell, "-ar", ar, "-b", "y", "sleep", "600")
    cell.wait_state(inside, 0, "r")
    assert states(cell)[ar] == "r"
    cell.wait_gone(inside)
    wait(lambda: states(cell) == {}, "the reservation has gone")
    assert resv(cell) == "0/0/4"


def test_many_hosts(make_cell):
    """A reservation of slots on all of 20 hosts: others have the rest, its job has it all, and the loss of the hosts is seen."""
    cell = make_cell()
    simulated.make_known(cell, 20)
    cell.ok("qconf", "-rattr", "queue", "hostlist", simulated.GROUP, "all.q")
    cell.ok("qconf", "-mattr", "queue", "slots", "2", "all.q")
    rule = re.sub(r"(?m)^(allocation_rule +).*$", r"\g<1>$round_robin", cell.ok("qconf", "-sp", "smp"))
    (cell.files / "object").write_text(rule)
    cell.ok("qconf", "-Mp", cell.files / "object")
    with simulated.running(cell, 20, "-run", "0.05"):
        ar = wait(lambda: (said := cell.run("qrsub", "-d", str(FAR), "-pe", "smp", "30").out).endswith("granted\n")
                  and said.split()[3], "the hosts to be there")
        slots = re.findall(r" (\d)/\d/2 ", cell.ok("qstat", "-f"))
        assert sum(int(n) for n in slots) == 30 and len(slots) == 20 and set(slots) == {"1", "2"}
        assert cell.refused("qrsub", "-d", "60", "-pe", "smp", "11").out == "advance_reservation: no suitable queues\n"
        outside = cell.qsub("-t", "1-20", "-b", "y", "/bin/true")
        inside = cell.qsub("-ar", ar, "-pe", "smp", "30", "-b", "y", "/bin/true")
        cell.wait_gone(outside, inside)
        record, = [r for r in cell.accounting() if int(r["job_number"]) == inside]
        assert (record["slots"], record["arid"]) == ("30", ar)
        assert states(cell) == {ar: "r"}
    wait(lambda: states(cell) == {ar: "E"}, "the hosts to be lost")
    assert len(cell.ok("qrstat", "-explain").splitlines()) == 3 + 20
    cell.ok("qrdel", ar)
    assert states(cell) == {}
