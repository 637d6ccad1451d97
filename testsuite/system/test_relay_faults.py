"""What is asked from another host while daemons die on the way: each request is done once or not at all, and who asked knows which."""
import collections
import concurrent.futures
import json

from cell import wait
from drmaa_python import Program, binding  # pylint: disable=unused-import
from test_relay import TASK, joined


def restart_execd(node):
    node.kill_execd()
    node.start_execd()


def restart_qmaster(cluster):
    cluster.master.kill_qmaster()
    cluster.master.start()


def numbers_by_name(cell):
    """{name: [job number]} of all jobs."""
    found = collections.defaultdict(list)
    for job in json.loads(cell.ok("qstat", "-u", "*", "-json"))["pending_jobs"]:
        found[job["JB_name"]].append(job["JB_job_number"])
    return found


def test_kills_under_a_hundred_submits_lose_and_double_nothing(cluster):
    """An answer that was lost is asked for again, over the new connection of the host, with the id of the request."""
    node, done = joined(cluster), []

    def submit(number):
        result = node.run("qsub", "-terse", "-h", "-N", f"n{number}", *TASK, "/bin/true")
        done.append(number)
        return result

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        results = [pool.submit(submit, number) for number in range(100)]
        for at_least, act in ((10, lambda: restart_execd(node)), (30, lambda: restart_qmaster(cluster)), (50, lambda: restart_execd(node))):
            wait(lambda at_least=at_least: len(done) >= at_least, "some submits", 60)
            act()
    there, accepted = numbers_by_name(cluster.master), 0
    for number, result in enumerate(future.result() for future in results):
        if result.code == 0:
            assert there[f"n{number}"] == [int(result.out)]
            accepted += 1
        else:
            assert there[f"n{number}"] == [], result
    assert accepted >= 10  # those before the first kill


def test_a_drmaa_session_goes_on_when_the_daemons_on_its_way_were_killed(cluster, binding):
    """It waits for all tasks on the submit host; each is reaped once."""
    node = joined(cluster)
    session = Program(node)
    ready = node.files / "ready"
    waiting = session.start("""
        s.initialize()
        jobs = s.runBulkJobs(template("/bin/true", native="-h -shell n"), 1, 60, 1)
        open(sys.argv[1], "w").write(jobs[0].split(".")[0])
        ends = [s.wait(s.JOB_IDS_SESSION_ANY, s.TIMEOUT_WAIT_FOREVER) for _ in jobs]
        print(sorted(int(end.jobId.split(".")[1]) for end in ends) == list(range(1, 61)), {end.exitStatus for end in ends})
        print(refused(drmaa.errors.InvalidJobException, s.wait, s.JOB_IDS_SESSION_ANY, 0) != "")
        s.exit()
        """, ready)
    wait(lambda: ready.exists() and ready.read_text(), "the jobs")
    restart_execd(node)
    cluster.wait_registered("node1")
    cluster.master.ok("qrls", ready.read_text(), user="root")
    wait(lambda: len(cluster.master.accounting()) > 5, "some to end")
    restart_qmaster(cluster)
    out, err = waiting.communicate(timeout=120)
    assert (out.splitlines(), err) == (["True {0}", "True"], "")
