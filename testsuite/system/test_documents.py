"""What commands show as XML and JSON: each document is what the schema that is installed beside the command promises."""
import json

import pytest

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
    assert [(job["job_name"], job["pe_master"], job["taskid"]) for job in queue["jobs"]] == [("arr", "MASTER", "1"), ("wide", "MASTER", "1")]


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
