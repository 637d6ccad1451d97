"""Two administrators at one cell: nobody writes over what the other changed meanwhile. qconf(1)."""
import concurrent.futures
import re
import socket

import pytest

HOST = socket.gethostname()

# (the option that opens an editor, the one that shows, what the other one does to the text, how that is seen, what is refused)
EDITED = {
    "queue": (["-mq", "all.q"], ["-sq", "all.q"], r"s/^(seq_no +).*/\17/", "seq_no +7", 'cluster queue "all.q" has'),
    "host": (["-me", HOST], ["-se", HOST], r"s/^(report_variables +).*/\1cpu/", "report_variables +cpu", f'exechost "{HOST}" has'),
    "configuration": (["-mconf"], ["-sconf"], r"s/^(max_u_jobs +).*/\17/", "max_u_jobs +7", 'configuration "global" has'),
    "scheduler": (["-msconf"], ["-ssconf"], r"s/^(max_reservation +).*/\17/", "max_reservation +7", 'scheduler configuration "@scheduler" has'),
    "pe": (["-mp", "smp"], ["-sp", "smp"], r"s/^(slots +).*/\17/", "slots +7", 'parallel environment "smp" has'),
    "hostgroup": (["-mhgrp", "@allhosts"], ["-shgrp", "@allhosts"], r"s/^(hostlist).*/\1 NONE/", "hostlist NONE", 'host group "@allhosts" has'),
    "complex": (["-mc"], ["-sc"], "$ a lic lic INT <= YES YES 0 0", "lic +lic +INT", "the complex attributes have"),
}


def editor(cell, name, script):
    path = cell.files / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("kind", EDITED)
def test_an_editor_s_text_does_not_replace_what_nobody_saw(any_cell, kind):
    cell, boss = any_cell, any_cell.owner
    change, show, script, others, noun = EDITED[kind]
    other = editor(cell, "other", f"sed -E -i '{script}' \"$1\"")
    slow = editor(cell, "slow", f"EDITOR={other} qconf {' '.join(change)} >&2 || exit 9\necho >> \"$1\"; cp \"$1\" {cell.files}/written")
    result = cell.run("qconf", *change, user=boss, env={"EDITOR": slow})
    *_, refusal, kept = result.err.splitlines()
    assert (result.code, refusal) == (1, f"denied: {noun} changed since {'they were' if kind == 'complex' else 'it was'} read")
    assert re.search(f"(?m)^{others}", cell.ok("qconf", *show))
    path = re.fullmatch('the edited text is in "(.*)"', kept).group(1)
    text = cell.run("cat", path, user=boss).out
    assert text == (cell.files / "written").read_text()
    cell.run("rm", path, user=boss)
    quick = editor(cell, "quick", f"cp {cell.files}/written \"$1\"")  # the second time round he knows what he replaces
    cell.ok("qconf", *change, user=boss, env={"EDITOR": quick})


def test_elements_added_at_once_are_all_there(any_cell):
    cell, boss = any_cell, any_cell.owner
    file = cell.files / "set"
    file.write_text("name    crew\ntype    ACL\nfshare  0\noticket 0\nentries NONE\n")
    cell.ok("qconf", "-Au", file, user=boss)
    people = [f"user{i}" for i in range(12)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(cell.ok, "qconf", "-aattr", "userset", "entries", person, "crew", user=boss) for person in people[:6]] + [
                pool.submit(cell.ok, "qconf", "-au", person, "crew", user=boss) for person in people[6:]]:
            done.result()
    entries = re.search(r"(?m)^entries (.*)$", cell.ok("qconf", "-su", "crew").replace("\\\n", "")).group(1)
    assert sorted(re.split("[, ]+", entries)) == sorted(people)
