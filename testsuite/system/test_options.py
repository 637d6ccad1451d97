"""submit(1): where options come from, how those of several sources go together, and what is refused or warned about at once."""
import socket

from cell import wait

HOST = socket.gethostname()


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
        return f'warning: request file "{shared}/.sge_request" is ignored: {why}\n'

    for user in ("alice", "root"):
        result = submit(user)
        assert (result.code, result.err) == (0, warning("its directory is writable by others"))
    shared.chmod(0o755)
    result = submit("alice")
    assert (result.code, result.err) == (0, warning("it belongs to another user"))
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


def test_qsub_says_at_once_what_a_job_will_miss(any_cell):
    cell = any_cell
    script = cell.files / "dos.sh"
    script.write_text("#!/bin/sh\r\ntrue\r\n")
    nowhere = cell.files / "nowhere"
    result = cell.run("qsub", "-terse", "-h", "-o", f"{nowhere}/$JOB_ID", "-i", f"{nowhere}/in", "-l", "h_rt,mem_free=1G,h_vmem=1G", script)
    assert (result.code, result.err.splitlines()) == (0, [
        f"warning: the lines of {script} end with a carriage return (CR LF), which the shell treats as part of each line",
        'warning: "-l h_rt" has no value and limits nothing',
        f'warning: -o: there is no directory "{nowhere}" on this host',
        f'warning: -i: there is no file "{nowhere}/in" on this host'])
    result = cell.refused("qsub", "sort", code=14)
    assert result.err == ('Unable to read script file because of error: error opening sort: No such file or directory\n'
                          '"sort" is a command: "qsub -b y sort ..." runs it\n')


def test_qdel_deletes_nothing_for_an_option_that_it_does_not_know(any_cell):
    cell = any_cell
    job = cell.qsub("-h", "-b", "y", "true")
    result = cell.refused("qdel", "-x", job)
    assert (result.out, result.err) == ("", 'error: qdel: invalid option argument "-x"\n')
    result = cell.refused("qdel", "--help")
    assert result.out == f"The job --help of user(s) {cell.user} does not exist\n"
    assert result.err == 'warning: "--help" is not an option of qdel (see qdel -help) and is treated as a job name\n'
    assert cell.tasks(job) == {0: "hqw"}


def test_exit_statuses_are_those_that_scripts_know(users_cell):
    cell = users_cell
    waiting = cell.qsub("-h", "-N", "w", "-b", "y", "true")
    of_bob = cell.qsub("-h", "-N", "theirs", "-b", "y", "true", user="bob")
    for program in ("qhold", "qrls"):
        assert cell.run(program, "4711", of_bob).code == 18
        assert cell.run(program, of_bob, "4711").code == 3
    assert cell.run("qresub", of_bob).code == cell.run("qresub", "4711").code == 4
    for action in ("-sj", "-cj"):
        assert cell.run("qmod", action, waiting).code == 0
    assert cell.ok("qalter", "-r", "y", "-notify", "-j", "y", "-R", "y", waiting).splitlines() == [
        f"modified {what} behaviour of job {waiting}" for what in ("merge", "notify", "restart", "reservation")]
    assert cell.run("qdel", "-u", "nosuch").code == 1
    assert cell.run("qdel", "-u", "alice,nosuch").code == 0


def test_what_a_job_names_must_be_there(any_cell):
    cell = any_cell
    job = cell.qsub("-h", "-b", "y", "true")
    for options, text in ((["-ckpt", "blcr"], 'job rejected: the requested checkpointing environment "blcr" does not exist'),
                          (["-P", "film"], 'job rejected: the requested project "film" does not exist'),
                          (["-q", "no.q"], 'Job was rejected because job requests unknown queue "no.q"')):
        assert cell.refused("qsub", *options, "-b", "y", "true").err.endswith(f"Unable to run job: {text}\nExiting.\n")
        assert cell.refused("qalter", *options, job).out == text + "\n"


def test_arguments_are_taken_as_scripts_and_programs_write_them(any_cell):
    cell = any_cell
    base, command = ["-h", "-o", "/dev/null", "-j", "y"], ["-b", "y", "true"]
    a, b = (cell.qsub("-N", name, *base, *command) for name in "ab")
    result = cell.run("qsub", "-terse", *base, "-hold_jid", "a,, nosuch,", *command)
    assert (result.code, result.out, result.err) == (0, "3\n", 'warning: -hold_jid: no job matches "nosuch"\n')
    assert cell.detail(3)["jid_predecessor_list"] == str(a)
    assert cell.detail(cell.qsub(*base, "-hold_jid", "!(a|true)", *command))["jid_predecessor_list"] == str(b)
    refused = cell.refused("qsub", "-hold_jid", "a,12_3", *command, code=7)
    assert refused.err == 'qsub: -hold_jid: "12_3" is neither a job id nor a job name; to wait for job 12 write 12\n'
    assert ".1-10:2 " in cell.ok("qsub", *base, "-t", " 1:10:2,", *command)
    numbers = cell.detail(cell.qsub(*base, "-l", "h_rt=60. h_vmem= 4e+09,,s_rt=+1.5", *command))
    assert numbers["hard resource_list"] == "h_rt=60,h_vmem=4e+09,s_rt=2"
    for pattern in ("*@!(bad*|old*)", "(all.q|x)&!y", "all.q@!@nosuch"):
        assert f" {pattern}\n" in cell.ok("qstat", "-j", cell.qsub(*base, "-q", pattern, *command))
        assert cell.ok("qselect", "-q", pattern) == f"all.q@{HOST}\n"
    for pattern in ("!all.q", f"*@!{HOST}", "all.q@@!allhosts"):
        assert f'unknown queue "{pattern}"' in cell.refused("qsub", "-q", pattern, *command).err
    assert cell.ok("qhost", "-h", HOST, HOST, "-xml").count("<host name=") == 2


def test_a_tilde_and_arguments_behind_two_dashes(any_cell):
    cell = any_cell
    home, where, said = cell.ok("sh", "-c", "cd ~ && pwd -P"), cell.files / "where", cell.files / "said"
    result = cell.run("qsub", "-sync", "y", "-wd", "~", "-o", where, "-j", "y", "-b", "y", "pwd -P")
    assert (result.code, result.err) == (0, "") and where.read_text() == home
    result = cell.run("qsub", "-sync", "y", "-o", said, "-j", "y", "--", "-a", "b c", stdin='echo "$1,$2"\n')
    assert (result.code, result.err) == (0, "") and said.read_text() == "-a,b c\n"


def test_what_no_place_could_offer_is_refused_and_not_listed(any_cell):
    cell = any_cell
    base, command = ["-h", "-o", "/dev/null", "-j", "y"], ["-b", "y", "true"]
    wait(lambda: "mem_total" in cell.ok("qhost", "-F", "mem_total"), "the host to report its memory")
    assert "no suitable queues" in cell.refused("qsub", "-w", "e", "-l", "mem_free=9000000G", *command).err
    assert 'because it offers only hl:mem_total=' in cell.refused("qsub", "-w", "v", "-l", "mem_free=9000000G", *command).err
    fits, never = cell.qsub(*base, *command), cell.qsub(*base, "-l", "arch=nosuch", *command)
    for selection in (["-q", "all.q"], ["-l", f"hostname={HOST}"]):
        listed = cell.ok("qstat", *selection)
        assert f" {fits} " in listed and f" {never} " not in listed
    assert cell.ok("qstat", "-l", "arch=nosuch") == ""
    assert f" {never} " in cell.ok("qstat")
