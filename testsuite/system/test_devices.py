"""Devices with names: which ones a task has, what it sees of them, and that nobody else is given them, whatever ends meanwhile."""
import json
import re

from cell import TOP, wait
from test_consumables import HOST, add_resource, offer, run_to_the_end, running
from test_parallel import add_pe


def gated_with_devices(cell, name, tasks, *options):
    """Tasks that write what they see of devices, and end when they are let go."""
    see = f'(echo "$SGE_HGR_gpu"; echo "${{CUDA_VISIBLE_DEVICES-unset}}") >{cell.files}/seen.{name}.$SGE_TASK_ID'
    hold = f'while [ ! -e {cell.files}/go.{name}.$SGE_TASK_ID ]; do sleep 0.05; done'
    return cell.qsub("-N", name, "-t", tasks, "-o", "/dev/null", "-j", "y", *options, "-b", "y", "-shell", "n", "/bin/sh", "-c", f"{see}; {hold}")


def let_go(cell, name, *tasks):
    for task in tasks:
        (cell.files / f"go.{name}.{task}").touch()


def seen(cell, name, task):
    """(SGE_HGR_gpu, CUDA_VISIBLE_DEVICES) of a task."""
    path = cell.files / f"seen.{name}.{task}"
    text = wait(lambda: path.exists() and path.read_text().count("\n") == 2 and path.read_text(), f"task {task} of {name} to begin")
    return tuple(text.splitlines())


def test_tasks_have_devices_of_their_own(cell):
    cell.files.chmod(0o777)
    cell.configure(execd_params="DEVICE_VARIABLES=gpu:CUDA_VISIBLE_DEVICES")
    add_resource(cell, "gpu", "RSMAP", default="NONE")
    offer(cell, "gpu=4(0-3)")
    assert "gpu=4(0-3)" in cell.ok("qconf", "-se", HOST)
    see_names_in_the_environment(cell)
    see_that_nothing_is_given_twice(cell)
    see_what_is_refused(cell)


def see_names_in_the_environment(cell):
    pair = gated_with_devices(cell, "pair", "1-2", "-l", "gpu=2", "-v", "CUDA_VISIBLE_DEVICES=7,SGE_HGR_gpu=7")
    assert sorted(seen(cell, "pair", task) for task in (1, 2)) == [("0 1", "0,1"), ("2 3", "2,3")]
    without = gated_with_devices(cell, "without", "1-1")
    assert seen(cell, "without", 1) == ("", "")
    shown = re.findall(r"^resource map +(\d): +gpu=(\S+)=\((.*)\)$", cell.ok("qstat", "-j", pair), re.M)
    assert [(int(task), host) for task, host, _ in shown] == [(1, HOST), (2, HOST)] and {names for *_, names in shown} == {"0 1", "2 3"}
    assert free_devices(cell) == "0"
    let_go(cell, "pair", 1, 2)
    let_go(cell, "without", 1)
    cell.wait_gone(pair, without)
    assert free_devices(cell) == "4(0 1 2 3)"
    assert sorted(row.get("devices") for row in cell.accounting() if row["job_number"] == str(pair)) == [f"gpu={HOST}=(0 1)", f"gpu={HOST}=(2 3)"]
    assert f"devices      gpu={HOST}=(" in cell.ok("qacct", "-j", pair) and "devices" not in cell.ok("qacct", "-j", without)
    assert json.loads(cell.ok("qacct", "-j", pair, "-json"))


def free_devices(cell):
    """What of gpu is left, in qstat -F and qhost -F alike."""
    queue, host = (re.search(r"hc:gpu=(.*)$", cell.ok(*command), re.M).group(1) for command in (("qstat", "-F", "gpu"), ("qhost", "-F", "gpu")))
    assert queue == host
    return queue


def see_that_nothing_is_given_twice(cell):
    """The daemons are killed, and the list changes, while tasks have devices."""
    one = gated_with_devices(cell, "one", "1-6", "-l", "gpu=1")
    first = {task: seen(cell, "one", task)[0] for task in (1, 2, 3, 4)}
    assert sorted(first.values()) == ["0", "1", "2", "3"]
    for daemon in "sge_schedd", "sge_execd":
        cell.kill(daemon)
    cell.restart_master()
    offer(cell, "gpu=2(a b)")
    let_go(cell, "one", 1, 2)
    wait(lambda: running(cell, one) == [3, 4], "two tasks to end")
    run_to_the_end(cell)
    assert running(cell, one) == [3, 4]
    offer(cell, "gpu=6(0-3 a b)")
    new = [seen(cell, "one", task)[0] for task in (5, 6)]
    assert sorted([*new, first[3], first[4]]) == ["0", "1", "2", "3"], (first, new)
    let_go(cell, "one", 3, 4, 5, 6)
    cell.wait_gone(one)


def see_what_is_refused(cell):
    for offers, why in (("gpu=3(0 1)", "the amount is 3, but 2 devices are named"), ("gpu=2(0 0)", 'device "0" is named twice'),
                        ("gpu=1000000001(0-1000000000)", "the limit is 1024 devices"),
                        ("slots=2(0 1)", "is not of the type RSMAP")):
        refused = cell.refused("qconf", "-mattr", "exechost", "complex_values", offers, HOST, user=cell.owner)
        assert why in refused.out + refused.err, refused
    for right, wrong in ("", "gpu"), ("", "gpu:1ST"), ("gpu:OK;", "gpu:HOME"):
        refused = cell.refused("qconf", "-Mconf", cell.configuration(execd_params=f"DEVICE_VARIABLES={right}{wrong}"), user=cell.owner)
        assert f'execd_params, DEVICE_VARIABLES: "{wrong}" is not' in refused.out + refused.err, refused
    assert "DEVICE_VARIABLES=gpu:CUDA_VISIBLE_DEVICES" in cell.ok("qconf", "-sconf")
    assert 'attribute "gpu" is not an integer value' in cell.refused("qsub", "-l", "gpu=a", "-b", "y", "true").err
    assert re.search(r"^complex_values +gpu=6\(0-3 a b\)$", cell.ok("qconf", "-se", HOST), re.M)


def test_the_commands_of_the_guide(cell):
    """doc/administering/resources.md, down to its chapter on quotas (test_quotas.py); its host is ours."""
    page = (TOP / "doc/administering/resources.md").read_text().replace("node1", HOST).split("## 4. Quotas")[0]
    commands = re.findall(r"^    \$ (.*)$", page, re.M)
    assert len(commands) > 8
    for command in commands:
        words = command.replace("qsub ", "qsub -o /dev/null -j y ") if command.startswith("qsub") else command
        said = cell.ok("sh", "-c", words, cwd=cell.files, user=cell.owner)
        if command.startswith("qsub") and "sleep" in command:
            sleeper = int(re.match(r"Your job (\d+)", said).group(1))
            cell.wait_state(sleeper, 0, "r")
    assert f"resource map  1:            gpu={HOST}=(0 1)\n" in cell.ok("qstat", "-j", "sleep")
    cell.ok("qdel", "sleep", user=cell.owner)
    cell.wait_gone(sleeper)


def test_a_parallel_task_has_devices_on_each_host(cluster):
    """Its master sees those of its own host; a host that is killed, and the qmaster, come back and give none of them to anybody else."""
    master = cluster.master
    cluster.join("node1")
    for host in "master", "node1":
        cluster.wait_registered(host)
    add_resource(master, "gpu", "RSMAP", default="NONE")
    add_resource(master, "card", "RSMAP", "HOST", "NONE")
    offer(master, "gpu=3(a b c),card=1(x)", name="master")
    offer(master, "gpu=3(0-2),card=1(y)", name="node1")
    add_pe(master, "fill", allocation_rule="$fill_up")
    text = 'echo "$SGE_HGR_gpu/$SGE_HGR_card/$HOSTNAME" >/tmp/seen; while [ ! -e /tmp/go ]; do sleep 0.05; done'
    wide = master.qsub("-o", "/dev/null", "-j", "y", "-pe", "fill", "4", "-l", "gpu=1,card=1", "-b", "y", "-shell", "n", "/bin/sh", "-c", text)
    seen_at = {name: host.place / "tmp/seen" for name, host in cluster.hosts.items()}
    wait(lambda: any(path.exists() and path.read_text().endswith("\n") for path in seen_at.values()), "the task to begin")
    where, = (name for name, path in seen_at.items() if path.exists())
    has = {"master": ("a b", "x"), "node1": ("0 1", "y")}
    assert seen_at[where].read_text() == "/".join([*has[where], where]) + "\n"
    master.wait_state(wide, 0, "r")
    cluster.hosts["node1"].kill_execd()
    master.kill_qmaster()
    master.start()
    cluster.hosts["node1"].start_execd()
    cluster.wait_registered("node1")
    resource_map = re.findall(r"(gpu|card)=(\w+)=\((.*?)\)", master.detail(wide)["resource map  1"])
    assert sorted(resource_map) == sorted((kind, host, names) for host, both in has.items() for kind, names in zip(("gpu", "card"), both))
    for host in cluster.hosts.values():
        (host.place / "tmp/go").touch()
    master.wait_gone(wide)
    row, = (row for row in master.accounting() if row["job_number"] == str(wide))
    assert sorted(re.findall(r"(gpu|card)=(\w+)=\((.*?)\)", row["devices"])) == sorted(resource_map)
