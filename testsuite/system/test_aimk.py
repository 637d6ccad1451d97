"""What the README says of a machine that lacks packages: root installs them, an ordinary user is told what root must run."""
import os
import shutil
import subprocess

import pytest

from conftest import TOP, need_users
from users import as_user

LACKING = ["mandoc", "povray"]


@pytest.fixture
def aimk(work):
    """A function that runs aimk in a tree of its own, on a machine without LACKING."""
    tree = work / "aimk"
    (tree / "testsuite").mkdir(parents=True)
    (tree / "bin").mkdir()
    for name in ("aimk", "testsuite/packages", "testsuite/packages.develop"):
        shutil.copy(TOP / name, tree / name)
    lines = (tree / "testsuite/packages").read_text().splitlines()
    have = [line for line in lines if line and not line.startswith("#") and line not in LACKING]
    assert len(have) + 2 == len([line for line in lines if line and not line.startswith("#")])
    tool(tree / "bin/dpkg-query", "".join(f"echo {name} installed\n" for name in have) + "echo mandoc config-files\n")
    tool(tree / "bin/apt-get", f'echo "$DEBIAN_FRONTEND" "$@" >>{tree}/calls; [ "$1" = update ]\n')

    def run(*argv, **user):
        environment = user.pop("env", os.environ | {"DEBIAN_FRONTEND": ""})
        environment["PATH"] = f"{tree}/bin:{environment['PATH']}"
        user["cwd"] = tree
        return subprocess.run(["./aimk", *argv], env=environment, capture_output=True, text=True, timeout=60, **user), tree

    yield run
    shutil.rmtree(tree)


def tool(path, script):
    path.write_text("#!/bin/sh\n" + script)
    path.chmod(0o755)


@pytest.mark.parametrize("command", ["demo", "test", "build", "check", "man"])
def test_an_ordinary_user_reads_the_one_command(aimk, pytestconfig, command):
    if os.geteuid() == 0:
        need_users(pytestconfig)
    done, tree = aimk(command, **(as_user("alice") if os.geteuid() == 0 else {}))
    assert done.returncode == 1
    assert done.stderr == ("Packages are missing. Root must run this one command:\n"
                           "apt-get update && apt-get install -y --no-install-recommends mandoc povray\n")
    assert done.stdout == "" and not (tree / "build").exists() and not (tree / "calls").exists()


def test_root_installs_them(aimk, pytestconfig):
    if os.geteuid() != 0:
        need_users(pytestconfig)
    done, tree = aimk("test")
    assert done.returncode != 0, "this apt-get installs nothing"
    assert (tree / "calls").read_text() == " update\nnoninteractive install -y --no-install-recommends mandoc povray\n"
    assert not (tree / "build").exists()


@pytest.mark.parametrize("words, text", [
    (["frob"], 'unknown command frob'),
    (["-x"], "unknown option -x"),
    (["install"], "install where? ./aimk install DIR"),
    (["demo", "a", "b"], "demo takes one argument"),
    (["deps", "all"], "deps takes no argument"),
    (["fuzz", "long"], 'fuzz how many seconds? not "long"'),
    (["fuzz", "0"], 'fuzz how many seconds? not "0"'),
])
def test_bad_arguments_are_refused_before_anything_is_done(aimk, words, text):
    done, tree = aimk(*words)
    assert (done.returncode, done.stdout, done.stderr.splitlines()[-1]) == (1, "", f"aimk: {text}")
    assert not (tree / "build").exists() and not (tree / "calls").exists()
