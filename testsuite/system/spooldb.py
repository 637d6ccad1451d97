"""What the qmaster wrote to its spool, read with Berkeley DB's own tools: each transaction from the log, and the records as a
restart would find them. The qmaster may run; whatever it has answered is in the log."""
import collections
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

# the kinds of fields, as libs/cull/cull.h numbers them
ULONG, ULONG64, DOUBLE, BOOL, STRING, LIST, RANGES = range(7)


class Bytes:
    """Reads the packed form that libs/cull/pack.h describes."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        assert self.at + count <= len(self.data), "a record ends too early"
        self.at += count
        return self.data[self.at - count:self.at]

    def varint(self):
        value, shift = 0, 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def blob(self):
        return self.take(self.varint())

    def string(self):
        length = self.varint()
        return self.take(length - 1).decode() if length else None

    def ranges(self):
        found, end = [], 0
        for _ in range(self.varint()):
            first = end + self.varint()
            end = first + self.varint() + 1
            found.append((first, end - 1))
        return found


def read_schema(data):
    """The release that wrote it, and {type: [(field, kind, type of elements)]}."""
    release, tables = data.string(), []
    for _ in range(data.varint()):
        name = data.blob().decode()
        tables.append((name, [(data.blob().decode(), data.take(1)[0], data.varint()) for _ in range(data.varint())]))
    return release, {name: [(field, kind, tables[element - 1][0] if element else None) for field, kind, element in rows] for name, rows in tables}


def record(types, type_name, data):
    """{field: value} of one record in the form of a schema."""
    present = int.from_bytes(data.blob(), "little")
    return {name: field(types, kind, element, data) for bit, (name, kind, element) in enumerate(types[type_name]) if present >> bit & 1}


def field(types, kind, element, data):
    if kind == LIST:
        return [record(types, element, data) for _ in range(data.varint())]
    if kind == DOUBLE:
        return data.take(8)
    return {STRING: data.string, RANGES: data.ranges}.get(kind, data.varint)()


class Spool:
    """The spool of a cell. Its log is kept whole, as no test of it comes near the size at which files of the log are removed."""

    def __init__(self, cell):
        self.dir = cell.dir / "spool/qmaster/spooldb"
        self.schemas = {int.from_bytes(number, "big"): read_schema(Bytes(value)) for number, value in self.records("schema.db").items() if number}

    # ---- records
    def records(self, table):
        """{key: value} of a table; the running qmaster's files stay untouched."""
        with tempfile.TemporaryDirectory(prefix="spool.") as place:
            copy = Path(place) / "db"
            shutil.copytree(self.dir, copy)
            subprocess.run(["db5.3_recover", "-h", str(copy)], check=True, capture_output=True)
            dump = subprocess.run(["db5.3_dump", str(copy / table)], check=True, capture_output=True, text=True).stdout
        lines = [bytes.fromhex(line.strip()) for line in dump.split("HEADER=END\n")[1].split("DATA=END")[0].splitlines()]
        return dict(zip(lines[::2], lines[1::2]))

    def job(self, number):
        """The bytes of a job's record."""
        return self.records("job.db")[number.to_bytes(4, "big")]

    def job_fields(self, number):
        """{field: value} of what the record of a job has."""
        return self.decode("JB_Type", self.job(number))

    def decode(self, type_name, value):
        data = Bytes(value)
        found = record(self.schemas[data.varint()][1], type_name, data)
        assert data.at == len(value), "a record has more bytes than its fields"
        return found

    # ---- transactions
    def log(self):
        """The committed transactions, oldest first: each a list of (table, "new" | "again" | "gone", bytes of the value)."""
        text = subprocess.run(["db5.3_printlog", "-h", str(self.dir)], check=True, capture_output=True, text=True).stdout
        tables, running, done = {}, collections.defaultdict(list), []
        for entry in text.split("\n\n"):
            head = re.match(r"\s*\[\d+\]\[\d+\](\w+): rec: \d+ txnp (\w+)", entry)
            if head:
                lines = dict(re.findall(r"^\t(\w+): *(.*)$", entry, re.M))
                take_entry(*head.groups(), lines, tables, running, done)
        return done


def take_entry(kind, transaction, lines, tables, running, done):
    """One entry of the log. A record that is new is two items, its key and its value; one that is replaced is one."""
    items = running[transaction]
    if kind == "__dbreg_register":
        tables[lines["fileid"]] = re.search(r"data: (\w+\.db)", lines["name"]).group(1)
    elif kind == "__db_addrem" and lines["opcode"][0] == "1":
        is_value = int(lines["indx"]) % 2 == 1
        items += [(tables[lines["fileid"]], "new", length(lines["dbt"]))] if is_value else []
    elif kind == "__bam_repl":
        items.append((tables[lines["fileid"]], "again", length(lines["repl"]) + int(lines["prefix"]) + int(lines["suffix"])))
    elif kind == "__bam_cdel":
        items.append((tables[lines["fileid"]], "gone", 0))
    elif kind == "__txn_regop":
        done.append(running.pop(transaction))


def length(text):
    return int(re.match(r"len: *(\d+)", text).group(1))


class Watch:
    """What a cell writes from now on, step by step."""

    def __init__(self, spool):
        self.spool, self.seen = spool, len(spool.log())

    def items(self):
        """What log() has of all transactions since the last call, as one list. That a task runs is left out: it is written with
        whatever is written next (change_task_later), and so at no certain step."""
        log = self.spool.log()
        fresh, self.seen = log[self.seen:], len(log)
        return [item for transaction in fresh for item in transaction if item[:2] != ("task.db", "again")]


def counted(items):
    """{table: how many records} that were put."""
    return dict(collections.Counter(table for table, kind, _ in items if kind != "gone"))


def sizes(items, table):
    """The bytes of the values put into a table."""
    return sorted(size for name, kind, size in items if name == table and kind != "gone")
