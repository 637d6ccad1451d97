"""Who may use what: alice and bob, user sets and projects (access_list(5), project(5), queue_conf(5))."""
import os
import pwd
import re

import pytest

import users

JOB = ["-b", "y", "-o", "/dev/null", "-j", "y"]
NO_PERMISSION = 'has no permission for queue "all.q@'


@pytest.fixture
def cell(users_cell):
    users_cell.ok("qconf", "-au", "alice", "crew", user="root")
    users_cell.ok("qconf", "-aattr", "queue", "user_lists", "crew", "all.q", user="root")
    return users_cell


def alice_runs(cell, *options):
    """A job of alice's ends, so that the scheduler has looked at those before it."""
    cell.wait_gone(cell.qsub(*JOB, *options, "true", user="alice"))


def bob_waits(cell, *options):
    job = cell.qsub(*JOB, *options, "true", user="bob")
    alice_runs(cell)
    assert cell.tasks(job) == {0: "qw"}
    return job


def why(cell, job):
    return cell.ok("qstat", "-j", job, user="bob")


def test_a_queue_with_user_lists_lets_in_alice_and_keeps_out_bob(cell):
    job = bob_waits(cell)
    assert NO_PERMISSION in why(cell, job)
    cell.restart_master()
    alice_runs(cell)
    assert NO_PERMISSION in why(cell, job)
    cell.ok("qconf", "-au", "bob", "crew", user="root")
    cell.wait_gone(job)


def test_what_runs_runs_on_when_its_owner_leaves_the_set(cell):
    job = cell.array("J", "1-2", "-tc", "1", gated=(1, 2), user="alice")
    cell.wait_state(job, 1, "r")
    cell.ok("qconf", "-du", "alice", "crew", user="root")
    assert cell.tasks(job)[1] == "r"
    cell.open("J", 1)
    cell.wait_note("end", "J", 1)
    cell.ok("qconf", "-au", "bob", "crew", user="root")
    cell.wait_gone(cell.qsub(*JOB, "true", user="bob"))
    assert cell.tasks(job) == {2: "qw"}
    cell.ok("qconf", "-au", "alice", "crew", user="root")
    cell.wait_state(job, 2, "r")
    cell.open("J", 2)
    cell.wait_gone(job)


def test_a_group_of_the_system_is_as_good_as_a_name(cell):
    job = bob_waits(cell)
    cell.ok("qconf", "-au", "@bob", "crew", user="root")
    cell.wait_gone(job)


def test_supplementary_groups_are_as_good_and_a_task_has_them(cell):
    bob = pwd.getpwnam("bob")
    groups = set(os.getgrouplist("bob", bob.pw_gid))
    assert len(groups) > 1
    first = bob_waits(cell)
    cell.ok("qconf", "-au", f"@{users.STUDIO}", "crew", user="root")
    cell.wait_gone(first)
    said = cell.files / "groups"
    cell.wait_gone(cell.qsub("-b", "y", "-o", said, "-j", "y", "id -G", user="bob"))
    gids = [int(gid) for gid in said.read_text().split()]
    assert gids[0] == bob.pw_gid and groups <= set(gids)
    cell.restart_master()
    cell.wait_gone(cell.qsub(*JOB, "true", user="bob"))
    with_others = cell.qsub(*JOB, "true", user="olga")
    alice_runs(cell)
    assert cell.tasks(with_others) == {0: "qw"}


def test_instances_that_somebody_may_use_can_be_asked_for(cell):
    """By name, by group, and for members of a set; several users must all have access. What alice runs is shown for her and not for bob."""
    instance = cell.ok("qselect")
    assert cell.ok("qselect", "-U", "alice") == cell.ok("qselect", "-U", "@crew") == instance
    assert cell.refused("qselect", "-U", "bob,alice").err == "error: no queue is accessible to all of these users (-U)\n"
    assert cell.run("qselect", "-U", "bob").out == ""
    job = cell.array("J", "1", gated=(1,), user="alice")
    cell.wait_state(job, 1, "r")
    assert " J " in cell.ok("qstat", "-u", "*", "-U", "alice") and " J " not in cell.run("qstat", "-u", "*", "-U", "bob").out
    assert instance.strip() in cell.ok("qstat", "-f", "-U", "alice") and "all.q@" not in cell.run("qstat", "-f", "-U", "bob").out
    cell.open("J", 1)
    cell.wait_gone(job)
    cell.ok("qconf", "-au", f"@{users.STUDIO}", "crew", user="root")
    assert cell.ok("qselect", "-U", "bob") == instance


def test_hosts_and_projects_keep_out_too(cell):
    for project in ("film", "game"):
        path = cell.files / project
        path.write_text(f"name {project}\noticket 0\nfshare 0\nacl {'crew' if project == 'film' else 'NONE'}\nxacl NONE\n")
        cell.ok("qconf", "-Aprj", path, user="root")
    cell.ok("qconf", "-dattr", "queue", "user_lists", "crew", "all.q", user="root")
    host = cell.ok("qconf", "-sel").split()[0]
    cell.ok("qconf", "-aattr", "exechost", "projects", "film game", host, user="root")
    cell.ok("qconf", "-aattr", "queue", "xprojects", "game", "all.q", user="root")
    assert 'job rejected: no access to project "film" for user "bob"' in cell.refused("qsub", *JOB, "-P", "film", "true", user="bob").err
    none, game = cell.qsub(*JOB, "true", user="bob"), cell.qsub(*JOB, "-P", "game", "true", user="bob")
    alice_runs(cell, "-P", "film")
    assert cell.tasks(none) == cell.tasks(game) == {0: "qw"}
    assert f'queue "all.q@{host}" accepts only jobs of certain projects' in why(cell, none)
    assert f'project "game" has no permission for queue "all.q@{host}"' in why(cell, game)
    cell.ok("qconf", "-dattr", "queue", "xprojects", "game", "all.q", user="root")
    cell.wait_gone(game)
    assert {row["project"] for row in cell.accounting()} == {"film", "game"}


def test_a_parallel_environment_keeps_out_too(cell):
    cell.ok("qconf", "-dattr", "queue", "user_lists", "crew", "all.q", user="root")
    cell.ok("qconf", "-mattr", "pe", "user_lists", "crew", "smp", user="root")
    job = bob_waits(cell, "-pe", "smp", "1")
    alice_runs(cell, "-pe", "smp", "1")
    assert 'cannot run in PE "smp" because its user_lists or xuser_lists exclude' in why(cell, job)
    assert cell.tasks(job) == {0: "qw"}
    cell.ok("qconf", "-mattr", "pe", "user_lists", "NONE", "smp", user="root")
    cell.wait_gone(job)


def test_the_cell_refuses_at_once(cell):
    waiting = bob_waits(cell)
    cell.configure(xuser_lists="none", user_lists="crew")
    assert 'job rejected: user "bob" has no permission in this cell' in cell.refused("qsub", *JOB, "true", user="bob").err
    cell.ok("qconf", "-dattr", "queue", "user_lists", "crew", "all.q", user="root")
    alice_runs(cell)
    assert cell.tasks(waiting) == {0: "qw"}
    cell.configure(user_lists="none")
    cell.wait_gone(waiting)


def test_maxujobs_limits_what_runs_of_each_user(users_cell):
    """All tasks of a user together; others pass by, and qstat -j says why the rest waits."""
    cell = users_cell
    rows = cell.files / "sched"
    set_limit = lambda n: (rows.write_text(re.sub(r"(?m)^(maxujobs +)\d+", rf"\g<1>{n}", cell.ok("qconf", "-ssconf"))), cell.ok("qconf", "-Msconf", rows, user="root"))
    set_limit(2)
    a = cell.array("A", "1-3", gated=[1, 2, 3])
    cell.wait_state(a, 2, "r")
    b = cell.array("B", "1-2")
    cell.wait_gone(cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "true", user="bob"))
    assert cell.tasks(a)[3] == "qw" and set(cell.tasks(b).values()) == {"qw"}
    why = f"job dropped because of user limitations: {cell.user} has 2 tasks running; maxujobs allows 2"
    assert why in cell.ok("qstat", "-j", b) and why in cell.ok("qstat", "-j", f"{a}.3", "-why")
    cell.open("A", 1)
    cell.wait_state(a, 3, "r")
    set_limit(0)
    cell.wait_gone(b)
    cell.open("A", 2)
    cell.open("A", 3)
    cell.wait_gone(a)
