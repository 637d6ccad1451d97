"""Daemons that have died. Those of a cell end up as children of the process that runs the tests, or of a host's first process, and nobody takes
their ends before the test is over: until then /proc says how each of them ended. The scheduler is the qmaster's child, whose messages say it."""
import re
import signal
from dataclasses import dataclass
from pathlib import Path

from cell import children, of_thread

DAEMONS = {"sge_qmaster": "qmaster", "sge_schedd": "qmaster/schedd", "sge_execd": "[!qs]*"}  # and where below spool/ their messages are
CRASHES = {signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGSYS}  # nobody sends these
LINES = 10  # of a messages file


@dataclass
class Death:
    daemon: str
    pid: str
    status: int  # as wait(2) has it

    @property
    def signal(self):
        return self.status & 127

    @property
    def is_crash(self):
        return self.signal in CRASHES

    def __str__(self):
        how = f"was ended by {signal.Signals(self.signal).name}" if self.signal else f"exited with status {self.status >> 8}"
        return f"{self.daemon} (pid {self.pid}) {how}"


def of_processes(parent="self"):
    """Daemons below PARENT whose end nobody has taken."""
    for pid in children(parent):
        program, _, rest = of_thread(pid, pid, "stat").partition("(")[2].rpartition(")")
        words = rest.split()
        if program in DAEMONS and words[0] == "Z":
            yield Death(program, str(pid), int(words[49]))
        if program != "sge_qmaster":  # takes its scheduler's end itself, and says it: see of_schedulers
            yield from of_processes(pid)


def messages_of(cell, daemon):
    return [path for path in sorted(cell.dir.glob(f"spool/{DAEMONS[daemon]}/messages")) if path.is_file()]


def of_schedulers(cell):
    for path in messages_of(cell, "sge_qmaster"):
        for status in re.findall(r"the scheduler ended \(wait status (\d+)\)", path.read_text(errors="replace")):
            yield Death("sge_schedd", "unknown", int(status))


def found(cells):
    """All that did not end as they should, each once."""
    deaths = [*of_processes(), *(death for cell in cells for death in of_schedulers(cell))]
    return [death for death in deaths if death.status != 0]


def report(cells, deaths):
    """Which daemon, how, and the last lines of its messages; "" when none has died."""
    parts = list(map(str, deaths))
    for daemon in sorted({death.daemon for death in deaths}):
        for path in (path for cell in cells for path in messages_of(cell, daemon)):
            parts.append(f"==> {path} <==\n" + "\n".join(path.read_text(errors="replace").splitlines()[-LINES:]))
    return "\n".join(parts)
