"""What managers do to the parts of a running cell: the scheduler, event clients, queues. qconf(1)."""
import re
import socket

from cell import wait

HOST = socket.gethostname()


def clients(cell):
    """Programs by their numbers."""
    return {int(number): name for number, name, _ in (line.split() for line in cell.run("qconf", "-secl").out.splitlines()[2:])}


def test_a_stopped_scheduler_starts_nothing_until_it_is_started(any_cell):
    cell, boss = any_cell, any_cell.owner
    wait(lambda: clients(cell) == {1: "scheduler"}, "the scheduler to register")
    assert re.fullmatch(f"      ID NAME            HOST {{21}}\n-{{50}}\n       1 scheduler       {HOST:25}\n", cell.ok("qconf", "-secl"))
    result = cell.run("qconf", "-ks", user=boss)
    assert (result.code, result.out, result.err) == (0, "", f"{boss}@{HOST} has stopped the scheduler\n")
    assert cell.refused("qconf", "-secl").err == "no event client defined\n"
    assert cell.refused("qconf", "-ks", user=boss).err == "the scheduler is already stopped\n"
    assert cell.refused("qconf", "-kt", "jvm", user=boss).err == '"jvm" is not a thread that can be stopped or started; use: scheduler\n'
    job = cell.qsub("-b", "y", "-o", "/dev/null", "-j", "y", "true")
    assert cell.ok("qconf", "-tsm", user=boss) == ""
    assert "qw" in cell.ok("qstat")
    result = cell.run("qconf", "-at", "scheduler", user=boss)
    assert (result.code, result.err) == (0, f"{boss}@{HOST} has started the scheduler\n")
    cell.wait_gone(job)
    cell.ok("qconf", "-kt", "scheduler", user=boss)
    cell.restart_master()  # with its scheduler
    wait(lambda: clients(cell) == {1: "scheduler"}, "the scheduler to register")


def test_an_event_client_that_is_ended_ends(any_cell):
    cell, boss = any_cell, any_cell.owner
    wait(lambda: 1 in clients(cell), "the scheduler to register")
    listener = cell.start_program("qevent", "-sm", user=boss)
    wait(lambda: "qevent" in clients(cell).values(), "qevent to register")
    [number] = [number for number, name in clients(cell).items() if name == "qevent"]
    assert cell.refused("qconf", "-kec", "999", user=boss).err == "no event client known with id 999 to shutdown\n"
    assert cell.run("qconf", "-kec", number, user=boss).err == f"{boss}@{HOST} has ended event client {number} (qevent on {HOST})\n"
    _, err = listener.communicate(timeout=30)
    assert listener.returncode == 1 and f"{boss}@{HOST} has ended this event client" in err
    assert clients(cell) == {1: "scheduler"}


def test_a_queue_is_cleaned_though_its_host_does_not_answer(any_cell):
    cell, boss = any_cell, any_cell.owner
    job = cell.qsub("-b", "y", "-o", "/dev/null", "-j", "y", "sleep", "600")
    cell.wait_state(job, 0, "r")
    cell.kill("sge_execd")
    assert cell.refused("qconf", "-cq", "nope.q", user=boss).err == 'invalid queue or job "nope.q"\n'
    result = cell.run("qconf", "-cq", "all.q", user=boss)
    assert (result.code, result.err) == (0, f'{boss}@{HOST} cleaned queue "all.q@{HOST}"\n{boss} has forced the deletion of job {job}\n')
    assert cell.ok("qstat") == ""
