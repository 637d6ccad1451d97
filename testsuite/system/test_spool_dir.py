"""sge_conf(5) execd_spool_dir: where a host keeps what its tasks need."""
import os

from cell import Gate, wait

HOST = os.uname().nodename.split(".")[0]


def set_spool_dir(cell, value):
    path = cell.files / HOST
    path.write_text(f"execd_spool_dir {value}\n")
    cell.ok("qconf", "-Aconf" if not cell.run("qconf", "-sconf", HOST).out else "-Mconf", path, user=cell.owner)


def restart_execd(cell):
    cell.kill("sge_execd")
    cell.start()


def submit(cell, name):
    """A gated job, and where it says its directory is."""
    cell.gates[name, 1] = Gate(cell.files / f"{name}.1")
    out = cell.files / f"{name}.out"
    job = cell.qsub("-N", name, "-o", "/dev/null", "-j", "y", "-b", "y",
                    f"echo $SGE_JOB_SPOOL_DIR >{out}.new; mv {out}.new {out}; read code <{cell.files}/{name}.1")
    wait(out.exists, f"{name} to run")
    return job, out.read_text().strip()


def test_it_changes_at_a_start_without_tasks(any_cell):
    """A task that runs over the change and kills of both daemons ends once, where it began; the next one is in the new directory."""
    cell = any_cell
    home, other = cell.dir / "spool" / HOST, cell.dir.parent / "other"
    cell.ok("mkdir", "-m", "755", other, user=cell.owner)
    first, directory = submit(cell, "first")
    assert directory == f"{home}/active_jobs/{first}.1"
    set_spool_dir(cell, other)
    messages = home / "messages"
    wait(lambda: f'execd_spool_dir is "{other}": it takes effect when sge_execd starts and no task is left' in messages.read_text(), "the execd to be told")
    restart_execd(cell)
    wait(lambda: f'execd_spool_dir "{other}" has no effect yet, the spool is still in "{home}": there are tasks in it' in messages.read_text(), "it to stay")
    cell.restart_master()
    cell.open("first", 1)
    cell.wait_gone(first)
    assert not (other / HOST).exists()
    wait(lambda: not list((home / "active_jobs").glob(f"{first}.*")), "the end to be acknowledged")
    restart_execd(cell)
    second, directory = submit(cell, "second")
    assert directory == f"{other}/{HOST}/active_jobs/{second}.1"
    assert "starting up" in (other / HOST / "messages").read_text()
    restart_execd(cell)
    cell.open("second", 1)
    cell.wait_gone(second)
    assert [row["job_number"] for row in cell.accounting()] == [str(first), str(second)]
    assert {row["failed"] for row in cell.accounting()} == {"0"}


def test_one_that_users_could_change_is_not_used(any_cell):
    cell = any_cell
    other = cell.dir.parent / "open"
    cell.ok("mkdir", "-m", "777", other, user=cell.owner)
    set_spool_dir(cell, other)
    messages = cell.dir / "spool" / HOST / "messages"
    wait(lambda: f'execd_spool_dir is "{other}"' in messages.read_text(), "the execd to be told")
    restart_execd(cell)
    wait(lambda: f'"{other}" must be a directory of root or of the user of sge_execd, which no other user can change' in messages.read_text(), "the reason")
    job, directory = submit(cell, "job")
    assert directory == f"{cell.dir}/spool/{HOST}/active_jobs/{job}.1"
    cell.open("job", 1)
    cell.wait_gone(job)
