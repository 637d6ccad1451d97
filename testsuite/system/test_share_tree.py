"""The share tree and what users have used: qconf, sge_share_mon, and sums that are exact whatever dies."""
import pytest
from cell import wait

HEAD = ("curr_time\tusage_time\tnode_name\tuser_name\tproject_name\tshares\tjob_count\tlevel%\ttotal%\tlong_target_share\tshort_target_share\t"
        "actual_share\tusage\tcpu\tmem\tio\tltcpu\tltmem\tltio\t\n\n")
# P1 60 (alice 3, bob 1), P2 40, default 10
TREE = [(0, "Root", 0, 1, "1,4,5"), (1, "P1", 1, 60, "2,3"), (2, "alice", 0, 3, "NONE"), (3, "bob", 0, 1, "NONE"), (4, "P2", 1, 40, "NONE"),
        (5, "default", 0, 10, "NONE")]
BURN = "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done"


def put(cell, option, text):
    file = cell.files / "object"
    file.write_text(text)
    return cell.ok("qconf", option, file, user=cell.owner)


def tree_text(nodes):
    return "".join(f"id={number}\nname={name}\ntype={kind}\nshares={shares}\nchildnodes={below}\n" for number, name, kind, shares, below in nodes)


def set_scheduler(cell, **values):
    lines = [line for line in cell.ok("qconf", "-ssconf").splitlines() if not line.startswith(tuple(values))]
    put(cell, "-Msconf", "\n".join([*lines, *(f"{name} {value}" for name, value in values.items())]) + "\n")


def monitor(cell, *options):
    """The lines of sge_share_mon as dicts, by path."""
    page = cell.ok("sge_share_mon", "-c", "1", "-n", *options)
    assert page.endswith("\n\n")
    lines = [dict(word.split("=", 1) for word in line.rstrip("\t").split("\t")) for line in page.splitlines() if line]
    return {line["node_name"]: line for line in lines}


@pytest.fixture
def shared_cell(make_cell, pytestconfig):
    if pytestconfig.no_users:
        pytest.skip("impossible here: " + pytestconfig.no_users)
    cell = make_cell(owner="root", user="alice")
    for project in ("P1", "P2"):
        put(cell, "-Aprj", f"name {project}\noticket 0\nfshare 0\nacl NONE\nxacl NONE\n")
    for user in ("alice", "bob", "olga"):
        put(cell, "-Auser", f"name {user}\noticket 0\nfshare 0\ndelete_time 0\ndefault_project NONE\n")
    set_scheduler(cell, halftime=0)
    return cell


def burn(cell, user, *options):
    job = cell.qsub("-o", "/dev/null", "-j", "y", *options, "-b", "y", "sh", "-c", BURN, user=user)
    cell.wait_gone(job)
    return job


def accounted(cell, owner, project):
    return sum(float(row["cpu"]) for row in cell.accounting() if (row["owner"], row["project"]) == (owner, project))


def test_usage_is_summed_shown_kept_and_cleared(shared_cell):
    cell = shared_cell
    none = cell.refused("sge_share_mon", "-c", "1")
    assert "no sharetree element" in none.err
    burn(cell, "alice")  # without a share tree nothing is counted
    put(cell, "-Astree", tree_text(TREE))
    assert cell.ok("sge_share_mon", "-c", "1", "-h").startswith(HEAD)
    empty = monitor(cell)
    assert list(empty) == ["/", "/P1", "/P1/alice", "/P1/bob", "/P2", "/default", "/default/alice", "/default/bob", "/default/olga"]
    assert [empty[path]["total%"] for path in ("/P1", "/P1/alice", "/default/olga")] == ["0.545455", "0.409091", "0.030303"]
    assert all(float(line["usage"]) == 0 for line in empty.values())

    who = {"/P1/alice": ("alice", "P1"), "/P1/bob": ("bob", "P1"), "/default/olga": ("olga", "NONE")}
    for user, project in who.values():
        burn(cell, user, *(["-P", project] if project != "NONE" else []))
    burn(cell, "bob", "-P", "P2")

    def expect_sums():
        wait(lambda: len(cell.accounting()) == 5, "the lines of accounting")
        lines = monitor(cell)
        for path, (user, project) in who.items():
            cpu = accounted(cell, user, project)
            assert cpu > 0
            for field in ("usage", "cpu", "ltcpu"):
                assert float(lines[path][field]) == pytest.approx(cpu, abs=2e-6), (path, field)
        both = sum(float(lines[path]["cpu"]) for path in ("/P1/alice", "/P1/bob"))
        assert float(lines["/P1"]["cpu"]) == pytest.approx(both, abs=2e-6)
        assert float(lines["/P2"]["cpu"]) == pytest.approx(accounted(cell, "bob", "P2"), abs=2e-6)
        assert float(lines["/default/alice"]["cpu"]) == 0
        return lines

    before = expect_sums()
    cell.restart_master()  # kill -9
    after = expect_sums()
    kept = [field for field in before["/"] if field not in ("curr_time", "usage_time")]
    assert [[line[field] for field in kept] for line in before.values()] == [[line[field] for field in kept] for line in after.values()]

    assert cell.refused("qconf", "-clearusage", user="alice").err == 'denied: "alice" must be manager for this operation\n'
    assert cell.refused("qconf", "-clearusage", "nobody_knows", user="root").err == 'denied: user "nobody_knows" does not exist\n'
    one = cell.run("qconf", "-clearusage", "bob", user="root").err
    assert one.endswith(' modified "bob" in user list\n') and one.count("\n") == 1
    assert float(monitor(cell)["/P1/bob"]["cpu"]) == 0 < float(monitor(cell)["/P1/alice"]["cpu"])
    said = cell.run("qconf", "-clearusage", user="root").err.splitlines()
    assert [line.split(" ", 1)[1] for line in said] == [f'modified "{name}" in {kind} list' for kind, names in (
        ("user", ("alice", "bob", "olga")), ("project", ("P1", "P2"))) for name in names]
    cell.restart_master()
    lines = monitor(cell)
    assert {line["usage"] for line in lines.values()} == {"0.000000"}
    assert lines["/P1/alice"]["ltcpu"] == before["/P1/alice"]["ltcpu"]


def test_running_tasks_count_while_they_run(shared_cell):
    cell = shared_cell
    cell.configure(load_report_time="0:0:1")
    put(cell, "-Astree", tree_text(TREE))
    job = cell.qsub("-o", "/dev/null", "-j", "y", "-P", "P1", "-b", "y", "sh", "-c", "while :; do :; done", user="alice")
    wait(lambda: float(monitor(cell)["/P1/alice"]["usage"]) > 0, "usage of a running task", seconds=30)
    line = monitor(cell)["/P1/alice"]
    assert line["ltcpu"] == "0.000000" and line["job_count"] == "1"  # in all: what has ended
    assert monitor(cell)["/"]["long_target_share"] == "1.000000"
    cell.ok("qdel", job, user="alice")
    cell.wait_gone(job)
    wait(lambda: cell.accounting(), "the line of accounting")
    assert float(monitor(cell)["/P1/alice"]["ltcpu"]) == pytest.approx(accounted(cell, "alice", "P1"), abs=2e-6)


def test_usage_is_that_of_accounting_whenever_the_qmaster_dies(shared_cell):
    """kill -9 while tasks end: what is counted is what has a line, no more and no less."""
    cell = shared_cell
    put(cell, "-Astree", tree_text(TREE))
    job = cell.qsub("-o", "/dev/null", "-j", "y", "-t", "1-40", "-P", "P1", "-b", "y", "sh", "-c", BURN, user="alice")
    for deaths in range(1, 5):
        wait(lambda: len(cell.accounting()) >= 8 * deaths, "ends", seconds=60)
        cell.restart_master()
        assert float(monitor(cell)["/P1/alice"]["ltcpu"]) > 0
    cell.wait_gone(job, seconds=60)
    wait(lambda: len(cell.accounting()) == 40, "the lines of accounting")
    assert float(monitor(cell)["/P1/alice"]["ltcpu"]) == pytest.approx(accounted(cell, "alice", "P1"), abs=40 * 1e-6)
