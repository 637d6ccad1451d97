"""Load sensors of a site: their values in qhost, and what becomes of sensors that die, hang or go. sge_conf(5) load_sensor."""
import os
import pwd
import re
import signal
import socket
from pathlib import Path

from cell import alive, wait

HOST = socket.gethostname()
HONEST = """#!/bin/sh
while read -r line; do
    [ "$line" = quit ] && exit 0
    echo begin
    echo "{host}:scratch:$(cat "{dir}/scratch")"
    echo "{host}:sensor_pid:$$"
    echo "{host}:sensor_user:$(id -un)"
    echo end
done
"""

LITTERING = """#!/bin/sh
while read -r line; do
    [ "$line" = quit ] && exit 0
    (sh -c 'echo $$ >> "{dir}/../left"; exec sleep 0.1' > /dev/null &)
    printf "begin\\n{host}:scratch:1\\nend\\n"
done
"""


def install(cell, text=HONEST):
    """A sensor that the cell asks each second; its path."""
    directory = cell.files / "sensors"
    directory.mkdir(exist_ok=True)
    directory.chmod(0o755)
    (directory / "scratch").write_text("12")
    path = directory / "sensor"
    path.write_text(text.format(host=HOST, dir=directory))
    path.chmod(0o755)
    cell.configure(load_report_time="00:00:01", load_sensor=path)
    return path


def value(cell, name):
    """A load value of this host as qconf shows it, or None."""
    shown = cell.ok("qconf", "-se", HOST).replace("\\\n", "").split()
    values = dict(entry.split("=", 1) for entry in "".join(shown[shown.index("load_values") + 1:shown.index("processors")]).split(","))
    return values.get(name)


def test_values_of_a_sensor_are_load_values_of_the_host(cell):
    sensor = install(cell)
    wait(lambda: value(cell, "scratch") == "12", "the first report")
    (sensor.parent / "scratch").write_text("13")
    wait(lambda: value(cell, "scratch") == "13", "the next report")
    cell.restart_master()
    wait(lambda: value(cell, "scratch") == "13", "the report to a new qmaster")


def test_a_sensor_of_roots_cell_runs_as_its_admin_user(users_cell):
    install(users_cell)
    wait(lambda: value(users_cell, "sensor_user") is not None, "the report")
    admin = next(line.split()[1] for line in (users_cell.dir / "common/bootstrap").read_text().splitlines() if line.startswith("admin_user"))
    assert value(users_cell, "sensor_user") == (pwd.getpwuid(0).pw_name if admin == "none" else admin)


def test_a_sensor_that_was_killed_starts_again(any_cell):
    install(any_cell)
    wait(lambda: value(any_cell, "sensor_pid") is not None, "the report")
    first = value(any_cell, "sensor_pid")
    os.kill(int(first), signal.SIGKILL)
    wait(lambda: value(any_cell, "sensor_pid") not in (None, first), "another process")


def test_what_a_sensor_leaves_behind_is_waited_for_on_an_idle_host(any_cell):
    """It falls to the execd, which is told nothing of its end."""
    left = any_cell.files / "left"
    left.touch()
    left.chmod(0o666)  # a sensor of root's cell runs as its admin user
    install(any_cell, LITTERING)
    pids = wait(lambda: len(found := left.read_text().split()) >= 3 and found, "three that were left")
    for pid in pids:
        wait(lambda: not Path(f"/proc/{pid}").exists(), f"process {pid} to be waited for")


def test_a_sensor_that_hangs_is_killed_its_values_go_and_jobs_run_on(any_cell):
    sensor = install(any_cell)
    wait(lambda: value(any_cell, "sensor_pid") is not None, "the report")
    first = int(value(any_cell, "sensor_pid"))
    sensor.write_text("#!/bin/sh\nexec sleep 1000\n")
    os.kill(first, signal.SIGSTOP)
    wait(lambda: value(any_cell, "scratch") is None, "the values to go")
    wait(lambda: not alive(first), "its end")
    any_cell.wait_gone(any_cell.qsub("-b", "y", "-o", "/dev/null", "-j", "y", "true"))


def test_a_sensor_ends_with_its_configuration_and_with_the_execd(any_cell):
    sensor = install(any_cell)
    wait(lambda: value(any_cell, "sensor_pid") is not None, "the report")
    first = int(value(any_cell, "sensor_pid"))
    any_cell.configure(load_sensor="none")
    wait(lambda: not alive(first), "its end")
    wait(lambda: value(any_cell, "scratch") is None, "the values to go")
    any_cell.configure(load_sensor=sensor)
    wait(lambda: value(any_cell, "sensor_pid") is not None, "the report")
    second = int(value(any_cell, "sensor_pid"))
    any_cell.kill("sge_execd")
    wait(lambda: not alive(second), "its end")


def test_nonsense_is_one_line_in_the_log_and_nothing_else(any_cell):
    install(any_cell, "#!/bin/sh\nwhile read -r line; do echo begin; echo {host}:good:1; echo elsewhere:x:1; seq 1000; echo end; done\n")
    wait(lambda: value(any_cell, "good") == "1", "what is right")
    messages = Path(any_cell.dir / f"spool/{HOST}/messages")
    wait(lambda: "reports values of \"elsewhere\", which is not this host" in messages.read_text(), "the warning")
    assert messages.read_text().count("prints a line that is skipped") == 1
    assert value(any_cell, "x") is None


def test_a_sensor_has_an_absolute_path(any_cell):
    path = any_cell.files / "global"
    path.write_text(any_cell.ok("qconf", "-sconf").replace("load_sensor                  none", "load_sensor                  /a,sensor"))
    refused = any_cell.refused("qconf", "-Mconf", path, user=any_cell.owner)
    assert refused.err.splitlines()[0] == 'error: attribute "load_sensor": "/a,sensor" is not NONE or a list of absolute paths'


# ---- the cell -------------------------------------------------------------------------------------------------------

OF_CELL = """#!/bin/sh
while read -r line; do
    [ "$line" = quit ] && exit 0
    echo begin
    echo "global:licenses:$(cat "{dir}/scratch")"
    echo end
done
"""
LICENSES = "licenses lic INT <= YES NO 0 0\n"


def know_licenses(cell):
    rows = cell.files / "complex"
    rows.write_text(cell.ok("qconf", "-sc") + LICENSES)
    cell.ok("qconf", "-Mc", rows, user="root")


def licenses(cell):
    """What qhost shows of them: on the line of the cell, and on that of each host."""
    return re.findall(r"gl:licenses=(.*)", cell.ok("qhost", "-F", "licenses"))


def test_a_sensor_may_speak_of_the_cell(users_cell):
    """Its values are everybody's: jobs that ask for more wait, until there is more; they go with the execd that has said them."""
    cell = users_cell
    know_licenses(cell)
    sensor = install(cell, OF_CELL)
    wait(lambda: licenses(cell) == 2 * ["12.000000"], lambda: str(licenses(cell)))
    many = cell.qsub("-l", "lic=13", "-b", "y", "-o", "/dev/null", "-j", "y", "true")
    cell.wait_gone(cell.qsub("-l", "lic=12", "-b", "y", "-o", "/dev/null", "-j", "y", "true"))
    assert cell.tasks(many) == {0: "qw"}
    (sensor.parent / "scratch").write_text("13")
    cell.wait_gone(many)
    cell.restart_master()
    wait(lambda: licenses(cell) == 2 * ["13.000000"], lambda: str(licenses(cell)))
    cell.configure(load_sensor="none")
    wait(lambda: licenses(cell) == [], lambda: str(licenses(cell)))


def test_a_host_speaks_of_the_cell_if_it_is_an_admin_host(cluster):
    """Whoever has taken over another one says nothing of the licenses; the log says so."""
    know_licenses(cluster.master)
    node = cluster.join("node1", starts=False)
    sensor = node.files / "sensor"
    sensor.write_text(OF_CELL.format(dir=node.files))
    sensor.chmod(0o755)
    (node.files / "scratch").write_text("7")
    cluster.master.configure(load_report_time="00:00:01")
    of_node = cluster.master.files / "node1"
    of_node.write_text(f"load_sensor {sensor}\n")
    cluster.master.ok("qconf", "-Aconf", of_node, user="root")
    cluster.master.ok("qconf", "-dh", "node1", user="root")
    node.start_execd()
    wait(lambda: "the execd of node1 reports load values of the host global" in cluster.master.messages_of("qmaster"), "the refusal")
    assert licenses(cluster.master) == []
    cluster.master.ok("qconf", "-ah", "node1", user="root")
    wait(lambda: "7.000000" in licenses(cluster.master), lambda: str(licenses(cluster.master)))
    cluster.master.ok("qconf", "-dh", "node1", user="root")
    wait(lambda: licenses(cluster.master) == [], "the values to go with the right")
    cluster.master.ok("qconf", "-ah", "node1", user="root")
    wait(lambda: licenses(cluster.master), "the values")
    node.kill_execd()
    wait(lambda: licenses(cluster.master) == [], "the values to go with the execd")
    assert cluster.master.messages_of("qmaster").count("reports load values of the host global") == 2
