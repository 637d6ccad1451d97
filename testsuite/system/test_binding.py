"""Core binding: submit(1) -binding, on whatever cores this machine has."""
import os
import re

from cell import Gate, wait
from drmaa_python import binding, program  # pylint: disable=unused-import
from test_interactive import Terminal

HOST = os.uname().nodename.split(".")[0]


def in_use(cell):
    """m_topology and m_topology_inuse."""
    shown = cell.ok("qhost", "-F", "m_topology,m_topology_inuse", "-h", HOST)
    return re.search(r"m_topology=(\w+)", shown)[1], re.search(r"m_topology_inuse=(\w+)", shown)[1]


def wait_in_use(cell, letters):
    wait(lambda: in_use(cell)[1] == letters, lambda: f"m_topology_inuse {letters}: {in_use(cell)[1]}")


def lower(topology, *cores):
    """The topology; cores of these numbers (from 0, over all sockets) and their threads are in lower case."""
    parts = re.findall(r"S|CT*", topology)
    at = [i for i, part in enumerate(parts) if part != "S"]
    for number in cores:
        parts[at[number]] = parts[at[number]].lower()
    return "".join(parts)


def submit(cell, name, *options):
    """A job that says where it runs, and waits at its gate."""
    cell.gates[name, 1] = Gate(cell.files / f"{name}.1")
    out = cell.files / f"{name}.out"
    job = cell.qsub("-N", name, "-o", "/dev/null", "-j", "y", *options, "-b", "y",
                    f"(grep Cpus_allowed_list: /proc/self/status | cut -f2; echo ${{SGE_BINDING-none}}; cat $PE_HOSTFILE /dev/null) >{out}.new; "
                    f"mv {out}.new {out}; read code <{cell.files}/{name}.1")
    wait(out.exists, f"{name} to say where it runs")
    return job, *out.read_text().splitlines()


def end(cell, *names_and_jobs):
    for name, _ in names_and_jobs:
        cell.open(name, 1)
    cell.wait_gone(*(job for _, job in names_and_jobs))
    for name, _ in names_and_jobs:
        (cell.files / f"{name}.1").unlink()
        (cell.files / f"{name}.out").unlink()


def numbers(text):
    """The processors in 0-1,3."""
    out = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        out |= set(range(int(first), int(last or first) + 1))
    return out


def wait_bound(cell, job, *lines):
    def shown():
        return [line[28:] for line in cell.ok("qstat", "-j", job).splitlines() if line.startswith("binding")]
    wait(lambda: shown() == list(lines), lambda: f"{lines}: {shown()}")


def test_cores_belong_to_one_task_until_it_has_ended(any_cell):
    """A core belongs to a job, also after a restart of the execd; another that wants all of them runs unbound, and says so."""
    cell = any_cell
    topology, used = in_use(cell)
    n, mine = topology.count("C"), lower(topology, 0)
    assert used == topology and n >= 1
    bound, allowed, variable = submit(cell, "bound", "-binding", "linear:1")
    assert numbers(allowed) == set(map(int, variable.split()))
    wait_bound(cell, bound, "set linear:1", mine)
    everything, allowed, variable = submit(cell, "everything", "-binding", f"linear:{n}")
    assert numbers(allowed) == os.sched_getaffinity(0) and variable == "none"
    wait_bound(cell, everything, f"set linear:{n}", "NONE")
    wait_in_use(cell, mine)
    cell.kill("sge_execd")
    cell.start()
    wait_in_use(cell, mine)
    wait_bound(cell, bound, "set linear:1", mine)
    cell.restart_master()
    wait_bound(cell, bound, "set linear:1", mine)
    end(cell, ("bound", bound))
    wait_in_use(cell, topology)
    end(cell, ("everything", everything))
    messages = (cell.dir / f"spool/{HOST}/messages").read_text()
    assert (f"task {everything}.1 runs unbound: its cores (-binding set linear:{n}) are not free or not there: {mine}") in messages


def test_strategies_and_types(any_cell):
    """linear, striding and explicit; set binds, env and pe only say so; processors of the queue; ENABLE_BINDING."""
    cell = any_cell
    topology, _ = in_use(cell)
    everywhere = os.sched_getaffinity(0)
    first = None
    for options, shown in (["explicit:0,0"], "set explicit:0,0"), (["striding:1:1"], "set striding:1:1"), (["linear:1:0,0"], "set linear:1:0,0"):
        job, allowed, variable = submit(cell, "job", "-binding", *options)
        first = first or variable
        assert variable == first and numbers(allowed) == set(map(int, first.split()))
        wait_bound(cell, job, shown, lower(topology, 0))
        end(cell, ("job", job))
    env, allowed, variable = submit(cell, "env", "-binding", "env", "linear:1")
    assert numbers(allowed) == everywhere and variable == first
    wait_bound(cell, env, "env linear:1", lower(topology, 0))
    end(cell, ("env", env))
    pe, allowed, variable, hosts = submit(cell, "pe", "-pe", "smp", "2", "-binding", "pe", "linear:1")
    assert numbers(allowed) == everywhere and variable == "none" and hosts == f"{HOST} 2 all.q@{HOST} 0,0"
    wait_bound(cell, pe, "pe linear:1", lower(topology, 0))
    end(cell, ("pe", pe))
    slots, allowed, _, hosts = submit(cell, "slots", "-pe", "smp", "1", "-binding", "linear")
    assert numbers(allowed) == set(map(int, first.split())) and hosts == f"{HOST} 1 all.q@{HOST} UNDEFINED"
    wait_bound(cell, slots, "set linear:slots", lower(topology, 0))
    end(cell, ("slots", slots))
    last = max(everywhere)
    cell.ok("qconf", "-rattr", "queue", "processors", str(last), "all.q", user=cell.owner)
    queued, allowed, variable = submit(cell, "queued", "-binding", "linear:1")
    assert allowed == variable == str(last)
    end(cell, ("queued", queued))
    cell.configure(execd_params="ENABLE_BINDING=false")
    wait_in_use(cell, topology)
    off, allowed, variable = submit(cell, "off", "-binding", "linear:1")
    assert allowed == str(last) and variable == "none"
    wait_bound(cell, off, "set linear:1", "NONE")
    end(cell, ("off", off))


def test_what_is_asked_for_is_changed_and_refused(any_cell):
    """qalter, embedded options, the words of refusals and their exit codes."""
    cell = any_cell
    script = cell.files / "script"
    script.write_text("#$ -binding striding:2:1\ntrue\n")
    job = cell.qsub("-h", script)
    wait_bound(cell, job, "set striding:2:1")
    assert cell.ok("qalter", "-binding", "env", "explicit:0,0:0,1", job) == f"modified binding of job {job}\n"
    wait_bound(cell, job, "env explicit:0,0:0,1")
    assert "       Binding:          env explicit:0,0:0,1\n" in cell.ok("qstat", "-r")
    assert "Binding:" not in cell.ok("qstat", "-r", "-ncb") and "Binding:" in cell.ok("qstat", "-r", "-ncb", "-cb")
    error = cell.refused("qalter", "-binding", "none", job, code=2).err
    assert error == "qalter: -binding option contains errors: couldn't parse binding parameter (no strategy found)\n"
    error = cell.refused("qsub", "-h", "-binding", "linear:0", "-b", "y", "true").err
    assert error == "Unable to run job: job rejected: binding parameter not consistent with strategy (BN_parameter is n)\nExiting.\n"
    error = cell.refused("qalter", "-binding", "striding:0:1", job).out
    assert error == "job rejected: binding parameter not consistent with strategy (BN_parameter_n is 0)\n"
    wait_bound(cell, job, "env explicit:0,0:0,1")
    cell.ok("qdel", job)


# what a job says of itself: the processors that it may use, and those of its cores
SAYS = "grep Cpus_allowed_list: /proc/self/status | cut -f2; echo ${SGE_BINDING-none}"


def expect_bound(text):
    allowed, variable = text.split("\n", 1)
    assert numbers(allowed) == set(map(int, variable.split())), text


def test_interactive_jobs_are_bound(any_cell):
    """qrsh, qlogin and qsh take -binding as qsub does; cores are free again when the client has gone."""
    cell = any_cell
    topology, _ = in_use(cell)
    result = cell.run("qrsh", "-binding", "linear:1", SAYS)
    assert (result.code, result.err) == (0, "")
    expect_bound(result.out)
    wait_in_use(cell, topology)
    at = Terminal(cell, "qlogin", "-binding", "linear:1")
    at.expect("Establishing builtin session to host")
    at.type("echo bound:${SGE_BINDING-none}:$(grep Cpus_allowed_list: /proc/self/status | cut -f2):\n")
    found = at.expect(r"bound:([\d ]+):([\d,-]+):")
    expect_bound(f"{found[2]}\n{found[1]}")
    wait_in_use(cell, lower(topology, 0))
    at.type("exit\n")
    assert at.finish() == 0
    wait_in_use(cell, topology)
    out = cell.files / "qsh.out"
    terminal = cell.files / "xterm"
    terminal.write_text(f"#!/bin/sh\n({SAYS}) >{out}.new\nmv {out}.new {out}\n")
    terminal.chmod(0o755)
    cell.configure(xterm=terminal)
    assert cell.run("qsh", "-binding", "linear:1", "-display", "remote:0").code == 0
    wait(out.exists, "the terminal of qsh")
    expect_bound(out.read_text())
    wait_in_use(cell, topology)


def test_jobs_of_drmaa_are_bound(program):
    cell = program.cell
    out = cell.files / "drmaa.out"
    script = cell.files / "says"
    script.write_text(f"#!/bin/sh\n{SAYS}\n")
    script.chmod(0o755)
    program.run("""
        s.initialize()
        s.wait(s.runJob(template(sys.argv[1], native="-binding linear:1", output=":" + sys.argv[2])), -1)
        refused(drmaa.errors.DeniedByDrmException, s.runJob, template("/bin/true", native="-binding linear:0"))
        s.exit()
        """, script, out)
    expect_bound(out.read_text())
