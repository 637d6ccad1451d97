"""Jobs that save their state, on several hosts: a picture that POV-Ray goes on with elsewhere, a program that saves itself, lost hosts."""
import re
import shutil
import struct
import subprocess
import tempfile
from pathlib import Path

import pytest

from cell import wait

SCENE = """
camera { location <0, 2, -5> look_at 0 }
light_source { <5, 8, -5> rgb 1 area_light <1, 0, 0>, <0, 0, 1>, 9, 9 }
#declare I = 0;
#while (I < 40)
  sphere { <4 * sin(I), mod(I, 5) / 2, 4 * cos(I)>, 0.5 pigment { rgb <1, 0.5, 0> } finish { reflection 0.5 } }
  #declare I = I + 1;
#end
plane { y, -1 pigment { checker rgb 1, rgb 0 } finish { reflection 0.3 } }
"""
# counts, saves what it has counted when it gets the signal, and goes on from there
COUNTER = """
import os, signal, sys, time
state, log = sys.argv[1:]
n = int(open(state).read()) if os.path.exists(state) else 0
def save(number, frame):
    with open(state + ".new", "w") as out:
        out.write(str(n))
    os.rename(state + ".new", state)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
signal.signal(signal.SIGUSR2, save)
open(log, "a").write(f"{os.uname().nodename} from {n} {os.environ['RESTARTED']}\\n")
while n < 1000 and not os.path.exists(log + ".go"):
    n += 1
    time.sleep(0.01)
open(log, "a").write("end\\n")
"""


def environment(master, name, **attributes):
    known = {"interface": "userdefined", "ckpt_command": "none", "migr_command": "none", "restart_command": "none",
             "clean_command": "none", "ckpt_dir": "/tmp", "signal": "none", "when": "sx"}
    file = master.files / f"{name}.ckpt"
    file.write_text("".join(f"{key} {value}\n" for key, value in ({"ckpt_name": name} | known | attributes).items()))
    master.ok("qconf", "-Ackpt", file, user="root")
    master.ok("qconf", "-aattr", "queue", "ckpt_list", name, "all.q", user="root")


def place_of(master, job):
    rows = [line for line in master.ok("qstat").splitlines() if line.split()[:1] == [str(job)]]
    return rows[0].split("@")[1].split()[0] if rows and "@" in rows[0] else None


@pytest.fixture
def common():
    """A directory that all hosts share, as over NFS: they have one /dev/shm."""
    path = Path(tempfile.mkdtemp(prefix="sge-test.", dir="/dev/shm"))
    path.chmod(0o777)
    yield path
    shutil.rmtree(path, ignore_errors=True)


def two_hosts(cluster):
    node = cluster.join("node1")
    for name in "master", "node1":
        cluster.wait_registered(name)
    return cluster.master, node


def reboot(cluster, node):
    """Its cable goes with it, a little later."""
    node.power_off()
    cable = [*cluster.switch.inside("--net"), "ip", "link", "show", f"port{node.number}"]
    wait(lambda: subprocess.run(cable, capture_output=True, check=False).returncode != 0, "the cable to go")
    node.boot()
    node.start_execd()


def lines(path):
    return path.read_text().splitlines() if path.exists() else []


def pixels(path):
    """How many pixels POV-Ray itself has traced, as it says."""
    found = re.findall(r"Rendered (\d+) of", path.read_text(errors="replace"))
    return int(found[-1]) if found else 0


def test_a_picture_and_a_program_go_on_on_another_host(cluster, common):
    """POV-Ray (+C), suspended, continues its picture on the other host, which then has all rows, none traced twice; a program that saves
    itself on a signal (transparent) goes on from what it had counted when its execd ended."""
    master, node = two_hosts(cluster)
    environment(master, "pov", interface="application-level", when="x")
    environment(master, "lib", interface="transparent", signal="USR2", when="s")
    (common / "scene.pov").write_text(SCENE)
    render = f"echo $(uname -n) $RESTARTED >>{common}/hosts; cd {common} && exec povray +Iscene.pov +Opic.png -D +C +W240 +H180 +WT1 +BS8 2>{common}/said.$RESTARTED"
    job = master.qsub("-N", "pov", "-ckpt", "pov", "-o", "/dev/null", "-j", "y", "-b", "y", "-shell", "n", "/bin/sh", "-c", render)
    wait(lambda: (common / "said.0").exists() and pixels(common / "said.0") > 2000, "some rows")
    first = place_of(master, job)
    master.ok("qmod", "-d", f"all.q@{first}", user="root")
    master.ok("qmod", "-sj", job)
    wait(lambda: (common / "said.1").exists(), "the other host to go on")
    master.wait_gone(job, seconds=60)
    other = {"master": "node1", "node1": "master"}[first]
    assert lines(common / "hosts") == [f"{first} 0", f"{other} 1"]
    said = (common / "said.1").read_text(errors="replace")
    assert [line["exit_status"] for line in master.accounting()] == ["137", "0"], said
    found = re.search(r"^Pixels: +(\d+)", said, re.M)
    assert found, said
    traced = int(found.group(1))
    assert pixels(common / "said.0") + traced <= 240 * 180, (pixels(common / "said.0"), traced)
    assert struct.unpack(">II", (common / "pic.png").read_bytes()[16:24]) == (240, 180)
    assert [(line["hostname"], line["failed"], line["exit_status"]) for line in master.accounting()] == [(first, "24", "137"), (other, "0", "0")]
    master.ok("qmod", "-e", f"all.q@{first}", user="root")

    (common / "count.py").write_text(COUNTER)
    log = common / "count.log"
    job = master.qsub("-q", "all.q@node1,all.q@master", "-ckpt", "lib", "-o", "/dev/null", "-j", "y", "-b", "y", "-shell", "n",
                      "/usr/bin/python3", common / "count.py", common / "state", log)
    wait(lambda: lines(log), "the program to run")
    master.wait_state(job, 0, "r")
    first = place_of(master, job)
    other = {"master": "node1", "node1": "master"}[first]
    master.ok("qconf", "-ke", first, user="root")
    wait(lambda: len(lines(log)) == 2, lambda: lines(log))
    count = int((common / "state").read_text())
    assert lines(log) == [f"{first} from 0 0", f"{other} from {count} 1"] and count > 0
    (common / "count.log.go").touch()
    master.wait_gone(job)
    assert [(line["hostname"], line["failed"]) for line in master.accounting()][2:] == [(first, "24"), (other, "0")]


def test_lost_hosts_and_what_starts_again(cluster, common):
    """A host that is away: jobs with r start elsewhere, others stay with it. A host that has rebooted: what ran there starts again as -r, rerun
    and checkpoints say."""
    master, node = two_hosts(cluster)
    environment(master, "r", signal="USR2", when="r")
    environment(master, "x", signal="USR2", when="x")
    cluster.set_silence(4)
    master.configure(reschedule_unknown="00:00:02")
    log = common / "log"
    text = f'echo "$JOB_NAME $(uname -n) $RESTARTED" >>{log}; exec sleep 1000'
    jobs = {name: master.qsub("-N", name, "-q", "all.q@node1", *options, "-o", "/dev/null", "-j", "y", "-b", "y", "-shell", "n", "/bin/sh", "-c", text)
            for name, options in {"away": ["-ckpt", "r"], "stays": ["-ckpt", "x"]}.items()}
    for job in jobs.values():
        master.wait_state(job, 0, "r")
    wait(lambda: len(lines(log)) == 2, "both to run")
    master.ok("qalter", "-q", "all.q", jobs["away"])
    node.link("down")
    wait(lambda: lines(log)[2:] == ["away master 1"], lambda: lines(log), seconds=40)
    assert master.tasks(jobs["stays"]) == {0: "r"}
    master.ok("qdel", "-f", jobs["away"], user="root")
    reboot(cluster, node)
    wait(lambda: lines(log)[3:] == ["stays node1 1"], lambda: lines(log), seconds=40)
    master.ok("qdel", jobs["stays"])
    master.wait_gone(*jobs.values())

    names = {"plain": [], "again": ["-r", "y"], "never": ["-r", "n", "-ckpt", "x"]}
    master.ok("qconf", "-mattr", "queue", "slots", "4", "all.q", user="root")
    log.unlink()
    jobs = {name: master.qsub("-N", name, "-q", "all.q@node1", *options, "-o", "/dev/null", "-j", "y", "-b", "y", "-shell", "n", "/bin/sh", "-c", text)
            for name, options in names.items()}
    wait(lambda: len(lines(log)) == 3, lambda: lines(log))
    for job in jobs.values():
        master.wait_state(job, 0, "r")
    reboot(cluster, node)
    master.wait_gone(jobs["plain"], jobs["never"])
    wait(lambda: lines(log)[3:] == ["again node1 1"], lambda: lines(log))
    failed = {line["job_name"]: line["failed"] for line in master.accounting()}
    assert (failed["plain"], failed["again"], failed["never"]) == ("21", "25", "21")
    master.ok("qdel", jobs["again"])
    master.wait_gone(jobs["again"])
