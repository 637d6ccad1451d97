"""What the README says of a machine that lacks packages: root installs them, an ordinary user is told what root must run."""
import os
import shutil
import subprocess

import pytest

from conftest import TOP, need_users
from users import as_user

LACKING = ["mandoc", "povray", "clang", "snakemake"]  # one of each part that only some commands need


@pytest.fixture
def aimk(work):
    """A function that runs aimk in a tree of its own, on a machine without LACKING and with a meson that only notes that it is called."""
    tree = work / "aimk"
    (tree / "testsuite").mkdir(parents=True)
    (tree / "bin").mkdir()
    for name in ("aimk", "testsuite/packages"):
        shutil.copy(TOP / name, tree / name)
    packages = [line for line in (tree / "testsuite/packages").read_text().splitlines() if line and not line.startswith("#")]
    assert set(LACKING) < set(packages)
    have = [name for name in packages if name not in LACKING]
    tool(tree / "bin/dpkg-query", "".join(f"echo {name} installed\n" for name in have) + "echo mandoc config-files\n")
    tool(tree / "bin/apt-get", f'echo "$DEBIAN_FRONTEND" "$@" >>{tree}/calls; [ "$1" = update ]\n')
    tool(tree / "bin/meson", "echo meson builds; exit 7\n")

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


@pytest.mark.parametrize("words, missing", [
    (["demo"], "povray"),
    (["test"], "mandoc povray"),
    (["check"], "mandoc"),
    (["man"], "mandoc"),
    (["fuzz"], "clang"),
    (["deps", "-test"], "mandoc"),
    (["deps"], "mandoc povray clang"),
    (["deps", "-all"], "mandoc povray clang snakemake"),
])
def test_an_ordinary_user_reads_the_one_command(aimk, pytestconfig, words, missing):
    if os.geteuid() == 0:
        need_users(pytestconfig)
    done, tree = aimk(*words, **(as_user("alice") if os.geteuid() == 0 else {}))
    assert done.returncode == 1
    assert done.stderr == ("Packages are missing. Root must run this one command:\n"
                           f"apt-get update && apt-get install -y --no-install-recommends {missing}\n")
    assert done.stdout == "" and not (tree / "build").exists() and not (tree / "calls").exists()


@pytest.mark.parametrize("words", [[], ["install", "sge"], ["bench"]])
def test_building_and_installing_need_only_what_building_needs(aimk, words):
    done, tree = aimk(*words)
    assert (done.returncode, done.stdout, done.stderr) == (7, "meson builds\n", "")
    assert not (tree / "calls").exists()


def test_root_installs_them(aimk, pytestconfig):
    if os.geteuid() != 0:
        need_users(pytestconfig)
    done, tree = aimk("test")
    assert done.returncode != 0, "this apt-get installs nothing"
    assert (tree / "calls").read_text() == " update\nnoninteractive install -y --no-install-recommends mandoc povray\n"
    assert not (tree / "build").exists()


def test_a_demo_on_hosts_is_for_root_alone(aimk, pytestconfig):
    if os.geteuid() == 0:
        need_users(pytestconfig)
    done, tree = aimk("demo", "-hosts", "3", **(as_user("alice") if os.geteuid() == 0 else {}))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "aimk: demo -hosts: hosts need root, who can make network namespaces\n"
    assert not (tree / "build").exists()


def test_the_help_fits_a_terminal(aimk):
    done, _ = aimk("-help")
    assert done.returncode == 0 and max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize("words, text", [
    (["frob"], 'unknown command frob'),
    (["-x"], "unknown option -x"),
    (["install"], "install where? ./aimk install DIR"),
    (["demo", "a", "b"], "demo takes one directory"),
    (["demo", "-hosts", "3", "a", "b"], "demo takes one directory"),
    (["demo", "-hosts", "many"], 'demo -hosts how many? 1 to 9, not "many"'),
    (["demo", "-hosts"], 'demo -hosts how many? 1 to 9, not ""'),
    (["deps", "all"], 'deps: unknown part "all", there are -build -test -demo -develop -tools -all'),
    (["deps", "-build", "-test"], "deps takes one argument"),
    (["test", "-short"], "test: unknown option -short"),
    (["test", "-long", "demo"], "test takes one argument"),
    (["fuzz", "long"], 'fuzz how many seconds? not "long"'),
    (["fuzz", "0"], 'fuzz how many seconds? not "0"'),
])
def test_bad_arguments_are_refused_before_anything_is_done(aimk, words, text):
    done, tree = aimk(*words)
    assert (done.returncode, done.stdout, done.stderr.splitlines()[-1]) == (1, "", f"aimk: {text}")
    assert not (tree / "build").exists() and not (tree / "calls").exists()
