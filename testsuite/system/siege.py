"""A cell under attack: daemons that may have 1 GiB each, alice who tries, and bob who wants to work."""
import os
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest

from canary import canary
from cell import SANITIZED, alive, wait
from faults import resident_bytes

DAEMON_KIB = 1 << 20
MIB = 1 << 20
KEEPS_MIB = 128  # so much more than before may a qmaster have when an attack is over: the spool's cache, and what malloc keeps of a few long messages
ATTACKER, HONEST = "alice", "bob"


def besieged(make_cell, pytestconfig):
    """Root's cell with all its daemons, bounded; bob is who works there."""
    if pytestconfig.no_users:
        pytest.skip(f"impossible here: {pytestconfig.no_users}")
    cell = make_cell(owner="root", user=HONEST, start=False)
    start_bounded(cell)
    return cell


def start_bounded(cell):
    """The daemons of CELL, each with 1 GiB; a sanitizer's shadow does not count as theirs."""
    limit = "" if SANITIZED else f"ulimit -d {DAEMON_KIB} && "
    cell.ok("sh", "-c", f"{limit}exec sge_cell start", user="root")


def without_execd(cell):
    """Its place is free for the canary, which reports as it does."""
    cell.kill("sge_execd", 15)
    return cell


def attack(cell, *argv, user=ATTACKER, timeout=120):
    """Carry out an act of attack.c; returns what it printed."""
    return cell.ok(cell.test_program("attack"), *argv, user=user, env={"USER": user}, timeout=timeout)


@contextmanager
def holding(cell, *argv, user=ATTACKER, prefix=(), timeout=120):
    """An act that holds what it has while the block runs; bound is its process."""
    process = cell.start_program(*prefix, cell.test_program("attack"), *argv, user=user, env={"USER": user}, stdin=subprocess.PIPE)
    try:
        wait(lambda: b"ready" in os.read(process.stdout.fileno(), 1 << 16), "the attack to be ready", timeout)
        yield process
    finally:
        process.communicate(timeout=timeout)


@contextmanager
def running(cell, *argv, user=ATTACKER, timeout=120):
    """An act that goes on by itself while the block runs, and is waited for at its end; bound is a list that gets its output."""
    process, said = cell.start_program(cell.test_program("attack"), *argv, user=user, env={"USER": user}), []
    try:
        yield said
        said.append(process.communicate(timeout=timeout)[0])
    finally:
        process.kill()
        process.communicate()


def peak_mib(pid):
    """The most memory that a process ever had; None when it is gone."""
    try:
        return int(Path(f"/proc/{pid}/status").read_text().split("VmHWM:")[1].split()[0]) >> 10
    except (OSError, IndexError):
        return None


@contextmanager
def nobody_is_hurt(cell, kinds=("read", "submit", "report")):
    """Whatever happens in the block: bob is served in time, the daemons are the same afterwards, and memory comes back."""
    daemons = [name for name in ("sge_qmaster", "sge_schedd", "sge_execd") if cell.pid(name)]
    pids = {name: cell.pid(name) for name in daemons}
    before = resident_bytes(pids["sge_qmaster"])
    with canary(cell, user=HONEST, kinds=kinds) as watching:
        try:
            yield watching
        finally:
            watching.notes = {"before_mib": before >> 20, "peak_mib": peak_mib(pids["sge_qmaster"])}
    assert {name: cell.pid(name) for name in daemons} == pids, "a daemon ended"
    if not SANITIZED:
        wait(lambda: resident_bytes(pids["sge_qmaster"]) < before + KEEPS_MIB * MIB,
             lambda: f"memory to come back: {before >> 20} MiB before, {resident_bytes(pids['sge_qmaster']) >> 20} now", 60)
    assert alive(pids["sge_qmaster"])
