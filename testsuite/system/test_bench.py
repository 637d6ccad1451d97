"""./aimk bench: whatever ends it, nothing of it stays."""
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from cell import BUILD, descendants, wait

BENCH = Path(__file__).parents[1] / "bench"
CALLED = [BENCH / "bench.py"]
WITHOUT_BASELINES = ["-c", f"import sys; sys.path.insert(0, {str(BENCH)!r}); import bench; bench.BASELINES.clear(); bench.main()"]
MOMENTS = {  # what is to be seen below the directory of the bench
    "before the cell starts": "root/default/common/bootstrap",
    "while the cell starts": "root/default/spool/qmaster/qmaster.pid",
    "while it measures": "global",
    "while it makes the cell of a figure": "root/holes/spool/qmaster/qmaster.pid",
}
SIGNALS = [signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGTERM]


@pytest.fixture
def bench(make_cell):  # pylint: disable=unused-argument
    """A function that starts it; make_cell watches over what is left. No tmpfs: there the bench refuses to measure."""
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="sge-test.") as place:
        def start(called, *names, rounds=1000):
            argv = [sys.executable, "-B", *called, BUILD, "--dir", place, "--rounds", str(rounds), *names]
            return subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True), Path(place)
        yield start


@pytest.mark.parametrize("number, moment", zip(SIGNALS, MOMENTS))
def test_a_signal_ends_all_that_the_bench_started(bench, number, moment):
    before = set(descendants())
    process, place = bench(WITHOUT_BASELINES if "figure" in moment else CALLED, "holes")  # baselines take minutes on a loaded machine
    wait(lambda: list(place.glob(f"sge-bench.*/{MOMENTS[moment]}")) or process.poll() is not None, "the bench to come so far", 120)
    assert process.poll() is None, process.communicate()[0]
    process.send_signal(number)
    out, _ = process.communicate(timeout=60)
    assert (out, process.returncode) == ("", 128 + number)
    assert not set(descendants()) - before
    assert list(place.iterdir()) == []


def test_a_signal_does_not_interrupt_the_end(bench):
    """The figures are printed before the cells go."""
    before = set(descendants())
    process, place = bench(WITHOUT_BASELINES, "holes", rounds=1)
    assert any(line.startswith("holes_turn ") for line in process.stdout)  # the last row
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode in (0, 1, 128 + signal.SIGTERM)
    assert not set(descendants()) - before
    assert list(place.iterdir()) == []
