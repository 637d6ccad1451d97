"""Objects of administrators: each kind is shown, added, changed, refused and removed in one way, with captured texts. qconf(1)."""
import json
import re
import socket

import pytest

HOST = socket.gethostname()

# (the word in options, name, text of a new object, an attribute to change with two values, how the kind is called, its list)
PE = """pe_name            omp
slots              8
user_lists         NONE
xuser_lists        NONE
start_proc_args    NONE
stop_proc_args     NONE
allocation_rule    $pe_slots
control_slaves     TRUE
job_is_first_task  TRUE
urgency_slots      min
accounting_summary TRUE
qsort_args         NONE
"""
CKPT = """ckpt_name          user_ckpt
interface          USERDEFINED
ckpt_command       NONE
migr_command       NONE
restart_command    NONE
clean_command      NONE
ckpt_dir           /tmp
signal             USR2
when               xs
"""
CALENDAR = """calendar_name    night
year             NONE
week             mon-fri=6-20=off
"""
PROJECT = "name prj1\noticket 0\nfshare 0\nacl NONE\nxacl NONE\n"
USER = "name alice\noticket 0\nfshare 0\ndelete_time 0\ndefault_project NONE\n"
USERSET = "name    ul1\ntype    ACL\nfshare  0\noticket 0\nentries alice,bob\n"
GROUP = f"group_name @g2\nhostlist {HOST}\n"
RQS = """{
   name         max2
   description  "two per user"
   enabled      TRUE
   limit        users {*} to slots=2
}
"""
KINDS = {
    "pe": ("p", "pl", "omp", PE, ("slots", "8", "12"), "parallel environment", "parallel environment list", "omp is not a parallel environment"),
    "ckpt": ("ckpt", "ckptl", "user_ckpt", CKPT, ("when", "xs", "smxr"), "checkpoint interface", "checkpoint interface list",
             "user_ckpt is not a checkpointing interface definition"),
    "calendar": ("cal", "call", "night", CALENDAR, ("week", "mon-fri=6-20=off", "sat-sun=suspended"), "calendar", "calendar list",
                 "night is not a calendar"),
    "project": ("prj", "prjl", "prj1", PROJECT, ("fshare", "0", "7"), "project", "project list", "prj1 is not known as a project"),
    "user": ("user", "userl", "alice", USER, ("oticket", "0", "9"), "user", "user list", "alice is not known as a user"),
    "userset": ("u", "ul", "ul1", USERSET, ("entries", "alice,bob", "carol,@staff"), "userset", "userset list",
                'denied: access list "ul1" does not exist'),
    "hostgroup": ("hgrp", "hgrpl", "@g2", GROUP, ("hostlist", HOST, "NONE"), "host group", "host group list",
                  'Host group "@g2" does not exist'),
    "resource_quota": ("rqs", "rqsl", "max2", RQS, ("enabled", "TRUE", "FALSE"), "resource quota set", "resource quota set list",
                       'resource quota set "max2" does not exist'),
}


def lines(text):
    """Without what is said because nothing obeys an object yet."""
    return [line for line in text.splitlines() if not line.startswith("warning: ")]


@pytest.mark.parametrize("kind", KINDS)
def test_an_object_comes_changes_survives_and_goes(any_cell, kind):
    cell, boss = any_cell, any_cell.owner
    word, plural, name, text, (attribute, old, new), noun, where, unknown = KINDS[kind]
    file, delete = cell.files / "object", "-dul" if kind == "userset" else f"-d{word}"

    def qconf(*argv, **more):
        return cell.run("qconf", *argv, user=boss, **more)

    assert (qconf(f"-s{word}", name).code, qconf(f"-s{word}", name).err) == (1, f"{unknown}\n")
    file.write_text(text)
    result = qconf(f"-A{word}", file)
    assert (result.code, lines(result.out + result.err)) == (0, [f'{boss}@{HOST} added "{name}" to {where}'])
    assert lines(qconf(f"-A{word}", file).err) == [f'{noun} "{name}" already exists']
    assert name in cell.ok("qconf", f"-s{plural}").split()
    assert cell.ok("qconf", f"-s{word}", name) == text

    result = qconf("-rattr", kind, attribute, new, name)
    assert (result.code, result.out) == (0, f'{boss}@{HOST} modified "{name}" in {where}\n')
    assert cell.ok("qconf", f"-s{word}", name) == re.sub(rf"(?m)^( *{attribute} +).*$", rf"\g<1>{new}", text)
    cell.restart_master()
    assert cell.ok("qconf", f"-s{word}", name) == re.sub(rf"(?m)^( *{attribute} +).*$", rf"\g<1>{new}", text)
    assert lines(qconf(f"-M{word}", file).err) == [f'{boss}@{HOST} modified "{name}" in {where}']
    assert cell.ok("qconf", f"-s{word}", name) == text
    attributes = cell.files / "attributes"
    attributes.write_text(f"{attribute}   {new}\n")
    assert qconf("-Rattr", kind, attributes, name).out == f'{boss}@{HOST} modified "{name}" in {where}\n'
    assert cell.ok("qconf", f"-s{word}", name) == re.sub(rf"(?m)^( *{attribute} +).*$", rf"\g<1>{new}", text)
    cell.ok("qconf", f"-M{word}", file, user=boss)

    file.write_text(text.replace(f"{name}\n", f"{name}\nju-nk 1\n", 1))
    assert qconf(f"-M{word}", file).err.splitlines()[:2] == ['error: unknown attribute name "ju-nk"', f'error: error reading file: "{file}"']
    if kind != "resource_quota":  # of which only the name must be there
        file.write_text(re.sub(rf"(?m)^{attribute} .*\n", "", text))
        assert qconf(f"-M{word}", file).err.startswith(f'error: required attribute "{attribute}" is missing\n')

    assert lines(qconf(delete, name).err) == [f'{boss}@{HOST} removed "{name}" from {where.replace("group list", "group entry list")}']
    assert (qconf(delete, name).code, qconf(delete, name).err) == (1, f'denied: {noun} "{name}" does not exist\n')
    cell.restart_master()
    assert name not in cell.run("qconf", f"-s{plural}").out.split()


@pytest.mark.parametrize("kind", KINDS)
def test_an_editor_shows_what_there_is_and_what_it_leaves_is_taken(any_cell, kind):
    cell, boss = any_cell, any_cell.owner
    word, _, name, text, (attribute, _, new), *_ = KINDS[kind]
    file, editor = cell.files / "edited", cell.files / "editor"
    file.write_text(text)
    cell.ok("qconf", f"-A{word}", file, user=boss)
    result = cell.run("qconf", f"-m{word}", name, user=boss, env={"EDITOR": "cat"})
    assert result.out == text + ("file unchanged\n" if kind == "userset" else "")
    assert result.err == ("" if kind == "userset" else "file unchanged\n")
    editor.write_text(f'#!/bin/sh\nsed -E -i "s/^( *{attribute} +).*/\\1{new}/" "$1"\n')
    editor.chmod(0o755)
    cell.ok("qconf", f"-m{word}", name, user=boss, env={"EDITOR": str(editor)})
    assert cell.ok("qconf", f"-s{word}", name) == re.sub(rf"(?m)^( *{attribute} +).*$", rf"\g<1>{new}", text)


def test_files_of_other_grid_engines_load_with_their_attributes(any_cell):
    """What no table has is stored, shown after a restart, and named once."""
    cell, boss, file = any_cell, any_cell.owner, any_cell.files / "theirs"
    warning = 'warning: attribute "their_own" is unknown: it is stored, but has no effect'

    def load(option, text, *more):
        file.write_text(text + "their_own a b\n")
        result = cell.run("qconf", option, *more, file, user=boss)
        assert (result.code, warning in result.err.splitlines()) == (0, True), str(result)

    queue = re.sub(r"(?m)^qname .*", "qname their.q", cell.ok("qconf", "-sq", "all.q"))
    load("-Aq", queue)
    load("-Msconf", cell.ok("qconf", "-ssconf"))
    load("-Me", re.sub(r"(?m)^(load_values|processors).*(\n .*)*\n", "", cell.ok("qconf", "-se", HOST)))
    for word, _, _, text, *_ in KINDS.values():
        if not text.startswith("{"):
            load(f"-A{word}", text)
    again = cell.run("qconf", "-Mq", file_with(file, queue + "their_own a b\n"), user=boss)
    assert (again.code, "their_own" in again.err) == (0, False)
    cell.ok("qconf", "-rattr", "queue", "slots", "3", "their.q", user=boss)
    assert cell.refused("qconf", "-rattr", "queue", "their_own", "3", "their.q", user=boss)
    cell.restart_master()
    shows = [("-sq", "their.q"), ("-ssconf",), ("-se", HOST)]
    shows += [(f"-s{word}", name) for word, _, name, text, *_ in KINDS.values() if not text.startswith("{")]
    for show in shows:
        assert re.search(r"(?m)^their_own +a b$", cell.ok("qconf", *show)), show
    cell.ok("qconf", "-Mq", file_with(file, queue), user=boss)
    assert "their_own" not in cell.ok("qconf", "-sq", "their.q")
    cell.ok("qconf", "-dq", "their.q", user=boss)
    for kind, (word, _, name, text, *_) in KINDS.items():
        if not text.startswith("{"):
            cell.ok("qconf", "-dul" if kind == "userset" else f"-d{word}", name, user=boss)


def file_with(path, text):
    path.write_text(text)
    return path


def test_who_may_not_change_objects_is_told_before_an_editor_starts(users_cell):
    for options in (["-ap", "x"], ["-mp", "smp"], ["-dp", "smp"], ["-mattr", "pe", "slots", "8", "smp"]):
        result = users_cell.run("qconf", *options, user="alice", env={"EDITOR": "cat"})
        assert (result.code, result.out, result.err) == (1, "", 'denied: "alice" must be manager for this operation\n')


def test_a_value_that_cannot_be_obeyed_is_refused_and_changes_nothing(any_cell):
    cell, file = any_cell, any_cell.files / "object"
    for option, text, err in (
            ("-Acal", "calendar_name bad\nyear NONE\nweek foo\n", 'error in disabled_week of calendar "bad": "foo" is not a weekday\n'),
            ("-Aprj", PROJECT.replace("acl NONE", "acl nosuch"),
             'Userset "nosuch" does not exist\n'),
            ("-Ahgrp", f"group_name @g2\nhostlist {HOST} @nosuch\n",
             'denied: host group "@nosuch" does not exist\n'),
            ("-Ahgrp", "group_name @g2\nhostlist nohost.invalid\n", 'unable to resolve host "nohost.invalid"\n')):
        file.write_text(text)
        assert cell.refused("qconf", option, file, user=cell.owner).err == err
    assert cell.refused("qconf", "-scall").err == "no calendar defined\n"
    assert cell.refused("qconf", "-mattr", "pe", "slots", "-5", "smp", user=cell.owner).err == (
        'attribute "slots": "-5" is not a number from 0 to 9999999\nError during parsing of attribute value "-5"\n')


def test_what_a_queue_names_stays(any_cell):
    cell, boss, file = any_cell, any_cell.owner, any_cell.files / "night"
    file.write_text(CALENDAR)
    cell.ok("qconf", "-Acal", file, user=boss)
    cell.ok("qconf", "-mattr", "queue", "calendar", "night", "all.q", user=boss)
    assert cell.refused("qconf", "-dcal", "night", user=boss).err == 'denied: Calendar "night" is still referenced in queue "all.q"\n'
    cell.ok("qconf", "-mattr", "queue", "calendar", "NONE", "all.q", user=boss)
    cell.ok("qconf", "-dcal", "night", user=boss)


def test_every_file_of_a_directory_is_taken(any_cell):
    cell, folder = any_cell, any_cell.files / "pes"
    folder.mkdir()
    for name in ("b", "a", "broken", ".hidden"):
        (folder / name).write_text(PE.replace("omp", name.strip(".")))
    (folder / "broken").write_text("pe_name broken\n")
    result = cell.refused("qconf", "-Ap", folder, user=cell.owner)
    assert [line for line in lines(result.err) if "added" in line] == [
        f'{cell.owner}@{HOST} added "{name}" to parallel environment list' for name in "ab"]
    assert cell.ok("qconf", "-spl").split() == ["a", "b", "make", "mpi", "smp"]


def test_quota_sets_are_shown_all_at_once_and_limit_what_there_is(any_cell):
    cell, file = any_cell, any_cell.files / "rqs"
    assert cell.refused("qconf", "-srqs").err == "No resource quota set found\n"
    assert cell.refused("qconf", "-srqsl").err == "no resource quota set list defined\n"
    file.write_text(RQS + RQS.replace("max2", "max3"))
    cell.ok("qconf", "-Arqs", file, user=cell.owner)
    assert sorted(re.findall(r"name +(\w+)", cell.ok("qconf", "-srqs"))) == ["max2", "max3"]
    shown = json.loads(cell.ok("qconf", "-srqs", "max2", "-json"))["shown"][0]["objects"]
    assert shown == [{"name": "max2", "attributes": {"name": "max2", "description": '"two per user"', "enabled": "TRUE",
                                                     "limit": "users {*} to slots=2"}}]
    for limit, err in (("users {*} to lic=2", '"resource_quota" references not existing complex attribute "lic"'),
                       ("foo", 'error in limit of resource quota set "x": "foo" is not followed by a list')):
        file.write_text(f"{{\n   name x\n   limit {limit}\n}}\n")
        assert cell.refused("qconf", "-Arqs", file, user=cell.owner).err == f"{err}\n"
    assert cell.ok("qconf", "-srqsl") == "max2\nmax3\n"


def test_of_a_file_of_quota_sets_only_those_that_are_named_change(any_cell):
    cell, boss, file = any_cell, any_cell.owner, any_cell.files / "rqs"
    both = RQS.replace("max2", "one") + RQS.replace("max2", "two")
    file.write_text(both)
    cell.ok("qconf", "-Arqs", file, user=boss)
    file.write_text(both.replace("slots=2", "slots=5"))
    result = cell.run("qconf", "-Mrqs", file, "two", user=boss)
    assert (result.code, lines(result.err)) == (0, [f'{boss}@{HOST} modified "two" in resource quota set list'])
    assert "slots=2" in cell.ok("qconf", "-srqs", "one") and "slots=5" in cell.ok("qconf", "-srqs", "two")
    for names in ("nope", "one,nope"):  # and then nothing changes
        assert cell.refused("qconf", "-Mrqs", file, names, user=boss).err == f'resource quota set "nope" is not in file "{file}"\n'
    assert "slots=2" in cell.ok("qconf", "-srqs", "one")
    assert len(lines(cell.run("qconf", "-Mrqs", file, "one,two", user=boss).err)) == 2
    assert "slots=5" in cell.ok("qconf", "-srqs", "one")
    cell.ok("qconf", "-drqs", "one,two", user=boss)


def test_objects_are_found_by_their_values(any_cell):
    cell, boss, file = any_cell, any_cell.owner, any_cell.files / "object"
    file.write_text(PE)
    cell.ok("qconf", "-Ap", file, user=boss)
    cell.ok("qconf", "-rattr", "queue", "seq_no", f"3,[{HOST}=5]", "all.q", user=boss)
    assert cell.ok("qconf", "-sobjl", "pe", "slots", "8") == "omp\n"
    assert cell.ok("qconf", "-sobjl", "pe", "slots", "9") == ""
    assert cell.ok("qconf", "-sobjl", "queue", "seq_no", "3") == "all.q\n"
    assert cell.ok("qconf", "-sobjl", "queue_instance", "seq_no", "*") == f"all.q@{HOST}\n"
    assert cell.ok("qconf", "-sobjl", "exechost", "load_values", "*").split() == [HOST, "template", "global"]
    assert json.loads(cell.ok("qconf", "-sobjl", "pe", "slots", "8", "-json"))["shown"] == [{"option": "-sobjl", "names": ["omp"]}]
    cell.ok("qconf", "-rattr", "queue", "seq_no", "0", "all.q", user=boss)
    cell.ok("qconf", "-dp", "omp", user=boss)


def test_settings_for_hosts_that_a_queue_is_not_on_are_shown(any_cell):
    cell, boss, file = any_cell, any_cell.owner, any_cell.files / "group"
    assert cell.ok("qconf", "-sds") == ""
    file.write_text("group_name @apart\nhostlist NONE\n")
    cell.ok("qconf", "-Ahgrp", file, user=boss)
    cell.ok("qconf", "-rattr", "queue", "seq_no", f"0,[{HOST}=5],[@apart=7]", "all.q", user=boss)
    assert cell.ok("qconf", "-sds") == "qname                 all.q\nseq_no                [@apart=7]\n"
    assert json.loads(cell.ok("qconf", "-sds", "-json"))["shown"] == [
        {"option": "-sds", "objects": [{"name": "all.q", "attributes": {"qname": "all.q", "seq_no": "[@apart=7]"}}]}]
    cell.ok("qconf", "-aattr", "hostgroup", "hostlist", HOST, "@apart", user=boss)
    assert cell.ok("qconf", "-sds") == ""
    cell.ok("qconf", "-rattr", "queue", "seq_no", "0", "all.q", user=boss)
    cell.ok("qconf", "-dhgrp", "@apart", user=boss)


SHARE_TREE = "id=0\nname=Root\ntype=0\nshares=1\nchildnodes=1\nid=1\nname=default\ntype=0\nshares=10\nchildnodes=NONE\n"


def test_a_cell_has_one_share_tree_or_none(any_cell):
    cell, boss, file = any_cell, any_cell.owner, any_cell.files / "st"

    def said(*argv, **more):
        result = cell.run("qconf", *argv, user=boss, **more)
        return result.code, result.out, "".join(f"{line}\n" for line in lines(result.err))

    assert said("-sstree") == (1, "", "no sharetree element\n")
    assert said("-dstree") == (1, "", "sharetree does not exist\n")
    assert said("-astree", env={"EDITOR": "cat"}) == (
        1, "id=0\nname=template\ntype=0\nshares=0\nchildnodes=NONE\n", "file unchanged\n")
    file.write_text(SHARE_TREE)
    assert said("-sst") == (1, "", "no sharetree element\n")
    for option in ("-Astree", "-Astree", "-Mstree"):
        assert said(option, file) == (0, "", "changed sharetree\n")
    assert said("-mstree", env={"EDITOR": "sed -i s/shares=10/shares=30/"}) == (0, "", "changed sharetree\n")
    cell.restart_master()
    assert said("-sstree") == (0, SHARE_TREE.replace("shares=10", "shares=30"), "")
    assert said("-sst") == (0, "Root=1\n   default=30\n", "")
    assert [node["depth"] for node in json.loads(cell.ok("qconf", "-sst", "-json"))["shown"][0]["objects"]] == [0, 1]
    shown = json.loads(cell.ok("qconf", "-sstree", "-json"))["shown"][0]["objects"]
    assert [node["attributes"]["name"] for node in shown] == ["Root", "default"]
    assert said("-dstree") == (0, "", f"{boss}@{HOST} removed sharetree list\n")
    assert said("-sstree") == (1, "", "no sharetree element\n")


def test_nodes_of_the_share_tree_are_changed_one_by_one(any_cell):
    cell, boss, file = any_cell, any_cell.owner, any_cell.files / "st"

    def changed(*argv):
        assert lines(cell.run("qconf", *argv, user=boss).err) == ["changed sharetree"]

    file.write_text(SHARE_TREE)
    changed("-Astree", file)
    for kind, text in (("prj", PROJECT), ("user", USER)):
        (cell.files / kind).write_text(text)
        cell.ok("qconf", f"-A{kind}", cell.files / kind, user=boss)
    changed("-astnode", "/dept=20,/dept/alice=5,prj1=30,/prj1/alice=2")
    changed("-mstnode", "default=11")
    cell.restart_master()
    assert cell.ok("qconf", "-rsstnode", "/") == (
        "/=1\n/default=11\n/dept=20\n/dept/alice=5\n/prj1=30\n/prj1/alice=2\n")
    assert json.loads(cell.ok("qconf", "-sstnode", "/,prj1", "-json"))["shown"] == [
        {"option": "-sstnode", "objects": [{"path": "/", "shares": 1}, {"path": "/prj1", "shares": 30}]}]
    assert "name=prj1\ntype=1\n" in cell.ok("qconf", "-sstree")
    assert cell.refused("qconf", "-dstnode", "/dept/alice", user=boss).err == (
        'denied: share tree contains reference to unknown user "dept"\n')
    changed("-dstnode", "/dept/alice,/dept,/prj1/alice,/prj1")
    assert cell.ok("qconf", "-sst") == "Root=1\n   default=11\n"
    cell.ok("qconf", "-dstree", user=boss)
    cell.ok("qconf", "-dprj", "prj1", user=boss)
    cell.ok("qconf", "-duser", "alice", user=boss)


def test_nodes_of_the_share_tree_are_for_managers_to_change(users_cell):
    cell, file = users_cell, users_cell.files / "st"
    file.write_text(SHARE_TREE)
    assert lines(cell.run("qconf", "-Astree", file, user=cell.owner).err) == ["changed sharetree"]
    assert cell.refused("qconf", "-mstnode", "default=12").err == 'denied: "alice" must be manager for this operation\n'


def test_who_has_a_share_exists_and_stays(any_cell):
    cell, boss, file = any_cell, any_cell.owner, any_cell.files / "st"
    file.write_text(SHARE_TREE.replace("default\ntype=0", "prj1\ntype=1"))
    assert cell.refused("qconf", "-Astree", file, user=boss).err == (
        'denied: share tree contains reference to unknown project "prj1"\n')
    assert cell.refused("qconf", "-sstree").err == "no sharetree element\n"
    (cell.files / "prj").write_text(PROJECT)
    cell.ok("qconf", "-Aprj", cell.files / "prj", user=boss)
    cell.ok("qconf", "-Astree", file, user=boss)
    assert cell.refused("qconf", "-dprj", "prj1", user=boss).err == (
        'denied: may not remove project "prj1" still referenced in share tree\n')
    file.write_text(SHARE_TREE.replace("type=0\nshares=10", "junk=0\nshares=10"))
    assert cell.refused("qconf", "-Mstree", file, user=boss).err == (
        f'error: unknown attribute name "junk"\nerror: error reading file: "{file}"\nSharetree file "{file}" is not correct\n')
    cell.ok("qconf", "-dstree", user=boss)
    cell.ok("qconf", "-dprj", "prj1", user=boss)


def test_users_come_into_user_sets_and_go(any_cell):
    cell, boss = any_cell, any_cell.owner

    def said(*argv):
        result = cell.run("qconf", *argv, user=boss)
        return result.code, result.out, result.err

    assert said("-au", "alice,bob", "ul1") == (0, "", 'added "alice" to access list "ul1"\nadded "bob" to access list "ul1"\n')
    assert said("-au", "alice", "ul1") == (1, "", '"alice" is already in access list "ul1"\n')
    assert cell.ok("qconf", "-su", "ul1") == USERSET
    assert said("-du", "bob", "ul1") == (0, "", 'deleted user "bob" from access list "ul1"\n')
    assert said("-du", "bob", "ul1") == (1, "", 'user "bob" is not in access list "ul1"\n')
    assert said("-du", "bob", "ul2") == (1, "", 'denied: access list "ul2" does not exist\n')


def test_resources_are_a_table_and_are_named_by_hosts(any_cell):
    cell, boss, file = any_cell, any_cell.owner, any_cell.files / "cx"
    table = cell.ok("qconf", "-sc")

    def said(*argv, **more):
        result = cell.run("qconf", *argv, user=boss, **more)
        return result.code, result.out, "".join(f"{line}\n" for line in lines(result.err))

    assert said("-mc", env={"EDITOR": "cat"}) == (0, table, "Complex attribute configuration has not been changed\n")
    file.write_text(f"{table}lic lic INT <= YES YES 0 0\n")
    assert said("-Mc", file) == (0, "", f'{boss}@{HOST} added "lic" to complex entry list\n')
    assert "\nlic                 lic        INT       <=    YES         YES        0        0\n" in cell.ok("qconf", "-sc")
    assert said("-mattr", "exechost", "complex_values", "lic=5", HOST) == (
        0, '"complex_values" of "exechost" is empty - Adding new element(s).\n' f'{boss}@{HOST} modified "{HOST}" in exechost list\n', "")
    assert re.search(r"(?m)^complex_values +lic=5$", cell.ok("qconf", "-se", HOST))
    cell.restart_master()
    file.write_text(table)
    assert said("-Mc", file) == (1, "", f'denied: Complex attribute "lic" is still referenced in exechost "{HOST}"\n')
    assert said("-rattr", "exechost", "complex_values", "NONE", HOST) == (0, f'{boss}@{HOST} modified "{HOST}" in exechost list\n', "")
    assert said("-Mc", file) == (0, "", f'{boss}@{HOST} removed "lic" from complex list\n')
    assert cell.ok("qconf", "-sc") == table
    file.write_text(f"{table}bad bad FOO <= YES YES 0 0\n")
    assert said("-Mc", file) == (1, "", f'error: unknown complex attribute type "FOO"\nComplex attribute file "{file}" is not correct\n')
