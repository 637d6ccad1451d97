"""Queues that suspend others: subordinate_list of queue_conf(5); doc/administering/queues.md."""
import re

from cell import wait
from test_load_sensors import HOST


def make_queues(cell, **lists):
    """low.q and high.q with four slots, as all.q has them; LISTS: what a queue suspends."""
    text = cell.ok("qconf", "-sq", "all.q")
    for name in ("low.q", "high.q"):
        path = cell.files / name
        path.write_text(re.sub(r"^qname .*", f"qname {name}", text, flags=re.M))
        cell.ok("qconf", "-Aq", path, user=cell.owner)
    for name, value in lists.items():
        cell.ok("qconf", "-rattr", "queue", "subordinate_list", value, f"{name}.q", user=cell.owner)


def state_of(cell, queue):
    line = next(line for line in cell.ok("qstat", "-f").splitlines() if line.startswith(f"{queue}@"))
    return line.split()[5] if len(line.split()) > 5 else ""


def test_a_queue_stops_while_another_is_used_and_after_a_killed_qmaster(cell):
    make_queues(cell, high="low.q=1")
    low = cell.array("low", "1", "-q", "low.q", gated=[1])
    cell.wait_state(low, 1, "r")
    high = cell.array("high", "1", "-q", "high.q", gated=[1])
    wait(lambda: (cell.tasks(low)[1], state_of(cell, "low.q")) == ("S", "S"), "low.q to be suspended")
    assert f'\tsuspended by "high.q@{HOST}": 1 slots used, limit 1\n' in cell.ok("qstat", "-f", "-explain", "S")
    pending = cell.qsub("-q", "low.q", "-b", "y", "-o", "/dev/null", "-j", "y", "true")
    assert (f'queue instance "low.q@{HOST}" dropped because it is temporarily not available: suspended by "high.q@{HOST}"'
            in cell.ok("qstat", "-j", pending))
    cell.open("low", 1)
    cell.restart_master()
    assert cell.tasks(low)[1] == "S"
    wait(lambda: state_of(cell, "low.q") == "S", "the state after a restart")
    cell.open("high", 1)
    cell.wait_gone(high, low, pending)


def test_slots_are_shared_task_by_task(cell):
    make_queues(cell, high="slots=2(low.q:1:sr)")
    assert "slots=2(low.q:1:sr)" in cell.ok("qconf", "-sq", "high.q")
    old = cell.array("old", "1", "-q", "low.q", gated=[1])
    cell.wait_state(old, 1, "r")
    young = cell.array("young", "1", "-q", "low.q", gated=[1])
    cell.wait_state(young, 1, "r")
    high = cell.array("high", "1", "-q", "high.q", gated=[1])
    cell.wait_state(young, 1, "S")
    assert cell.tasks(old)[1] == "r"
    assert state_of(cell, "low.q") == ""
    cell.open("high", 1)
    cell.wait_gone(high)
    cell.wait_state(young, 1, "r")
    for name in ("old", "young"):
        cell.open(name, 1)
    cell.wait_gone(old, young)
