"""The demo that the README promises: it renders, in the right order, and leaves nothing running."""
import os
import re
import signal
import struct
import subprocess

import pytest

import cluster as clusters
from cell import descendants, wait
from users import as_user


@pytest.fixture
def demo(installed, work, pytestconfig, make_cell):
    """A function that starts the demo, as an ordinary user where that is possible; make_cell watches over what is left. Two
    processors are two slots, on any machine."""
    place = work / "demo"
    subprocess.run(["cp", "-al", str(installed), str(place)], check=True)
    ordinary = as_user("alice") if os.geteuid() == 0 and not pytestconfig.no_users else {}
    if ordinary:
        os.chown(place, ordinary["user"], ordinary["group"])
    started, two = [], ",".join(map(str, sorted(os.sched_getaffinity(0))[:2]))

    def start(*words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, term="dumb", **user):
        argv = ["taskset", "--cpu-list", two, place / "examples/render/demo", place, *words]
        more = {"env": os.environ} | (user or ordinary)
        more["env"] = more["env"] | {"TERM": term}
        process = subprocess.Popen(argv, stdout=stdout, stderr=stderr, text=True, **more)
        started.append(process)
        return process, place

    yield start
    for process in started:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
    subprocess.run(["rm", "-rf", str(place)], check=True)


TASKS = {"A": range(1, 25, 4), "B": range(1, 25), "C": range(1, 25, 2), "D": [0]}
EVERY_TASK = {(kind, stage, task) for kind in ("start", "end") for stage, tasks in TASKS.items() for task in tasks}


def times(place):
    """{(start or end, stage, task): seconds} as the tasks noted them."""
    rows = [line.split() for line in (place / "render/times").read_text().splitlines()]
    return {(kind, stage, 0 if task == "undefined" else int(task)): float(at) for kind, stage, task, at in rows}


@pytest.mark.parametrize("width, height", [(96, 54), pytest.param(480, 270, marks=pytest.mark.long)])
def test_the_demo_renders_in_order(demo, work, width, height):
    """Small pictures show it as well as the large ones that users get."""
    stage = work / "demo/examples/render/stage.sh"
    text = stage.read_text()
    stage.unlink()  # other tests have links to it
    stage.write_text(re.sub("^width=480 height=270$", f"width={width} height={height}", text, flags=re.M))
    assert f"\nwidth={width} height={height}\n" in stage.read_text()
    process, place = demo()
    out, _ = process.communicate(timeout=300)
    assert process.returncode == 0, out
    at = times(place)
    missing = EVERY_TASK - set(at)
    assert not missing, f"{sorted(missing)}\n{(place / 'render/log').read_text()}"
    for task in range(1, 25):
        assert at["start", "B", task] > at["end", "A", (task - 1) // 4 * 4 + 1]
    for task in range(1, 25, 2):
        assert at["start", "C", task] > max(at["end", "B", task], at["end", "B", task + 1])
    assert at["start", "D", 0] > max(when for (_, stage, _), when in at.items() if stage == "C")
    assert at["end", "C", 1] < at["start", "B", 24], "the first pictures are there before the depth of the last frame"
    png = (place / "render/sheet.png").read_bytes()
    assert struct.unpack(">II", png[16:24]) == (6 * 246, 4 * 141)
    gif = (place / "render/animation.gif").read_bytes()
    assert gif[:6] == b"GIF89a" and struct.unpack("<HH", gif[6:10]) == (width, height)
    for word in ("sheet.png", "animation.gif", "-hold_jid_ad A", "sge_cell create --slots 2 --ignore-load", "24 frames in"):
        assert word in out
    assert not (place / "default").exists()


@pytest.mark.parametrize("sig", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_nothing(demo, sig):
    before = set(descendants())
    process, place = demo()
    noted = place / "render/times"
    wait(lambda: noted.exists() and "start B" in noted.read_text(), "stage B to begin", 60)
    process.send_signal(sig)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 130, out
    assert not (place / "default").exists()
    assert set(descendants()) <= before


def test_a_picture_on_a_terminal_is_drawn_over_from_the_first_column(demo):
    """The terminal has echoed ^C in the meantime, and the cursor stands behind that."""
    master, terminal = os.openpty()
    process, place = demo(stdout=terminal, term="xterm")
    os.close(terminal)
    drawn = b""
    while drawn.count(b"\033[6A") < 3:
        drawn += os.read(master, 1 << 16)
    process.send_signal(signal.SIGINT)
    try:
        while some := os.read(master, 1 << 16):
            drawn += some
    except OSError:  # nobody is left who could write
        pass
    os.close(master)
    assert process.wait(60) == 130
    assert drawn.count(b"\r\033[6A") == drawn.count(b"\033[6A")
    assert not (place / "default").exists()


def test_an_interrupt_that_a_program_gets_before_it_has_begun_leaves_nothing(demo, work):
    """A terminal sends ^C to all that have no session of their own, and a program that has just been forked has none yet."""
    before = set(descendants())
    [qstat] = (work / "demo/bin").glob("*/qstat")
    real = qstat.rename(qstat.with_name("real"))
    qstat.write_text(f"#!/bin/sh\nmkdir {work}/demo/once 2>/dev/null && kill -INT $PPID $$\nexec {real} \"$@\"\n")
    qstat.chmod(0o755)
    process, place = demo()
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 130, out
    assert "demo:" not in out and "interrupted: the cell is removed" in out
    assert not (place / "default").exists()
    assert set(descendants()) <= before


def test_an_interrupt_at_the_very_beginning_leaves_nothing(demo):
    before = set(descendants())
    process, place = demo()
    wait(lambda: (place / "default").exists(), "the cell to be made")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert not (place / "default").exists()
    assert set(descendants()) <= before


def test_output_that_nobody_reads_ends_it_quietly(demo):
    before = set(descendants())
    process, place = demo(stderr=subprocess.PIPE)
    assert process.stdout.readline().startswith("A writes")
    process.stdout.close()
    assert (process.stderr.read(), process.wait(60)) == ("", 1)
    process.stderr.close()
    assert not (place / "default").exists()
    assert set(descendants()) <= before


def test_a_place_that_no_cell_can_live_in_is_refused_in_one_line(installed, tmp_path):
    place = tmp_path / "a:b"
    subprocess.run(["cp", "-al", str(installed), str(place)], check=True)
    done = subprocess.run([place / "examples/render/demo", place], capture_output=True, text=True, timeout=60)
    text = f'a cell cannot live in a directory with ":" in its path: {place}/default'
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"demo: {place}/util/sge_cell create --slots {max(2, len(os.sched_getaffinity(0)))} --ignore-load: sge_cell: {text}\n"
    assert not (place / "default").exists()


def test_on_three_hosts_it_shows_where(demo):
    """Root's, interrupted in the middle: tasks have run on hosts that its rows name, and nothing of the hosts is left."""
    if why := clusters.why_not():
        pytest.skip(f"impossible here: {why}")
    before = set(descendants())
    process, place = demo("3", user=0)
    noted = place / "render/times"
    wait(lambda: noted.exists() and noted.read_text().count("end B") > 3, "four frames of stage B", 60)
    process.send_signal(signal.SIGTERM)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 130, out
    where = re.findall(r"^ +on node +([1-3 ]+)$", out, re.M)
    assert set("123") <= set("".join(where)), out
    assert not (place / "default").exists()
    assert set(descendants()) <= before


def test_what_is_no_number_of_hosts_is_said(demo):
    for word in ("0", "10", "x", "-1"):
        process, _ = demo(word)
        out, _ = process.communicate(timeout=60)
        assert (process.returncode, out) == (1, f'demo: "{word}" is not a number of hosts from 1 to 9\n')
