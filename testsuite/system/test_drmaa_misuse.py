"""libdrmaa used wrongly, and by programs that load it and let it go again and again."""
import pytest

from cell import ARCH, SANITIZED

LOADS = """
import _ctypes, ctypes, os, sys
diag, size = ctypes.create_string_buffer(1024), ctypes.c_size_t(1024)
def use(mode):
    lib = ctypes.CDLL(sys.argv[1], mode=mode)
    assert lib.drmaa_init(None, diag, size) == 0, diag.value
    assert lib.drmaa_exit(diag, size) == 0, diag.value
    _ctypes.dlclose(lib._handle)
def has():
    while len(os.listdir("/proc/self/task")) > 1:
        os.sched_yield()  # a thread that was joined may be listed for a moment
    status = dict(line.split(":", 1) for line in open("/proc/self/status"))
    return len(os.listdir("/proc/self/fd")), int(status["VmRSS"].split()[0])
for mode in (ctypes.RTLD_GLOBAL, ctypes.RTLD_LOCAL):
    for _ in range(10):
        use(mode)
    before = has()
    for _ in range(100):
        use(mode)
    after = has()
    assert after[0] == before[0], (before, after)
    assert after[1] - before[1] < 1024, (before, after)
"""


def library(cell):
    return cell.root / "lib" / ARCH


def test_every_function_says_what_is_wrong_with_its_arguments(any_cell):
    any_cell.ok(any_cell.test_program("drmaa_misuse"), env={"LD_LIBRARY_PATH": str(library(any_cell))})


def test_calls_at_the_limits_of_the_interface(any_cell):
    """Empty sessions, ends that have been taken, lists without end, buffers of a byte, calls after and across the end of a session."""
    any_cell.ok(any_cell.test_program("drmaa_edges"), env={"LD_LIBRARY_PATH": str(library(any_cell))})


@pytest.mark.skipif(SANITIZED, reason="impossible here: a sanitized library needs a sanitized program")
def test_a_hundred_loads_leave_nothing_behind(any_cell):
    any_cell.ok("/usr/bin/python3", "-c", LOADS, library(any_cell) / "libdrmaa.so.1.0")
