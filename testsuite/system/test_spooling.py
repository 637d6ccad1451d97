"""What -hold_jid_ad costs in the spool: nothing where nobody uses it, and nothing at regular ends where somebody does."""
from cell import Gate, wait
from spooldb import Spool, Watch, counted, sizes

SUBMIT = {"meta.db": 1, "job_script.db": 1, "job_env.db": 1, "job.db": 1}  # with the next job number


def gated(cell, name, tasks):
    """Tasks [0]: a single job."""
    if tasks != [0]:
        return cell.array(name, f"1-{len(tasks)}", gated=tasks)
    cell.gates[name, 0] = Gate(cell.files / f"{name}.undefined")
    return cell.qsub("-N", name, "-o", "/dev/null", "-j", "y", "-v", "LOG,GATES", cell.script)


def run_to_end(cell, name, job, tasks, watch):
    """Ends the gated TASKS one by one; returns what was written up to their start, then at each end."""
    for task in tasks:
        cell.wait_state(job, task, "r")
    steps = [watch.items()]
    for task in tasks:
        cell.open(name, task)
        wait(lambda: (job, task) not in cell.states(), f"{name}.{task} to end")
        steps.append(watch.items())
    return steps


def dependency_fields(record):
    return {name for name in record if "ja_ad" in name or name == "JB_ja_a_h_ids"}


def test_without_the_option_no_record_knows_of_it(any_cell):
    spool = Spool(any_cell)
    assert {"JB_ja_ad_request_list", "JB_ja_ad_predecessor_list", "JB_ja_a_h_ids"} <= {row[0] for row in max(spool.schemas.items())[1][1]["JB_Type"]}
    single = any_cell.qsub("-h", "-b", "y", "/bin/true")
    plain = any_cell.held_array("A", "1-10:3")
    waiting = any_cell.held_array("B", "1-10:3", "-hold_jid", plain)
    copied = int(any_cell.ok("qresub", waiting).split()[2].split(".")[0])
    changed = any_cell.held_array("C", "1-10")
    any_cell.ok("qalter", "-N", "D", "-hold_jid", f"A,{single}", "-p", "-5", changed)
    any_cell.ok("qalter", "-h", "n", f"{changed}.3")
    any_cell.ok("qdel", f"{plain}.4")
    for _ in range(2):
        for job in (single, plain, waiting, copied, changed):
            assert dependency_fields(spool.job_fields(job)) == set(), job
        any_cell.restart_master()
    b = any_cell.held_array("B", "1-10:3", "-hold_jid_ad", plain)  # or this test could not see them
    assert dependency_fields(spool.job_fields(b)) == {"JB_ja_ad_request_list", "JB_ja_ad_predecessor_list", "JB_ja_a_h_ids"}
    assert dependency_fields(spool.job_fields(plain)) == set()


def test_without_the_option_arrays_cost_what_single_jobs_cost(any_cell):
    """Each submit, start and end writes so many records, of so many bytes."""
    any_cell.qsub("-h", "-b", "y", "/bin/true")  # the first job of a user writes down the user
    watch = Watch(Spool(any_cell))
    written = {}
    for name, tasks in (("S", [0]), ("A", [1]), ("B", [1, 2, 3])):
        job = gated(any_cell, name, tasks)
        written[name] = watch.spool.job(job), run_to_end(any_cell, name, job, tasks, watch)
    for name, tasks in (("S", 1), ("A", 1), ("B", 3)):
        begin, *ends = written[name][1]
        assert counted(begin) == SUBMIT | {"task.db": tasks}, name
        assert sizes(begin, "task.db") == sizes(written["S"][1][0], "task.db") * tasks, "the start of an array task is larger"
        assert [counted(end).get("outbox.db") for end in ends] == [1] * tasks, name
        assert counted(ends[-1]) == {"outbox.db": 1, "request.db": 1}, name
    first, second, _ = written["B"][1][1:]
    assert counted(first) == counted(second) == {"ended.db": 1, "outbox.db": 1}
    assert sizes(second, "ended.db") == [3 + 1 + 1], "B.1 and B.2 are one range; none has failed, and of none that is unknown"
    single, array = (watch.spool.decode("JB_Type", written[name][0]) for name in "SA")
    assert set(array) == set(single)
    assert len(written["A"][0]) == len(written["S"][0]) + 1, "more than the bit that says that it is an array"


def test_a_regular_release_writes_nothing_of_the_successor(any_cell):
    """Request and predecessor lists are written when a request changes them, not when predecessors end."""
    spool = Spool(any_cell)
    watch = Watch(spool)
    plain = any_cell.array("P", "1-3", gated=[1, 2, 3])
    alone = [counted(step) for step in run_to_end(any_cell, "P", plain, [1, 2, 3], watch)]
    a, x = any_cell.array("A", "1-3", gated=[1, 2, 3]), any_cell.held_array("X", "1-3:2")
    watch.items()
    b = any_cell.held_array("B", "1-3", "-hold_jid_ad", "A,X")
    c = any_cell.held_array("C", "1-3", "-hold_jid_ad", a, "-hold_jid", x)
    assert counted(watch.items()) == {"meta.db": 2, "job.db": 2, "job_env.db": 2}, "two submits, and nothing of A and X"
    before = spool.job(b), spool.job(c)
    assert spool.job_fields(b)["JB_ja_ad_predecessor_list"] == [{"JRE_job_number": a}, {"JRE_job_number": x}]

    ends = run_to_end(any_cell, "A", a, [1, 2, 3], watch)
    assert [counted(end) for end in ends[1:]] == alone[1:], "the end of a task with successors wrote more than that of one without"
    assert (spool.job(b), spool.job(c)) == before and any_cell.array_held(b) == {1, 2, 3} and any_cell.array_held(c) == set()
    any_cell.ok("qdel", f"{x}.1")
    assert counted(watch.items()) == {"ended.db": 1, "request.db": 1} and any_cell.array_held(b) == {3}
    any_cell.ok("qdel", x)
    assert counted(watch.items()) == {"request.db": 2} and any_cell.array_held(b) == set()
    assert (spool.job(b), spool.job(c)) == before
    assert any_cell.detail(b).get("ja_ad_predecessor_list") is None, "ended predecessors are shown"
    any_cell.restart_master()
    assert any_cell.array_held(b) == any_cell.array_held(c) == set() and (spool.job(b), spool.job(c)) == before


def test_a_request_writes_the_lists_that_it_changes(any_cell):
    spool = Spool(any_cell)
    a, x = any_cell.held_array("A", "1-3"), any_cell.held_array("X", "1-3:2")
    b = any_cell.held_array("B", "1-3")
    watch = Watch(spool)
    for wanted, numbers in (("A", [a]), (f"{x},A", [a, x]), ("X", [x])):
        any_cell.ok("qalter", "-hold_jid_ad", wanted, b)
        assert counted(watch.items()) == {"job.db": 1, "request.db": 1}, wanted
        record = spool.job_fields(b)
        assert sorted(entry["JRE_job_number"] for entry in record["JB_ja_ad_predecessor_list"]) == numbers
        assert {entry.get("JRE_job_name") or str(entry["JRE_job_number"]) for entry in record["JB_ja_ad_request_list"]} == set(wanted.split(","))
    any_cell.ok("qalter", "-hold_jid_ad", "", b)
    assert counted(watch.items()) == {"job.db": 1, "request.db": 1}
    assert not any(spool.job_fields(b).get(name) for name in dependency_fields(spool.job_fields(b)))
