"""Whole cells on this machine. Each test gets cells of its own; whatever it starts is gone when it ends, or it fails."""
import fcntl
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import threading
from pathlib import Path

import pytest

import cluster as clusters
import deaths
import users
from canary import Canary, note_figures
from cell import BUILD, TOP, Cell, alive, command_of, descendants, wait

IMPOSSIBLE = "impossible here: "
CANARIES = {"canary", "nobody_is_hurt"}  # functions: a test that calls one is marked `alone`
STRICT = os.environ.get("SGE_TEST_STRICT") == "1"


def hands_out_tests(config):
    """Is this the process that lets others run the tests, side by side? Each of those has users, an installation and mounts of its own."""
    return config.getoption("numprocesses", None) and not hasattr(config, "workerinput")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    config.addinivalue_line("markers", "load: the test puts load on its cells; a canary sees to it that nobody else has to wait")
    config.addinivalue_line("markers", "alone: what the test claims holds on a machine that does nothing else; implied by `load` and by a canary in the test")
    config.addinivalue_line("markers", "long: ./aimk test leaves the test out; ./aimk test -long runs it, and so does a pattern")
    config.addinivalue_line("markers", "crashes: daemons crash because the test says so")
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):  # also where we were started with SIGINT ignored, by `&` in a script
        if threading.current_thread() is threading.main_thread():  # one that was started to run tests side by side may not be in it
            signal.signal(number, signal.default_int_handler)  # like Ctrl-C: what was started is ended
    os.umask(0o022)
    if hands_out_tests(config):
        return
    config.work = Path(tempfile.mkdtemp(prefix="sge-test."))
    config.work.chmod(0o755)
    config.option.basetemp = config.option.basetemp or str(config.work / "tmp")  # what pytest makes for tests goes with ours
    config.no_users = users.make(config.work)
    users.become_subreaper()


def pytest_unconfigure(config):
    if "SGE_TEST_KEEP" not in os.environ and not hands_out_tests(config):
        shutil.rmtree(config.work, ignore_errors=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """What a canary measures holds for a machine that does nothing else."""
    for item in items:
        if item.get_closest_marker("load") or CANARIES & set(item.function.__code__.co_names):
            item.add_marker("alone")


def what_daemons_said(cells):
    """First which of them have died. Whatever keeps us from reading it must not hide why the test failed."""
    try:
        died = deaths.report(cells, deaths.found(cells))
        return "\n".join([died, *(cell.messages() for cell in cells)])
    except Exception as why:  # pylint: disable=broad-except
        return f"cannot read their messages files: {why!r}"


def crashes(node):
    """What is to be said of daemons that crashed although the test did not want it."""
    crashed = [] if node.get_closest_marker("crashes") else [death for death in deaths.found(node.cells) if death.is_crash]
    return deaths.report(node.cells, crashed)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """A failed test shows which daemons have died, and what all of them said. In strict runs a skip is a failure, unless the test cannot run here."""
    report = (yield).get_result()
    if report.failed and call.when == "call":
        report.sections.append(("daemons", what_daemons_said(list(getattr(item, "cells", [])))))
    is_skip = report.skipped and not hasattr(report, "wasxfail")
    if is_skip and STRICT and IMPOSSIBLE not in str(report.longrepr):
        report.outcome = "failed"


@pytest.fixture(scope="session")
def work(pytestconfig):
    return pytestconfig.work


@pytest.fixture(scope="session")
def installed(work):
    """The build, installed below a directory; processes that test side by side take turns at it."""
    target = work / "installed"
    with open(BUILD / "installing", "w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        subprocess.run(["ninja", "--quiet", "-C", str(BUILD)], check=True)
        subprocess.run(["meson", "install", "-C", str(BUILD), "--no-rebuild", "--quiet"], check=True,
                       env=os.environ | {"DESTDIR": str(target)})
    return target


def end_leftovers(before):
    """What is still there of what the test started: killed, and named."""
    def is_ending(pid):  # it has no memory left to have a command line in
        return alive(pid) and not command_of(pid)

    left = [pid for pid in descendants() if pid not in before]
    for pid in left:
        wait(lambda: not is_ending(pid), f"{pid} to end")
    left = [pid for pid in left if alive(pid)]
    names = [f"{pid}: {command_of(pid)}" for pid in left]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    for pid in left:
        wait(lambda: not alive(pid), f"{pid} to die")
    try:
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass
    except ChildProcessError:
        pass
    return names


@pytest.fixture
def make_cell(request, installed, work):
    """A function that makes a cell; everything is gone at the end of the test."""
    request.node.cells = []
    before = set(descendants())
    own_place = Path(tempfile.mkdtemp(prefix="cell.", dir=work))
    own_place.chmod(0o755)

    def make(slots=4, owner=None, user=None, name="default", start=True, place=own_place):
        mine = pwd.getpwuid(os.geteuid()).pw_name
        if {owner, user} - {None, mine}:
            need_users(request.config)
        here = place / str(len(request.node.cells))
        here.mkdir()
        cell = Cell(installed, here, owner or mine, user or owner or mine, name)
        request.node.cells.append(cell)
        cell.create(slots)
        if start:
            cell.start()
            if request.node.get_closest_marker("load"):
                canaries.append(Canary(cell, mine if request.config.no_users else "olga", ["read"]))
        return cell

    canaries, complaints = [], []
    make.cells = request.node.cells
    yield make
    crashed = crashes(request.node)
    for watching in canaries:
        watching.wait_answers(1)
        watching.stop()
        note_figures(watching)
        complaints += watching.complaints()
    reports = []
    for cell in request.node.cells:
        reports += cell.sanitizer_reports()
        cell.destroy()
        cell.close_gates()
        reports += [text for text in cell.sanitizer_reports() if text not in reports]
    left = end_leftovers(before)
    shutil.rmtree(own_place, ignore_errors=True)
    assert not left, "processes left over: " + "; ".join(left)
    assert not crashed, crashed
    assert not complaints, "; ".join(complaints)
    assert not reports, "sanitizer reports:\n" + "\n".join(reports)


def need_users(config):
    if config.no_users:
        pytest.skip(IMPOSSIBLE + config.no_users)


@pytest.fixture(params=["root", "user"])
def cell(request, make_cell, pytestconfig):
    """A running cell with 4 slots: once root's with alice submitting, once all of it an ordinary user's."""
    if request.param == "root":
        need_users(pytestconfig)
        return make_cell(owner="root", user="alice")
    if os.geteuid() == 0:
        need_users(pytestconfig)
        return make_cell(owner="alice")
    return make_cell()


@pytest.fixture
def users_cell(make_cell, pytestconfig):
    """Root's cell, for tests that need several users."""
    need_users(pytestconfig)
    return make_cell(owner="root", user="alice")


@pytest.fixture
def any_cell(make_cell, pytestconfig):
    """One running cell, whoever runs the tests: for what does not depend on users."""
    return make_cell() if pytestconfig.no_users else make_cell(owner="root", user="alice")


@pytest.fixture
def bare_cluster(request, installed, work, pytestconfig):
    """The qmaster's host of a cluster, without a cell yet; everything is gone at the end of the test."""
    if clusters.why_not():
        pytest.skip(IMPOSSIBLE + clusters.why_not())
    need_users(pytestconfig)
    before = set(descendants())
    place = Path(tempfile.mkdtemp(prefix="cluster.", dir=work))
    place.chmod(0o755)
    made = clusters.Cluster(installed, place, work / "home")
    request.node.cells = made.hosts.values()
    try:
        yield made
    finally:
        crashed = crashes(request.node)
        made.end()
        left = end_leftovers(before)
        reports = [text for host in made.hosts.values() for text in host.sanitizer_reports()]
        shutil.rmtree(place, ignore_errors=True)
        assert not left, "processes left over: " + "; ".join(left)
        assert not crashed, crashed
        assert not reports, "sanitizer reports:\n" + "\n".join(reports)


@pytest.fixture
def cluster(bare_cluster):
    """The same with a qmaster that listens for hosts."""
    bare_cluster.start()
    return bare_cluster
