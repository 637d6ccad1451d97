"""What follows from load: thresholds of queues. queue_conf(5), sched_conf(5); doc/administering/load.md."""
from cell import wait
from test_load_sensors import HOST, install

QUEUE = f"all.q@{HOST}"


def measure(sensor, text):
    """What the sensor reports from now on; put there whole."""
    fresh = sensor.parent / "fresh"
    fresh.write_text(text)
    fresh.rename(sensor.parent / "scratch")


def states(cell):
    """The letters behind the queue in qstat -f."""
    line = next(line for line in cell.ok("qstat", "-f").splitlines() if line.startswith("all.q@"))
    return line.split()[5] if len(line.split()) > 5 else ""


def add_resource(cell, row):
    path = cell.files / "complex"
    path.write_text(cell.ok("qconf", "-sc") + row + "\n")
    cell.ok("qconf", "-Mc", path, user=cell.owner)


def test_a_queue_closes_while_a_load_exceeds_its_threshold(cell):
    boss, sensor = cell.owner, install(cell)
    add_resource(cell, "scratch scratch INT <= YES NO 0 0")
    cell.ok("qconf", "-rattr", "queue", "load_thresholds", "scratch=10", "all.q", user=boss)
    wait(lambda: states(cell) == "", "12 of scratch to be reported, which is enough")
    first = cell.array("first", "1", gated=[1])
    cell.wait_state(first, 1, "r")
    measure(sensor, "9")
    wait(lambda: states(cell) == "a", "the alarm")
    assert "\talarm hl:scratch=9 load-threshold=10\n" in cell.ok("qstat", "-f", "-explain", "a")
    second = cell.qsub("-b", "y", "-o", "/dev/null", "-j", "y", "true")
    assert (f'queue instance "{QUEUE}" dropped because it is overloaded: scratch=9 (no load adjustment) <= 10'
            in cell.ok("qstat", "-j", second))
    assert cell.tasks(first)[1] == "r"  # it runs on
    cell.restart_master()
    wait(lambda: states(cell) == "a", "the alarm after a restart")
    assert cell.tasks(second)[0] == "qw"
    measure(sensor, "11")
    cell.wait_gone(second)
    cell.open("first", 1)
    cell.wait_gone(first)


def test_a_queue_closes_while_too_little_of_what_runs_out_is_left(cell):
    cell.ok("qconf", "-rattr", "queue", "load_thresholds", "slots=2", "all.q", user=cell.owner)  # of four
    job = cell.array("job", "1-3", gated=[1, 2])
    wait(lambda: cell.tasks(job) == {1: "r", 2: "r", 3: "qw"}, "two to run")
    wait(lambda: states(cell) == "a", "the alarm")
    assert "\talarm qc:slots=2 load-threshold=2\n" in cell.ok("qstat", "-f", "-explain", "a")
    assert f'queue instance "{QUEUE}" dropped because it is overloaded: slots=2 left <= 2' in cell.ok("qstat", "-j", job)
    for task in (1, 2):
        cell.open("job", task)
    cell.wait_gone(job)


def test_tasks_stand_still_while_a_load_exceeds_a_suspend_threshold(cell):
    boss, sensor = cell.owner, install(cell)
    add_resource(cell, "scratch scratch INT <= YES NO 0 0")
    for name, value in (("nsuspend", "1"), ("suspend_interval", "00:00:01"), ("suspend_thresholds", "scratch=10")):
        cell.ok("qconf", "-rattr", "queue", name, value, "all.q", user=boss)
    job = cell.array("job", "1-2", gated=[1, 2])
    wait(lambda: cell.tasks(job) == {1: "r", 2: "r"}, "both to run")
    measure(sensor, "9")
    wait(lambda: cell.tasks(job) == {1: "T", 2: "T"}, "both to stand still")
    assert states(cell) == "A"
    assert "\talarm hl:scratch=9 suspend-threshold=10\n" in cell.ok("qstat", "-f", "-explain", "A")
    cell.restart_master()
    assert cell.tasks(job) == {1: "T", 2: "T"}
    measure(sensor, "11")
    wait(lambda: cell.tasks(job) == {1: "r", 2: "r"}, "both to go on")
    cell.open("job", 1)
    cell.open("job", 2)
    cell.wait_gone(job)


def test_only_cells_of_tests_ignore_load(any_cell):
    assert "load_thresholds       NONE\n" in any_cell.ok("qconf", "-sq", "all.q")
    assert "load_thresholds       np_load_avg=1.75\n" in any_cell.ok("qconf", "-sq")
    assert "load_formula                      NONE\n" in any_cell.ok("qconf", "-ssconf")
