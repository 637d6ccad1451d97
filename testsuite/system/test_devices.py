"""Devices with names: which ones a task has, what it sees of them, and that nobody else is given them, whatever ends meanwhile."""
import re

from cell import wait
from test_consumables import HOST, add_resource, offer, run_to_the_end, running


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
    let_go(cell, "pair", 1, 2)
    let_go(cell, "without", 1)
    cell.wait_gone(pair, without)


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
                        ("gpu=1000000001(0-1000000000)", "a place has at most 1024 devices of it"),
                        ("slots=2(0 1)", "is not of the type RSMAP")):
        refused = cell.refused("qconf", "-mattr", "exechost", "complex_values", offers, HOST, user=cell.owner)
        assert why in refused.out + refused.err, refused
    assert 'attribute "gpu" is not an integer value' in cell.refused("qsub", "-l", "gpu=a", "-b", "y", "true").err
    assert re.search(r"^complex_values +gpu=6\(0-3 a b\)$", cell.ok("qconf", "-se", HOST), re.M)
