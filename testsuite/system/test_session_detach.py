"""Clients that go, or are suspended, and what becomes of their jobs: qrsh(1) -detach, -suspend_remote."""
import signal
import subprocess

from cell import wait
from test_interactive import Terminal, ends, processes, shown, start


def test_a_job_goes_on_without_its_client_if_asked(any_cell):
    cell = any_cell
    out = cell.dir.parent / "out"
    cell.ok("mkdir", "-m", "777", out, user=cell.owner)
    command = "echo here; read line; echo end of input $?; echo error >&2; exit 3"
    # its files are those of a batch job
    client = start(cell, "lost", "-detach", "y", "-wd", out, command=command, stdin=subprocess.PIPE)
    client.kill()
    assert ends(cell, "lost") == [("0", "3")]
    number = cell.accounting()[0]["job_number"]
    assert (out / f"lost.o{number}").read_text() == "end of input 1\n"
    assert (out / f"lost.e{number}").read_text() == "error\n"
    # the terminal of the client is closed
    client = start(cell, "hung", "-detach", "y", "-o", out / "one", "-j", "y", command=command, stdin=subprocess.PIPE)
    client.send_signal(signal.SIGHUP)
    assert client.wait(30) == 128 + signal.SIGHUP  # its input stays open until then: an end of it would be the job's
    assert client.communicate()[1].endswith(" goes on without its client\n")
    assert ends(cell, "hung") == [("0", "3")]
    assert sorted((out / "one").read_text().splitlines()) == ["end of input 1", "error"]
    # much output, of which the client has read a part
    client = start(cell, "much", "-detach", "y", "-o", out / "much", "-j", "y", command="echo here; seq 100000")
    client.kill()
    assert ends(cell, "much") == [("0", "0")]
    assert (out / "much").read_text().endswith("\n99999\n100000\n")
    # no file can be opened: what is written is dropped
    client = start(cell, "nowhere", "-detach", "y", "-o", "/nonexistent/x", "-j", "y", command=command, stdin=subprocess.PIPE)
    client.kill()
    assert ends(cell, "nowhere") == [("0", "3")]
    # in a terminal
    at = Terminal(cell, "qrsh", "-pty", "y", "-detach", "y", "-o", out / "pty", "-N", "pty",
                  f"echo here; until test -e {out}/go; do sleep 0.05; done; tty; exit 5")
    at.expect("here\r\n")
    at.process.kill()
    at.finish()
    (out / "go").touch()
    assert ends(cell, "pty") == [("0", "5")]
    assert (out / "pty").read_text().startswith("/dev/pts/")
    # a client that is asked to end, and a job that is not to go on, end
    client = start(cell, "asked", "-detach", "y")
    client.terminate()
    assert client.wait(30) == 128 + signal.SIGTERM and ends(cell, "asked") == [("100", "137")]
    client.communicate()
    client = start(cell, "not", "-detach", "n")
    client.kill()
    assert ends(cell, "not") == [("100", "137")]
    client.communicate()
    assert shown(cell, "-detach", "y") == (1, "", "error: -detach y needs a command\n")
    assert shown(cell, "-detach", "x", "true") == (1, "", 'error: invalid option argument "-detach x"\n')
    assert cell.refused("qlogin", "-detach", "y").err == 'error: invalid option argument "-detach"\n'


def state_of(cell, name):
    lines = [line.split() for line in cell.ok("qstat", "-u", "*").splitlines()]
    return next((line[4] for line in lines if len(line) > 4 and line[2] == name), None)


def test_a_job_is_suspended_with_its_client_if_asked(any_cell):
    cell = any_cell
    for words, state in (("-suspend_remote", "y"), "s"), (("-suspend_remote", "n"), "r"), ((), "r"):
        client = start(cell, "susp", *words, command="echo here; read x; echo got $x", stdin=subprocess.PIPE,
                       process_group=0)  # SIGTSTP stops nothing in a group whose parents have gone
        client.send_signal(signal.SIGTSTP)
        wait(lambda: stopped(client), "the client to stop")
        assert state_of(cell, "susp") == state
        client.send_signal(signal.SIGCONT)
        wait(lambda: state_of(cell, "susp") == "r", "the job to go on")
        assert client.communicate("line\n", timeout=30) == ("got line\n", "") and client.returncode == 0
    at = Terminal(cell, "qlogin", "-suspend_remote", "y")
    at.type("set +m\n")  # a shell with job control could see its command stopped, and take its place
    at.type("sleep 1001\n")
    wait(lambda: b"\0sleep\x001001\0" in processes(), "the shell's command")
    at.process.send_signal(signal.SIGTSTP)
    wait(lambda: stopped(at.process), "the client to stop")
    assert state_of(cell, "QLOGIN") == "s"
    at.process.send_signal(signal.SIGCONT)
    wait(lambda: state_of(cell, "QLOGIN") == "r", "the job to go on")
    at.type("\x03echo still $?; exit 6\n")
    at.expect("still 130\r\n")
    assert at.finish() == 6
    assert shown(cell, "-suspend_remote", "x", "true") == (1, "", 'error: invalid option argument "-suspend_remote x"\n')
    assert cell.refused("qsh", "-suspend_remote", "y").err == 'error: invalid option argument "-suspend_remote"\n'


def stopped(process):
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
        return file.read().rsplit(")", 1)[1].split()[0] == "T"
