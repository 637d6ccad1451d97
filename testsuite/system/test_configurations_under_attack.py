"""A manager's own mistakes, and users who read them again and again: each is refused in a line or carried out, and nobody else is slowed."""
import pytest

from siege import ATTACKER, besieged, nobody_is_hurt, without_execd

DEEPEST, MEMBERS, VALUE_BYTES = 16, 32_768, 1 << 20  # what doc/administering/limits.md says
GROUPS, QUEUES, SETTINGS, ROUNDS = 1000, 200, 30_000, 5


@pytest.fixture
def cell(make_cell, pytestconfig):
    return without_execd(besieged(make_cell, pytestconfig))


def manage(cell, *argv, **more):
    return cell.ok("qconf", *argv, user="root", timeout=120, **more)


def refused_in_a_line(cell, *argv):
    """What qconf says; a second line may name the file."""
    result = cell.run("qconf", *argv, user="root", timeout=120)
    said = (result.out + result.err).splitlines()
    assert result.code == 1 and (len(said) == 1 or said[1:] == [f'Userset file "{argv[-1]}" is not correct']), said[:5]
    return said[0]


def file_of(cell, name, text):
    path = cell.files / name
    path.write_text(text)
    return path


def names_of(letter, n):
    return [f"{letter}{i:05}" for i in range(n)]


def userset(name, n):
    return f"name {name}\ntype ACL\nfshare 0\noticket 0\nentries {','.join(names_of('u', n))}\n"


def queue(cell, name, **values):
    """The text of all.q, called NAME, with other VALUES."""
    rows = manage(cell, "-sq", "all.q", env={"SGE_SINGLE_LINE": "1"}).splitlines()
    values = {"qname": name, **values}
    return "".join(f"{row.split()[0]} {values.get(row.split()[0], row.split(maxsplit=1)[1])}\n" for row in rows)


def test_groups_within_a_thousand_groups(cell):
    place = cell.files / "groups"
    place.mkdir()
    for i in range(1, GROUPS + 1):
        (place / f"g{i:04}").write_text(f"group_name @g{i:04}\nhostlist {f'@g{i - 1:04}' if i > 1 else 'NONE'}\n")
    with nobody_is_hurt(cell):
        said = cell.run("qconf", "-Ahgrp", place, user="root", timeout=120)
        assert said.code == 1
        assert f'host group "@g{DEEPEST + 1:04}" is nested more than {DEEPEST} levels deep' in said.out + said.err
    assert manage(cell, "-shgrpl").count("@g0") == DEEPEST


def test_a_list_of_a_million_names_is_refused_in_a_line(cell):
    users = file_of(cell, "million", userset("million", 1_000_000))
    with nobody_is_hurt(cell):
        for _ in range(ROUNDS):
            assert f"the value is longer than {VALUE_BYTES} bytes" in refused_in_a_line(cell, "-Au", users)
    assert "million" not in cell.run("qconf", "-sul").out


def test_a_list_as_long_as_it_may_be(cell):
    users = file_of(cell, "large", userset("large", MEMBERS))
    more = file_of(cell, "larger", userset("large", MEMBERS + 1))
    with nobody_is_hurt(cell):
        manage(cell, "-Au", users)
        for _ in range(ROUNDS):
            manage(cell, "-Mu", users)
            assert f"more than {MEMBERS} elements" in refused_in_a_line(cell, "-Mu", more)
            assert cell.ok("qconf", "-su", "large", user=ATTACKER).count("u0") >= 10_000
        manage(cell, "-dul", "large")


def test_a_queue_with_a_setting_for_each_of_many_hosts(cell):
    slots = "1," + ",".join(f"[{host}=2]" for host in names_of("h", SETTINGS))
    text = file_of(cell, "many.q", queue(cell, "many.q", slots=slots))
    with nobody_is_hurt(cell):
        manage(cell, "-Aq", text)
        for _ in range(ROUNDS):
            manage(cell, "-Mq", text)
            assert cell.ok("qconf", "-sq", "many.q", user=ATTACKER).count("=2]") == SETTINGS
        manage(cell, "-dq", "many.q")


def test_all_queues_disabled_read_and_removed_again_and_again(cell):
    place = cell.files / "queues"
    place.mkdir()
    names = [f"q{i:03}" for i in range(QUEUES)]
    for name in names:
        (place / name).write_text(queue(cell, name))
    with nobody_is_hurt(cell):
        for _ in range(ROUNDS):
            manage(cell, "-Aq", place)
            assert cell.ok("qmod", "-d", "*", user="root").count("(disabled)") == QUEUES + 1
            assert cell.ok("qconf", "-sq", "*", user=ATTACKER).count("qname ") == QUEUES + 1
            assert cell.ok("qmod", "-e", "*", user="root").count("(enabled)") == QUEUES + 1
            manage(cell, "-dq", ",".join(names))
            assert cell.ok("qconf", "-sql", user=ATTACKER).split() == ["all.q"]
