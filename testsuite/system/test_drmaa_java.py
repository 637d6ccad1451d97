"""The Java binding as Debian has it (libdrmaa1.0-java) over our library."""
import shutil
from pathlib import Path

import pytest

from cell import ARCH
from drmaa_python import as_it_is

JAR = Path("/usr/share/java/drmaa.jar")
PROGRAM = """
import java.util.*;
import org.ggf.drmaa.*;

public class Jobs {
    static Session session = SessionFactory.getFactory().getSession();

    static JobTemplate template(String script, String nativeOptions) throws DrmaaException {
        JobTemplate t = session.createJobTemplate();
        t.setRemoteCommand("/bin/sh");
        t.setArgs(Arrays.asList("-c", script));
        t.setJobEnvironment(Collections.singletonMap("PLACE", System.getProperty("user.dir")));
        t.setOutputPath(":/dev/null");
        t.setJoinFiles(true);
        t.setNativeSpecification(nativeOptions);
        return t;
    }

    /* what is thrown, by its name */
    interface Act { void run() throws Exception; }
    static void refused(String what, Act act) throws Exception {
        try { act.run(); System.out.println(what + " nothing"); }
        catch (Throwable t) { System.out.println(what + " " + t.getClass().getSimpleName()); }
    }

    static void ends() throws Exception {
        for (String status : new String[] { "0", "7" }) {
            JobInfo info = session.wait(session.runJob(template("exit " + status, "")), Session.TIMEOUT_WAIT_FOREVER);
            System.out.println("exit " + info.hasExited() + " " + info.getExitStatus() + " " + info.getResourceUsage().get("exit_status"));
        }
        JobInfo info = session.wait(session.runJob(template("kill -KILL $$", "")), Session.TIMEOUT_WAIT_FOREVER);
        System.out.println("signal " + info.hasSignaled() + " " + info.getTerminatingSignal());
        JobTemplate held = template("exit 0", "");
        held.setJobSubmissionState(JobTemplate.HOLD_STATE);
        String id = session.runJob(held);
        System.out.println("held " + (session.getJobProgramStatus(id) == Session.USER_ON_HOLD));
        session.control(id, Session.TERMINATE);
        info = session.wait(Session.JOB_IDS_SESSION_ANY, Session.TIMEOUT_WAIT_FOREVER);
        System.out.println("aborted " + info.wasAborted() + " " + info.getJobId().equals(id));
    }

    static void frames() throws Exception {
        String note = "echo $JOB_NAME $SGE_TASK_ID >>$PLACE/ended";
        List depth = session.runBulkJobs(template(note, "-N depth"), 1, 24, 1);
        String number = ((String) depth.get(0)).split("[.]")[0];
        List beauty = session.runBulkJobs(template(note, "-N beauty -hold_jid_ad " + number), 1, 24, 2);
        session.synchronize(Collections.singletonList(Session.JOB_IDS_SESSION_ALL), Session.TIMEOUT_WAIT_FOREVER, true);
        System.out.println("tasks " + depth.size() + " " + beauty.size() + " " + beauty.get(11).toString().endsWith(".23"));
    }

    static void mistakes() throws Exception {
        refused("wait", () -> session.wait("1000000", Session.TIMEOUT_NO_WAIT));
        refused("any", () -> session.wait(Session.JOB_IDS_SESSION_ANY, Session.TIMEOUT_NO_WAIT));
        refused("twice", () -> session.init(""));
        refused("path", () -> template("", "").setOutputPath("no colon"));
        refused("transfer", () -> template("", "").setTransferFiles(new FileTransferMode(true, false, false)));
        refused("option", () -> session.runJob(template("exit 0", "-q no.such.queue")));
        JobTemplate t = template("exit 0", "");
        session.deleteJobTemplate(t);
        refused("deleted", () -> session.runJob(t));
        refused("empty", () -> session.runJob(session.createJobTemplate()));
    }

    public static void main(String[] args) throws Exception {
        refused("early", () -> session.createJobTemplate());
        System.out.println("contact [" + session.getContact() + "] " + session.getDrmSystem());
        session.init("");
        System.out.println("contact " + session.getContact().startsWith("session="));
        JobTemplate t = template("exit 0", "-p -5");
        System.out.println("args " + t.getArgs() + " " + t.getJobName() + " " + t.getAttributeNames().contains("drmaa_v_env"));
        ends();
        frames();
        mistakes();
        session.exit();
        refused("late", () -> session.exit());
    }
}
"""
SAID = """early NoActiveSessionException
contact [] SGE 9.0.0
contact true
args [-c, exit 0] null true
exit true 0 0.0000
exit true 7 7.0000
signal true SIGKILL
held true
aborted true true
tasks 24 12 true
wait InvalidJobException
any InvalidJobException
twice AlreadyActiveSessionException
path InvalidAttributeFormatException
transfer UnsupportedAttributeException
option DeniedByDrmException
deleted InvalidJobTemplateException
empty ConflictingAttributeValuesException
late NoActiveSessionException
"""


@pytest.fixture
def java(any_cell):
    """Runs PROGRAM in a directory of the submitter's."""
    if not JAR.exists() or not shutil.which("javac"):
        pytest.skip("libdrmaa1.0-java or a JDK is not installed: ./aimk deps -tools")
    place = any_cell.files / "place"
    any_cell.ok("mkdir", "-m", "755", place)
    any_cell.ok("tee", place / "Jobs.java", stdin=PROGRAM)
    any_cell.ok("javac", "-nowarn", "-Xlint:-unchecked", "-cp", JAR, "Jobs.java", cwd=place)
    return lambda: any_cell.run("java", f"-Djava.library.path={any_cell.root}/lib/{ARCH}", "-Xmx64m", "-cp", f"{JAR}:.", "Jobs",
                                cwd=place, timeout=120)


@as_it_is
def test_a_java_program_submits_waits_and_hears_of_mistakes(any_cell, java):
    done = java()
    assert (done.out, done.code) == (SAID, 0), str(done)
    lines = (any_cell.files / "place/ended").read_text().splitlines()
    assert len(lines) == 36
    for n in range(1, 25, 2):
        assert lines.index(f"beauty {n}") > max(lines.index(f"depth {n}"), lines.index(f"depth {n + 1}"))
