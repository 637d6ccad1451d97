"""What commands show as XML and JSON: each document is what the schema that is installed beside the command promises."""
import json
import re

import pytest

from cell import TOP
from test_consumables import HOST, add_resource, offer

jsonschema = pytest.importorskip("jsonschema")

NAMED = "<&>M\u00fcller"  # in a name, so that every form has something to escape


def schema(cell, name):
    return cell.root / "share" / "schemas" / name


def as_json(cell, *command, **more):
    """The document, which suits the schema of the command; a key that comes twice is an error."""
    def unique(pairs):
        assert len(dict(pairs)) == len(pairs), pairs
        return dict(pairs)
    document = json.loads(cell.ok(*command, "-json", **more), object_pairs_hook=unique)
    rules = json.loads(schema(cell, f"{command[0]}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(rules)
    jsonschema.Draft202012Validator(rules).validate(document)
    return document


def as_xml(cell, *command, **more):
    """The text of the document, which suits the schema of the command."""
    text = cell.ok(*command, "-xml", **more)
    checked = cell.run("xmllint", "--noout", "--relaxng", str(schema(cell, f"{command[0]}.rng")), "-", stdin=text)
    assert checked.code == 0, checked.err + text
    return text


@pytest.fixture
def busy(any_cell):
    """A cell with tasks that run, and jobs that wait in every way."""
    cell = any_cell
    array = cell.array("arr", "1-5:2", "-tc", "1", "-l", "h_rt=1:00:00", "-q", "all.q", gated=[1])
    wide = cell.array("wide", "1", "-pe", "smp", "2", gated=[1])
    cell.array("after", "1-5:2", "-hold_jid_ad", "arr", "-hold_jid", str(wide), "-p", "-5")
    cell.held_array(NAMED, "7-9", "-ac", "note=a\u00e9", "-M", "a@b", "-binding", "linear:1", "-soft", "-l", "h_vmem=1G")
    cell.wait_state(array, 1, "r")
    cell.wait_state(wide, 1, "r")
    return cell


# ---- qhost ----------------------------------------------------------------------------------------------------------

def test_qhost_shows_documents_that_suit_their_schemas(busy):
    for options in ([], ["-q"], ["-j"], ["-q", "-j"], ["-F"], ["-F", "mem_free,load_avg"], ["-ncb"]):
        as_xml(busy, "qhost", *options)
        assert as_json(busy, "qhost", *options)["hosts"][0]["name"] == "global"
    queue, = as_json(busy, "qhost", "-q", "-j")["hosts"][1]["queues"]
    assert [(job["job_name"], job["pe_master"], job.get("taskid")) for job in queue["jobs"]] == [
        ("arr", "MASTER", "1"), ("wide", "MASTER", "1"), ("wide", "SLAVE", None)]


# ---- qacct ----------------------------------------------------------------------------------------------------------

def test_qacct_shows_documents_that_suit_their_schema(any_cell):
    done = any_cell.qsub("-N", NAMED, "-b", "y", "true")
    array = any_cell.array("arr", "1-3")
    any_cell.wait_gone(done, array)
    assert [(r["jobname"], r["taskid"]) for r in as_json(any_cell, "qacct", "-j", done)["records"]] == [(NAMED, None)]
    assert sorted(r["taskid"] for r in as_json(any_cell, "qacct", "-j", array)["records"]) == [1, 2, 3]
    for options in ([], ["-o"], ["-q", "all.q"], ["-h", "-slots", "-A", "-pe"], ["-o", "nobody"]):
        assert set(as_json(any_cell, "qacct", *options)) == {"totals"}
    assert json.loads(any_cell.refused("qacct", "-j", "99", "-json").out) == {"records": []}


# ---- qstat ----------------------------------------------------------------------------------------------------------

def test_qstat_shows_documents_that_suit_their_schemas(busy):
    columns = ["-ext", "-urg", "-pri", "-ext -urg -pri", "-r", "-r -ncb", "-g d", "-g t -r", "-t", "-s p", "-s hd", "-s z", "-u nobody"]
    queues = ["-f", "-f -ne", "-f -r -ext", "-F", "-F mem_free,slots", "-explain cE"]
    others = ["-g c", "-g c -ext", "-j", "-j 1", "-j 1,2,3,4", "-j 1.1", "-j 1 -why", "-j 3.1 -why", "-j 1,2,3,4 -why"]
    for options in ["", *columns, *queues, *others]:
        as_xml(busy, "qstat", "-u", "*", *options.split())
        as_json(busy, "qstat", "-u", "*", *options.split())


def test_qstat_json_has_what_the_page_shows(busy):
    listing = as_json(busy, "qstat")
    assert [(j["kind"], j["JB_job_number"], j["state"], j["queue_name"] is None, j["tasks"]) for kind in listing.values() for j in kind] == [
        ("running", 1, "r", False, "1"), ("running", 2, "r", False, "1"), ("pending", 1, "qw", True, "3,5"),
        ("pending", 3, "hqw", True, "1-5:2"), ("pending", 4, "hqw", True, "7-9:1")]
    assert listing["pending_jobs"][2]["JB_name"] == NAMED
    queue, = as_json(busy, "qstat", "-f")["queues"]
    assert (queue["slots_used"], queue["slots_total"], [j["JB_job_number"] for j in queue["jobs"]]) == (3, 4, [1, 2])
    summary, = as_json(busy, "qstat", "-g", "c")["cluster_queues"]
    assert (summary["name"], summary["used"], summary["total"]) == ("all.q", 3, 4)
    answer, = as_json(busy, "qstat", "-j", "3.1", "-why")["answers"]
    assert [(w["WT_job_number"], w["WT_kind"]) for w in answer["waits"]] == [(2, "hold_jid"), (1, "hold_jid_ad")]


def test_qstat_j_json_has_the_jobs_and_names_the_unknown(busy):
    job, = as_json(busy, "qstat", "-j", "3")["jobs"]
    assert job["JB_ja_a_h_ids"] == [{"RN_min": 1, "RN_max": 5, "RN_step": 2}]
    assert [on["JRE_job_number"] for on in job["JB_ja_ad_predecessor_list"]] == [1]
    result = busy.refused("qstat", "-j", "4,99,nosuch", "-json")
    document = json.loads(result.out)
    assert ([job["JB_job_name"] for job in document["jobs"]], document["unknown_jobs"], result.err) == ([NAMED], ["99", "nosuch"], "")


def test_qstat_j_shows_the_devices_of_each_task_in_every_form(any_cell):
    cell = any_cell
    add_resource(cell, "gpu", "RSMAP", default="NONE")
    offer(cell, "gpu=4(0-3)")
    job = cell.array("pair", "1-3", "-l", "gpu=2", gated=[1, 2])
    for task in 1, 2:
        cell.wait_state(job, task, "r")
    text = as_xml(cell, "qstat", "-j", job)
    in_xml = re.findall(r"<GRU_name>(.*)</GRU_name>\s*<GRU_host>(.*)</GRU_host>\s*<GRU_devices>\s*<device>(.*)</device>\s*<device>(.*)</device>", text)
    tasks = [task for task in as_json(cell, "qstat", "-j", job)["jobs"][0]["JB_ja_tasks"] if task["JAT_task_number"] < 3]
    in_json = [(r["GRU_name"], r["GRU_host"], *r["GRU_devices"]) for task in tasks for r in task["JAT_granted_resources_list"]]
    assert sorted(in_xml) == sorted(in_json) == [("gpu", HOST, "0", "1"), ("gpu", HOST, "2", "3")]


def test_an_option_is_stored_altered_and_shown_in_every_form(any_cell):
    cell = any_cell
    script = cell.files / "hard.sh"
    script.write_text("#!/bin/sh\n#$ -he y\n")
    job, plain = cell.qsub("-h", script), cell.qsub("-h", "-b", "y", "true")
    assert cell.detail(job)["hard_error_handling"] == "y"
    assert "<JB_hard_error_handling>true</JB_hard_error_handling>" in as_xml(cell, "qstat", "-j", job)
    assert as_json(cell, "qstat", "-j", job)["jobs"][0]["JB_hard_error_handling"] is True
    assert "JB_hard_error_handling" not in as_json(cell, "qstat", "-j", plain)["jobs"][0]
    assert cell.ok("qalter", "-he", "n", job) == f"modified hard error handling of job {job}\n"
    assert cell.ok("qalter", "-he", "yes", plain) == f"modified hard error handling of job {plain}\n"
    cell.restart_master()
    assert "hard_error_handling" not in cell.detail(job)
    assert as_json(cell, "qstat", "-j", plain)["jobs"][0]["JB_hard_error_handling"] is True


# ---- qconf ----------------------------------------------------------------------------------------------------------

def test_qconf_shows_documents_that_suit_their_schema(any_cell):
    every = ["-sql", "-sel", "-sh", "-sc", "-sconf", "-ssconf", "-sconfl", "-spl", "-shgrpl", "-scall", "-sul", "-sq", "-sq all.q", "-sq *@*", "-se global", "-sm", "-sp smp",
             "-shgrp @allhosts", "-shgrp_tree @allhosts", "-shgrp_resolved @allhosts", "-sds", "-sss"]
    for options in every:
        result = any_cell.run("qconf", *options.split(), "-json")
        shown, = json.loads(result.out)["shown"]
        assert (shown["option"], bool(result.err)) == (options.split()[0], shown.get("names") == []), options
    document = as_json(any_cell, "qconf", *" ".join(o for o in every if o not in ("-sconfl", "-sq", "-scall", "-sul")).split())
    assert len(document["shown"]) == len(every) - 4
    assert document["shown"][0] == {"option": "-sql", "names": ["all.q"]}


def test_qconf_json_has_the_values_that_the_page_has(any_cell):
    page = dict(line.split(None, 1) for line in any_cell.ok("qconf", "-sq", "all.q", env={"SGE_SINGLE_LINE": "1"}).splitlines())
    queue, = as_json(any_cell, "qconf", "-sq", "all.q")["shown"][0]["objects"]
    assert (queue["name"], queue["attributes"]) == ("all.q", {name: value.strip() for name, value in page.items()})


def test_qconf_json_changes_nothing(any_cell):
    assert any_cell.refused("qconf", "-json", "-dq", "all.q").err == '-json: "-dq" does not show anything\n'
    assert any_cell.ok("qconf", "-sql") == "all.q\n"


# ---- doc/using/programs.md ------------------------------------------------------------------------------------------

def test_the_commands_of_the_guide_print_what_it_promises(busy):
    guide = (TOP / "doc/using/programs.md").read_text()
    commands = re.findall(r"^ {4}(q\w+ .*-json) {2,}", guide, re.M)
    assert len(commands) == 7
    for command in commands:
        words = command.replace("12,13", "3,4").replace("12", "3").split()
        if words[:2] != ["qacct", "-j"]:  # nothing has ended
            assert as_json(busy, *[word for word in words if word != "-json"])
    empty = busy.ok("qstat", "-u", "nobody", "-json")
    assert f"    $ qstat -u nobody -json\n    {empty}" in guide


# ---- without the libraries ------------------------------------------------------------------------------------------

def test_a_page_of_text_needs_no_library_and_documents_say_which(any_cell):
    for library in any_cell.root.glob("lib/*/libsge*.so"):
        library.unlink()
    any_cell.held_array("a", "1-3")
    assert any_cell.ok("qstat").count("\n") == 3
    for option, name in (("-json", "libsgejson.so"), ("-xml", "libsgexml.so")):
        result = any_cell.refused("qstat", option)
        assert (result.out, result.err) == ("", f"error: cannot load {name}: No such file or directory\n")
