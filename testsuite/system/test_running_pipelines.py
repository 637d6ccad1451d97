"""Arrays that run, fail, are put back, deleted, altered and restarted at random, against the definition of -hold_jid_ad: after each step
exactly those tasks are held that wait for an unfinished one, and all others run."""
import random

import pytest

from cell import wait
from test_array_dependency import covered, indices, span

FIRST, LAST = 2, 9


class Array:
    def __init__(self, name, step, predecessors):
        self.name, self.step, self.predecessors = name, step, predecessors
        self.todo = set(indices(FIRST, LAST, step))  # not ended
        self.errors = set()

    def needs(self, task, other):
        """The tasks of OTHER that TASK waits for."""
        mine = covered(task, LAST, self.step)
        return {t for t in indices(FIRST, LAST, other.step) if covered(t, LAST, other.step) & mine}


class Pipelines:
    """What should be, kept beside a cell in which it is done."""

    def __init__(self, cell, seed):
        self.cell, self.dice = cell, random.Random(seed)
        self.arrays, self.running, self.count, self.history = {}, set(), 0, []

    # ---- the definition
    def tasks(self):
        return {(number, task) for number, array in self.arrays.items() for task in array.todo}

    def waits(self, number, task):
        array = self.arrays[number]
        before = [self.arrays[p] for p in array.predecessors if p in self.arrays]
        return any(array.needs(task, other) & other.todo for other in before)

    def held(self):
        """What runs already is not held, whatever an alter says."""
        return {key for key in self.tasks() - self.running if self.waits(*key)}

    def errors(self):
        return {(number, task) for number, array in self.arrays.items() for task in array.errors}

    def closes_cycle(self, number, predecessors):
        return any(p == number or self.closes_cycle(number, self.arrays[p].predecessors) for p in predecessors if p in self.arrays)

    def end(self, number, task):
        array = self.arrays[number]
        self.running.discard((number, task))
        array.todo.discard(task)
        array.errors.discard(task)
        if not array.todo:
            del self.arrays[number]

    # ---- the cell
    def as_defined(self):
        states = self.cell.states()
        self.running |= {key for key, state in states.items() if state in ("r", "Rr")} & self.tasks()
        may_run = self.tasks() - self.running - self.held() - self.errors()
        return not may_run and set(states) == self.tasks() and set(self.cell.states("-s", "hd")) == self.held()

    def settle(self):
        wait(self.as_defined, lambda: f"{self.history[-5:]}: held should be {self.held()}, running {self.running}: {self.cell.states()}", 15)

    def starts(self, number, task):
        return [note[1:3] for note in self.cell.notes("start")].count((self.arrays[number].name, task))

    def await_put_back(self, number, task, starts):
        """A task that was put back starts again, or has become held."""
        self.running.discard((number, task))
        if self.waits(number, task):
            self.cell.wait_state(number, task, "hRq")
        else:
            self.cell.wait_note("start", self.arrays[number].name, task, starts + 1)

    # ---- the steps; each returns what it did, or None if there is nothing to do it with
    def step(self):
        steps = [(self.submit, 20), (self.finish, 25), (self.reschedule, 10), (self.clear, 7), (self.delete, 12), (self.alter, 18),
                 (self.restart, 5)]
        did = None
        while did is None:
            did = self.dice.choices([step for step, _ in steps], [weight for _, weight in steps])[0]()
        self.history.append(did)
        self.settle()

    def choose(self, keys):
        return self.dice.choice(sorted(keys)) if keys else None

    def some_arrays(self, besides=None):
        others = [number for number in self.arrays if number != besides]
        return set(self.dice.sample(others, min(len(others), self.dice.randint(0, 3))))

    def submit(self):
        if len(self.arrays) > 5:
            return None
        self.count += 1
        array = Array(f"P{self.count}", self.dice.randint(1, 5), self.some_arrays())
        number = self.cell.array(array.name, span(FIRST, LAST, array.step), "-r", "y", "-hold_jid_ad",
                                 ",".join(map(str, array.predecessors)), gated=sorted(array.todo))
        self.arrays[number] = array
        return "submit", number, array.step, array.predecessors

    def finish(self):
        key = self.choose(self.running)
        if key is None:
            return None
        number, task = key
        array, code, starts = self.arrays[number], self.dice.choice([0, 0, 0, 1, 99, 100]), self.starts(*key)
        self.cell.open(array.name, task, code)
        if code == 99:
            self.await_put_back(number, task, starts)
        elif code == 100:
            self.running.discard(key)
            array.errors.add(task)
            wait(lambda: "E" in self.cell.tasks(number).get(task, ""), f"the error state of {key}")
        else:
            self.end(number, task)
        return "finish", key, code

    def reschedule(self):
        key = self.choose(self.running)
        if key is None:
            return None
        starts = self.starts(*key)
        self.cell.ok("qmod", "-rj", "{}.{}".format(*key))
        self.await_put_back(*key, starts)
        return "reschedule", key

    def clear(self):
        key = self.choose(self.errors())
        if key is None:
            return None
        self.cell.ok("qmod", "-cj", "{}.{}".format(*key))
        self.arrays[key[0]].errors.discard(key[1])
        return "clear", key

    def delete(self):
        key = self.choose(self.tasks())
        if key is None:
            return None
        self.cell.ok("qdel", "{}.{}".format(*key))
        wait(lambda: key not in self.cell.states(), f"{key} to go")
        self.end(*key)
        return "delete", key

    def alter(self):
        number = self.choose(self.arrays)
        if number is None:
            return None
        predecessors = self.some_arrays(number)
        is_cycle = self.closes_cycle(number, predecessors)
        result = self.cell.run("qalter", "-hold_jid_ad", ",".join(map(str, predecessors)), number)
        assert result.code == is_cycle, str(result)
        if not is_cycle:
            self.arrays[number].predecessors = predecessors
        return "alter", number, predecessors

    def restart(self):
        self.cell.restart_master()
        return ("restart",)


@pytest.mark.parametrize("seed", [100, pytest.param(101, marks=pytest.mark.long)])
def test_whatever_happens_to_running_arrays_the_right_tasks_are_held(make_cell, pytestconfig, seed):
    cell = make_cell(slots=64) if pytestconfig.no_users else make_cell(slots=64, owner="root", user="alice")
    pipelines = Pipelines(cell, seed)
    for _ in range(60):
        pipelines.step()
    cell.ok("qdel", *pipelines.arrays)
    wait(lambda: not cell.states(), "everything to end")
