"""DRMAA, drmaa_session(3) to drmaa_wait(3): Debian's python3-drmaa, as it comes, over our libdrmaa."""
import re
import subprocess

from cell import ARCH
from drmaa_python import PYTHON, as_it_is, binding, program  # pylint: disable=unused-import


def test_it_names_itself_as_a_grid_engine(program):
    out = program.run("""
        print(s.contact == "", s.drmsInfo, s.drmaaImplementation, s.version)
        s.initialize()
        print(s.contact)
        s.exit()
        """)
    first, second = out.splitlines()
    assert first == "True SGE 9.0.0 SGE 9.0.0 1.0"
    assert re.fullmatch(r"session=[A-Za-z0-9._-]+", second)


def test_a_job_is_submitted_and_waited_for(program):
    out = program.run("""
        s.initialize()
        job = s.runJob(template("/bin/sh", "-c", "exit 7"))
        end = s.wait(job, s.TIMEOUT_WAIT_FOREVER)
        print(end.jobId == job, end.hasExited, end.exitStatus, end.hasSignal, end.wasAborted)
        print(float(end.resourceUsage["exit_status"]), sorted(end.resourceUsage)[:3])
        print(refused(drmaa.errors.InvalidJobException, s.wait, job, 0))
        s.exit()
        """)
    assert out.splitlines()[:2] == ["True True 7 False False", "7.0 ['acct_cpu', 'acct_io', 'acct_iow']"]
    assert "or its exit status has been retrieved" in out


def test_the_library_exports_the_36_functions_and_those_of_java_alone(any_cell):
    table = subprocess.run(["nm", "-D", "--defined-only", any_cell.root / "lib" / ARCH / "libdrmaa.so.1.0"], capture_output=True, text=True)
    names = {line.split()[-1] for line in table.stdout.splitlines() if "Java_com_sun_grid_drmaa_" not in line}
    header = (any_cell.root / "include/drmaa.h").read_text()
    assert names == set(re.findall(r"^(?:int|void|const char \*) ?(drmaa_\w+)\(", header, re.M)) and len(names) == 36
    dynamic = subprocess.run(["readelf", "-d", any_cell.root / "lib" / ARCH / "libdrmaa.so.1.0"], capture_output=True, text=True).stdout
    assert "[libdrmaa.so.1.0]" in dynamic and "STATIC_TLS" not in dynamic


@as_it_is
def test_without_sge_root_the_cell_is_the_one_that_the_library_lies_in(program, any_cell):
    """By whatever link the library is found."""
    link = any_cell.files / "libdrmaa.so"
    link.symlink_to(program.library)
    for library in program.library, link:
        out = any_cell.ok(PYTHON, "-c", "import drmaa; s = drmaa.Session(); s.initialize(); print(s.contact); s.exit()",
                          env={"SGE_ROOT": "", "DRMAA_LIBRARY_PATH": str(library)})
        assert out.startswith("session=")


def test_without_a_session_there_is_nothing_to_work_with(program):
    program.run("""
        refused(drmaa.errors.NoActiveSessionException, s.createJobTemplate)
        refused(drmaa.errors.NoActiveSessionException, s.wait, "1", 0)
        refused(drmaa.errors.NoActiveSessionException, s.exit)
        refused(drmaa.errors.InvalidContactStringException, s.initialize, "nonsense")
        refused(drmaa.errors.InvalidContactStringException, s.initialize, "session=host.1.2")
        s.initialize()
        refused(drmaa.errors.AlreadyActiveSessionException, s.initialize)
        s.exit()
        s.initialize()
        s.exit()
        """)


def test_the_tasks_of_a_bulk_job_are_waited_for_one_by_one(program):
    out = program.run("""
        s.initialize()
        jt = template("/bin/sh", "-c", "exit $SGE_TASK_ID")
        ids = s.runBulkJobs(jt, 2, 10, 4)
        print([i.partition(".")[2] for i in ids])
        print([s.wait(i, -1).exitStatus for i in ids])
        ids = s.runBulkJobs(jt, 1, 5, 1)
        ends = [s.wait(s.JOB_IDS_SESSION_ANY, -1) for _ in ids]
        print(sorted(e.exitStatus for e in ends), sorted(e.jobId for e in ends) == sorted(ids))
        refused(drmaa.errors.InvalidJobException, s.wait, s.JOB_IDS_SESSION_ANY, 0)
        refused(drmaa.errors.InvalidArgumentException, s.runBulkJobs, jt, 0, 5, 1)
        refused(drmaa.errors.InvalidArgumentException, s.runBulkJobs, jt, 5, 1, 1)
        s.exit()
        """)
    assert out.splitlines() == ["['2', '6', '10']", "[2, 6, 10]", "[1, 2, 3, 4, 5] True"]


def test_synchronize_waits_for_all_and_takes_what_it_is_told_to(program):
    program.run("""
        s.initialize()
        jt = template("/bin/true")
        ids = s.runBulkJobs(jt, 1, 3, 1) + [s.runJob(jt)]
        s.synchronize([s.JOB_IDS_SESSION_ALL], -1, False)
        assert [s.jobStatus(i) for i in ids] == [Is.DONE] * 4
        s.synchronize(ids[:2], 0, True)
        refused(drmaa.errors.InvalidJobException, s.wait, ids[0], 0)
        s.wait(ids[2], 0)
        s.synchronize([s.JOB_IDS_SESSION_ALL], -1, True)
        refused(drmaa.errors.InvalidJobException, s.wait, ids[3], 0)
        held = s.runJob(template("/bin/true", jobSubmissionState=drmaa.JobSubmissionState.HOLD_STATE))
        refused(drmaa.errors.ExitTimeoutException, s.synchronize, [held], 0, False)
        refused(drmaa.errors.ExitTimeoutException, s.synchronize, [s.JOB_IDS_SESSION_ALL], 1, True)
        refused(drmaa.errors.ExitTimeoutException, s.wait, held, 1)
        s.control(held, Do.TERMINATE)
        s.synchronize([held], -1, False)
        assert s.jobStatus(held) == Is.FAILED
        s.exit()
        """)


def test_a_session_without_jobs_is_synchronized_at_once(program):
    program.run("""
        with drmaa.Session() as session:
            session.synchronize([session.JOB_IDS_SESSION_ALL], 10, True)
            session.synchronize([session.JOB_IDS_SESSION_ALL], -1, False)
            session.synchronize(["4711", "4712.3"], -1, True)
            refused(drmaa.errors.InvalidJobException, session.synchronize, ["x"], 0, True)
            refused(drmaa.errors.InvalidArgumentException, session.runBulkJobs, template("/bin/true"), 1, 3, 0)
        """)


def test_what_never_ran_was_aborted(program):
    """Deleted before it ran; a directory for its output that is not there; a program that is not there."""
    program.run("""
        s.initialize()
        held = s.runJob(template("/bin/true", jobSubmissionState=drmaa.JobSubmissionState.HOLD_STATE))
        s.control(held, Do.TERMINATE)
        nowhere = s.runJob(template("/bin/true", output=":/no/such/directory/file"))
        nothing = s.runJob(template("/no/such/program"))
        for job in held, nowhere, nothing:
            end = s.wait(job, -1)
            assert (end.wasAborted, end.hasExited, end.hasSignal) == (True, False, False), (job, end)
        s.exit()
        """)


def test_jobs_are_held_released_suspended_resumed_and_terminated(program, any_cell):
    program.run("""
        s.initialize()
        mark = sys.argv[1]
        job = s.runJob(template("/bin/sh", "-c", f"echo >{mark}; exec sleep 1000", jobSubmissionState=drmaa.JobSubmissionState.HOLD_STATE))
        def until(state):
            while s.jobStatus(job) != state:
                time.sleep(0.01)
        assert s.jobStatus(job) == Is.USER_ON_HOLD
        refused(drmaa.errors.HoldInconsistentStateException, s.control, job, Do.HOLD)
        refused(drmaa.errors.SuspendInconsistentStateException, s.control, job, Do.SUSPEND)
        s.control(job, Do.RELEASE)
        until(Is.RUNNING)
        while not os.path.exists(mark):  # until then it may be on its way to the host
            time.sleep(0.01)
        refused(drmaa.errors.ReleaseInconsistentStateException, s.control, job, Do.RELEASE)
        refused(drmaa.errors.ResumeInconsistentStateException, s.control, job, Do.RESUME)
        s.control(job, Do.SUSPEND)
        assert s.jobStatus(job) == Is.USER_SUSPENDED
        s.control(job, Do.RESUME)
        assert s.jobStatus(job) == Is.RUNNING
        s.control(job, Do.TERMINATE)
        end = s.wait(job, -1)
        assert (end.hasSignal, end.terminatedSignal, end.hasExited) == (True, "SIGKILL", False), end
        refused(drmaa.errors.InvalidJobException, s.control, job, Do.TERMINATE)
        refused(drmaa.errors.InvalidJobException, s.jobStatus, job)
        refused(drmaa.errors.InvalidJobException, s.jobStatus, "4000000")
        refused(drmaa.errors.InvalidJobException, s.jobStatus, "x")
        s.exit()
        """, any_cell.files / "started")


def test_the_number_of_an_array_stands_for_its_first_task(program):
    """Wherever its ids begin."""
    program.run("""
        s.initialize()
        for first in 1, 5:
            jt = template("/bin/sleep", "1000", jobSubmissionState=drmaa.JobSubmissionState.HOLD_STATE)
            tasks = s.runBulkJobs(jt, first, first + 4, 2)
            job = tasks[0].split(".")[0]
            assert s.jobStatus(job) == Is.USER_ON_HOLD
            s.control(tasks[1], Do.RELEASE)
            assert s.jobStatus(job) == Is.USER_ON_HOLD
            s.control(tasks[0], Do.RELEASE)
            while s.jobStatus(job) != Is.RUNNING:
                time.sleep(0.01)
            s.control(job, Do.TERMINATE)
            s.synchronize([job], -1, True)
            refused(drmaa.errors.InvalidJobException, s.jobStatus, job)
        s.exit()
        """)


def test_what_is_done_to_all_jobs_concerns_those_whose_state_allows_it(program, any_cell):
    """Four slots: of the array one task has ended, four run, and five wait; three jobs have ended, and nobody has taken that."""
    gates = any_cell.files / "marks"
    any_cell.ok("mkdir", gates)
    program.run("""
        s.initialize()
        def until(is_so):
            while not is_so():
                time.sleep(0.01)
        def states():
            return [s.jobStatus(i) for i in ids]
        ended = [s.runJob(template("/bin/true")) for _ in range(3)]
        s.synchronize(ended, -1, False)
        script = f"echo >{sys.argv[1]}/$SGE_TASK_ID; [ $SGE_TASK_ID = 1 ] || exec sleep 1000"
        ids = s.runBulkJobs(template("/bin/sh", "-c", script), 1, 10, 1)
        until(lambda: len(os.listdir(sys.argv[1])) == 5)
        s.control(s.JOB_IDS_SESSION_ALL, Do.HOLD)
        assert states() == [Is.DONE] + [Is.RUNNING] * 4 + [Is.USER_ON_HOLD] * 5, states()
        s.control(s.JOB_IDS_SESSION_ALL, Do.SUSPEND)
        assert states() == [Is.DONE] + [Is.USER_SUSPENDED] * 4 + [Is.USER_ON_HOLD] * 5, states()
        s.control(s.JOB_IDS_SESSION_ALL, Do.RESUME)
        s.control(s.JOB_IDS_SESSION_ALL, Do.RELEASE)
        assert states() == [Is.DONE] + [Is.RUNNING] * 4 + [Is.QUEUED_ACTIVE] * 5, states()
        s.control(s.JOB_IDS_SESSION_ALL, Do.TERMINATE)
        s.synchronize([s.JOB_IDS_SESSION_ALL], -1, False)
        assert states() == [Is.DONE] + [Is.FAILED] * 9, states()
        s.control(s.JOB_IDS_SESSION_ALL, Do.TERMINATE)
        s.synchronize([s.JOB_IDS_SESSION_ALL], -1, True)
        for action in Do.HOLD, Do.TERMINATE:  # there is nothing
            s.control(s.JOB_IDS_SESSION_ALL, action)
        s.exit()
        """, gates)


def test_attributes_are_checked_when_they_are_set(program):
    program.run("""
        s.initialize()
        jt = s.createJobTemplate()
        E = drmaa.errors
        for name, value, kind in [("outputPath", "/tmp", E.InvalidAttributeFormatException), ("jobName", "a/b", E.InvalidAttributeValueException),
                                  ("startTime", "soon", E.InvalidAttributeFormatException)]:
            print(refused(kind, setattr, jt, name, value)) if name != "startTime" else None
        jt.remoteCommand, jt.args, jt.jobEnvironment = "/bin/true", ["a", "b c"], {"A": "1"}
        assert (jt.remoteCommand, jt.args, jt.jobEnvironment) == ("/bin/true", ["a", "b c"], {"A": "1"})
        drmaa.wrappers.drmaa_set_attribute(jt, b"drmaa_submit_as_euid", b"y", None, 0)
        s.wait(s.runJob(jt), -1)
        jt.nativeSpecification = "-t 1-3"
        print(refused(E.DeniedByDrmException, s.runJob, jt))
        jt.nativeSpecification = "-pty y"
        said = refused(E.DeniedByDrmException, s.runJob, jt)
        assert 'option "-pty" is for interactive jobs' in str(said), said
        jt.nativeSpecification = "-nonsense"
        print(refused(E.DeniedByDrmException, s.runJob, jt))
        s.deleteJobTemplate(jt)
        print(refused(E.InvalidArgumentException, s.runJob, jt))
        refused(E.InvalidArgumentException, s.deleteJobTemplate, jt)
        s.exit()
        """)


def test_pipelines_of_arrays_run_in_order_whatever_their_steps(program, any_cell):
    for a_step, b_step, c_step in [(1, 1, 1), (1, 3, 2), (4, 1, 3)]:
        any_cell.log.write_text("")
        program.run("""
            steps, log, script = [int(n) for n in sys.argv[1:4]], sys.argv[4], sys.argv[5]
            s.initialize()
            before = None
            for name, step in zip("ABC", steps):
                jt = template(script, native=f"-hold_jid_ad {before}" if before else "", jobName=name, jobEnvironment={"LOG": log})
                ids = s.runBulkJobs(jt, 1, 12, step)
                before = ids[0].split(".")[0]
                if name == "B":
                    assert s.jobStatus(ids[-1]) in (Is.SYSTEM_ON_HOLD, Is.QUEUED_ACTIVE, Is.RUNNING, Is.DONE)
            s.synchronize([s.JOB_IDS_SESSION_ALL], -1, True)
            s.exit()
            """, a_step, b_step, c_step, any_cell.log, any_cell.script)
        notes = any_cell.notes()
        at = {(kind, name, task): when for kind, name, task, when in notes}
        for first, second, f, b in [("A", "B", a_step, b_step), ("B", "C", b_step, c_step)]:
            for task in range(1, 13, b):
                for other in range(1, 13, f):
                    if set(range(task, min(task + b, 13))) & set(range(other, min(other + f, 13))):
                        assert at["end", first, other] <= at["start", second, task], (first, other, second, task)


def test_an_array_hold_is_a_system_hold(program):
    program.run("""
        s.initialize()
        hold = drmaa.JobSubmissionState.HOLD_STATE
        a = s.runBulkJobs(template("/bin/true", jobSubmissionState=hold), 1, 3, 1)
        number = a[0].split(".")[0]
        b = s.runBulkJobs(template("/bin/true", native=f"-hold_jid_ad {number}"), 1, 3, 1)
        c = s.runBulkJobs(template("/bin/true", native=f"-hold_jid_ad {number}", jobSubmissionState=hold), 1, 3, 1)
        d = s.runJob(template("/bin/true", native=f"-hold_jid {number}"))
        assert [s.jobStatus(i) for i in b] == [Is.SYSTEM_ON_HOLD] * 3
        assert s.jobStatus(c[1]) == Is.USER_SYSTEM_ON_HOLD and s.jobStatus(d) == Is.SYSTEM_ON_HOLD
        s.control(s.JOB_IDS_SESSION_ALL, Do.RELEASE)
        s.synchronize([s.JOB_IDS_SESSION_ALL], -1, True)
        s.exit()
        """)


def test_every_job_is_reaped_once_though_the_qmaster_is_killed(program, any_cell):
    """300 jobs, five kills: while they are submitted, while they run, while they are taken."""
    process = program.start("""
        s.initialize()
        jt = template("/bin/sh", "-c", "exit 3")
        ids = []
        for n in range(300):
            ids.append(s.runJob(jt))
            if n % 60 == 0:
                print("submitted", n, flush=True)
        seen = []
        for n in range(300):
            end = s.wait(s.JOB_IDS_SESSION_ANY, -1)
            assert end.exitStatus == 3, end
            seen.append(end.jobId)
            if n % 100 == 0:
                print("reaped", n, flush=True)
        assert sorted(seen) == sorted(ids), set(ids) ^ set(seen)
        refused(drmaa.errors.InvalidJobException, s.wait, s.JOB_IDS_SESSION_ANY, 0)
        s.exit()
        print("done", flush=True)
        """)
    for line in process.stdout:
        if line.split()[0] in ("submitted", "reaped") and int(line.split()[1]) % 120 in (0, 100):
            any_cell.restart_master()
    assert (process.wait(60), process.stderr.read(), line) == (0, "", "done\n")


def test_a_session_is_left_and_joined_again(program, any_cell):
    first = program.run("""
        s.initialize()
        job = s.runJob(template("/bin/sh", "-c", "exit 9"))
        array = s.runBulkJobs(template("/bin/sh", "-c", "exit 4"), 1, 3, 1)
        s.synchronize([job], -1, False)
        print(s.contact, job, *array)
        s.exit()
        """).split()
    any_cell.wait_gone(int(first[1]), int(first[2].split(".")[0]))
    any_cell.restart_master()
    program.run("""
        contact, job, *array = sys.argv[1:]
        s.initialize(contact)
        assert s.contact == contact
        assert s.wait(job, -1).exitStatus == 9
        assert [s.wait(i, -1).exitStatus for i in array] == [4, 4, 4]
        refused(drmaa.errors.InvalidJobException, s.wait, s.JOB_IDS_SESSION_ANY, 0)
        s.exit()
        """, *first)
    program.run("refused(drmaa.errors.InvalidContactStringException, s.initialize, sys.argv[1])", first[0])


def test_ends_of_many_jobs_that_were_taken_at_once_are_gone(program, any_cell):
    """One job stays, so that the session does, too."""
    contact = program.run("""
        s.initialize()
        jt = template("/bin/true")
        jobs = [s.runJob(jt) for _ in range(600)]
        s.runJob(template("/bin/true", jobSubmissionState=drmaa.JobSubmissionState.HOLD_STATE))
        s.synchronize(jobs, -1, True)
        print(s.contact)
        s.exit()
        """).strip()
    program.run("""
        s.initialize(sys.argv[1])
        refused(drmaa.errors.ExitTimeoutException, s.wait, s.JOB_IDS_SESSION_ANY, 0)
        s.control(s.JOB_IDS_SESSION_ALL, Do.TERMINATE)
        assert s.wait(s.JOB_IDS_SESSION_ANY, -1).wasAborted
        s.exit()
        """, contact)


def test_who_joins_a_session_waits_for_jobs_that_have_not_ended(program, any_cell):
    first = program.run("""
        s.initialize()
        hold = drmaa.JobSubmissionState.HOLD_STATE
        array = s.runBulkJobs(template("/bin/sh", "-c", "exit 4", jobSubmissionState=hold), 1, 3, 1)
        print(s.contact, *array)
        s.exit()
        s.initialize()
        other = s.runJob(template("/bin/true", jobSubmissionState=hold))
        print(other)
        s.exit()
        """).split()
    program.run("""
        contact, *array, other = sys.argv[1:]
        s.initialize(contact)
        refused(drmaa.errors.ExitTimeoutException, s.wait, array[0], 0)
        refused(drmaa.errors.InvalidJobException, s.wait, other, 0)
        s.control(s.JOB_IDS_SESSION_ALL, Do.RELEASE)
        assert [s.wait(i, -1).exitStatus for i in array] == [4, 4, 4]
        refused(drmaa.errors.InvalidJobException, s.wait, s.JOB_IDS_SESSION_ANY, 0)
        s.exit()
        """, *first)


def test_the_child_of_a_fork_has_no_session_and_may_begin_one(program):
    out = program.run("""
        s.initialize()
        job = s.runJob(template("/bin/true"))
        pid = os.fork()
        if pid == 0:
            print(refused(drmaa.errors.NoActiveSessionException, s.wait, job, 0))
            s.initialize()
            mine = s.runJob(template("/bin/sh", "-c", "exit 5"))
            print(s.wait(mine, -1).exitStatus)
            s.exit()
            sys.stdout.flush()
            os._exit(0)
        assert os.waitpid(pid, 0)[1] == 0
        print(s.wait(job, -1).exitStatus)
        s.exit()
        """)
    first, second, third = out.splitlines()
    assert "which forked this one; call drmaa_init() to begin a new one" in first and (second, third) == ("5", "0")


def test_many_threads_use_one_session(program):
    program.run("""
        import threading
        s.initialize()
        jt = template("/bin/true")
        wrong = []
        def work():
            try:
                for _ in range(5):
                    job = s.runJob(jt)
                    assert s.wait(job, -1).exitStatus == 0
            except Exception as why:
                wrong.append(why)
        threads = [threading.Thread(target=work) for _ in range(20)]
        for t in threads: t.start()
        for t in threads: t.join()
        assert not wrong, wrong
        s.exit()
        """)


def test_a_lost_qmaster_is_no_reason_to_hang_or_to_fail(program, any_cell):
    process = program.start("""
        s.initialize()
        job = s.runJob(template("/bin/true", jobSubmissionState=drmaa.JobSubmissionState.HOLD_STATE))
        print("ready", flush=True)
        sys.stdin.readline()
        refused(drmaa.errors.ExitTimeoutException, s.wait, job, 1)
        print("timed out", flush=True)
        s.control(job, Do.RELEASE)
        assert s.wait(job, -1).exitStatus == 0
        s.exit()
        """, stdin=subprocess.PIPE)
    assert process.stdout.readline() == "ready\n"
    any_cell.kill("sge_qmaster")
    process.stdin.write("\n")
    process.stdin.flush()
    assert process.stdout.readline() == "timed out\n"
    any_cell.start()
    assert (process.wait(60), process.stderr.read()) == (0, "")


def test_wrong_pointers_and_short_buffers_are_answered(program):
    """NULL, foreign, freed and twice-freed handles; buffers of 0, 1 and exactly as many bytes as needed."""
    program.run("""
        import ctypes as C
        lib = C.CDLL(os.environ["DRMAA_LIBRARY_PATH"])
        INVALID, VALUE, NO_MORE = 4, 14, 25
        P, diag = C.c_void_p, C.create_string_buffer(1024)
        s.initialize()
        foreign = C.create_string_buffer(64)
        wrong = [P(None), P(C.addressof(foreign)), P(1), P(2 ** 64 - 1), P(0x13)]
        out, number = C.create_string_buffer(64), C.c_int()
        for w in wrong:
            assert lib.drmaa_delete_job_template(w, diag, C.c_size_t(1024)) == INVALID
            assert lib.drmaa_set_attribute(w, b"drmaa_wd", b"/tmp", None, C.c_size_t(0)) == INVALID
            assert lib.drmaa_run_job(out, C.c_size_t(64), w, None, C.c_size_t(0)) == INVALID
            assert lib.drmaa_get_next_attr_name(w, out, C.c_size_t(64)) == INVALID
            assert lib.drmaa_get_num_job_ids(w, C.byref(number)) == INVALID
            lib.drmaa_release_attr_values(w)
        jt = P()
        assert lib.drmaa_allocate_job_template(None, None, C.c_size_t(0)) == INVALID
        assert lib.drmaa_allocate_job_template(C.byref(jt), None, C.c_size_t(0)) == 0
        for name, value in [(None, b"x"), (b"drmaa_wd", None), (b"nonsense", b"x"), (b"drmaa_v_argv", b"x"), (b"", b"")]:
            assert lib.drmaa_set_attribute(jt, name, value, None, C.c_size_t(0)) == INVALID, name
        assert lib.drmaa_get_attribute(jt, b"drmaa_wd", out, C.c_size_t(64), None, C.c_size_t(0)) == VALUE
        assert lib.drmaa_set_attribute(jt, b"drmaa_wd", b"/tmp", None, C.c_size_t(0)) == 0
        for room, text in [(0, b"#"), (1, b""), (4, b"/tm"), (5, b"/tmp"), (64, b"/tmp")]:
            out.value = b"#"
            assert lib.drmaa_get_attribute(jt, b"drmaa_wd", out, C.c_size_t(room), None, C.c_size_t(0)) == 0
            assert out.value == text, (room, out.value)
        assert lib.drmaa_set_attribute(jt, b"drmaa_wd", b"", diag, C.c_size_t(5)) == VALUE and diag.value == b'"" i'
        names = P()
        assert lib.drmaa_get_attribute_names(C.byref(names), None, C.c_size_t(0)) == 0
        assert lib.drmaa_get_next_attr_value(names, out, C.c_size_t(64)) == INVALID  # another kind
        assert lib.drmaa_get_num_attr_names(names, C.byref(number)) == 0 and number.value == 13
        for _ in range(13):
            assert lib.drmaa_get_next_attr_name(names, out, C.c_size_t(64)) == 0
        assert lib.drmaa_get_next_attr_name(names, out, C.c_size_t(64)) == NO_MORE
        for _ in range(2):
            lib.drmaa_release_attr_names(names)
        assert lib.drmaa_get_next_attr_name(names, out, C.c_size_t(64)) == INVALID
        assert [lib.drmaa_delete_job_template(jt, None, C.c_size_t(0)) for _ in range(2)] == [0, INVALID]
        assert lib.drmaa_wait(None, None, C.c_size_t(0), None, C.c_long(0), None, None, C.c_size_t(0)) == INVALID
        assert lib.drmaa_wait(b"1", None, C.c_size_t(0), None, C.c_long(-2), None, None, C.c_size_t(0)) == INVALID
        assert lib.drmaa_synchronize(None, C.c_long(0), 0, None, C.c_size_t(0)) == INVALID
        assert lib.drmaa_control(b"1", 9, None, C.c_size_t(0)) == INVALID
        for stat in (0, -1, 12345):
            assert lib.drmaa_wifexited(C.byref(number), stat, None, C.c_size_t(0)) == INVALID
            assert lib.drmaa_wtermsig(None, C.c_size_t(0), stat, None, C.c_size_t(0)) == INVALID
        s.exit()
        """)
