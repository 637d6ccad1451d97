"""Sessions through configured programs: qlogin_command, rlogin_command, rsh_command and their daemons. sge_conf(5); captured calls."""
import os
import pwd
import re
from pathlib import Path

from cell import wait
from test_hooks import edit_bootstrap, explained, script
from test_interactive import Terminal, ends, shown

HOST = os.uname().nodename


def permit_root(cell):
    cell.sge_cell("stop")
    edit_bootstrap(cell, "hook_users", "root")
    cell.start()


def secure_shell(cell):
    """Debian's ssh as the three programs, with keys and configuration of its own."""
    place = cell.dir.parent / "ssh"
    cell.ok("mkdir", "-m", "777", place, user=cell.owner)
    host_key, key = place / "host_key", place / "key"
    for file, user in (host_key, cell.owner), (key, cell.user):
        cell.ok("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file, user=user)
    (place / "known_hosts").write_text("* " + Path(f"{host_key}.pub").read_text())
    (place / "sshd_config").write_text(f"""HostKey {host_key}
AuthorizedKeysFile {key}.pub
StrictModes no
UsePAM no
PasswordAuthentication no
PidFile none
PrintMotd no
""")
    (place / "ssh_config").write_text(f"""Host *
IdentityFile {key}
IdentitiesOnly yes
UserKnownHostsFile {place}/known_hosts
GlobalKnownHostsFile none
StrictHostKeyChecking yes
BatchMode yes
LogLevel ERROR
""")
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    ssh = f"/usr/bin/ssh -F {place}/ssh_config"
    qlogin = script(cell, "qlogin_ssh", f'exec {ssh} -p "$2" "$1"\n')
    daemon = f"/usr/sbin/sshd -i -f {place}/sshd_config"
    cell.configure(rsh_command=ssh, rsh_daemon=daemon, rlogin_command=ssh, rlogin_daemon=daemon, qlogin_command=qlogin, qlogin_daemon=daemon)
    return ssh, qlogin


def test_secure_shell_carries_sessions(cell):
    """With a daemon of root's, and with one of the ordinary user whose cell it is."""
    if cell.owner == "root":
        permit_root(cell)
    ssh, qlogin = secure_shell(cell)
    # a command: streams, exit status, environment, accounting
    assert shown(cell, "true") == (0, "", "")
    assert shown(cell, "-N", "seven", "echo out; echo err >&2; exit 7") == (7, "out\n", "err\n")
    assert shown(cell, "-v", "A=1", "-wd", "/tmp", "echo $A $JOB_NAME $ENVIRONMENT $QRSH_PORT $(id -un); pwd; tty") == (
        1, f"1 echo INTERACTIVE {HOST}:0 {cell.user}\n/tmp\nnot a tty\n", "")
    assert shown(cell, "wc -c", stdin="x" * (3 << 20)) == (0, f"{3 << 20}\n", "")
    assert shown(cell, "-noshell", "echo", "a", "$HOME", "b  c") == (0, "a $HOME b  c\n", "")
    assert shown(cell, "-nostdin", "cat", stdin="not read\n") == (0, "", "")
    assert shown(cell, "-noshell", "/nonexistent")[0] == 1
    assert shown(cell, "-N", "killed", "kill -9 $$")[0] == 137
    assert ends(cell, "seven") == [("0", "7")] and ends(cell, "killed") == [("0", "137")]
    code, out, err = shown(cell, "-verbose", "true")
    number = re.fullmatch(r'Your job (\d+) \("true"\) has been submitted\n', out).group(1)
    assert (code, err) == (0, f"waiting for interactive job to be scheduled ...\nYour interactive job {number} has been successfully scheduled.\n"
                              f"Establishing {ssh} session to host {HOST} ...\n{ssh} exited with exit code 0\n")
    # a login, in a terminal, which this daemon can give to its group as root alone
    for words, name in ((("qlogin",), "QLOGIN"), (("qrsh", "-N", "rl"), "rl")) if cell.owner == "root" else ():
        at = Terminal(cell, *words)
        at.type("stty size; tty; echo end $?\n")
        at.expect(r"40 100\r\n/dev/pts/\d+\r\nend 0\r\n")
        at.type("exit 4\n")
        assert at.finish() == 4
        assert ends(cell, name)[0][0] == "0"
    # the job is deleted; the client ends
    client = cell.start_program("qrsh", "-N", "deleted", "echo here; exec sleep 1000")
    assert client.stdout.readline() == "here\n"
    cell.ok("qdel", "deleted")
    assert client.wait(30) == 137 and ends(cell, "deleted") == [("100", "137")]
    client = cell.start_program("qrsh", "-N", "left", "echo here; exec sleep 1000")
    assert client.stdout.readline() == "here\n"
    client.kill()
    assert ends(cell, "left") == [("100", "137")]


def stand_ins(cell):
    """Programs that write down how they are called, and talk through the port, as the captures have them."""
    log = cell.dir.parent / "called"
    log.touch()
    log.chmod(0o666)
    command = script(cell, "rcmd", f"""echo "client command called: $*"
[ "$1" = -p ] && set -- "$3" "$2"
exec /usr/bin/python3 -c 'import socket, sys; s = socket.create_connection((sys.argv[1], int(sys.argv[2]))); print("from daemon:", s.recv(1000).decode().strip())
sys.exit(5)' "$1" "$2"
""")
    daemon = script(cell, "rdaemon", f"""{{ echo "daemon called: $* $(id -u)"; env | sort; }} >>{log}
echo "hello from the daemon"
exit 6
""")
    return command, daemon, log


def test_programs_are_called_as_known(cell):
    if cell.owner == "root":
        permit_root(cell)
    command, daemon, log = stand_ins(cell)
    kinds = ("qlogin", "rlogin", "rsh")
    cell.configure(**{f"{kind}_command": command for kind in kinds}, **{f"{kind}_daemon": f"{daemon} -i" for kind in kinds})
    code, out, err = shown(cell, "-N", "rt", "-v", "MINE=1" + (",LD_PRELOAD=/nowhere" if cell.owner == "root" else ""))
    assert code == 5 and err == ""
    assert re.fullmatch(rf"client command called: -p \d+ {HOST}\nfrom daemon: hello from the daemon\n", out)
    assert ends(cell, "rt") == [("0", "6")]
    called = log.read_text()
    assert called.startswith(f"daemon called: -i {pwd.getpwnam(cell.owner).pw_uid}\n")
    # root's daemon has nothing of the job's owner
    assert cell.owner != "root" or not re.search(r"(?m)^(LD_PRELOAD|MINE)=", called)
    result = cell.run("qlogin", "-N", "ql")
    number = re.search(r"Your job (\d+)", result.out).group(1)
    assert result.code == 5 and re.search(rf"client command called: {HOST} \d+\n", result.out)
    assert result.err.endswith(f"Your interactive job {number} has been successfully scheduled.\nEstablishing {command} session to host {HOST} ...\n"
                               f"{command} exited with exit code 5\n")
    code, out, err = shown(cell, "-N", "sh", "echo", "hello")
    assert re.search(rf"client command called: -p \d+ {HOST} exec '{cell.bin}/qrsh_starter' '/[^']+/\d+\.1\.all\.q'\n", out), out
    assert ends(cell, "sh") == [("0", "6")] and code == 6  # no command was started


def test_what_does_not_fit_is_said(any_cell):
    """A daemon that root does not permit; programs that are missing, or at one end alone."""
    cell = any_cell
    command, daemon, _ = stand_ins(cell)
    cell.configure(rsh_daemon=daemon)
    if cell.owner == "root":
        why = f'rsh_daemon "{daemon}" cannot be used: "hook_users" in bootstrap(5) of this host does not name user "root"'
        clients = []

        def is_denied():  # the first ones may come before the configuration
            if not clients or clients[-1].poll() is not None:
                clients.append(cell.start_program("qrsh", "-now", "n", "-N", "denied", "true"))
            return why in explained(cell)
        wait(is_denied, lambda: f"the queue to say why: {explained(cell)}")
        for client in clients:
            client.kill()
            client.communicate()
        cell.run("qdel", "denied")  # or it went with its client
        permit_root(cell)
        cell.ok("qmod", "-cq", "all.q", user="root")
    wait(lambda: shown(cell, "true") == (1, "", f"error: rsh_command is builtin for this host, but not the daemon for it on {HOST}\n"), "a refusal")
    cell.configure(rsh_daemon="builtin", rsh_command=command)
    wait(lambda: shown(cell, "true") == (1, "", f'error: rsh_command is "{command}" for this host, but the daemon for it on {HOST} is builtin\n'),
         "a refusal")
    cell.configure(rsh_daemon=daemon, rsh_command="/nonexistent/rsh")
    wait(lambda: "Could not exec /nonexistent/rsh: No such file or directory" in shown(cell, "true")[2], "a refusal")
    wait(lambda: cell.ok("qstat", "-u", "*") == "", "the jobs to go")


def test_another_users_connection_is_not_the_jobs(users_cell):
    """The port takes the connection of the job's client alone, however early another user's comes."""
    cell = users_cell
    permit_root(cell)
    ports = cell.files / "ports"
    os.mkfifo(ports)
    gate = cell.files / "gate"
    os.mkfifo(gate)
    ports.chmod(0o666)
    gate.chmod(0o666)
    command = script(cell, "late", f"""echo "$2" >{ports}
read line <{gate}
exec /usr/bin/python3 -c 'import socket, sys; s = socket.create_connection((sys.argv[1], int(sys.argv[2]))); print(s.recv(1000).decode().strip())' "$3" "$2"
""")
    daemon = script(cell, "echo_daemon", "echo for the owner\n")
    cell.configure(rlogin_command=command, rlogin_daemon=daemon)
    client = cell.start_program("qrsh", "-N", "guarded")
    port = ports.read_text().strip()
    intrude = ("import socket, sys; s = socket.create_connection((sys.argv[1], int(sys.argv[2])));"
               "print(repr(s.recv(1000)))")
    for address in (HOST, "127.0.0.1"):
        assert cell.ok("python3", "-c", intrude, address, port, user="bob") == "b''\n"
    gate.write_text("go\n")
    assert client.communicate(timeout=60) == ("for the owner\n", "") and client.returncode == 0
    assert cell.run("python3", "-c", intrude, HOST, port, user="bob").code == 1  # the port is closed
