"""Releases before and after each other on one spool: an older one does not start on what a newer one has written, unless it is told
to, and then loses nothing of it. The newer release is played: it has a field of jobs, an object of a kind and a table that today's
qmaster has never heard of."""
import signal
import subprocess

import pytest

from spooldb import STRING, Bytes, Spool, record

NEWER, FIELD, TABLE = "10.2.1", "JB_season", "season.db"


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def blob(data):
    return varint(len(data)) + data


def string(text):
    return varint(len(text) + 1) + text.encode()


def load(path, records):
    """Put records into a table whose qmaster does not run; a table that is not there is made."""
    head = "VERSION=3\nformat=bytevalue\ntype=btree\nchksum=1\ndb_pagesize=4096\nHEADER=END\n"
    lines = "".join(f" {item.hex()}\n" for pair in records.items() for item in pair)
    subprocess.run(["db5.3_load", str(path)], input=head + lines + "DATA=END\n", text=True, check=True)


def with_field(packed, types):
    """The schema PACKED, which has TYPES, with the field at the end of the rows of JB_Type."""
    data = Bytes(packed)
    data.string()
    out = string(NEWER) + varint(data.varint())
    for name, rows in types.items():
        at = data.at
        assert data.blob().decode() == name and data.varint() == len(rows)
        for _ in rows:
            data.blob(), data.take(1), data.varint()
        rest = packed[at:data.at]
        if name == "JB_Type":
            start = len(blob(name.encode())) + len(varint(len(rows)))
            rest = blob(name.encode()) + varint(len(rows) + 1) + rest[start:] + blob(FIELD.encode()) + bytes([STRING]) + varint(0)
        out += rest
    return out


class Newer:
    """What the newer release leaves in the spool of a cell: its schema, a field of one job, and a table."""

    def __init__(self, cell, job):
        self.cell, self.spool, self.job, self.dir = cell, Spool(cell), job.to_bytes(4, "big"), cell.dir / "spool/qmaster/spooldb"
        self.own = max(self.spool.schemas)
        self.number = self.own + 1
        self.fields = len(self.spool.schemas[self.own][1]["JB_Type"])

    def write(self):
        schemas = self.spool.records("schema.db")
        own = with_field(schemas[self.own.to_bytes(4, "big")], self.spool.schemas[self.own][1])
        load(self.dir / "schema.db", {self.number.to_bytes(4, "big"): own})
        load(self.dir / "job.db", {self.job: self.changed(self.spool.records("job.db")[self.job])})
        load(self.dir / TABLE, {b"spring": b"tulips"})

    def changed(self, value):
        """The record as the newer release writes it: its schema, and its field."""
        data = Bytes(value)
        assert data.varint() == self.own
        present = int.from_bytes(data.blob(), "little") | 1 << self.fields
        return varint(self.number) + blob(present.to_bytes(self.fields // 8 + 1, "little")) + value[data.at:] + string("spring")

    def finds(self):
        """(our fields, the newer release's) of the job, as that release would find them: what we wrote, and what was kept of its own."""
        spool = self.spool
        data = Bytes(spool.records("job.db")[self.job])
        assert data.varint() == self.own, "we did not write it"
        ours = record(spool.schemas[self.own][1], "JB_Type", data)
        kept = Bytes(data.blob())
        assert kept.varint() == self.number and data.at == len(data.data)
        return ours, record(Spool(self.cell).schemas[self.number][1], "JB_Type", kept)


@pytest.fixture
def upgraded(any_cell):
    """A cell that a newer release ran for a while; it is stopped. Gives it, the release and the job."""
    job = any_cell.held_array("old", "1-3")
    any_cell.kill("sge_qmaster", signal.SIGTERM)
    newer = Newer(any_cell, job)
    newer.write()
    return any_cell, newer, job


def layout(cell):
    return cell.dir / "spool/qmaster/spooldb/format"


def tell_to_keep(cell):
    path = cell.dir / "common/bootstrap"
    path.write_text(path.read_text() + "newer_spool keep\n")


def refusal(cell):
    said = cell.refused("sge_qmaster", user=cell.owner).err.splitlines()
    assert len(said) == 1, said
    return said[0]


def test_a_newer_schema_is_refused(upgraded):
    cell, newer, job = upgraded
    before = newer.spool.records("job.db")
    said = refusal(cell)
    assert f"release {NEWER}" in said and '"newer_spool keep"' in said
    assert newer.spool.records("job.db") == before


def test_a_newer_layout_is_refused(any_cell):
    any_cell.kill("sge_qmaster", signal.SIGTERM)
    layout(any_cell).write_text("berkeleydb 9 2\n")
    said = refusal(any_cell)
    assert "has layout 9, which is newer than layout 2" in said and '"newer_spool keep"' in said


def test_a_layout_of_another_form_is_refused_whatever_was_said(any_cell):
    any_cell.kill("sge_qmaster", signal.SIGTERM)
    layout(any_cell).write_text("berkeleydb 9\n")
    tell_to_keep(any_cell)
    assert "has layout 9" in refusal(any_cell) and "incompatible" in refusal(any_cell)


def test_told_to_it_keeps_fields_tables_and_layout_through_changes(upgraded):
    cell, newer, job = upgraded
    layout(cell).write_text("berkeleydb 9 2\n")
    tell_to_keep(cell)
    cell.start()
    assert cell.detail(job)["job_name"] == "old"
    cell.ok("qalter", "-N", "changed", job)
    cell.restart_master()
    cell.ok("qalter", "-A", "garden", job)
    other = cell.held_array("other", "1-3")
    cell.restart_master()
    assert cell.detail(job)["job_name"] == "changed" and cell.detail(other)["job_name"] == "other"
    cell.kill("sge_qmaster", signal.SIGTERM)
    ours, theirs = newer.finds()
    assert (ours["JB_job_name"], ours["JB_account"]) == ("changed", "garden")
    assert theirs[FIELD] == "spring"
    assert newer.spool.records(TABLE)[b"spring"] == b"tulips"
    assert layout(cell).read_text() == "berkeleydb 9 2\n"


def test_what_was_kept_goes_with_its_job(upgraded):
    cell, newer, job = upgraded
    tell_to_keep(cell)
    cell.start()
    cell.ok("qdel", job)
    cell.wait_gone(job)
    cell.kill("sge_qmaster", signal.SIGTERM)
    assert newer.job not in newer.spool.records("job.db")
