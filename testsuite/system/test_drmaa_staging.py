"""File staging, drmaa_attributes(3) drmaa_transfer_files, by a prolog and an epilog that copy. Hosts are directories here."""
from xml.etree import ElementTree

import pytest

from drmaa_python import binding, program  # pylint: disable=unused-import

HOOK = """#!/bin/sh
# HOSTS in|out, and for each file: is it staged, its host, its path there, its path here
hosts=$1 way=$2
shift 2
while [ $# -gt 0 ]; do
    from=$hosts/$2$3 to=$4
    [ "$way" = in ] || { from=$4; to=$hosts/$2$3; }
    [ "$1" = 0 ] || cp "$from" "$to" || exit 100
    shift 4
done
"""
OF_STREAM = "$fs_{0}_file_staging $fs_{0}_host $fs_{0}_path $fs_{0}_tmp_path"


def set_staging(cell, value):
    """In the global configuration."""
    path = cell.files / "global"
    text = cell.ok("qconf", "-sconf").split("\n", 1)[1]
    path.write_text("".join(f"delegated_file_staging {value}\n" if line.startswith("delegated_file_staging") else line
                            for line in text.splitlines(True)))
    cell.ok("qconf", "-Mconf", path, user=cell.owner)


@pytest.fixture
def hosts(any_cell):
    """A cell that stages files; what its submitter's jobs see of other hosts."""
    place, hook = any_cell.files / "hosts", any_cell.files / "hook"
    hook.write_text(HOOK)
    hook.chmod(0o755)
    streams = {"prolog": ["stdin"], "epilog": ["stdout", "stderr"]}
    for (name, way) in ("prolog", "in"), ("epilog", "out"):
        words = " ".join(OF_STREAM.format(stream) for stream in streams[name])
        any_cell.ok("qconf", "-rattr", "queue", name, f"{hook} {place} {way} {words}", "all.q", user=any_cell.owner)
    set_staging(any_cell, "true")
    any_cell.ok("mkdir", "-p", place / "store/data", place / "store/results")
    return place


def test_files_are_brought_from_their_hosts_and_taken_there(program, hosts):
    (hosts / "store/data/x").write_text("one\n")
    out = program.run("""
        s.initialize()
        jt = template("/bin/sh", "-c", "cat; echo error >&2; echo $SGE_STDIN_PATH $TMPDIR", inputPath="store:/data/x", output="store:/results/x",
                      errorPath="store:/results/x.err", joinFiles=False, transferFiles="ieo")
        assert jt.transferFiles == "ieo" and "drmaa_transfer_files" in jt.attributeNames
        assert s.wait(s.runJob(jt), -1).exitStatus == 0
        s.exit()
        """)
    first, second = (hosts / "store/results/x").read_text().splitlines()
    stdin, tmpdir = second.split()
    assert (first, stdin, (hosts / "store/results/x.err").read_text(), out) == ("one", f"{tmpdir}/stdin", "error\n", "")


def test_qstat_shows_which_files_are_staged(program, hosts, any_cell):
    """Without a host it is the submit host's file; a path that is not transferred is one at the host where the job runs."""
    job, host = program.run("""
        s.initialize()
        jt = template("/bin/true", inputPath=":/data/x", output="store:/results/x", joinFiles=False, errorPath="store:/results/e",
                      transferFiles="oi", jobSubmissionState=drmaa.JobSubmissionState.HOLD_STATE)
        print(s.runJob(jt), os.uname().nodename)
        s.exit()
        """).split()
    lines = dict(line.split(":", 1) for line in any_cell.ok("qstat", "-j", job).splitlines() if "_path_list" in line)
    assert {name: value.strip() for name, value in lines.items()} == {
        "stdin_path_list": f"NONE:{host}:/data/x", "stdout_path_list": "NONE:store:/results/x", "stderr_path_list": "NONE:store:/results/e"}
    paths = ElementTree.fromstring(any_cell.ok("qstat", "-xml", "-j", job)).iter("path_list")
    assert {path.findtext("PN_path"): path.findtext("PN_file_staging") for path in paths} == {
        "/data/x": "true", "/results/x": "true", "/results/e": "false"}


def test_a_file_that_cannot_be_brought_is_the_fault_of_the_job(program, hosts, any_cell):
    program.run("""
        s.initialize()
        jt = template("/bin/true", inputPath="nowhere:/data/x", transferFiles="i")
        assert s.wait(s.runJob(jt), -1).wasAborted
        assert s.wait(s.runJob(template("/bin/true")), -1).exitStatus == 0
        s.exit()
        """)
    assert not (hosts / "nowhere").exists()


def test_without_delegated_file_staging_there_is_no_such_attribute(program, hosts, any_cell):
    """A template from before is refused by the qmaster; a job from before finds its files at the host where it runs."""
    process = program.start("""
        s.initialize()
        jt = template("/bin/echo", "here", output="store:" + sys.argv[1], transferFiles="o",
                      jobSubmissionState=drmaa.JobSubmissionState.HOLD_STATE)
        before = s.runJob(jt)
        print("ready", flush=True)
        sys.stdin.readline()
        assert "drmaa_transfer_files" not in jt.attributeNames
        E = drmaa.errors
        print(refused(E.InvalidArgumentException, setattr, jt, "transferFiles", "i"))
        refused(E.InvalidArgumentException, getattr, jt, "transferFiles")
        print(refused(E.DeniedByDrmException, s.runJob, jt))
        s.control(before, Do.RELEASE)
        assert s.wait(before, -1).exitStatus == 0
        s.exit()
        """, any_cell.files / "out", stdin=-1)
    assert process.stdout.readline() == "ready\n"
    set_staging(any_cell, "false")
    out, err = process.communicate("\n", timeout=60)
    assert (process.returncode, err) == (0, "")
    of_attribute, of_job = out.splitlines()
    assert "its delegated_file_staging is false" in of_attribute and "it requests file staging" in of_job
    assert (any_cell.files / "out").read_text() == "here\n" and not list(hosts.glob("store/results/*"))
