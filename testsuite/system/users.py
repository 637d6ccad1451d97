"""Users for tests that run as root: alice and bob submit, olga is made an operator, sgeadmin is the qmaster. They exist in a private mount
namespace only, in a copy of /etc; the machine's own files are never touched. The copy is of the directory, since a mount over a file ends
when somebody outside renames another to its name, as useradd does."""
import ctypes
import os
import pwd
import subprocess
from pathlib import Path

NAMES = ["alice", "bob", "olga"]
ADMIN = "sgeadmin"
FIRST_ID = 64001
STUDIO = "studio"  # a supplementary group of bob's
CLONE_NEWNS = 0x20000
PR_SET_CHILD_SUBREAPER = 36

libc = ctypes.CDLL(None, use_errno=True)


def become_subreaper():
    """What a cell leaves behind becomes our child instead of disappearing from sight."""
    if libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def copy_etc(place, files):
    """A copy of /etc, in memory and by way of PLACE, takes its place; FILES, which are given by their names, differ."""
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "etc", str(place)], check=True)
    subprocess.run(["cp", "-a", "/etc/.", str(place)], check=True)
    for name, text in files.items():
        (place / name).write_text(text)
    subprocess.run(["mount", "--move", str(place), "/etc"], check=True)


def make(work):
    """Give this process, and all it starts, the users. Returns None, or why that is not possible here."""
    if os.geteuid() != 0:
        return "only root can act as several users"
    if libc.unshare(CLONE_NEWNS) != 0:
        return f"no private mount namespace here: {os.strerror(ctypes.get_errno())}"
    private = subprocess.run(["mount", "--make-rprivate", "/"], capture_output=True, text=True)
    if private.returncode != 0:  # a chroot that is no mount point: what we mount could be seen outside
        return f"the mounts here cannot be made private: {private.stderr.strip()}"
    homes = work / "home"
    homes.mkdir()
    passwd, group = Path("/etc/passwd").read_text(), Path("/etc/group").read_text()
    for number, name in enumerate(NAMES, FIRST_ID):
        passwd += f"{name}:x:{number}:{number}:{name}:{homes}/{name}:/bin/sh\n"
        group += f"{name}:x:{number}:\n"
        (homes / name).mkdir(mode=0o755)
        os.chown(homes / name, number, number)
    number = FIRST_ID + len(NAMES)
    passwd = "".join(line for line in passwd.splitlines(True) if not line.startswith(ADMIN + ":"))
    passwd += f"{ADMIN}:x:{number}:{number}:Grid Engine:/:/usr/sbin/nologin\n"
    group += f"{ADMIN}:x:{number}:\n"
    group += f"{STUDIO}:x:{number + 1}:bob\n"
    copy_etc(work / "etc", {"passwd": passwd, "group": group})
    return None


def has_admin():
    """Is there a user that a qmaster of root's can become?"""
    try:
        return bool(pwd.getpwnam(ADMIN))
    except KeyError:
        return False


def as_user(name):
    """Arguments for subprocess that start a program as NAME, in NAME's home."""
    entry = pwd.getpwnam(name)
    environment = {"HOME": entry.pw_dir, "LOGNAME": name, "USER": name, "SHELL": entry.pw_shell, "LANG": "C.UTF-8",
                   "PATH": "/usr/local/bin:/usr/bin:/bin", "TERM": "dumb"}
    arguments = {"env": environment, "cwd": entry.pw_dir}
    if entry.pw_uid != os.geteuid():
        arguments |= {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    return arguments
