"""DRMAA for several users: whose a session and its jobs are, drmaa_session(3) and drmaa_attributes(3) drmaa_submit_as_euid."""
import os
import pwd

import pytest

from drmaa_python import binding, program  # pylint: disable=unused-import
from siege import attack

AS_EUID = """
os.chdir("/")  # root's home is nobody else's
def as_euid(command, *args, answer=b"y", **more):
    jt = template(command, *args, **more)
    drmaa.wrappers.drmaa_set_attribute(jt, b"drmaa_submit_as_euid", answer, None, 0)
    return jt
"""
SAY_WHO = 'echo $(id -un) $(id -gn) $HOME $PWD $SGE_O_HOME $SGE_O_LOGNAME'
PORTAL = AS_EUID + """
alice, bob = map(int, sys.argv[1:3])
def acting_for(user, act, *args, **more):
    os.seteuid(user)
    try:
        return act(*args, **more)
    finally:
        os.seteuid(0)
def submit_for(user, *command, **more):
    return acting_for(user, lambda: s.runJob(as_euid(*command, **more)))
s.initialize()
"""


@pytest.fixture
def ids(pytestconfig):
    """The numbers of users."""
    if pytestconfig.no_users:
        pytest.skip(f"impossible here: {pytestconfig.no_users}")
    return {name: pwd.getpwnam(name).pw_uid for name in ("alice", "bob")}


def whole(name):
    """What a job of NAME says of itself."""
    home = pwd.getpwnam(name).pw_dir
    return [name, name, home, home, home, name]


def test_a_program_of_root_submits_as_the_user_it_acts_for(program, ids, any_cell):
    """Its environment is root's; home and working directory of the job are alice's."""
    out = any_cell.files / "out"
    program.run(AS_EUID + """
os.seteuid(int(sys.argv[1]))
s.initialize()
assert s.wait(s.runJob(as_euid("/bin/sh", "-c", sys.argv[3], output=":" + sys.argv[2])), -1).exitStatus == 0
s.exit()
""", ids["alice"], out, SAY_WHO, user="root")
    assert out.read_text().split() == whole("alice")
    assert [row["owner"] for row in any_cell.accounting()] == ["alice"]


def test_a_set_uid_program_submits_as_its_owner(program, ids, any_cell):
    """As bob started it, and as it is alice's."""
    program.run(AS_EUID + """
alice, bob = map(int, sys.argv[1:])
os.setresuid(bob, alice, alice)
s.initialize()
jobs = [s.runJob(as_euid("/bin/true", answer=answer)) for answer in (b"y", b"n")]
contact = s.contact
s.synchronize([s.JOB_IDS_SESSION_ALL], -1, False)
s.exit()
s.initialize(contact)
assert [s.wait(job, -1).exitStatus for job in jobs] == [0, 0]
s.exit()
os.setresuid(bob, bob, bob)
refused(drmaa.errors.InvalidContactStringException, s.initialize, contact)
""", ids["alice"], ids["bob"], user="root")
    assert [row["owner"] for row in any_cell.accounting()] == ["alice", "alice"]


def test_a_session_stays_with_its_user_whoever_the_process_becomes(program, ids, any_cell):
    """Not even a connection that is made anew is another user's: the session goes on when the process is its user again."""
    process = program.start(AS_EUID + """
alice, bob = map(int, sys.argv[1:])
os.seteuid(alice)
s.initialize()
job = s.runJob(as_euid("/bin/true", jobSubmissionState=drmaa.JobSubmissionState.HOLD_STATE))
os.seteuid(0)
os.seteuid(bob)
print(refused(drmaa.errors.DeniedByDrmException, s.runJob, as_euid("/bin/true")), flush=True)
assert s.wait(s.runJob(as_euid("/bin/true", answer=b"n")), -1).exitStatus == 0
print("ready", flush=True)
sys.stdin.readline()
refused(drmaa.errors.ExitTimeoutException, s.wait, job, 1)
os.seteuid(0)
os.seteuid(alice)
s.control(job, Do.RELEASE)
assert s.wait(job, -1).exitStatus == 0
s.exit()
""", ids["alice"], ids["bob"], user="root", stdin=-1)
    assert "the session belongs to another user" in process.stdout.readline()
    assert process.stdout.readline() == "ready\n"
    any_cell.restart_master()
    out, err = process.communicate("\n", timeout=60)
    assert (process.returncode, out, err) == (0, "", "")
    assert [row["owner"] for row in any_cell.accounting()] == ["alice", "alice"]


def test_a_portal_of_root_submits_as_those_who_ask_and_keeps_the_ends(program, ids, any_cell):
    """In one session: what root began waits for, acts on and recovers the jobs of everybody, also over a restart of the qmaster."""
    any_cell.files.chmod(0o1777)
    process = program.start(PORTAL + """
who, files = sys.argv[3:]
jobs = [submit_for(user, "/bin/sh", "-c", who, output=f":{files}/{user}") for user in (alice, bob)]
held = submit_for(bob, "/bin/true", jobSubmissionState=drmaa.JobSubmissionState.HOLD_STATE)
tasks = acting_for(alice, s.runBulkJobs, as_euid("/bin/true"), 1, 3, 1)
assert s.jobStatus(held) == Is.USER_ON_HOLD
assert [s.wait(job, -1).exitStatus for job in jobs + tasks] == [0] * 5
print("ready", flush=True)
sys.stdin.readline()
contact = s.contact
s.exit()
s.initialize(contact)
s.control(held, Do.RELEASE)
assert s.wait(held, -1).exitStatus == 0
long = submit_for(alice, "/bin/sleep", "1000")
s.control(long, Do.TERMINATE)
s.synchronize([long], -1, True)
s.exit()
""", ids["alice"], ids["bob"], SAY_WHO, any_cell.files, user="root", stdin=-1)
    assert process.stdout.readline() == "ready\n"
    any_cell.restart_master()
    out, err = process.communicate("\n", timeout=60)
    assert (process.returncode, out, err) == (0, "", "")
    assert [(any_cell.files / str(ids[name])).read_text().split() for name in ("alice", "bob")] == [whole("alice"), whole("bob")]
    rows = [row for row in any_cell.accounting() if row["job_number"] in "1234"]
    assert sorted((row["job_number"], row["owner"], row["group"]) for row in rows) == [
        ("1", "alice", "alice"), ("2", "bob", "bob"), ("3", "bob", "bob")] + 3 * [("4", "alice", "alice")]


def test_threads_of_a_portal_act_for_different_users_at_a_time(program, ids, any_cell):
    """The effective user of the calling thread counts: to the kernel each has its own, if the program sets it by system calls."""
    number = {"x86_64": 117, "aarch64": 147}.get(os.uname().machine)  # setresuid
    if number is None:
        pytest.skip(f"the number of the system call is not known here: {os.uname().machine}")
    program.run(PORTAL + """
import ctypes, threading
libc = ctypes.CDLL(None, use_errno=True)
both, said = threading.Barrier(2), {}
def become(user):
    assert libc.syscall(int(sys.argv[3]), -1, user, -1) == 0
def act_for(user):
    become(user)
    both.wait()
    said[user] = [s.runJob(as_euid("/bin/sh", "-c", f"test $(id -u) = {user}")) for _ in range(5)]
    both.wait()
    become(0)
threads = [threading.Thread(target=act_for, args=[user]) for user in (alice, bob)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert [s.wait(job, -1).exitStatus for user in said for job in said[user]] == [0] * 10
s.exit()
""", ids["alice"], ids["bob"], number, user="root")
    assert sorted(row["owner"] for row in any_cell.accounting()) == 5 * ["alice"] + 5 * ["bob"]


def test_nobody_else_submits_for_others(ids, any_cell):
    """Not by a message of one's own making; and root names users only."""
    add, modify, add_as = 1, 2, 9
    denied = "refused: denied: "
    assert attack(any_cell, "owner", ids["bob"], add_as, user="alice") == denied + '"alice" may not submit for others: only root may\n'
    assert attack(any_cell, "owner", ids["bob"], add, user="alice") == denied + "only a submit may be for another user\n"
    assert attack(any_cell, "owner", ids["alice"], modify, user="root") == denied + "only a submit may be for another user\n"
    assert attack(any_cell, "owner", 4242424, add_as, user="root") == denied + "no user has the id 4242424\n"
    assert attack(any_cell, "owner", ids["bob"], add_as, user="root") == "agreed\n"
    assert any_cell.ok("qstat", "-u", "*").split("\n")[2].split()[3] == "bob"
