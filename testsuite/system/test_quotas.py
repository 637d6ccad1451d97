"""Resource quotas: which tasks start under which rules, what qquota and qstat say of them, and that counts are exact whatever happens."""
import re
import socket
import time
import xml.etree.ElementTree as ElementTree

import pytest
import simulated
from cell import TOP, wait
from test_documents import as_json, as_xml

HOST = socket.gethostname().split(".")[0]
HEAD = "resource quota rule limit                filter\n" + 80 * "-" + "\n"


# ---- what the tests are made of
@pytest.fixture
def wide_cell(make_cell, pytestconfig):
    """Root's cell with more slots than the rules of the tests let anybody use."""
    if pytestconfig.no_users:
        pytest.skip("impossible here: " + pytestconfig.no_users)
    return make_cell(owner="root", user="alice", slots=32)


def rule_set(name, *rules, enabled="TRUE"):
    return f"{{\n name {name}\n enabled {enabled}\n" + "".join(f" limit {rule}\n" for rule in rules) + "}\n"


def put(cell, *sets, option="-Arqs"):
    file = cell.files / "rqs"
    file.write_text("".join(sets))
    cell.ok("qconf", option, file, user=cell.owner)


def add_resources(cell, *rows):
    file = cell.files / "complex"
    file.write_text(cell.ok("qconf", "-sc") + "".join(row + "\n" for row in rows))
    cell.ok("qconf", "-Mc", file, user=cell.owner)


def add_project(cell, name):
    file = cell.files / "project"
    file.write_text(f"name {name}\noticket 0\nfshare 0\nacl NONE\nxacl NONE\n")
    cell.ok("qconf", "-Aprj", file, user=cell.owner)


def add_users(cell, name, *users):
    cell.ok("qconf", "-au", ",".join(users), name, user=cell.owner)


def start(cell, name, user, *options, tasks=5):
    """An array whose tasks stay until their gates open."""
    return cell.array(name, f"1-{tasks}", *options, gated=range(1, tasks + 1), user=user)


def barrier(cell):
    """A job that has ended came after whatever could have started before it. It needs a slot of olga's."""
    cell.wait_gone(cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "true", user="olga"))


def running(cell, *jobs):
    """How many tasks of each job run."""
    states = cell.states()
    return [sum(state in ("r", "t") for (number, _), state in states.items() if number == job) for job in jobs]


def expect_running(cell, jobs, counts):
    wait(lambda: running(cell, *jobs) == counts, lambda: f"{counts} tasks of {jobs}: {running(cell, *jobs)}")
    barrier(cell)
    assert running(cell, *jobs) == counts


def quotas(cell, *options, user="alice"):
    """The lines of qquota without the head."""
    page = cell.ok("qquota", *options, user=user)
    assert not page or page.startswith(HEAD), page
    return page[len(HEAD):].splitlines()


def line(rule, usage, who):
    return f"{rule:<18} {usage:<20} {who}"


def reasons(cell, job):
    text = cell.ok("qstat", "-j", job)
    found = re.search(r"^scheduling info:\s+(.*(?:\n {10,}.*)*)", text, re.M)
    return [reason.strip() for reason in found.group(1).splitlines()] if found else []


# ---- users, as captured
def test_each_user_has_a_limit_of_his_own(wide_cell):
    cell = wide_cell
    put(cell, rule_set("r1", "users {*} to slots=2"))
    a, b = start(cell, "a", "alice"), start(cell, "b", "bob")
    expect_running(cell, [a, b], [2, 2])
    assert quotas(cell) == [line("r1/1", "slots=2/2", "users alice")]
    assert quotas(cell, "-u", "*") == [line("r1/1", "slots=2/2", "users alice"), line("r1/1", "slots=2/2", "users bob")]
    assert quotas(cell, "-l", "nosuch") == quotas(cell, "-u", "nobody") == []
    assert reasons(cell, a) == ['cannot run because it exceeds limit "alice/////" in rule "r1/1"']
    assert reasons(cell, b) == ['cannot run because it exceeds limit "bob/////" in rule "r1/1"']
    why = cell.ok("qstat", "-j", f"{a}.3", "-why")
    assert 'cannot run because it exceeds limit "alice/////" in rule "r1/1" (slots=2 of 2 used, 1 wanted)' in why
    poked = cell.run("qsub", "-w", "p", "-b", "y", "true")
    assert re.search(r'Job \d+ cannot run because it exceeds limit "alice/////" in rule "r1/1"\nverification: no suitable queues', poked.out + poked.err)
    verified = cell.run("qsub", "-w", "v", "-b", "y", "true")
    assert "verification: found suitable queue(s)" in verified.out + verified.err
    wide = cell.run("qsub", "-w", "v", "-pe", "smp", "3", "-b", "y", "true")
    assert wide.code == 1
    assert re.search(r'Job \d+ cannot run in PE "smp" because it only offers 0 slots\nverification: no suitable queues', wide.err), str(wide)
    cell.open("a", 1)
    cell.wait_state(a, 3, "r")
    expect_running(cell, [a, b], [2, 2])
    as_xml(cell, "qquota", "-l", "nosuch")
    xml = ElementTree.fromstring(as_xml(cell, "qquota", "-u", "bob"))
    assert [element.tag.split("}")[-1] for element in xml.iter()] == ["qquota_result", "qquota_rule", "users", "limit"]
    assert xml[0][1].attrib == {"resource": "slots", "limit": "2", "value": "2"}
    data = as_json(cell, "qquota", "-u", "*")
    assert data == {"quotas": [{"rule": "r1/1", "users": user, "resource": "slots", "limit": 2, "value": 2} for user in ("alice", "bob")]}
    cell.ok("qconf", "-drqs", "r1", user=cell.owner)
    expect_running(cell, [a, b], [4, 5])
    assert quotas(cell, "-u", "*") == []


# rules, tasks of alice (in project P1) and of bob (without) that run, and what qquota -u * says; olga's slots are the barrier's
FILTERS = [
    (["users alice,bob to slots=3"], [3, 0], [("r1/1", "slots=3/3", "users alice,bob")]),
    (["users {alice,bob} to slots=2", "users olga to slots=1", "to slots=100"], [2, 2],
     [("r1/1", "slots=2/2", "users alice"), ("r1/1", "slots=2/2", "users bob")]),
    (["users @ul to slots=3"], [3, 0], [("r1/1", "slots=3/3", "users @ul")]),
    (["users {@ul} to slots=2"], [2, 2], [("r1/1", "slots=2/2", "users alice"), ("r1/1", "slots=2/2", "users bob")]),
    (["users !alice to slots=3"], [5, 2], None),
    (["users olga to slots=9", "name np projects !* to slots=1", "name p1 projects {*} to slots=2"], [2, 1],
     [("r1/p1", "slots=2/2", "projects P1")]),
    (["name x users {*} projects {*} queues all.q hosts {@allhosts} pes !* to slots=2"], [2, 5], []),
    (["pes smp to slots=1", "users {a*,b*} hosts {*} to slots=4"], [4, 4],
     [("r1/2", "slots=4/4", f"users alice hosts {HOST}"), ("r1/2", "slots=4/4", f"users bob hosts {HOST}")]),
    (["queues {no.q} to slots=1", "users !olga queues {a*.q} to slots=6"], [5, 1], [("r1/2", "slots=6/6", "users !olga queues all.q")]),
    (["users alice to lic=1", "users {*} to slots=1"], [5, 1], [("r1/2", "slots=1/1", "users bob")]),
    (["users alice to slots=0", "to slots=9"], [0, 5], [("r1/2", "slots=5/9", "-")]),
]


@pytest.mark.parametrize("rules, counts, shown", FILTERS, ids=[" + ".join(row[0]) for row in FILTERS])
def test_the_first_rule_that_matches_counts(wide_cell, rules, counts, shown):
    cell = wide_cell
    add_project(cell, "P1")
    add_users(cell, "ul", "alice", "bob")
    add_resources(cell, "lic lic INT <= YES YES 0 0")
    if shown is None:  # olga counts with bob
        put(cell, rule_set("r1", *rules))
        a, b = start(cell, "a", "alice", "-P", "P1"), start(cell, "b", "bob")
        wait(lambda: running(cell, a, b) == [5, 3], lambda: str(running(cell, a, b)))
        assert quotas(cell, "-u", "*") == [line("r1/1", "slots=3/3", "users !alice")]
        return
    put(cell, rule_set("r1", *rules))
    a, b = start(cell, "a", "alice", "-P", "P1"), start(cell, "b", "bob")
    expect_running(cell, [a, b], counts)
    assert quotas(cell, "-u", "*") == [line(*row) for row in shown]


def test_the_guide_says_what_happens(wide_cell):
    """doc/administering/resources.md, chapter 4: its file is taken, and qquota prints its lines."""
    cell, page = wide_cell, (TOP / "doc/administering/resources.md").read_text().split("## 4. Quotas")[1]
    _, file, _, shown = re.split(r"^    \$ (?:cat fair|qconf -Arqs fair|qquota -u '\*')\n", page, flags=re.M)
    (cell.files / "fair").write_text(file)
    cell.ok("qconf", "-Arqs", cell.files / "fair", user=cell.owner)
    job = start(cell, "many", "alice", tasks=21)
    expect_running(cell, [job], [20])
    lines = [text[4:] for text in shown.split("\n\n")[0].splitlines()]
    assert HEAD.splitlines() + quotas(cell, "-u", "*") == lines
    assert re.search(r"^    (cannot run .*)$", page, re.M).group(1) in reasons(cell, job)


def test_a_set_that_is_not_enabled_limits_nothing(wide_cell):
    cell = wide_cell
    put(cell, rule_set("r1", "users {*} to slots=1", enabled="FALSE"))
    a = start(cell, "a", "alice")
    expect_running(cell, [a], [5])
    assert quotas(cell) == []


def test_each_set_limits_for_itself(wide_cell):
    cell = wide_cell
    put(cell, rule_set("r1", "pes smp to slots=4"), rule_set("r2", "users {*} to slots=3"))
    serial = start(cell, "a", "alice")
    wide = [cell.array(f"w{i}", "1", "-pe", "smp", "2", gated=[1], user=user) for i, user in enumerate(("bob", "bob", "alice"))]
    expect_running(cell, [serial, *wide], [3, 1, 0, 0])
    assert quotas(cell, "-u", "*") == [line("r1/1", "slots=2/4", "pes smp"), line("r2/1", "slots=3/3", "users alice"),
                                      line("r2/1", "slots=2/3", "users bob")]
    cell.open("w0", 1)
    expect_running(cell, [serial, *wide], [3, 0, 1, 0])
    found = reasons(cell, wide[2])
    assert found == ['cannot run because it exceeds limit "alice/////" in rule "r2/1"', 'cannot run in PE "smp" because it only offers 0 slots']
    cell.ok("qalter", "-pe", "smp", "1-2", wide[2])
    cell.open("a", 1)
    cell.open("a", 2)
    wait(lambda: sum(running(cell, serial, wide[2])) >= 2, "a slot to be used again")
    barrier(cell)
    assert [row for row in quotas(cell) if row.startswith("r2/1")][0].split()[1] in ("slots=3/3", "slots=2/3")


# ---- resources
def test_consumables_of_any_kind_are_limited(wide_cell):
    cell = wide_cell
    add_resources(cell, "lic lic INT <= YES YES 0 0", "jlic jlic INT <= YES JOB 0 0", "big big MEMORY <= YES YES 0 0", "part part DOUBLE <= YES YES 0 0")
    cell.ok("qconf", "-rattr", "exechost", "complex_values", "lic=50,jlic=50,big=100G,part=50", HOST, user=cell.owner)
    put(cell, rule_set("r1", "users {alice,bob} to lic=5,jlic=3", "name byq queues {*} to slots=6"), rule_set("r2", "to big=3G,part=1.5"))
    a = cell.array("a", "1-4", "-l", "lic=2,jlic=1", gated=[1, 2, 3, 4])
    wide = cell.array("wide", "1", "-pe", "smp", "2", "-l", "lic=2,jlic=1", gated=[1], user="bob")
    expect_running(cell, [a, wide], [2, 1])
    assert quotas(cell, "-u", "*") == [line("r1/1", "lic=4/5", "users alice"), line("r1/1", "lic=4/5", "users bob"),
                                      line("r1/1", "jlic=2/3", "users alice"), line("r1/1", "jlic=1/3", "users bob")]
    assert quotas(cell, "-u", "*", "-l", "lic=1") == [line("r1/1", "lic=4/5", "users alice"), line("r1/1", "lic=4/5", "users bob")]
    refused = cell.run("qsub", "-w", "v", "-l", "lic=6", "-b", "y", "true")
    assert re.search(r'Job \d+ cannot run because it exceeds limit "alice/////" in rule "r1/1"\nverification: no suitable queues', refused.err), str(refused)
    assert "error: no suitable queues" in cell.refused("qsub", "-w", "e", "-l", "jlic=4", "-b", "y", "true").err
    assert "found suitable queue(s)" in cell.ok("qalter", "-w", "v", a)
    memory = cell.array("memory", "1-4", "-l", "big=1G,part=0.5", gated=[1, 2, 3, 4], user="olga")
    expect_running(cell, [memory], [3])
    assert quotas(cell, "-u", "olga") == [line("r1/byq", "slots=3/6", "queues all.q"), line("r2/1", "big=3.000G/3.000G", "-"), line("r2/1", "part=1.500000/1.500000", "-")]


def test_limits_may_depend_on_the_host(make_cell, pytestconfig):
    """Three hosts that are not there have as many processors as this one."""
    if pytestconfig.no_users:
        pytest.skip("impossible here: " + pytestconfig.no_users)
    cell = make_cell(owner="root", user="alice", slots=1)
    names = simulated.make_known(cell, 3)
    with simulated.running(cell, 3, "-run", 600):
        cell.ok("qconf", "-aattr", "queue", "hostlist", simulated.GROUP, "all.q", user=cell.owner)
        cell.ok("qconf", "-rattr", "queue", "slots", "50", "all.q", user=cell.owner)
        put(cell, rule_set("r1", f"hosts {{{simulated.GROUP}}} to slots=$num_proc*2-1"))
        load = cell.ok("qhost", "-F", "num_proc", "-h", names[0])
        processors = int(float(re.search(r"num_proc=([\d.]+)", load).group(1)))
        most = 2 * processors - 1
        job = cell.qsub("-t", f"1-{3 * most + 5}", "-b", "y", "-o", "/dev/null", "-e", "/dev/null", "-q", f"*@{simulated.GROUP}", "sleep", "600")
        wait(lambda: len(quotas(cell)) == 3 and running(cell, job) == [3 * most], lambda: str(quotas(cell)))
        assert quotas(cell) == [line("r1/1", f"slots={most}/{most}", f"hosts {name}") for name in sorted(names)]
        assert quotas(cell, "-h", names[1]) == [line("r1/1", f"slots={most}/{most}", f"hosts {names[1]}")]
        refused = cell.run("qconf", "-Arqs", "/dev/stdin", user=cell.owner, stdin=rule_set("r2", "users {*} to slots=$num_proc*2"))
        assert (refused.code, refused.err) == (1, "dynamic limits are only supported for per host rules\n")


# ---- what changes meanwhile
def test_counts_are_exact_after_kill_9(wide_cell):
    cell = wide_cell
    put(cell, rule_set("r1", "users {*} to slots=3"), rule_set("r2", "hosts {*} pes smp to slots=5"))
    a = start(cell, "a", "alice", tasks=6)
    wide = cell.array("wide", "1-2", "-pe", "smp", "3", gated=[1, 2], user="bob")
    expect_running(cell, [a, wide], [3, 1])
    before = quotas(cell, "-u", "*")
    assert before == [line("r1/1", "slots=3/3", "users alice"), line("r1/1", "slots=3/3", "users bob"), line("r2/1", "slots=3/5", f"pes smp hosts {HOST}")]
    for task in (4, 5):
        cell.restart_master()
        assert quotas(cell, "-u", "*") == before
        expect_running(cell, [a, wide], [3, 1])
        cell.open("a", task - 3)
        cell.wait_state(a, task, "r")
        assert quotas(cell, "-u", "*") == before
    cell.kill("sge_schedd")
    cell.open("wide", 1)
    cell.wait_state(wide, 2, "r")
    assert quotas(cell, "-u", "*") == before
    cell.open("wide", 2)
    for task in (3, 4, 5, 6):
        cell.open("a", task)
    cell.wait_gone(a, wide)
    assert quotas(cell, "-u", "*") == []


def test_rules_change_while_tasks_run(wide_cell):
    cell = wide_cell
    put(cell, rule_set("r1", "users {*} to slots=4"))
    a = start(cell, "a", "alice", tasks=7)
    expect_running(cell, [a], [4])
    cell.ok("qconf", "-mattr", "resource_quota", "limit", "slots=1", "r1/1", user=cell.owner)
    assert quotas(cell) == [line("r1/1", "slots=4/1", "users alice")]
    for task in (1, 2, 3):
        cell.open("a", task)
        wait(lambda task=task: task not in cell.tasks(a), f"task {task} to end")
    expect_running(cell, [a], [1])
    put(cell, rule_set("r1", "users alice to slots=3", "users {*} to slots=4"), option="-Mrqs")
    expect_running(cell, [a], [3])
    assert quotas(cell) == [line("r1/1", "slots=3/3", "users alice")]
    cell.ok("qconf", "-mattr", "resource_quota", "enabled", "FALSE", "r1", user=cell.owner)
    expect_running(cell, [a], [4])


def test_a_user_joins_and_leaves_a_set(wide_cell):
    cell = wide_cell
    add_users(cell, "ul", "bob")
    put(cell, rule_set("r1", "users {@ul} to slots=1"))
    a = start(cell, "a", "alice")
    expect_running(cell, [a], [5])
    cell.ok("qconf", "-au", "alice", "ul", user=cell.owner)
    wait(lambda: quotas(cell) == [line("r1/1", "slots=5/1", "users alice")], lambda: str(quotas(cell)))
    more = start(cell, "more", "alice")
    expect_running(cell, [a, more], [5, 0])
    cell.ok("qconf", "-du", "alice", "ul", user=cell.owner)
    expect_running(cell, [a, more], [5, 5])
    assert quotas(cell) == []


def test_a_job_gets_another_project(wide_cell):
    cell = wide_cell
    add_project(cell, "P1")
    add_project(cell, "P2")
    put(cell, rule_set("r1", "users olga to slots=9", "projects {P*} to slots=2"))
    a, b = start(cell, "a", "alice", "-P", "P1"), start(cell, "b", "bob", "-P", "P2")
    expect_running(cell, [a, b], [2, 2])
    cell.ok("qalter", "-P", "P2", a)
    wait(lambda: quotas(cell, "-u", "*") == [line("r1/2", "slots=4/2", "projects P2")], lambda: str(quotas(cell, "-u", "*")))
    cell.open("b", 1)
    cell.open("b", 2)
    expect_running(cell, [a, b], [2, 0])
    cell.ok("qalter", "-P", "P1", a)
    expect_running(cell, [a, b], [2, 2])


def test_attributes_of_a_rule_change_alone(any_cell):
    cell, boss = any_cell, any_cell.owner
    add_resources(cell, "lic lic INT <= YES YES 0 0")
    put(cell, rule_set("r1", "name first users {*} to slots=4", "projects * to slots=5"))
    for option, limit, rule in (("-mattr", "slots=3", "r1/first"), ("-mattr", "slots=3", "r1/2"), ("-aattr", "lic=3", "r1/first"), ("-dattr", "lic=3", "r1/first"),
                                ("-rattr", "slots=9,lic=2", "r1/2")):
        assert 'modified "r1" in resource quota set list' in cell.ok("qconf", option, "resource_quota", "limit", limit, rule, user=boss)
    for rule in ("r1/9", "r1"):
        assert cell.refused("qconf", "-mattr", "resource_quota", "limit", "slots=3", rule, user=boss).err == "no resource quota rule specified for modification\n"
    assert 'resource quota set "nosuch" does not exist' in cell.refused("qconf", "-mattr", "resource_quota", "limit", "slots=3", "nosuch", user=boss).err
    assert cell.ok("qconf", "-srqs", "r1") == """{
   name         r1
   description  NONE
   enabled      TRUE
   limit        name first users {*} to slots=3
   limit        projects * to slots=9,lic=2
}
"""


# ---- much of it
def test_ten_thousand_rules_delay_nobody(wide_cell):
    cell = wide_cell
    names = ",".join(f"name_of_a_user_{i}" for i in range(20))
    rules = [f"users {{u{i},{names}}} hosts {{*}} to slots=1" for i in range(9990)]
    put(cell, rule_set("r1", *rules, "users {*} hosts {*} queues {*} projects {*,!*} to slots=2", "users olga to slots=9"))
    a = start(cell, "a", "alice")
    expect_running(cell, [a], [5])
    put(cell, rule_set("r2", "users {*} hosts {*} queues {*} to slots=2"))
    begin = time.monotonic()
    b = start(cell, "b", "bob")
    expect_running(cell, [a, b], [5, 2])
    assert time.monotonic() - begin < 10
    assert cell.pid("sge_schedd") and cell.pid("sge_qmaster")


def test_a_thousand_jobs_under_three_sets(make_cell, pytestconfig):
    """Jobs of many users, as projects have it here: each has two slots, all have thirty."""
    if pytestconfig.no_users:
        pytest.skip("impossible here: " + pytestconfig.no_users)
    cell = make_cell(owner="root", user="alice", slots=64)
    for i in range(20):
        add_project(cell, f"p{i}")
    put(cell, rule_set("r1", "projects {*} to slots=2"), rule_set("r2", "users {*} to slots=30"), rule_set("r3", "hosts {*} to slots=40"))
    jobs = [cell.qsub("-t", "1-25", "-P", f"p{i % 20}", "-b", "y", "-o", "/dev/null", "-j", "y", "true", user="alice" if i < 20 else "bob")
            for i in range(40)]
    cell.wait_gone(*jobs, seconds=120)
    assert len(cell.accounting()) == 1000
    assert quotas(cell, "-u", "*") == []
