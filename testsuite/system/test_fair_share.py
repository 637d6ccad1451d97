"""doc/administering/fair-share.md: what it tells to configure is accepted, and its pictures are of what was simulated."""
import re
import subprocess
from pathlib import Path

from cell import BUILD

TOP = Path(__file__).resolve().parents[2]
PAGE = (TOP / "doc/administering/fair-share.md").read_text()
USERS = ("anna", "ben", "cleo")


def test_what_the_page_configures_is_accepted_without_a_warning(any_cell):
    cell = any_cell
    for user in USERS:
        (cell.files / "user").write_text(f"name {user}\noticket 0\nfshare 0\ndelete_time 0\ndefault_project NONE\n")
        cell.ok("qconf", "-Auser", cell.files / "user", user=cell.owner)
    tree = PAGE[PAGE.index("    id=0\n"):PAGE.index("    $ qconf -Astree")]
    (cell.files / "tree").write_text(re.sub("(?m)^    ", "", tree))
    assert cell.run("qconf", "-Astree", cell.files / "tree", user=cell.owner).err == "changed sharetree\n"
    settings = dict(re.findall(r"(?m)^    ((?:weight|halftime|usage)\w*) +(\S+)$", PAGE))
    assert {"weight_ticket", "weight_tickets_share", "halftime", "weight_tickets_functional", "weight_job"} <= set(settings)
    text = cell.ok("qconf", "-ssconf")
    for name, value in settings.items():
        text = re.sub(rf"(?m)^{name} +.*$", f"{name} {value}", text)
    (cell.files / "sched").write_text(text)
    assert cell.run("qconf", "-Msconf", cell.files / "sched", user=cell.owner).err == "changed scheduler configuration\n"
    for words in re.findall(r"(?m)^    \$ qconf (-mattr .*)$", PAGE):
        assert "no effect" not in cell.ok("qconf", *words.split(), user=cell.owner)


def test_the_pictures_are_made_of_what_is_simulated(tmp_path):
    subprocess.run([BUILD / "source/libs/sched/test_sched_fairness", "plots", tmp_path], check=True)
    subprocess.run(["gnuplot", "-e", f"tables='{tmp_path}'; pictures='{tmp_path}'", TOP / "testsuite/plots/fairness.gp"], check=True)
    made = {path.name for path in tmp_path.glob("*.svg")}
    assert made == set(re.findall(r"\(pictures/([\w.-]+)\)", PAGE))
    assert made <= {path.name for path in (TOP / "doc/administering/pictures").iterdir()}
    for table in tmp_path.glob("*.dat"):
        for line in table.read_text().splitlines():
            assert abs(sum(map(float, line.split()[1:4])) - 100) < 0.1
