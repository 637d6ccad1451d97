"""doc/administering/hosts.md, from top to bottom: every command in it is run on three hosts."""
import re

from cell import TOP, wait
from test_host_add import start_cell

PAGE = TOP / "doc/administering/hosts.md"


def commands():
    """[(command, here-document or "")]: lines that begin with "$ ", with what follows a << up to its END."""
    found, lines = [], iter(re.findall(r"^    (.*)$", PAGE.read_text(), re.M))
    for line in lines:
        if not line.startswith("$ "):
            continue
        text = [line[2:]]
        while "<<END" in text[0] and text[-1] != "END":
            text.append(next(lines))
        found.append("\n".join(text) + "\n")
    return found


def joins(said):
    return re.search(r"^    \S+/util/sge_cell (join .*)$", said, re.M).group(1).split()


def test_the_guide_from_one_host_to_a_hundred(bare_cluster):
    master = start_cell(bare_cluster)
    done = []
    for command in commands():
        words = command.replace("qsub ", "qsub -o /dev/null -j y ")
        said = master.ok("sh", "-c", words, cwd=master.files, user="root")
        if command.startswith("sge_cell host add"):
            name = command.split()[3]
            bare_cluster.add_host(name).sge_cell(*joins(said))
            bare_cluster.wait_registered(name)
        elif command.startswith("qconf -sq all.q@node1"):
            assert said.split() == ["slots", "8"]
        elif command.startswith("qconf -sq big.q@node1"):
            assert said.split() == ["tmpdir", "/tmp"]
        elif command.startswith("qselect"):
            assert said == "big.q@node1\n"
        elif command.startswith("qhost -h"):
            assert "node2" in said and "node1" not in said
        elif command.startswith("qsub"):
            master.wait_gone(int(re.match(r"Your job (\d+)", said).group(1)))
        done.append(command.split()[0])
    assert set(done) >= {"sge_cell", "qhost", "qconf", "qsub", "qmod", "qselect", "qstat"}
    wait(lambda: "node2" not in master.ok("qhost"), "node2 to be gone")


def test_the_loop_for_many_hosts_shows_no_token(bare_cluster):
    """Its ssh is the new host itself; the words that it sees end with "-", and the token comes on standard input."""
    master = start_cell(bare_cluster)
    loop = re.search(r"^(    for host in .*?^    done)$", PAGE.read_text(), re.M | re.S).group(1)
    seen = master.files / "seen"
    ssh = master.files / "ssh"
    ssh.write_text(f'#!/bin/sh\necho "$1 $2" >>{seen}\ncat >{master.files}/token\n')
    ssh.chmod(0o755)
    (master.files / "new-hosts").write_text("node1\n")
    master.ok("sh", "-c", f"PATH={master.files}:$PATH\n{loop}", cwd=master.files, user="root")
    target, *words = seen.read_text().split()
    token = (master.files / "token").read_text()
    assert target == "root@node1" and words[-1] == "-" and token.strip() not in seen.read_text()
    node = bare_cluster.add_host("node1")
    assert words[0] == f"{master.root}/util/sge_cell"
    node.ok("sh", "-c", " ".join(["sge_cell", *words[1:]]), user="root", stdin=token)  # which is elsewhere there
    bare_cluster.wait_registered("node1")
