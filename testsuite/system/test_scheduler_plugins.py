"""Schedulers in shared objects: built outside the tree from what is installed, loaded, and ended when they fail."""
import re
import shutil

import pytest

from cell import TOP, wait

FAULTS = {
    "crash": r"its process was ended by signal 11 \(Segmentation fault\)",
    "abort_": r"its process was ended by signal 6 \(Aborted\)",
    "exit_": "its process exited with status 0",
    "memory": r"its process was ended by signal 11 \(Segmentation fault\)",
    "unknown_job": "it decided about job 4000000, which does not exist",
    "occupied": r'it placed job \d+ in queue instance "all.q@[^"]+", which has no slot for it',
    "too_many": r"it placed 1000000 tasks of job \d+, of which 64 may start",
    "garbage": "its process sent what is not an answer",
    "close_": "its process closed the connection",
    "hang": "its process gave no answer in time",
}


@pytest.fixture
def cell(any_cell):
    if not shutil.which("pkg-config"):
        pytest.skip("pkg-config is not installed: ./aimk deps -build")
    return any_cell


def pkg_config(cell, *options):
    return cell.ok("pkg-config", *options, "sge_scheduler", env={"PKG_CONFIG_PATH": str(cell.root / "lib/pkgconfig")}).strip()


def build(cell, source, name, *options):
    """SOURCE, copied to where there is nothing of the tree, as the shared object NAME in the place of the installation."""
    place = cell.files / "schedulers"
    cell.ok("mkdir", "-p", "-m", "755", place, user=cell.owner)
    cell.ok("tee", place / "it.c", stdin=source.read_text(), user=cell.owner)
    cell.ok("cc", "-shared", "-fPIC", "-Wall", "-Werror", *pkg_config(cell, "--cflags").split(), *options, "-o", place / name, place / "it.c",
            user=cell.owner)
    target = pkg_config(cell, "--variable=plugindir")
    cell.ok("install", "-D", place / name, f"{target}/{name}", user=cell.owner)
    return f"{target}/{name}"


def set_algorithm(cell, name):
    text = re.sub(r"(?m)^algorithm +.*$", f"algorithm {name}", cell.ok("qconf", "-ssconf"))
    (cell.files / "sched").write_text(text)
    return cell.run("qconf", "-Msconf", cell.files / "sched", user=cell.owner)


def choose(cell, name):
    result = set_algorithm(cell, name)
    assert (result.code, result.err) == (0, "changed scheduler configuration\n"), str(result)


def log(cell):
    return (cell.dir / "spool/qmaster/schedd/messages").read_text(errors="replace")


def wait_log(cell, pattern, count=1):
    wait(lambda: len(re.findall(pattern, log(cell))) >= count, lambda: f"{pattern} in\n{log(cell)}")


def one_slot(cell):
    cell.ok("qconf", "-rattr", "queue", "slots", "1", "all.q", user=cell.owner)


def test_a_plug_in_ranks_the_jobs(cell):
    build(cell, cell.root / "examples/schedulers/shortest_first.c", "shortest_first.so")
    one_slot(cell)
    choose(cell, "shortest_first.so")
    wait_log(cell, "scheduler plug-in shortest_first.so is loaded")
    cell.ok("qmod", "-d", "*", user=cell.owner)
    jobs = [cell.array(name, "1-2", *options) for name, options in
            (("long", ["-l", "h_rt=900"]), ("short", ["-l", "h_rt=60"]), ("any", []))]
    cell.ok("qmod", "-e", "*", user=cell.owner)
    cell.wait_gone(*jobs)
    assert [name for _, name, *_ in cell.notes("start")] == ["short"] * 2 + ["long"] * 2 + ["any"] * 2
    choose(cell, "default")
    cell.wait_gone(cell.qsub("-b", "y", "true"))


def test_a_plug_in_places_tasks_and_announces_what_is_next(cell):
    build(cell, cell.root / "examples/schedulers/fill_hosts.c", "fill_hosts.so")
    choose(cell, "fill_hosts.so")
    wait_log(cell, "scheduler plug-in fill_hosts.so is loaded")
    first = cell.array("first", "1-4", gated=range(1, 5))
    for task in range(1, 5):
        cell.wait_note("start", "first", task)
    second = cell.array("second", "1-2")
    wait(lambda: "expected to start at" in cell.ok("qstat", "-j", second), lambda: cell.ok("qstat", "-j", second))
    for task in range(1, 5):
        cell.open("first", task)
    cell.wait_gone(first, second)
    assert sorted(row[1:3] for row in cell.notes("start")) == [("first", n) for n in range(1, 5)] + [("second", 1), ("second", 2)]
    cell.ok("qconf", "-ks", user=cell.owner)  # the next scheduler begins with the plug-in
    cell.ok("qconf", "-at", "scheduler", user=cell.owner)
    wait_log(cell, "scheduler plug-in fill_hosts.so is loaded", 2)
    cell.wait_gone(cell.qsub("-b", "y", "true"))


@pytest.mark.parametrize("faults", [["crash", "abort_", "exit_", "memory", "unknown_job"], ["occupied", "too_many", "garbage", "close_"], ["hang"]])
def test_the_default_takes_over_when_a_plug_in_fails(cell, faults):
    for fault in faults:
        build(cell, TOP / "testsuite/system/bad_scheduler.c", f"{fault}.so", f"-DFAULT={fault}")
        choose(cell, f"{fault}.so")
        wait_log(cell, f"scheduler plug-in {fault}.so is loaded")
        job = cell.array(fault, "1-64")
        cell.wait_gone(job)
        wait_log(cell, rf"E\|scheduler plug-in {fault}.so failed: {FAULTS[fault]}; the algorithm default decides until")
        assert sorted(row[2] for row in cell.notes("start") if row[1] == fault) == list(range(1, 65))
    assert "refused" not in log(cell)


def test_only_what_can_be_a_scheduler_is_loaded(cell):
    source = TOP / "testsuite/system/bad_scheduler.c"
    file = build(cell, source, "newer.so", "-DFAULT=hang", "-DVERSION=2")
    build(cell, source, "nameless.so", "-DFAULT=hang", "-Dsge_scheduler=other", "-include", "sge_scheduler.h")
    writable = build(cell, source, "writable.so", "-DFAULT=hang")
    cell.ok("chmod", "o+w", writable, user=cell.owner)
    cell.ok("ln", "-s", file, file.replace("newer", "link"), user=cell.owner)
    cell.ok("tee", file.replace("newer", "text"), stdin="text\n", user=cell.owner)
    for name, why in (("newer.so", "has version 2 of the interface for schedulers, this release has 1"),
                      ("nameless.so", "has no symbol sge_scheduler"), ("missing.so", "No such file or directory"),
                      ("writable.so", "can be changed by others than root and the administrative user"),
                      ("link.so", "Too many levels of symbolic links"), ("text.so", "file too short")):
        choose(cell, name)
        wait_log(cell, rf"E\|scheduler plug-in {name} failed: .*{why}; the algorithm default decides")
        cell.wait_gone(cell.qsub("-b", "y", "true"))
    before = cell.ok("qconf", "-ssconf")
    for name in ("../evil.so", "/tmp/evil.so", ".so", ".x.so", "a" * 62 + ".so", "default.txt"):
        result = set_algorithm(cell, name)
        assert result.code == 1 and f'attribute "algorithm": "{name}" is not one of the schedulers' in result.err, str(result)
    assert cell.ok("qconf", "-ssconf") == before


def test_depth_first_completes_the_first_frames_first(cell):
    one_slot(cell)
    choose(cell, "depth_first")
    cell.ok("qmod", "-d", "*", user=cell.owner)
    first = cell.array("A", "1-3")
    second = cell.array("B", "1-3", "-hold_jid_ad", first)
    third = cell.array("C", "1-3", "-hold_jid_ad", second)
    cell.ok("qmod", "-e", "*", user=cell.owner)
    cell.wait_gone(first, second, third)
    assert [row[1:3] for row in cell.notes("start")] == [(name, frame) for frame in (1, 2, 3) for name in "ABC"]
    text = cell.ok("qconf", "-ssconf")
    for value, good in (("DEPTH_FIRST_FRAMES=1", True), ("DEPTH_FIRST_FRAMES=many", False), ("DEPTH_FIRST_FRAMES=", False)):
        (cell.files / "sched").write_text(re.sub(r"(?m)^params +.*$", f"params {value}", text))
        result = cell.run("qconf", "-Msconf", cell.files / "sched", user=cell.owner)
        assert (result.code == 0) == good, str(result)
    assert "DEPTH_FIRST_FRAMES=1\n" in cell.ok("qconf", "-ssconf")
    cell.ok("qconf", "-rattr", "queue", "slots", "4", "all.q", user=cell.owner)
    cell.ok("qmod", "-d", "*", user=cell.owner)  # the limit holds from when there is a second stage
    limited = cell.array("D", "1-3", gated=[1])
    cell.array("E", "1-3", "-hold_jid_ad", limited)
    cell.ok("qmod", "-e", "*", user=cell.owner)
    cell.wait_note("start", "D", 1)
    cell.wait_gone(cell.qsub("-b", "y", "true"))  # there are free slots
    assert [row[2] for row in cell.notes("start") if row[1] == "D"] == [1]
    cell.open("D", 1)
    cell.wait_gone(limited)
