"""qrsh and qlogin: a command or a shell as a job whose input and output are at the client. Captured behaviour; qrsh(1)."""
import fcntl
import os
import pty
import re
import select
import signal
import socket
import struct
import subprocess
import termios
import time

from cell import wait

MIB = 1 << 20


def shown(cell, *words, **more):
    """What qrsh WORDS says: exit status, output, error output."""
    result = cell.run("qrsh", *words, **more)
    return result.code, result.out, result.err


class Terminal:
    """A program on a pseudo terminal of ROWS and COLUMNS, as a person has it."""

    def __init__(self, cell, *argv, rows=40, columns=100, **more):
        self.fd, end = pty.openpty()
        self.resize(rows, columns)
        self.text = ""
        self.process = cell.start_program(*argv, stdin=end, stdout=end, stderr=end, start_new_session=True, **more)
        os.close(end)

    def resize(self, rows, columns):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text):
        os.write(self.fd, text.encode())

    def expect(self, pattern, seconds=30):
        """Read until PATTERN has come; what came before the end of it is forgotten."""
        end = time.monotonic() + seconds
        while (found := re.search(pattern, self.text)) is None:
            assert select.select([self.fd], [], [], end - time.monotonic())[0], f"no {pattern} in {self.text!r}"
            self.text += os.read(self.fd, 65536).decode(errors="replace")
        self.text = self.text[found.end():]
        return found

    def finish(self):
        code = self.process.wait(30)
        os.close(self.fd)
        return code


def test_a_command_has_the_streams_of_its_client_and_its_status_is_qrshs(any_cell):
    cell = any_cell
    assert shown(cell, "true") == (0, "", "")
    assert shown(cell, "echo out; echo err >&2; exit 7") == (7, "out\n", "err\n")
    assert shown(cell, "kill -9 $$")[0] == 137
    assert shown(cell, "cat", stdin="hi\n") == (0, "hi\n", "")
    assert shown(cell, "-nostdin", "cat", stdin="not read\n") == (0, "", "")
    # more than any buffer on the way, in each direction and through both
    assert shown(cell, "wc -c", stdin="x" * 3 * MIB) == (0, f"{3 * MIB}\n", "")
    assert shown(cell, f"head -c {3 * MIB} /dev/zero | tr '\\0' y") == (0, "y" * 3 * MIB, "")
    assert shown(cell, "cat", stdin="z" * MIB) == (0, "z" * MIB, "")
    # what the job has left behind ends with it, and its output is there
    assert shown(cell, "sleep 1000 & echo started") == (0, "started\n", "")
    # other jobs go back for these; a client's command has ended
    assert [shown(cell, f"exit {status}")[0] for status in (99, 100)] == [99, 100]
    wait(lambda: cell.ok("qstat", "-u", "*") == "", "all jobs to go")
    ended = {line["exit_status"] for line in cell.accounting()}
    assert {"0", "7", "99", "100", "137"} <= ended


def test_what_is_run_and_with_what(any_cell):
    cell = any_cell
    # words become a line for a shell, or arguments
    assert shown(cell, "echo a", "b   c", "$JOB_ID", '"q"') == (0, "a b c 1 q\n", "")
    assert shown(cell, "-noshell", "echo", "a", "$HOME", "b  c") == (0, "a $HOME b  c\n", "")
    code, out, err = shown(cell, "-noshell", "/nonexistent")
    assert (code, out) == (1, "") and "No such file or directory" in err
    assert shown(cell, "-v", "A=1", "echo $A $ENVIRONMENT $JOB_SCRIPT $JOB_NAME") == (0, "1 INTERACTIVE QRSH echo\n", "")
    assert shown(cell, "-V", "echo $FOO", env={"FOO": "2"}) == (0, "2\n", "")
    assert shown(cell, "-N", "nn", "-A", "acc", "echo $JOB_NAME $SGE_ACCOUNT") == (0, "nn acc\n", "")
    wrapper = cell.files / "wrapper"
    wrapper.write_text('#!/bin/sh\necho "<$#:$1>"; exec "$@"\n')
    wrapper.chmod(0o755)
    assert shown(cell, "-v", f"QRSH_WRAPPER={wrapper}", "echo", "a", "b   c", "$QRSH_COMMAND") == (0, "<9:echo>\na b c echo a b c $QRSH_COMMAND\n", "")
    assert shown(cell, "-noshell", "-v", f"QRSH_WRAPPER={wrapper}", "echo", "a", "b  c") == (0, "<3:echo>\na b  c\n", "")
    assert shown(cell, "-v", "QRSH_WRAPPER=", "echo x") == (0, "x\n", "")
    assert shown(cell, "-wd", "/tmp", "pwd") == (0, "/tmp\n", "")
    code, out, err = shown(cell, "-wd", "/nonexistent/x", "true")
    assert (code, out) == (1, "") and "/nonexistent/x" in err
    assert shown(cell, "tty") == (1, "not a tty\n", "")
    script = cell.files / "is.sh"
    script.write_text('#!/bin/sh\n#$ -N fromscript\n#$ -r y\necho script $JOB_NAME args "$@"\n')
    script.chmod(0o755)
    assert shown(cell, "-b", "n", script, "a", "b c") == (0, "script fromscript args a b c\n", "")
    code, out, err = shown(cell, "-verbose", "true")
    number = re.fullmatch(r'Your job (\d+) \("true"\) has been submitted\n', out).group(1)
    assert (code, err) == (0, f"waiting for interactive job to be scheduled ...\nYour interactive job {number} has been successfully scheduled.\n"
                              f"Establishing builtin session to host {os.uname().nodename} ...\n")
    many = [(i, cell.start_program("qrsh", "-now", "n", f"echo {i}; exit {i}")) for i in range(12)]
    assert [(p.communicate(timeout=60)[0], p.returncode) for i, p in many] == [(f"{i}\n", i) for i, _ in many]


def test_what_is_refused(any_cell):
    cell = any_cell
    for word in ("-t 1-2", "-i /dev/null", "-r y", "-ckpt x", "-c s", "-terse", "-sync y", "-a 203001010000", "-C x", "-S /bin/sh", "-shell n",
                 "-dl 203001010000", "-tc 1"):
        assert shown(cell, *word.split(), "true") == (1, "", f"error: Unknown option {word.split()[0]}\n")
    assert shown(cell, "-zz", "true") == (1, "", 'error: invalid option argument "-zz"\n')
    assert shown(cell, "-pty", "x", "true") == (1, "", 'error: invalid option argument "-pty x"\n')
    assert shown(cell, "-l", "nosuch=1", "true")[0] == 1
    assert shown(cell, "-w", "v", "true") == (0, "verification: found suitable queue(s)\n", "")
    result = cell.refused("qlogin", "true")
    assert (result.out, result.err) == ("", "error: Unknown option script\n")
    assert cell.refused("qlogin", "-b", "y").err == "error: Unknown option -b\n"
    # immediate jobs run in queues for interactive work, others in those for batch work
    cell.ok("qconf", "-mattr", "queue", "qtype", "BATCH", "all.q", user=cell.owner)
    assert shown(cell, "echo ok") == (1, "", 'Your "qrsh" request could not be scheduled, try again later.\n')
    assert shown(cell, "-now", "n", "echo ok") == (0, "ok\n", "")
    # a session that is asked for by hand
    sock = cell.dir / "spool" / os.uname().nodename / "session.sock"
    assert "this is no request" in hello(sock, b"\x01\x00\x00\x00\x02xx")
    assert "this is no request" in hello(sock, b"\x09\x00\x00\x00\x00")
    assert "no session can be carried" in hello(sock, frame(1, "elsewhere", "1.1", "x"))


def frame(kind, *texts):
    data = b"".join(text.encode() + b"\0" for text in texts)
    return struct.pack(">BI", kind, len(data)) + data


def hello(path, data):
    """What the execution daemon answers to a first frame."""
    with socket.socket(socket.AF_UNIX) as s:
        s.settimeout(20)
        s.connect(f"/proc/self/cwd/{os.path.relpath(path)}" if len(str(path)) > 100 else str(path))
        s.sendall(data)
        return s.recv(2000)[5:].decode()


def test_qsh_opens_the_configured_terminal(any_cell):
    cell = any_cell
    log = cell.files / "xterm.log"
    terminal = cell.files / "xterm"
    terminal.write_text(f'#!/bin/sh\n{{ printf "<%s>" "$@"; echo; echo $DISPLAY $ENVIRONMENT $JOB_SCRIPT $JOB_NAME; }} >{log}.new\nmv {log}.new {log}\n')
    terminal.chmod(0o755)
    cell.configure(xterm=terminal)
    no_display = {"DISPLAY": ""}
    assert cell.refused("qsh", env=no_display).err == "error: no DISPLAY variable found with interactive job \n"
    assert cell.refused("qsh", env={"DISPLAY": ":0"}).err == 'error: local DISPLAY variable ":0" delivered with interactive job \n'
    assert cell.refused("qsh", "-display", "remote:0", "true").err == "error: Unknown option script\n"
    assert [cell.ok("qsh", "-verify", *words, env={"DISPLAY": "remote:1"}).count("DISPLAY=") for words in ((), ("-display", "remote:0"))] == [1, 1]
    host = os.uname().nodename
    for words, env, name, display, arguments in (
            (("-display", "remote:0", "-N", "xx"), no_display, "xx", "remote:0", ""),
            (("-now", "n", "--", "-geometry", "80x24"), {"DISPLAY": "remote:1"}, "INTERACTIVE", "remote:1", "<-geometry><80x24>")):
        result = cell.run("qsh", *words, env=env)
        number = re.fullmatch(rf'Your job (\d+) \("{name}"\) has been submitted\n', result.out).group(1)
        assert (result.code, result.err) == (0, f"waiting for interactive job to be scheduled ...\n"
                                                f"Your interactive job {number} has been successfully scheduled.\n")
        wait(log.exists, "the terminal")
        assert log.read_text() == (f"<-display><{display}><-n><SGE Interactive Job {number} on {host} in Queue all.q>{arguments}<-e></bin/sh>\n"
                                   f"{display} INTERACTIVE INTERACTIVE {name}\n")
        log.unlink()
    cell.wait_gone(1, 2)
    assert [line["exit_status"] for line in cell.accounting()] == ["0", "0"]


def test_a_shell_in_a_terminal(any_cell):
    """The size of the window, keys that are signals, jobs of the shell, and the exit status."""
    cell = any_cell
    at = Terminal(cell, "qlogin")
    at.expect("Establishing builtin session to host")
    at.type("stty size; echo $JOB_NAME $JOB_SCRIPT; tty\n")
    at.expect(r"40 100\r\nQLOGIN QLOGIN\r\n/dev/pts/\d+")
    at.resize(30, 90)
    at.process.send_signal(signal.SIGWINCH)
    at.type("sleep 0.5; stty size\n")
    at.expect(r"30 90\r\n")
    at.type("sleep 1002\n")  # no other test, which may run at the same time, sleeps so long
    at.expect("sleep 1002")
    wait(lambda: b"\0sleep\x001002\0" in processes(), "sleep to run")
    at.type("\x03echo still $?\n")
    at.expect("still 130\r\n")
    at.type("exit 4\n")
    assert at.finish() == 4
    at = Terminal(cell, "qrsh", "-pty", "y", "tty; echo $TERM", env={"TERM": "vt100"})
    at.expect(r"/dev/pts/\d+\r\nvt100\r\n")
    assert at.finish() == 0
    # without a terminal here: the shell's input ends
    result = cell.run("qlogin")
    assert result.code == 0 and "Establishing builtin session" in result.err


def processes():
    """The command lines of all processes."""
    found = b""
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                found += b"\0" + file.read()
        except OSError:
            pass
    return found


def running(cell, name):
    return cell.run("qstat", "-s", "r", "-u", "*").out.count(f" {name} ")


def start(cell, name, *words, command="echo here; exec sleep 1000", **more):
    """qrsh whose command has begun."""
    client = cell.start_program("qrsh", *words, "-N", name, command, **more)
    assert client.stdout.readline() == "here\n"
    return client


def ends(cell, name):
    """(failed, exit status) of the job, once it is accounted for."""
    def found():
        return [(line["failed"], line["exit_status"]) for line in cell.accounting() if line["job_name"] == name]
    return wait(found, f"the end of {name}")


def test_how_a_session_ends(any_cell):
    cell = any_cell
    # the client is killed, or asked to end; the job is deleted; a limit
    client = start(cell, "killed")
    client.kill()
    assert ends(cell, "killed") == [("100", "137")]
    client = start(cell, "asked")
    client.send_signal(signal.SIGTERM)
    assert client.wait(30) == 128 + signal.SIGTERM and ends(cell, "asked") == [("100", "137")]
    client = start(cell, "deleted")
    cell.ok("qdel", "deleted")
    assert client.wait(30) == 137
    assert shown(cell, "-l", "h_rt=1", "exec sleep 1000")[0] == 137
    # a client that comes when its job has ended is answered at once
    wait(lambda: cell.ok("qstat", "-u", "*") == "", "all jobs to go")
    number = cell.accounting()[-1]["job_number"]
    host = os.uname().nodename
    answer = hello(cell.dir / "spool" / host / "session.sock", frame(1, host, f"{number}.1", "x"))
    assert answer == "the job has ended, or could not be started"
    # a suspended job keeps its client
    client = start(cell, "suspended", command="echo here; read x; echo got $x", stdin=subprocess.PIPE)
    cell.ok("qmod", "-sj", "suspended")
    wait(lambda: " s " in cell.ok("qstat", "-u", "*"), "the job to be suspended")
    cell.ok("qmod", "-usj", "suspended")
    assert client.communicate("line\n", timeout=30) == ("got line\n", "") and client.returncode == 0
    # a client that waits: its job goes with it
    cell.ok("qmod", "-d", "all.q", user=cell.owner)
    client = cell.start_program("qrsh", "-now", "n", "-N", "waits", "true")
    wait(lambda: "waits" in cell.ok("qstat", "-u", "*"), "the job")
    client.send_signal(signal.SIGINT)
    assert client.wait(30) == 128 + signal.SIGINT
    wait(lambda: cell.ok("qstat", "-u", "*") == "", "the job to go")
    client = cell.start_program("qrsh", "-now", "n", "-N", "gone", "true")
    wait(lambda: "gone" in cell.ok("qstat", "-u", "*"), "the job")
    cell.ok("qdel", "gone")
    out, err = client.communicate(timeout=30)
    assert (client.returncode, out) == (1, "") and re.fullmatch(r"job \d+ was deleted before it started\n", err)
    client = cell.start_program("qrsh", "-now", "n", "echo", "started")
    wait(lambda: "echo" in cell.ok("qstat", "-u", "*"), "the job")
    client.send_signal(signal.SIGWINCH)
    cell.restart_master()
    cell.ok("qmod", "-e", "all.q", user=cell.owner)
    assert client.communicate(timeout=30) == ("started\n", "") and client.returncode == 0
    # no second start for a job whose client has gone
    number = start(cell, "again")
    refused = cell.run("qresub", "again")
    assert "cannot be submitted again" in refused.out + refused.err or refused.code != 0
    number.kill()
    ends(cell, "again")


def test_daemons_come_and_go_and_a_session_stays(any_cell):
    cell = any_cell
    client = cell.start_program("qrsh", "echo here; read line; echo got $line; exit 3", stdin=subprocess.PIPE)
    assert client.stdout.readline() == "here\n"
    cell.kill("sge_execd")
    cell.kill("sge_qmaster")
    cell.start()
    out, _ = client.communicate("word\n", timeout=60)
    assert (client.returncode, out) == (3, "got word\n")
    wait(lambda: [line["exit_status"] for line in cell.accounting()] == ["3"], "the end of the job")


def test_a_client_that_does_not_read_stops_its_job_alone(any_cell):
    """What a job writes that its client does not read is in no daemon."""
    cell = any_cell
    client = cell.start_program("qrsh", "echo here; exec cat /dev/zero", stdout=subprocess.PIPE)
    assert client.stdout.readline() == "here\n"
    pid = cell.pid("sge_execd")
    before = size_of(pid)
    seen = [0]

    def has_stopped():
        now, seen[0] = seen[0], written_by(b"cat\0/dev/zero\0")
        time.sleep(0.2)  # two looks that far apart find the same
        return now == seen[0] and now > 0
    wait(has_stopped, "the job to stop at full buffers")
    assert seen[0] < 4 * MIB
    assert size_of(pid) - before < 2 * MIB
    assert shown(cell, "echo other") == (0, "other\n", "")
    client.kill()
    client.communicate()


def size_of(pid):
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def written_by(command):
    """The bytes that the process with that command line has written."""
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                if file.read() != command:
                    continue
            with open(f"/proc/{entry}/io", encoding="ascii") as file:
                return int(re.search(r"wchar: (\d+)", file.read()).group(1))
        except OSError:
            pass
    return 0


def test_other_users_cannot_have_a_session(users_cell):
    """The job's owner and the client with the secret are let in; nobody else's bytes come to the job."""
    cell = users_cell
    sock = str(cell.dir / "spool" / os.uname().nodename / "session.sock")
    program = ("import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.sendall(bytes.fromhex(sys.argv[2])); "
               "print('sent', flush=True); print(s.recv(2000)[5:].decode())")
    many = ("import socket, sys\nheld = []\nfor i in range(257):\n held.append(socket.socket(socket.AF_UNIX))\n held[-1].connect(sys.argv[1])\n"
            "print(held[-1].recv(2000)[5:].decode())")
    assert cell.ok("python3", "-c", many, sock, user="bob") == "256 of your sessions of interactive jobs wait on this host, which is the limit\n"
    cell.ok("qmod", "-d", "all.q", user=cell.owner)
    client = cell.start_program("qrsh", "-now", "n", "-N", "mine", "cat", stdin=subprocess.PIPE)
    wait(lambda: "mine" in cell.ok("qstat", "-u", "*"), "the job")
    number = cell.ok("qstat", "-u", "*").splitlines()[2].split()[0]
    intruders = [cell.start_program("python3", "-c", program, sock, frame(1, os.uname().nodename, f"{number}.1", "guessed").hex(), user=user)
                 for user in ("bob", "alice")]
    assert [intruder.stdout.readline() for intruder in intruders] == ["sent\n"] * 2
    fake = frame(2, f"{number}.1", "0" * 64, "0").hex()
    assert "denied" in cell.ok("python3", "-c", program, sock, fake, user="bob")
    cell.ok("qmod", "-e", "all.q", user=cell.owner)
    for intruder in intruders:
        assert "denied: the job is not yours" in intruder.communicate(timeout=60)[0]
    assert client.communicate("mine alone\n", timeout=60) == ("mine alone\n", "") and client.returncode == 0


def test_default_options_and_records(any_cell):
    """sge_request files: each program takes its options and skips those of the others; names in accounting records."""
    cell = any_cell
    request = cell.dir / "common/sge_request"
    request.write_text("-S /bin/bash -r y -t 1-3 -sync y -a 203001010000 -i /dev/null -N fromfile -v A=1\n-pty y -verbose\n-detach n -noshell -display x:0\n")
    code, out, err = shown(cell, "tty")
    assert code == 0 and re.search(r'^Your job \d+ \("fromfile"\) has been submitted\n/dev/pts/\d+\n$', out) and "waiting for" in err
    assert cell.ok("qsub", "-a", "203001010000", "-t", "1", "-sync", "n", "-b", "y", "true").endswith("has been submitted\n")
    assert "job_name:                   fromfile\n" in cell.ok("qsh", "-verify")
    request.write_text("-nonsense\n")
    assert "-nonsense" in cell.refused("qrsh", "true").err
    request.write_text("")
    cell.ok("qdel", "fromfile")
    (cell.files / "x").write_text("#!/bin/sh\ntrue\n")
    (cell.files / "x").chmod(0o755)
    cell.configure(xterm=cell.files / "x")
    for words, name in (("qlogin", "-l", "h_rt=100"), "QLOGIN"), (("qrsh", "-l", "h_rt=100"), "QRLOGIN"), (("qrsh", "-l", "h_rt=100", "/bin/true"), "true"), (
            ("qsh", "-l", "h_rt=100", "-display", "x:0"), "INTERACTIVE"):
        cell.run(*words)
        assert ends(cell, name) == [("0", "0")]
        category = next(line["category"] for line in cell.accounting() if line["job_name"] == name)
        assert category.startswith("-l h_rt=100"), category
