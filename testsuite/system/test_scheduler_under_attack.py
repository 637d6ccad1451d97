"""Requests that cost the scheduler much, of a user without rights: the jobs of another user start in time, in a cell of a thousand hosts.

Alice submits COSTLY jobs of each kind, all different; few of them can start. Bob's jobs (the canary's "start") run on the qmaster's host, the only
one that is there; he may not use the others."""
import random

import pytest

import simulated
from faults import LONG
from siege import ATTACKER, HONEST, besieged, nobody_is_hurt

HOSTS, COSTLY, HELD = 1000, 300, 4000
# requests that no host meets, so that each host is looked at for each of them
WISHES = ("cpu=0.5,h_core=1,h_cpu=1,h_data=1,h_fsize=1,h_rss=1,h_rt=1,h_stack=1,h_vmem=1,m_core=100,m_socket=100,m_thread=100,mem_free=1000G,"
          "mem_total=1000G,num_proc=1000,s_core=1,s_cpu=1,s_data=1,s_fsize=1,s_rss=1,s_rt=1,s_stack=1,s_vmem=1,swap_free=1000G,swap_rsvd=1000G,"
          "swap_total=1000G,swap_used=0,virtual_free=1000G,virtual_total=1000G,virtual_used=0,arch=no*,calendar=x*,m_topology=S*,qname=z*,hostname=y*")
PE = "pe_name {}\nslots 99999\nuser_lists NONE\nxuser_lists NONE\nstart_proc_args NONE\nstop_proc_args NONE\nallocation_rule $fill_up\n" \
     "control_slaves TRUE\njob_is_first_task FALSE\nurgency_slots min\naccounting_summary FALSE\n"
QUEUE = {"qname": "sim.q", "hostlist": simulated.GROUP, "pe_list": "s1 s2 s3", "slots": "4", "xuser_lists": "canaries", "tmpdir": "/tmp"}

dice = random.Random(27)


def some_instances(count):
    """The queue instances of COUNT hosts, or of about half of them all."""
    return ",".join(f"sim.q@sim{number:05d}" for number in sorted(dice.sample(range(1, HOSTS + 1), count)))


# what the i-th job of each kind is submitted with
KINDS = {
    "parallel jobs with soft requests": lambda i: f"-pe s* {50_000 + i} -soft -l {WISHES},mem_used={i + 1}",
    "ranges of slots with soft requests": lambda i: f"-pe s* 5-{50_000 + i} -soft -l {WISHES},mem_used={i + 1}",
    "lists of fifty queue instances": lambda i: f"-l mem_free={1000 + i}G -q {some_instances(50)}",
    "soft lists of queue instances": lambda i: f"-l mem_free=1000G -soft -q {some_instances(50)} -l {WISHES},mem_used={i + 1}",
    "patterns": lambda i: "-l mem_free=1000G -q " + ",".join(f"sim.q@{'*[!x]' * 6}*[{n % 10}{n // 10}{i}]" for n in range(50)),
}


@pytest.fixture
def cell(make_cell, pytestconfig):
    """Root's, with a queue on a thousand simulated hosts."""
    made = besieged(make_cell, pytestconfig)
    simulated.make_known(made, HOSTS)
    made.ok("qconf", "-au", HONEST, "canaries", user="root")
    files = made.files / "queue"
    for name in ("s1", "s2", "s3"):
        files.write_text(PE.format(name))
        made.ok("qconf", "-Ap", files, user="root")
    shown = made.ok("qconf", "-sq", "all.q", env={"SGE_SINGLE_LINE": "1"}).splitlines()
    kept = [line for line in shown if line.split()[0] not in QUEUE]
    files.write_text("\n".join([*kept, *map(" ".join, QUEUE.items())]) + "\n")
    made.ok("qconf", "-Aq", files, user="root")
    with simulated.running(made, HOSTS, "-run", "1"):
        yield made


def submit(cell, options, *more):
    """A job of alice's with each of OPTIONS."""
    script = cell.files / "submit.sh"
    script.write_text("set -ef\n" + "".join(f"qsub -w n -o /dev/null -j y -b y {' '.join(more)} {words} /bin/true\n" for words in options))
    cell.ok("sh", script, user=ATTACKER, timeout=300)


def delete_all(cell):
    cell.ok("qdel", "-u", ATTACKER, user=ATTACKER, timeout=120)


@pytest.mark.parametrize("kinds", [["ranges of slots with soft requests", "lists of fifty queue instances", "soft lists of queue instances"],
                                   pytest.param(list(KINDS), marks=pytest.mark.long)], ids=["some", "all"])
def test_jobs_start_in_time_beside_costly_requests(cell, kinds):
    """In one cell, which takes longer to make than a kind of jobs to try."""
    for kind in kinds:
        print(kind)
        with nobody_is_hurt(cell, kinds=("read", "submit", "start")) as watching:
            submit(cell, map(KINDS[kind], range(COSTLY)))
            watching.wait_answers(50)
            assert len(cell.states()) > COSTLY // 2
            print(watching.figures())
            delete_all(cell)
            watching.wait_answers(20)


@pytest.mark.long
def test_jobs_start_in_time_beside_thousands_of_held_ones(cell):
    with nobody_is_hurt(cell, kinds=("read", "submit", "start")) as watching:
        submit(cell, map(KINDS["patterns"], range(HELD)), "-h")
        watching.wait_answers(100)
        delete_all(cell)
        watching.wait_answers(20)
