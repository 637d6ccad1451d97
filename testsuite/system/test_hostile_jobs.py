"""Jobs that do what no job should: they harm nobody but themselves, and they end."""
import os
import subprocess

from cell import wait
from test_interactive import MIB, ends, processes, size_of, start

QUIET = ["-o", "/dev/null", "-j", "y", "-b", "y"]


def program(cell, name, text):
    path = cell.files / name
    path.write_text("#!/usr/bin/python3\n" + text)
    path.chmod(0o755)
    return path


def test_a_job_that_prints_a_gibibyte(any_cell):
    cell = any_cell
    pids = [cell.pid(name) for name in ("sge_execd", "sge_qmaster")]
    before = [size_of(pid) for pid in pids]
    client = cell.start_program("qrsh", "head -c 1073741824 /dev/zero")
    count = subprocess.run(["wc", "-c"], stdin=client.stdout, capture_output=True, text=True, check=True)
    assert client.wait(60) == 0 and int(count.stdout) == 1 << 30
    client.communicate()
    assert all(size_of(pid) - old < 2 * MIB for pid, old in zip(pids, before))
    big = cell.files / "big"
    cell.wait_gone(cell.qsub("-o", big, "-j", "y", "-b", "y", "head -c 1073741824 /dev/zero"))
    assert big.stat().st_size == 1 << 30
    big.unlink()
    assert all(size_of(pid) - old < 2 * MIB for pid, old in zip(pids, before))


def test_a_job_that_hides(users_cell):
    """Without descriptors, deaf to signals, in a session of its own: a batch job, and one with a client."""
    cell = users_cell
    hide = program(cell, "hide", """import os, signal, sys, time
for sig in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(sig, signal.SIG_IGN)
for i in range(2):
    if os.fork() == 0:
        os.setsid()
if len(sys.argv) > 2:
    print("here", flush=True)
os.closerange(0, 65536)
with open(sys.argv[1], "a") as file:
    file.write("x")
while True:
    time.sleep(1000)
""")
    marks = cell.files / "marks"
    job = cell.qsub(*QUIET, hide, marks)
    wait(lambda: marks.exists() and marks.read_text() == "xxxx", "four processes")
    cell.ok("qdel", job)
    cell.wait_gone(job)
    assert os.fsencode(marks) not in processes()
    marks.unlink()
    client = cell.start_program("qrsh", "-N", "hides", f"exec {hide} {marks} here")
    assert client.stdout.readline() == "here\n"
    wait(lambda: marks.exists() and marks.read_text() == "xxxx", "four processes")
    client.kill()
    client.communicate()
    assert ends(cell, "hides") == [("100", "137")]
    assert os.fsencode(marks) not in processes()


def test_a_job_that_forks_without_end(users_cell):
    cell = users_cell
    cell.configure(execd_params="H_MAXPROC=150,S_MAXPROC=150")
    bomb = program(cell, "bomb", """import os, sys
while True:
    try:
        os.fork()
    except OSError:
        os.utime(sys.argv[1], (1, 1))
""")
    mark = cell.files / "mark"
    cell.ok("touch", mark)
    job = cell.qsub(*QUIET, bomb, mark)
    wait(lambda: mark.stat().st_mtime == 1, "the limit to be reached")
    assert processes().count(os.fsencode(bomb)) <= 150
    assert cell.run("qsub", "-sync", "y", *QUIET, "true", user="bob").code == 0
    cell.ok("qdel", job)
    cell.wait_gone(job)
    assert os.fsencode(bomb) not in processes()


def test_a_job_that_puts_links_where_files_of_the_cell_are_to_be(users_cell):
    """TMPDIR renamed, with a link to another user's directory in its place; output files that are links to another user's file."""
    cell = users_cell
    theirs = cell.files / "bobs"
    cell.ok("sh", "-c", f"mkdir {theirs} && echo mine >{theirs}/file && chmod 600 {theirs}/file", user="bob")
    job = cell.qsub("-o", cell.files / "where", "-j", "y", "-b", "y", f'echo "$TMPDIR"; mv "$TMPDIR" "$TMPDIR.mine" && ln -s {theirs} "$TMPDIR"')
    cell.wait_gone(job)
    assert (theirs / "file").read_text() == "mine\n"
    tmpdir = (cell.files / "where").read_text().strip()
    assert not os.path.lexists(tmpdir) or os.path.islink(tmpdir)
    assert cell.run("qsub", "-sync", "y", *QUIET, 'test -d "$TMPDIR"', user="bob").code == 0
    # what the job that follows would write to
    out = cell.files / "out"
    cell.wait_gone(cell.qsub("-o", out, "-j", "y", "-b", "y", f"rm {out}; ln -s {theirs}/file {out}; echo first"))
    job = cell.qsub("-o", out, "-j", "y", "-b", "y", "echo second")
    cell.wait_state(job, 0, "Eqw")
    assert f"can't open output file \"{out}\": Permission denied" in cell.ok("qstat", "-j", job)
    cell.ok("qdel", job)
    client = start(cell, "left", "-detach", "y", "-o", out, "-j", "y", command="echo here; read x; echo written", stdin=subprocess.PIPE)
    client.kill()
    client.communicate()
    assert ends(cell, "left") == [("0", "0")]
    assert (theirs / "file").read_text() == "mine\n"
