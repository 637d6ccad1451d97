"""Parallel jobs whose hosts start tasks for them: qrsh -inherit, on one host. Captured behaviour; qrsh(1), sge_pe(5)."""
import re
import socket

from cell import wait
from test_parallel import add_pe

HOST = socket.gethostname()


def run_job(cell, text, *options, pe="tight", slots="2"):
    """What the script TEXT prints as a parallel job."""
    out = cell.files / "tight.out"
    cell.ok("qsub", "-sync", "y", "-N", "pt", "-o", out, "-j", "y", "-pe", pe, slots, *options, stdin=f"#!/bin/sh\nPATH=$SGE_BINARY_PATH:$PATH\nH={HOST}\n{text}\nexit 0\n")
    said = out.read_text()
    out.unlink()
    return said


STREAMS = r"""
qrsh -inherit $H 'echo task one JOB_ID=$JOB_ID TASK=$PE_TASK_ID SGE_TASK_ID=$SGE_TASK_ID; exit 3'; echo rc=$?
echo stdin | qrsh -inherit $H cat; echo rc=$?
qrsh -inherit $H 'echo error output >&2' 2>&1 >/dev/null
qrsh -inherit $H /nonexistent 2>/dev/null; echo rc=$?
qrsh -inherit -verbose $H true; echo rc=$?
qrsh -inherit -noshell $H echo noshell 'a  b' '$HOME'
qrsh -inherit -nostdin $H cat; echo rc=$?
qrsh -inherit -pty y $H 'test -t 0 && test -t 1 && echo terminal'
head -c 3000000 /dev/zero | qrsh -inherit $H wc -c
"""
STREAMS_SAY = """task one JOB_ID=JOB TASK= SGE_TASK_ID=undefined
rc=3
stdin
rc=0
error output
rc=127
Starting server daemon at host "HOST"
Server daemon successfully started with task id "5.HOST"
rc=0
noshell a  b $HOME
rc=0
terminal
3000000
"""
ENVIRONMENT = r"""
export FOO=1
qrsh -inherit -v BAR=2 $H 'echo FOO=$FOO BAR=$BAR'
qrsh -inherit -V $H 'echo FOO=$FOO'
qrsh -inherit -v JOB_ID=7 $H 'test $JOB_ID != 7 && echo $JOB_NAME $REQUEST $JOB_SCRIPT $NSLOTS [$PE_HOSTFILE] "$QRSH_COMMAND" | cut -c1-40'
qrsh -inherit $H 'test $TMPDIR = '$TMPDIR' && touch $TMPDIR/seen'; ls $TMPDIR
cd /
qrsh -inherit -wd /usr $H pwd
qrsh -inherit -cwd $H pwd
qrsh -inherit $H pwd
"""
REFUSED = r"""
qrsh -inherit; echo rc=$?
qrsh -inherit $H; echo rc=$?
qrsh -inherit -l h_rt=1 $H true; echo rc=$?
qrsh -inherit -N nm $H true; echo rc=$?
qrsh -inherit -now y $H true; echo rc=$?
JOB_ID=99999 qrsh -inherit $H true; echo rc=$?
SGE_TASK_ID=7 qrsh -inherit $H true; echo rc=$?
JOB_ID= qrsh -inherit $H true; echo rc=$?
env -u JOB_ID qrsh -inherit $H true; echo rc=$?
qrsh -inherit nohost.invalid true; echo rc=$?
X=$(head -c 600000 /dev/zero | tr '\0' x)
qrsh -inherit -noshell $H true $(echo $X | fold -w 100000); echo rc=$?
"""
NOT_ACCEPTED = 'error: executing task of job {} failed: execution daemon on host "HOST" didn\'t accept task: {}\nrc=1\n'
REFUSED_SAY = (2 * ('error: usage with "-inherit" option: "qrsh -inherit ... <host> <command> [args]"\nrc=1\n') +
               "".join(f"error: Unknown option {option}\nrc=1\n" for option in ("-l", "-N", "-now")) +
               NOT_ACCEPTED.format("99999", "99999.1 has no slots here") + NOT_ACCEPTED.format("JOB", "JOB.7 has no slots here") +
               NOT_ACCEPTED.format("", "this is no request for a task") +
               'error: "-inherit" is for processes of a parallel job: JOB_ID is not set\nrc=1\n'
               "error: executing task of job JOB failed: failed sending task to execd@nohost.invalid: can't resolve host name\nrc=1\n"
               "error: command and variables together have N bytes, and 524288 is the limit\nrc=1\n")


def general(text):
    """TEXT without the names of this run."""
    return re.sub(r"have \d+ bytes", "have N bytes", text.replace(HOST, "HOST"))


def test_a_task_runs_commands_as_a_part_of_it(any_cell):
    cell = any_cell
    add_pe(cell, "tight", job_is_first_task="FALSE", accounting_summary="FALSE")
    said = run_job(cell, STREAMS)
    assert general(re.sub(r"JOB_ID=\d+", "JOB_ID=JOB", said)) == STREAMS_SAY
    said = run_job(cell, ENVIRONMENT, "-wd", "/tmp").splitlines()
    assert said[:4] == ["FOO= BAR=2", "FOO=1", 'petask petask QRSH 2 [] test $JOB_ID != ', "seen"], said
    assert said[4:] == ["/usr", "/", "/tmp"], said
    said = run_job(cell, "echo $JOB_ID\n" + REFUSED)
    job, _, said = said.partition("\n")
    assert general(re.sub(rf"\b{job}\b", "JOB", said)) == REFUSED_SAY


UNTIL_UP = "until [ -e $TMPDIR/up ]; do sleep 0.05; done; rm $TMPDIR/up\n"
ONE_MORE = r"""
mkfifo $TMPDIR/f
(qrsh -inherit $H 'touch $TMPDIR/up; cat' <$TMPDIR/f; echo first rc=$?) & exec 3>$TMPDIR/f
""" + UNTIL_UP + r"""
qrsh -inherit $H echo second; echo rc=$?
exec 3>&-; wait
"""
GIVEN_UP = "qrsh -inherit $H 'touch $TMPDIR/up; exec sleep 1000' & p=$!\n" + UNTIL_UP + """
kill $p; wait $p; echo rc=$?
until qrsh -inherit $H echo next; do sleep 0.05; done 2>/dev/null
"""


def ends(cell, job):
    """[(name, failed, exit status)] of a job's tasks in accounting."""
    return [(line["pe_taskid"].replace(HOST, "HOST"), line["failed"], line["exit_status"])
            for line in cell.accounting() if line["job_number"] == job]


def test_how_many_tasks_there_may_be_and_how_they_end(any_cell):
    cell = any_cell
    add_pe(cell, "tight", job_is_first_task="FALSE", accounting_summary="FALSE")
    add_pe(cell, "first", job_is_first_task="TRUE", accounting_summary="FALSE")
    add_pe(cell, "loose", control_slaves="FALSE")
    limit = "error: executing task of job J failed: execution daemon on host \"HOST\" didn't accept task: {}\nrc=1\n"

    def without_number(text):
        return general(re.sub(r"of job \d+ failed", "of job J failed", text))

    assert run_job(cell, ONE_MORE) == "second\nrc=0\nfirst rc=0\n"
    wanted = limit.format("1 tasks of the job run here, which is the limit: it has slots for 1") + "first rc=0\n"
    assert without_number(run_job(cell, ONE_MORE, pe="first")) == wanted
    # one after another in the only slot: the client may end before its task has been seen to end
    assert run_job(cell, "i=0; while [ $i -lt 100 ]; do qrsh -inherit $H true; i=$((i+1)); done", pe="first") == ""
    unsuited = limit.format("the job has no parallel environment, or one with control_slaves FALSE (sge_pe(5))")
    assert without_number(run_job(cell, "qrsh -inherit $H true; echo rc=$?", pe="loose")) == unsuited
    # a client that was ended has given its task up: the job goes on
    assert run_job(cell, "echo $JOB_ID >&2\n" + GIVEN_UP).splitlines()[1:] == ["rc=143", "next"]
    job = cell.accounting()[-1]["job_number"]
    wait(lambda: sorted(ends(cell, job)) == [("1.HOST", "0", "137"), ("2.HOST", "0", "0"), ("NONE", "0", "0")], lambda: ends(cell, job))
    # a task that a signal ends is a failed part of its job
    job = cell.qsub("-N", "pt", "-o", "/dev/null", "-j", "y", "-pe", "tight", "2",
                    stdin=f"#!/bin/sh\nPATH=$SGE_BINARY_PATH:$PATH\nqrsh -inherit {HOST} 'kill -9 $$'\nexec sleep 1000\n")
    cell.wait_gone(job)
    wait(lambda: ends(cell, str(job)) == [("1.HOST", "100", "137"), ("NONE", "100", "137")], lambda: ends(cell, str(job)))


SURVIVES = r"""
mkfifo $TMPDIR/f
qrsh -inherit $H 'touch $TMPDIR/up; read x; echo got $x; exit 3' <$TMPDIR/f & p=$!; exec 3>$TMPDIR/f
""" + UNTIL_UP + r"""
touch FILES/ready; until [ -e FILES/go ]; do sleep 0.05; done
echo word >&3; wait $p; echo rc=$?
"""


def test_a_command_survives_the_execd_of_its_host(any_cell):
    """The streams of a session on one host pass through no daemon."""
    cell = any_cell
    add_pe(cell, "tight", job_is_first_task="FALSE", accounting_summary="FALSE")
    out = cell.files / "tight.out"
    text = SURVIVES.replace("FILES", str(cell.files))
    job = cell.qsub("-N", "pt", "-o", out, "-j", "y", "-pe", "tight", "2", stdin=f"#!/bin/sh\nPATH=$SGE_BINARY_PATH:$PATH\nH={HOST}\n{text}")
    wait((cell.files / "ready").exists, lambda: out.read_text())
    cell.kill("sge_execd")
    cell.start()
    (cell.files / "go").touch()
    cell.wait_gone(job)
    assert out.read_text() == "got word\nrc=3\n"
    wait(lambda: ends(cell, str(job)) == [("1.HOST", "0", "3"), ("NONE", "0", "0")], lambda: ends(cell, str(job)))


def test_templates_can_be_added(any_cell):
    """pe/: each is a parallel environment; mpi/ has scripts that use them."""
    cell = any_cell
    assert {path.name for path in (cell.root / "pe").iterdir()} == {"README", "tight", "openmpi", "mpich", "qmake"}
    for name in "tight", "openmpi", "mpich", "qmake":
        cell.ok("qconf", "-Ap", cell.root / "pe" / name, user=cell.owner)
        assert cell.ok("qconf", "-sp", name).split()[1] == name
    assert {path.name for path in (cell.root / "mpi").iterdir()} == {"README", "openmpi.sh", "mpich.sh"}
    for name in "openmpi.sh", "mpich.sh":
        assert cell.run("sh", "-n", cell.root / "mpi" / name).code == 0
