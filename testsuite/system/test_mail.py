"""Mail: a stand-in mailer notes as whom it runs, its arguments and its input. submit(1) -m, -M; sge_conf(5) mailer, administrator_mail."""
import os
import re
import shutil
import signal
from pathlib import Path

import pytest

from cell import alive, children, of_thread, wait
from conftest import IMPOSSIBLE
from users import has_admin

MAILER = """#!/bin/sh
cd "{place}" || exit 1
[ -e fails ] && { echo "no route to host" >&2; exit 75; }
[ -e hangs ] && exec sleep 1000
part=$(mktemp part.XXXXXX) || exit 1
{ id -un; echo $#; for a; do printf '%s\\n' "$a"; done; cat; } > "$part"
ln "$part" "mail.$(date +%s%N).$$" && rm "$part"
"""


class Post:
    """What the mailer of a cell was given."""

    def __init__(self, cell):
        self.cell, self.place = cell, cell.files / "post"
        self.place.mkdir()
        self.place.chmod(0o777)
        mailer = cell.files / "mailer"
        mailer.write_text(MAILER.replace("{place}", str(self.place)))
        mailer.chmod(0o755)
        cell.configure(mailer=mailer, administrator_mail="none")

    def mails(self):
        """[(user, subject, address, text)] in the order in which they were sent."""
        found = []
        for path in sorted(self.place.glob("mail.*")):
            user, count, option, subject, address, text = path.read_text().split("\n", 5)
            assert (count, option) == ("3", "-s"), path.read_text()
            found.append((user, subject, address, text))
        return found

    def subjects(self):
        return [subject for _, subject, _, _ in self.mails()]

    def wait(self, subject, count=1):
        """The texts of the mails with that subject, when there are so many."""
        wait(lambda: self.subjects().count(subject) >= count, lambda: f"{subject!r}: {self.subjects()}")
        return [text for _, given, _, text in self.mails() if given == subject]

    def switch(self, name, is_on):
        if is_on:
            (self.place / name).touch()
        else:
            (self.place / name).unlink()


@pytest.fixture
def post(any_cell):
    return Post(any_cell)


def job(cell, *options, command=("true",)):
    return cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", *options, *command)


DATE = r"\d\d/\d\d/\d{4} \d\d:\d\d:\d\d"
COMPLETE = (r" User             = {owner}\n Queue            = all.q@(\S+)\n Host             = \1\n Start Time       = " + DATE +
            r"\n End Time         = " + DATE + r"\n User Time        = 00:00:0\d\n System Time      = 00:00:0\d\n"
            r" Wallclock Time   = 00:00:0\d\n CPU              = 00:00:0\d\n Max vmem         = (NA|[\d.]+[KMG])\n Exit Status      = 3\n")
ABORTED = (r" Exit Status      = {code}\n Signal           = {signal}\n User             = {owner}\n Queue            = all.q@(\S+)\n"
           r" Host             = \1\n Start Time       = " + DATE + r"\n End Time         = " + DATE +
           r"\n CPU              = 00:00:0\d\n Max vmem         = (NA|[\d.]+[KMG])\nfailed {failed} because:\n.+\n")


def check(pattern, text, **values):
    for name, value in values.items():
        pattern = pattern.replace("{" + name + "}", str(value))
    assert re.fullmatch(pattern, text), text


def test_begin_and_end_are_sent_as_known_by_the_user_of_the_qmaster(post):
    cell, owner = post.cell, post.cell.user
    plain = job(cell, "-m", "be", "-N", "plain", "-M", "a@example.org,bob", command=("exit 3",))
    for name in ("Started", "Complete"):
        assert len(set(post.wait(f"Job {plain} (plain) {name}", 2))) == 1
    sent = post.mails()
    assert {address for _, _, address, _ in sent} == {"a@example.org", "bob"} and len(sent) == 4
    runs_as = cell.ok("ps", "-o", "user=", "-p", cell.pid("sge_qmaster")).strip()
    assert {user for user, *_ in sent} == {runs_as} and runs_as != "root"
    assert [subject for _, subject, address, _ in sent if address == "bob"] == [f"Job {plain} (plain) {w}" for w in ("Started", "Complete")]
    check(f"Job {plain} \\(plain\\) Started\n User       = {owner}\n Queue      = all.q\n Host       = \\S+\n Start Time = {DATE}\n", sent[0][3])
    check(f"Job {plain} \\(plain\\) Complete\n" + COMPLETE, sent[-1][3], owner=owner)


def test_ends_that_are_not_good_say_why(post):
    cell, owner = post.cell, post.cell.user
    killed = job(cell, "-m", "e", "-N", "sig", command=("kill -11 $$",))
    [text] = post.wait(f"Job {killed} (sig) Aborted")
    check(f"Job {killed} \\(sig\\) Aborted\n" + ABORTED, text, owner=owner, code=139, signal="SEGV", failed="assumedly after job")
    limited = job(cell, "-m", "a", "-N", "rt", "-l", "h_rt=1", command=("sleep", "100"))
    [text] = post.wait(f"Job {limited} (rt) Aborted")
    check(f"Job {limited} \\(rt\\) Aborted\n" + ABORTED, text, owner=owner, code=137, signal="KILL",
          failed="qmaster enforced h_rt, h_cpu, or h_vmem limit")
    again = job(cell, "-m", "a", "-N", "again", "-r", "y", command=("exit 99",))
    assert "failed rescheduling because:\n" in post.wait(f"Job {again} (again) Rescheduled")[0]
    cell.ok("qdel", again)
    cell.configure(administrator_mail="ops@example.org")
    wrong = cell.qsub("-m", "a", "-N", "noout", "-o", "/nonexistent/d/x", "-b", "y", "true")
    [text] = post.wait(f"Job {wrong} (noout) Set in error state")
    assert re.search(r"^failed opening input/output file because:\n.*/nonexistent/d/x", text, re.M), text
    assert text.endswith(f'Use "qmod -cj {wrong}" to clear the error state once the problem is fixed.\n')
    [text] = post.wait(f"SGE 9.0.0: Job {wrong} failed")
    assert text.startswith(f"Job {wrong} caused action: job set in error state\n User        = {owner}\n")
    assert ("ops@example.org", f"SGE 9.0.0: Job {wrong} failed") in [(address, subject) for _, subject, address, _ in post.mails()]


def test_deletes_suspensions_and_reschedules_send_complete_mails(post):
    cell, owner = post.cell, post.cell.user
    pending = job(cell, "-m", "a", "-N", "pend", "-h")
    cell.ok("qdel", pending)
    [text] = post.wait(f"Job {pending} (pend) Killed")
    assert re.fullmatch(rf"Job {pending} \(pend\)  was killed by {owner}@\S+\n User             = {owner}\n Submit Time      = {DATE}\n"
                        r" State            = pending: it has not run\n", text), text
    running = job(cell, "-m", "as", "-N", "run", "-r", "y", command=("sleep", "1000"))
    cell.wait_state(running, 0, "r")
    cell.ok("qmod", "-sj", running)
    [text] = post.wait(f"Job {running} (run) Suspended")
    assert f" User             = {owner}\n" in text and " Reason           = by request (qmod -sj)\n" in text
    cell.ok("qmod", "-usj", running)
    post.wait(f"Job {running} (run) Continued")
    cell.ok("qmod", "-rj", running)
    [text] = post.wait(f"Pushed rescheduling of job {running}")
    assert text.startswith(f"Your job {running} was running on host ")
    post.wait(f"Job {running} (run) Rescheduled")
    cell.wait_state(running, 0, "Rr")
    cell.ok("qdel", running)
    post.wait(f"Job {running} (run) Killed")
    post.wait(f"Job {running} (run) Aborted")
    late = job(cell, "-N", "late", command=("sleep", "1000"))
    cell.wait_state(late, 0, "r")
    assert cell.run("qalter", "-m", "a", "-M", "x@example.org", late).err == ""
    cell.ok("qdel", late)
    post.wait(f"Job {late} (late) Aborted")
    assert ("x@example.org", f"Job {late} (late) Killed") in [(address, subject) for _, subject, address, _ in post.mails()]


def test_an_array_sends_a_summary_or_for_small_ones_each_task(post):
    cell = post.cell
    many = job(cell, "-m", "beas", "-N", "many", "-t", "1-30", command=('test $SGE_TASK_ID -ne 7 || kill -11 $$',))
    [text] = post.wait(f"Job-array {many} (many) Aborted")
    assert " Tasks            = 30\n Complete         = 29\n Failed           = 1\n Killed           = 0\n" in text
    assert re.search(r"^task 7 failed assumedly after job: .*SEGV", text, re.M), text
    assert post.subjects().count(f"Job-array {many} (many) Started") == 1 and len(post.subjects()) == 2
    cell.configure(qmaster_params="MAIL_TASKS=2")
    few = job(cell, "-m", "e", "-N", "few", "-t", "1-2")
    for task in (1, 2):
        post.wait(f"Job-array task {few}.{task} (few) Complete")
    assert len(post.subjects()) == 4


def test_no_user_sends_forged_headers_options_or_too_much(post):
    cell = post.cell
    for address in ("-f@example.org", "a b@example.org", "|sh", "/etc/passwd", "a@b/c", "a@-x", "~root", "x" * 255, "\u00e4@example.org"):
        refused = cell.refused("qsub", "-m", "e", "-M", address, "-b", "y", "true")
        assert f'-M: "{address}" is not a mail address' in refused.err, refused.err
    refused = cell.refused("qsub", "-M", ",".join(f"u{i}@example.org" for i in range(101)), "-b", "y", "true")
    assert "it has 101 mail addresses; the limit is 100" in refused.err
    held = job(cell, "-h")
    assert 'is not a mail address' in cell.refused("qalter", "-M", "-f@x", held).out
    for name in ("=?utf-8?Q?=0ABcc=3A?=", "x\nBcc: a@b"):
        assert "not allowed in objectname" in cell.refused("qsub", "-N", name, "-b", "y", "true").err
    foreign = job(cell, "-m", "e", "-N", "f\u00e9")
    post.wait(f"Job {foreign} (f??) Complete")
    cell.configure(qmaster_params="MAIL_RATE=4")
    before = len(post.subjects())
    array = [job(cell, "-m", "e", "-N", "much") for _ in range(9)]
    cell.wait_gone(*array)
    wait(lambda: len(post.subjects()) == before + 3, lambda: f"three more mails: {post.subjects()}")
    log = (cell.dir / "spool/qmaster/messages").read_text()
    assert f"user {cell.user} has caused 4 mails within an hour; the limit is reached" in log


@pytest.fixture
def hardened(make_cell, pytestconfig):
    """A cell whose qmaster root has started: it cannot gain privileges."""
    from conftest import need_users
    need_users(pytestconfig)
    if not has_admin():
        pytest.skip(IMPOSSIBLE + "there is no user sgeadmin")
    return Post(make_cell(owner="root", user="alice"))


def test_a_mailer_that_root_names_may_gain_a_group_and_no_other(hardened):
    """As those of Postfix and Exim do: the stand-in writes where only its group may."""
    cell, post = hardened.cell, hardened
    drop = cell.files / "maildrop"
    tee = cell.files / "postdrop"
    drop.mkdir()
    shutil.copy(shutil.which("tee"), tee)
    for path, mode in ((drop, 0o730), (tee, 0o2755)):
        shutil.chown(path, "root", "mail")
        path.chmod(mode)
    mailer = cell.files / "mailer"
    mailer.write_text(f"#!/bin/sh\nexec {tee} '{drop}/'\"$2\" >/dev/null\n")
    refused = job(cell, "-m", "e", "-N", "refused")
    messages = cell.dir / "spool/qmaster/messages"
    wait(lambda: re.search(f"was not sent and is tried again in a minute: {mailer}: .*Permission denied", messages.read_text()),
         lambda: messages.read_text())
    cell.wait_gone(refused)
    with (cell.dir / "common/bootstrap").open("a") as bootstrap:
        bootstrap.write(f"mailers {mailer}\n")
    cell.restart_master()
    sent = job(cell, "-m", "e", "-N", "sent")
    wait(lambda: any(drop.iterdir()), lambda: messages.read_text())
    [mail] = drop.iterdir()
    assert mail.name == f"Job {sent} (sent) Complete" and mail.group() == "mail"
    assert mail.owner() == cell.ok("ps", "-o", "user=", "-p", cell.pid("sge_qmaster")).strip() != "root"
    limits = Path(f"/proc/{cell.pid('sge_qmaster')}/status").read_text()
    assert "NoNewPrivs:\t1\n" in limits
    keeper, server = processes_of_mail(cell)
    os.kill(server, signal.SIGKILL)
    wait(lambda: len(processes_of_mail(cell)) == 2 and server not in processes_of_mail(cell), "another process that runs mailers")
    again = job(cell, "-m", "e", "-N", "again")
    wait(lambda: (drop / f"Job {again} (again) Complete").exists(), lambda: messages.read_text())
    server = processes_of_mail(cell)[1]
    cell.kill("sge_qmaster")
    wait(lambda: not alive(keeper) and not alive(server), "the processes that run mailers to end with the qmaster")
    assert post.mails() == []


def processes_of_mail(cell):
    """The keeper, which the qmaster has started, and what it has."""
    [keeper] = [pid for pid in children(cell.pid("sge_qmaster")) if of_thread(pid, pid, "comm") == "sge_mail\n"]
    return [keeper, *children(keeper)]


def test_a_mailer_that_hangs_or_fails_keeps_nobody_waiting(post):
    cell = post.cell
    post.switch("fails", True)
    failed = job(cell, "-m", "e", "-N", "fail")
    messages = cell.dir / "spool/qmaster/messages"
    wait(lambda: "is tried again in a minute" in messages.read_text(), "a line of the failure")
    assert "no route to host" in messages.read_text()
    post.switch("hangs", True)
    post.switch("fails", False)
    cell.wait_gone(failed, *[job(cell, "-m", "be", "-N", "hang") for _ in range(5)])
    cell.sge_cell("stop")  # does not wait for the mailer
    assert "mails were not sent: the qmaster stops" in messages.read_text()
