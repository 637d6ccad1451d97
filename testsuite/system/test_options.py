"""submit(1): where options come from, how those of several sources go together, and what is refused or warned about at once."""
from cell import wait


def test_a_job_waits_for_the_predecessors_of_its_script_and_of_its_command_line(any_cell):
    cell = any_cell
    jobs = {name: cell.held_array(name, "1-3") for name in "absuv"}
    script = cell.files / "d.sh"
    script.write_text("#!/bin/sh\n#$ -t 1-3 -N d\n#$ -hold_jid_ad a -hold_jid s\n")
    d = cell.qsub("-hold_jid_ad", "b, v", "-hold_jid", "u", "-o", "/dev/null", "-j", "y", script)
    detail = cell.detail(d)
    assert detail["jid_predecessor_list (req)"] == "s,u" and detail["ja_ad_predecessor_list (req)"] == "a,b,v"
    for gone in ("b", "v", "u", "s"):
        assert cell.tasks(d) == {1: "hqw", 2: "hqw", 3: "hqw"}
        cell.ok("qdel", jobs[gone])
    assert cell.tasks(d) == {1: "hqw", 2: "hqw", 3: "hqw"}, "the script's -hold_jid_ad a still holds"
    assert cell.array_held(d) == {1, 2, 3}
    cell.ok("qdel", jobs["a"])
    cell.wait_gone(d)


def test_of_repeated_paths_the_last_is_written(any_cell):
    cell = any_cell
    options = cell.files / "opts"
    options.write_text(f"-o {cell.files}/of_file -e {cell.files}/err\n")
    cell.ok("qsub", "-sync", "y", "-@", options, "-o", cell.files / "first", "-o", cell.files / "second", "-N", "j", "-b", "y",
            "echo out; echo err >&2")
    assert (cell.files / "second").read_text() == "out\n" and (cell.files / "err").read_text() == "err\n"
    assert not (cell.files / "first").exists() and not (cell.files / "of_file").exists()


def test_a_request_file_that_somebody_else_may_have_written_does_not_count(users_cell):
    cell = users_cell
    shared, evil = cell.files / "shared", cell.files / "evil"
    evil.write_text(f"#!/bin/sh\nid -un >{cell.files}/owned\n")
    evil.chmod(0o755)
    shared.mkdir()
    shared.chmod(0o777)
    cell.ok("sh", "-c", f"echo '-S {evil}' >{shared}/.sge_request", user="bob")
    script = cell.files / "job.sh"
    script.write_text("#!/bin/sh\ntrue\n")

    def submit(user):
        return cell.run("qsub", "-terse", "-sync", "y", "-o", "/dev/null", "-j", "y", script, user=user, cwd=shared)

    def warning(why):
        return f'warning: request file "{shared}/.sge_request" does not count: {why}\n'

    for user in ("alice", "root"):
        result = submit(user)
        assert (result.code, result.err) == (0, warning("others may write its directory"))
    shared.chmod(0o755)
    result = submit("alice")
    assert (result.code, result.err) == (0, warning("it belongs to somebody else"))
    assert not (cell.files / "owned").exists()
    mine = cell.files / "mine"
    cell.ok("sh", "-c", f"mkdir -m 755 {mine}; cp {shared}/.sge_request {mine}", user="alice")
    result = cell.run("qsub", "-terse", "-sync", "y", "-o", "/dev/null", "-j", "y", script, user="alice", cwd=mine)
    assert (result.code, result.err) == (0, "") and (cell.files / "owned").read_text() == "alice\n"


def test_a_new_task_concurrency_counts_at_once(any_cell):
    cell = any_cell
    job = cell.array("T", "1-4", "-tc", "1", gated=range(1, 5))
    cell.wait_note("start", "T", 1)
    assert cell.ok("qalter", "-tc", 3, "T") == f"modified task concurrency of job {job}\n"
    for task in (2, 3):
        cell.wait_note("start", "T", task)
    cell.ok("qalter", "-tc", 1, job)
    cell.restart_master()
    assert cell.detail(job)["maximum concurrency"] == "1"
    cell.open("T", 1)
    wait(lambda: 1 not in cell.tasks(job), "T.1 to end")
    cell.open("T", 2)
    wait(lambda: 2 not in cell.tasks(job), "T.2 to end")
    assert sorted(note[2] for note in cell.notes("start")) == [1, 2, 3], "one of three that may run still runs"
    cell.open("T", 3)
    cell.wait_note("start", "T", 4)
    cell.open("T", 4)
    cell.wait_gone(job)


def test_task_concurrency_is_for_arrays(any_cell):
    cell = any_cell
    job = cell.qsub("-h", "-b", "y", "true")
    assert cell.refused("qalter", "-tc", 2, job).out == 'invalid option argument "task concurrency"\n'
    text = 'Unable to run job: Can only specify "-tc" option with an array job (using "-t" option)\nExiting.\n'
    assert cell.refused("qsub", "-tc", 2, "-b", "y", "true").err == text


def test_options_of_jobs_are_refused_for_tasks(any_cell):
    cell = any_cell
    job = cell.held_array("A", "1-3")
    for options in (["-N", "Z"], ["-p", "-5"], ["-hold_jid_ad", "x"], ["-tc", "2"], ["-h", "u", "-N", "Z"]):
        assert cell.refused("qalter", *options, f"{job}.1").out == "The specified option works only on jobs\n"
    assert cell.detail(job)["job_name"] == "A"
    assert cell.ok("qalter", "-h", "U", f"{job}.1") == f"modified hold of job-array task {job}.1\n"
