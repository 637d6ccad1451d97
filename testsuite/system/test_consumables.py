"""Resources that run out: taken by tasks, on hosts, in queues and in the cell, whatever ends meanwhile."""
import re
import socket

HOST = socket.gethostname()


def add_resource(cell, name, kind, consumable="YES", default="0"):
    """One more row of the complex."""
    file = cell.files / "complex"
    row = f"{name} {name} {kind} <= YES {consumable} {default} 0\n"
    file.write_text(cell.ok("qconf", "-sc") + row)
    cell.ok("qconf", "-Mc", file, user=cell.owner)


def offer(cell, offers, kind="exechost", name=HOST):
    cell.ok("qconf", "-rattr", kind, "complex_values", offers, name, user=cell.owner)


def add_global(cell, offers):
    """What the cell has is said of a host of this name."""
    names = "load_scaling user_lists xuser_lists projects xprojects usage_scaling report_variables".split()
    file = cell.files / "global"
    file.write_text(f"hostname global\ncomplex_values {offers}\n" + "".join(f"{name} NONE\n" for name in names))
    cell.ok("qconf", "-Ae", file, user=cell.owner)


def run_to_the_end(cell, *options):
    """A job that has ended came after whatever could have started before it."""
    cell.wait_gone(cell.qsub("-o", "/dev/null", "-j", "y", *options, "-b", "y", "true"))


def running(cell, job):
    return sorted(task for task, state in cell.tasks(job).items() if state == "r")


def test_tasks_take_what_there_is_and_give_it_back(cell):
    add_resource(cell, "mem", "MEMORY")
    offer(cell, "mem=4G")
    array = cell.array("eats", "1-4", "-l", "mem=2G", gated=[1, 2, 3, 4])
    cell.wait_state(array, 1, "r")
    cell.wait_state(array, 2, "r")
    run_to_the_end(cell)
    assert running(cell, array) == [1, 2]
    cell.restart_master()
    run_to_the_end(cell)
    assert running(cell, array) == [1, 2]
    cell.open("eats", 1)
    cell.wait_state(array, 3, "r")
    run_to_the_end(cell)
    assert running(cell, array) == [2, 3]
    offer(cell, "mem=6G")
    cell.wait_state(array, 4, "r")
    offer(cell, "mem=1G")
    for task in (2, 3, 4):
        cell.open("eats", task)
    cell.wait_gone(array)
    run_to_the_end(cell, "-l", "mem=1G")


def test_queue_cell_and_defaults_count_as_well(cell):
    add_resource(cell, "lic", "INT")
    add_resource(cell, "seat", "INT", default="1")
    add_global(cell, "lic=1")
    offer(cell, "seat=3", "queue", "all.q")
    licensed = cell.array("licensed", "1-2", "-l", "lic=1", gated=[1, 2])
    cell.wait_state(licensed, 1, "r")
    run_to_the_end(cell)
    assert running(cell, licensed) == [1]
    seated = cell.array("seated", "1-3", gated=[1, 2, 3])
    cell.wait_state(seated, 2, "r")
    run_to_the_end(cell, "-l", "seat=0")
    assert running(cell, seated) == [1, 2]
    cell.open("licensed", 1)
    cell.wait_state(licensed, 2, "r")
    for name, task in (("licensed", 2), ("seated", 1), ("seated", 2), ("seated", 3)):
        cell.open(name, task)
    cell.wait_gone(licensed, seated)


def resources(cell, command, *names):
    """What `COMMAND -F names` says of each: {name: "hc:2.000G"}; of hosts, of the last one."""
    text = cell.ok(command, "-F", ",".join(names))
    found = re.findall(r"([ghq][lLcf]):(\w+)=(\S+)", text)
    return {name: f"{dominance}:{value}" for dominance, name, value in found}


def test_what_is_left_is_shown(cell):
    add_resource(cell, "mem", "MEMORY")
    add_resource(cell, "lic", "INT")
    offer(cell, "mem=4G,lic=7")
    offer(cell, "mem=3G", "queue", "all.q")
    add_global(cell, "lic=5")
    assert resources(cell, "qstat", "mem", "lic") == {"mem": "qc:3.000G", "lic": "gc:5"}
    job = cell.array("holds", "1-2", "-l", "mem=1.5G,lic=1", gated=[1, 2])
    for task in (1, 2):
        cell.wait_state(job, task, "r")
    assert resources(cell, "qstat", "mem", "lic") == {"mem": "qc:0.000", "lic": "gc:3"}
    assert resources(cell, "qhost", "mem", "lic") == {"mem": "hc:1.000G", "lic": "gc:3.000000"}
    for task in (1, 2):
        cell.open("holds", task)
    cell.wait_gone(job)
    assert resources(cell, "qstat", "mem", "lic") == {"mem": "qc:3.000G", "lic": "gc:5"}


def test_places_are_selected_by_what_they_have(any_cell):
    cell = any_cell
    add_resource(cell, "mem", "MEMORY")
    offer(cell, "mem=4G")
    instance = f"all.q@{HOST}\n"
    job = cell.array("holds", "1-1", "-l", "mem=3G", gated=[1])
    cell.wait_state(job, 1, "r")
    assert cell.ok("qselect", "-l", "mem=1G,arch=*") == instance
    assert cell.refused("qselect", "-l", "mem=2G").out == ""
    for fits, shown in (("mem=1G", True), ("mem=2G", False)):
        assert (HOST in cell.ok("qhost", "-l", fits)) == shown
        assert (instance.strip() in cell.ok("qstat", "-f", "-l", fits)) == shown
        assert (str(job) in cell.ok("qstat", "-l", fits)) == shown
    assert cell.ok("qhost", "-l", "mem=2G") == ""
    for command in ("qhost", "qstat"):
        assert 'unknown resource "nosuch"' in cell.refused(command, "-l", "nosuch=1").err
    cell.open("holds", 1)
    cell.wait_gone(job)
    assert HOST in cell.ok("qhost", "-l", "mem=4G")


def test_why_a_job_does_not_fit_is_said_in_numbers(any_cell):
    cell = any_cell
    add_resource(cell, "mem", "MEMORY")
    offer(cell, "mem=4G")
    refusal = cell.refused("qsub", "-w", "e", "-l", "mem=5G", "-b", "y", "true")
    assert "error: no suitable queues" in refusal.err
    said = cell.refused("qsub", "-w", "v", "-l", "mem=5G", "-b", "y", "true").err
    assert f'(-l mem=5G) cannot run at host "{HOST}" because it offers only hc:mem=4.000G' in said
    job = cell.array("holds", "1-2", "-l", "mem=3G", gated=[1, 2])
    cell.wait_state(job, 1, "r")
    assert f'(-l mem=3G) cannot run at host "{HOST}" because it offers only hc:mem=1.000G' in cell.ok("qstat", "-j", job)
    cell.open("holds", 1)
    cell.wait_state(job, 2, "r")
    cell.open("holds", 2)
    cell.wait_gone(job)


def test_a_parallel_job_gets_as_many_slots_as_each_finds_its_share(cell):
    """qsub -w, qstat -j and the scheduler count alike."""
    add_resource(cell, "mem", "MEMORY")
    offer(cell, "mem=5G")
    least = ["-pe", "smp", "3", "-l", "mem=2G"]
    assert "only offers 2 slots" in cell.refused("qsub", "-w", "v", *least, "-b", "y", "true").err
    assert "no suitable queues" in cell.refused("qsub", "-w", "e", *least, "-b", "y", "true").err
    waits = cell.qsub(*least, "-b", "y", "true")
    run_to_the_end(cell, "-pe", "smp", "2", "-l", "mem=2G")
    said = cell.ok("qstat", "-j", waits)
    assert 'cannot run in PE "smp" because it only offers 2 slots' in said, said
    offer(cell, "mem=6G")
    cell.wait_gone(waits)


def test_a_task_has_a_host_alone_and_a_restart_keeps_it_so(cell):
    file = cell.files / "complex"
    file.write_text(cell.ok("qconf", "-sc") + "exclusive excl BOOL EXCL YES YES 0 0\n")
    cell.ok("qconf", "-Mc", file, user=cell.owner)
    offer(cell, "exclusive=TRUE")
    shared = cell.array("shared", "1-2", gated=[1, 2])
    cell.wait_state(shared, 2, "r")
    alone = cell.array("alone", "1-1", "-l", "exclusive", gated=[1])
    cell.open("shared", 1)
    run_to_the_end(cell)
    assert running(cell, alone) == []
    assert "offers only hc:exclusive=0" in cell.ok("qstat", "-j", alone)
    cell.open("shared", 2)
    cell.wait_state(alone, 1, "r")
    cell.restart_master()
    waiting = cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "true")
    assert "hc:exclusive=0" in cell.ok("qhost", "-F", "exclusive")
    assert set(cell.tasks(waiting).values()) == {"qw"}
    cell.open("alone", 1)
    cell.wait_gone(alone)
    cell.wait_gone(waiting)
    assert "hc:exclusive=1" in cell.ok("qhost", "-F", "exclusive")


def test_the_cell_is_a_host_that_is_always_there(cell):
    """Nobody needs to add "global" before giving it something."""
    add_resource(cell, "lic", "INT")
    for words in (["-aattr", "exechost", "complex_values", "lic=1"], ["-mattr", "exechost", "complex_values", "lic=2"]):
        cell.ok("qconf", *words, "global", user=cell.owner)
    assert "complex_values        lic=2" in cell.ok("qconf", "-se", "global")
    array = cell.array("one", "1-3", "-l", "lic=1", gated=[1, 2, 3])
    cell.wait_state(array, 2, "r")
    run_to_the_end(cell)
    assert running(cell, array) == [1, 2]
    assert cell.refused("qconf", "-mattr", "exechost", "complex_values", "lic=2", "nowhere", user=cell.owner).err
