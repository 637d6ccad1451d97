"""Hosts that are not there (sge_simhost): made known to a cell, in a host group of their own, and run."""
import socket
import subprocess
from contextlib import contextmanager

GROUP = "@sim"


def free_port():
    with socket.socket() as any_socket:
        any_socket.bind(("127.0.0.1", 0))
        return any_socket.getsockname()[1]


def make_known(cell, count):
    """COUNT hosts of CELL, all in GROUP; the owner of the cell is who runs them."""
    cell.ok("sge_cell", "host", "add", "sim", "--port", free_port(), user=cell.owner, cwd=str(cell.files))
    names = cell.ok("sge_simhost", "-hosts", count, "-issue", user=cell.owner, timeout=120).split()
    records = cell.files / "records"
    records.mkdir()
    template = cell.ok("qconf", "-se", "template")
    for name in names:
        (records / name).write_text(template.replace("template", name, 1))
    group = cell.files / "group"
    group.write_text(f"group_name {GROUP}\nhostlist {' '.join(names)}\n")
    cell.ok("qconf", "-Ae", records, user=cell.owner)
    cell.ok("qconf", "-Ahgrp", group, user=cell.owner)
    return names


@contextmanager
def running(cell, count, *options, timeout=60):
    """All of them are registered when the block begins."""
    farm = cell.start_program("sge_simhost", "-hosts", count, *options, user=cell.owner, stderr=subprocess.DEVNULL)
    try:
        assert farm.stdout.readline().startswith(f"{count} hosts registered after ")
        yield farm
    finally:
        farm.terminate()
        farm.communicate(timeout=timeout)
