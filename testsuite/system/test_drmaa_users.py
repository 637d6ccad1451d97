"""DRMAA for several users: whose a session and its jobs are, drmaa_session(3) and drmaa_attributes(3) drmaa_submit_as_euid."""
import pwd

import pytest

from drmaa_python import binding, program  # pylint: disable=unused-import

AS_EUID = """
os.chdir("/")  # root's home is nobody else's
def as_euid(command, *args, answer=b"y", **more):
    jt = template(command, *args, **more)
    drmaa.wrappers.drmaa_set_attribute(jt, b"drmaa_submit_as_euid", answer, None, 0)
    return jt
"""
SAY_WHO = 'echo $(id -un) $HOME $PWD'


@pytest.fixture
def ids(pytestconfig):
    """The numbers of users."""
    if pytestconfig.no_users:
        pytest.skip(f"impossible here: {pytestconfig.no_users}")
    return {name: pwd.getpwnam(name).pw_uid for name in ("alice", "bob")}


def home(name):
    return pwd.getpwnam(name).pw_dir


def test_a_program_of_root_submits_as_the_user_it_acts_for(program, ids, any_cell):
    """Its environment is root's; home and working directory of the job are alice's."""
    out = any_cell.files / "out"
    program.run(AS_EUID + """
os.seteuid(int(sys.argv[1]))
s.initialize()
assert s.wait(s.runJob(as_euid("/bin/sh", "-c", sys.argv[3], output=":" + sys.argv[2])), -1).exitStatus == 0
s.exit()
""", ids["alice"], out, SAY_WHO, user="root")
    assert out.read_text().split() == ["alice", home("alice"), home("alice")]
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
    assert "another user began this session" in process.stdout.readline()
    assert process.stdout.readline() == "ready\n"
    any_cell.restart_master()
    out, err = process.communicate("\n", timeout=60)
    assert (process.returncode, out, err) == (0, "", "")
    assert [row["owner"] for row in any_cell.accounting()] == ["alice", "alice"]
