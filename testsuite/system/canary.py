"""Somebody who does no harm, and what he notices of a load: canary.c asks, this says whether the answers came in time.

A loaded machine makes everybody wait. So a control does at the same moments what a submit costs on this machine without a qmaster
(hands that pass a token on, a sync), and what the control waited counts for nobody. And 2 ms of work show how much of a processor one gets:
the limits grow with what is missing."""
import bisect
import json
import os
import pwd
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass

from cell import wait

P99_MS, WORST_MS = 50, 250
LONG_MS = 500  # the worst of what takes more than one answer of the qmaster
LONG_KINDS = ("start", "tls")
RARER = {"start": 10}  # asked so many times less often than the others
IDLE_MS = 10  # what a quiet machine needs at most; limits grow with what this one needs more
SPIN_MS = 2  # of work, of which canary.c says how long it took
PERCENT = 100  # the 99th percentile of fewer answers is the worst, which has a limit of its own
IDLE_ANSWERS = 20  # so many of each kind before the load begins
AROUND_US = 100_000  # control answers that far from a question count for it


@dataclass
class Ask:
    due_us: int
    took_us: int
    outcome: str


class Asker:
    def __init__(self, cell, kind, user):
        self.kind, self.path = kind, cell.files / f"canary.{kind}"
        self.out = open(self.path, "w")
        made = cell.files / f"canary.{kind}.file"
        self.process = cell.start_program(cell.test_program("canary"), kind, made, user=user, env={"USER": user},
                                          stdin=subprocess.PIPE, stdout=self.out)

    def asks(self):
        rows = [line.split() for line in self.path.read_text().splitlines()]
        return [Ask(int(row[0]), int(row[1]), row[2]) for row in rows if len(row) == 3]

    def stop(self):
        """A question that waits is given up."""
        self.process.kill()
        self.process.communicate()
        self.out.close()


class Machine:
    """What the control needed at a time."""

    def __init__(self, asks):
        self.asks = sorted(asks, key=lambda ask: ask.due_us)
        self.due = [ask.due_us for ask in self.asks]

    def worst_us(self, ask):
        """The longest control around ASK; one that began before it may still have waited then."""
        first = bisect.bisect_left(self.due, ask.due_us - AROUND_US)
        last = bisect.bisect_right(self.due, ask.due_us + ask.took_us + AROUND_US)
        near = self.asks[max(first - 1, 0):last]
        return max((control.took_us for control in near), default=0)


def await_more(askers, more):
    want = {asker: len(asker.asks()) + max(1, more // RARER.get(asker.kind, 1)) for asker in askers}
    wait(lambda: all(len(asker.asks()) >= count for asker, count in want.items()), "the canary's answers", 120)


def percentile(values, share):
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


class Canary:
    """Askers at work on CELL. KINDS: read, submit; start, with an execd; tls, with a port; report, which needs the execd of the cell to be away."""

    def __init__(self, cell, user, kinds):
        self.notes = {}  # what a test wants to see beside the figures
        self.askers = [Asker(cell, kind, user) for kind in kinds if kind != "report"]
        if "report" in kinds:
            self.askers.append(Asker(cell, "report", pwd.getpwuid(0).pw_name))
        self.control = Asker(cell, "control", user)
        self.cpu = Asker(cell, "cpu", user)
        try:
            self.wait_answers(IDLE_ANSWERS)
        except BaseException:
            self.stop()
            raise
        self.begin_us = max(asks[-1].due_us for asks in map(Asker.asks, self.all()))

    def all(self):
        return [*self.askers, self.control, self.cpu]

    def wait_answers(self, more):
        """Until each asker has MORE answers than now."""
        await_more(self.all(), more)

    def wait_control(self, more):
        """The same of the control alone, which goes on when nobody answers."""
        await_more([self.control], more)

    def worst_ms(self):
        """What an answer may take here."""
        return WORST_MS * self.scale()

    def stop(self):
        for asker in self.all():
            asker.stop()

    def scale(self):
        """How much slower than a quiet machine this one is, at least 1: in its answers before the load, or in its work during it."""
        idle = [ask.took_us for asker in self.askers if asker.kind not in LONG_KINDS for ask in asker.asks() if ask.due_us <= self.begin_us] or [0]
        work = [ask.took_us for ask in self.cpu.asks() if ask.due_us > self.begin_us] or [0]
        return max(1, percentile(idle, 0.95) / 1000 / IDLE_MS, sum(work) / len(work) / 1000 / SPIN_MS)

    def figures(self):
        """{kind: [p50, p99, worst in ms, questions, those not answered well]} of the load; the control's too."""
        return {asker.kind: row_of([ask for ask in asker.asks() if ask.due_us > self.begin_us], lambda ask: ask.took_us)
                for asker in self.all()}

    def excess(self):
        """The same of what the questions took longer than the control did around them."""
        machine = Machine(self.control.asks())
        return {asker.kind: row_of([ask for ask in asker.asks() if ask.due_us > self.begin_us],
                                   lambda ask: max(0, ask.took_us - machine.worst_us(ask))) for asker in self.askers}

    def complaints(self):
        scale = self.scale()
        for kind, (_, p99, worst, count, bad) in self.excess().items():
            if bad:
                yield f"{kind}: {bad} of {count} questions were refused or lost"
            most = (LONG_MS if kind in LONG_KINDS else WORST_MS) * scale
            if count >= PERCENT and kind not in LONG_KINDS and p99 > P99_MS * scale:
                yield f"{kind}: 99th percentile {p99:.0f} ms, the limit is {P99_MS * scale:.0f} ms"
            if worst > most:
                yield f"{kind}: worst {worst:.0f} ms, the limit is {most:.0f} ms"


def row_of(asks, us):
    took = [us(ask) / 1000 for ask in asks] or [0]
    return [percentile(took, 0.5), percentile(took, 0.99), max(took), len(asks), sum(ask.outcome != "ok" for ask in asks)]


def note_figures(watching):
    """A line of JSON in the file SGE_TEST_FIGURES, for tables: what was measured during which test."""
    path = os.environ.get("SGE_TEST_FIGURES")
    if path:
        with open(path, "a") as out:
            print(json.dumps({"test": os.environ.get("PYTEST_CURRENT_TEST"), "scale": watching.scale(), "figures": watching.figures(),
                              "excess": watching.excess(), "notes": watching.notes}), file=out)


@contextmanager
def canary(cell, user=None, kinds=("read", "submit")):
    """While the block runs, somebody else's questions are answered in time, or the test fails."""
    watching = Canary(cell, user or cell.user, kinds)
    try:
        yield watching
        watching.wait_answers(2)  # whoever still waits is heard
    finally:
        watching.stop()
        note_figures(watching)
    complaints = list(watching.complaints())
    assert not complaints, "; ".join(complaints) + f"\nas measured (p50, p99, worst in ms): {watching.figures()}"
