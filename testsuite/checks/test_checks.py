"""The checks find what they are there to find: a small tree with one fault of each kind."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import counts
import figures
import guides
import includes
import limits
import manpages
import objects
import sources
import words

LAYERS = "common:\nlibs/uti: common\nlibs/cull: libs/uti\nlibs/comm: libs/uti\nclients/*: libs/cull\ndoor db.h libs/cull\n"


def tree(tmp_path, files=None):
    """A tree with these files and their texts below source/."""
    for name, text in ({"layers.txt": LAYERS} | (files or {})).items():
        put(tmp_path, name, text)
    return tmp_path


def put(top, name, text):
    path = top / "source" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def findings(check, top):
    return list(check(top, top / "build"))


def test_an_arrow_up_sideways_or_through_the_wrong_door_is_found(tmp_path):
    top = tree(tmp_path, {
        "libs/uti/a.h": "",
        "libs/cull/b.h": '#include "libs/uti/a.h"\n#include <db.h>\n',
        "clients/q/c.c": '#include "libs/uti/a.h"\n#include "libs/cull/b.h"\n',
    })
    assert findings(includes.layers, top) == []
    put(top, "libs/uti/d.c", '#include "libs/cull/b.h"\n')
    put(top, "libs/comm/e.c", '#include "libs/cull/b.h"\n#include <db.h>\n#include "e.h"\n')
    put(top, "clients/r/f.c", '#include "clients/q/c.c"\n')
    put(top, "libs/new/g.c", "")
    assert len(findings(includes.layers, top)) == 6


def test_a_file_that_is_laid_out_otherwise_is_named(tmp_path):
    top = tree(tmp_path)
    (top / ".clang-format").write_text("BasedOnStyle: LLVM\n")
    put(top, "libs/uti/a.c", "int a;\n")
    put(top, "libs/uti/sge_aL.h", "ROW( a )\n")
    assert findings(sources.unformatted, top) == []
    put(top, "libs/uti/a.c", "int a;\nint  b ;\nint  c ;\n")
    [found] = findings(sources.unformatted, top)
    assert found.startswith("source/libs/uti/a.c:2: ")


def test_a_static_of_one_word_is_named(tmp_path):
    top = tree(tmp_path, {"libs/uti/a.c": "static int read_it(void)\n{\n}\nstatic const int (*all[])(void) = { read_it };\nint run(void)\n{\n}\n",
                          "libs/uti/test/a.h": "static inline void feed(int n)\n{\n}\n"})
    assert findings(sources.statics, top) == []
    put(top, "libs/uti/a.c", "static const struct x *\nfind(int key)\n{\n}\nstatic void feed(void);\n")
    assert findings(sources.statics, top) == ["source/libs/uti/a.c:2: find: two words", "source/libs/uti/a.c:5: feed: two words"]


def test_an_enumerator_that_its_comment_broke_is_named(tmp_path):
    top = tree(tmp_path, {"libs/uti/a.h": "enum {\n    /* short */\n    A = 1,\n};\nint a =\n    3;\n"})
    assert findings(sources.broken_rows, top) == []
    put(top, "libs/uti/a.h", "enum {\n    A_LONG =\n        1, /* and so on */\n};\n")
    assert findings(sources.broken_rows, top) == ["source/libs/uti/a.h:2: the comment goes above: A_LONG ="]


def test_a_skip_without_a_reason_is_named(tmp_path):
    said = 'print_message("impossible here: only root\\n");'
    top = tree(tmp_path, {
        "libs/uti/test/a.c": f"static void t(void **state)\n{{\n    if (x) {{\n        {said}\n        skip();\n    }}\n}}\n",
        "libs/uti/test/b.c": f"static int set_up(void **state)\n{{\n    {said}\n    return 0;\n}}\n\nstatic void t(void **state)\n{{\n    skip();\n}}\n",
    })
    assert findings(sources.silent_skips, top) == []
    put(top, "libs/uti/test/a.c", "static void t(void **state)\n{\n    if (x)\n        skip();\n}\n")
    assert findings(sources.silent_skips, top) == ['source/libs/uti/test/a.c:4: a skip without a reason: print "impossible here: ..." first']


def test_a_comment_that_is_too_wide_is_named(tmp_path):
    top = tree(tmp_path)
    put(top, "libs/uti/a.c", "/* short */\nint a; /* " + 100 * "a" + " */\n")
    put(top, "libs/uti/sge_aL.h", "/* " + 100 * "a" + " */\n")
    assert findings(sources.wide_comments, top) == []
    put(top, "libs/uti/b.h", "/* short\n * " + 100 * "a" + " */\n")
    assert findings(sources.wide_comments, top) == ["source/libs/uti/b.h:2: a comment of 106 columns, the limit is 100"]


def test_a_circle_of_includes_is_found_over_headers_and_sources(tmp_path):
    top = tree(tmp_path, {
        "libs/uti/a.c": '#include "libs/uti/a.h"\n#include "libs/uti/b.h"\n',
        "libs/uti/a.h": "",
        "libs/uti/b.h": '#include "libs/uti/c_priv.h"\n',
        "libs/uti/c.c": '#include "libs/uti/c_priv.h"\n#include "libs/uti/d.h"\n',
        "libs/uti/c_priv.h": '#include "libs/uti/c.h"\n',
        "libs/uti/c.h": "",
        "libs/uti/d.h": "",
    })
    assert findings(includes.circles, top) == []
    put(top, "libs/uti/d.h", '#include "libs/uti/a.h"\n')
    [found] = findings(includes.circles, top)
    assert found.splitlines()[0] == "circle of 4: libs/uti/a libs/uti/b libs/uti/c libs/uti/d"
    assert "source/libs/uti/c.c:2 -> libs/uti/d" in found


def test_rows_arrows_doors_and_flags_that_nothing_uses_are_found(tmp_path):
    top = tree(tmp_path, {
        "layers.txt": "common:\nlibs/uti: common\nlibs/cull: libs/uti\nlibs/gone:\nclients/*: libs/cull libs/uti\n"
                      "door db.h libs/cull libs/uti\n",
        "common/basis.h": "",
        "libs/uti/a.h": '#include "common/basis.h"\n',
        "libs/cull/cull.h": '#include "libs/uti/a.h"\n#include <db.h>\nenum {\n    CULL_A = 1, /* x */\n    CULL_B = 2,\n    CULL_C = 4\n};\nenum k {\n    CULL_K = 1\n};\n',
        "libs/cull/sge_xL.h": "SGE_BOOL(X_a, CULL_A | CULL_C)\n",
        "libs/cull/x.c": "return flags & CULL_A || flags & CULL_B;\n",
        "clients/q/q.c": '#include "libs/cull/cull.h"\n',
    })
    assert findings(includes.unused, top) == [
        "source/layers.txt: libs/gone: there is no such room", "source/layers.txt: clients/* does not use libs/uti",
        "source/layers.txt: libs/uti does not use its door db.h", "source/libs/cull/cull.h: CULL_B: no row has it",
        "source/libs/cull/cull.h: CULL_C: no code reads it"]


def test_a_floor_of_a_room_is_a_room(tmp_path):
    top = tree(tmp_path, {
        "layers.txt": "daemons/q/low:\ndaemons/q/high: daemons/q/low\ndaemons/q: daemons/q/high\n",
        "daemons/q/low/a.h": "",
        "daemons/q/low/test/a.c": '#include "daemons/q/low/a.h"\n',
        "daemons/q/high/b.h": '#include "daemons/q/low/a.h"\n',
        "daemons/q/main.c": '#include "daemons/q/high/b.h"\n#include "daemons/q/low/a.h"\n',
    })
    assert findings(includes.layers, top) == []
    put(top, "daemons/q/low/c.c", '#include "daemons/q/high/b.h"\n')
    assert findings(includes.layers, top) == ['source/daemons/q/low/c.c:1: "daemons/q/high/b.h": daemons/q/low may not use daemons/q/high']


def test_banned_calls_are_found_but_not_in_comments_or_strings(tmp_path):
    top = tree(tmp_path)
    put(top, "libs/uti/a.c", '/* strcpy(a) */ x = "gets(b)"; my_atoi(c); s.system(d); snprintf(e);\n')
    assert findings(sources.banned, top) == []
    put(top, "libs/uti/a.c", "x = atoi(y);\nif (system (z)) sprintf(a, b);\n")
    assert [f.split(": ")[1] for f in findings(sources.banned, top)] == ["atoi", "system", "sprintf"]


def test_numbers_that_follow_the_locale_are_found(tmp_path):
    top = tree(tmp_path)
    put(top, "libs/uti/a.c", '/* strtod(s) */ dstr_addf(d, "%.2f", x); strtod_l(s, e, l);\nprintf("%d"); y = "%f"; f(out, "%%f");\n')
    assert findings(sources.decimals, top) == []
    put(top, "libs/uti/a.c", 'x = strtod(s, &e);\nfprintf(out, "%d"\n        " %.3f", n, x);\n')
    assert [f.split(": ")[0] for f in findings(sources.decimals, top)] == ["source/libs/uti/a.c:1", "source/libs/uti/a.c:2"]


def test_an_architecture_that_is_spelt_anew_is_found(tmp_path):
    top = tree(tmp_path)
    (top / "meson.build").write_text("arch = 'lx-amd64'\n")
    put(top, "libs/uti/a.c", '/* "lx-amd64" */\nreturn "lx-" "arm64";\nreturn "lx-arm64";\n')
    put(top, "libs/uti/test/a.c", 'want("lx-amd64");\n')
    assert [f.split(": ")[0] for f in findings(sources.architectures, top)] == ["meson.build:1", "source/libs/uti/a.c:3"]


def test_what_travels_has_written_numbers(tmp_path):
    top = tree(tmp_path, {
        "libs/gdi/a.h": "enum a {\n    A_X = 1, /* x, y */\n    A_Y = 2,\n    A_KINDS\n};\nenum { INNER, OTHER };\n",
        "libs/uti/b.h": "enum { B_X = 1, B_Y };\n",
    })
    assert findings(sources.numbers, top) == []
    put(top, "libs/gdi/a.h", "enum a { A_X = 1, A_Y, A_Z = 5 };\n")
    assert findings(sources.numbers, top) == ["source/libs/gdi/a.h: A_Y has no number"]


def test_long_functions_are_reported(tmp_path):
    top = tree(tmp_path)
    put(top, "libs/uti/a.c", "int f(void)\n{\n" + "    x();\n" * 61 + "}\n\nint g(void)\n{\n    y();\n}\n")
    assert findings(sources.sizes, top) == ["source/libs/uti/a.c:2: 61 lines: int f(void)"]


def test_guards_name_their_room_and_headers_compile_alone(tmp_path):
    top = tree(tmp_path)
    put(top, "libs/uti/a.h", "#ifndef UTI_A_H\n#define UTI_A_H\n#include <stddef.h>\nsize_t a(void);\n#endif\n")
    assert findings(sources.guards, top) == [] and findings(objects.headers_alone, top) == []
    put(top, "libs/uti/a.h", "#ifndef A_H\n#define A_H\nsize_t a(void);\n#endif\n")
    assert len(findings(sources.guards, top)) == 1 and len(findings(objects.headers_alone, top)) == 1


def test_writable_globals_are_found_in_object_files(tmp_path):
    import subprocess
    top = tree(tmp_path)
    (top / "testsuite/checks").mkdir(parents=True, exist_ok=True)
    (top / "testsuite/checks/globals.allow").write_text("libs/uti/a.c fine  reason\n")
    out = top / "build/source/libs/uti/libuti.a.p"
    out.mkdir(parents=True)
    source = "int fine = 1; int bad; static const char *const t[] = {\"a\"}; const char *const *f(void) { static int deep; deep++; return t; }\n" \
        "static _Thread_local int own = 1; int *g(void) { return &own; }\n"
    put(top, "libs/uti/a.c", source)
    subprocess.run(["gcc", "-fPIC", "-c", str(top / "source/libs/uti/a.c"), "-o", str(out / "a.c.o")], check=True)
    assert sorted(f.split()[3] for f in findings(objects.writable_globals, top)) == ["bad", "deep", "own"]


def test_a_thread_beside_a_heap_without_a_lock_is_found(tmp_path):
    import subprocess
    top = tree(tmp_path)
    programs = top / "build/source/clients"
    programs.mkdir(parents=True)
    for name, functions in {"q1": "small_heap_alloc malloc thrd_create", "q2": "small_heap_alloc thrd_create", "q3": "small_heap_alloc malloc"}.items():
        put(top, f"clients/{name}.c", "".join(f"void {function}(void); void {function}(void) {{}}\n" for function in functions.split()))
        subprocess.run(["gcc", "-fno-builtin", "-c", str(top / f"source/clients/{name}.c"), "-o", str(programs / name)], check=True)
    assert findings(objects.threads, top) == ["source/clients/q1: has thrd_create, and a heap without a lock"]


def test_what_belongs_to_the_host_program_is_named(tmp_path):
    import subprocess
    top = tree(tmp_path, {"libs/drmaa/a.c": "#include <stdlib.h>\nvoid f(void) { if (system(\"x\") != 0) abort(); }\n"})
    (top / "testsuite/checks").mkdir(parents=True, exist_ok=True)
    (top / "testsuite/checks/drmaa.allow").write_text("# reasons\nabort never\nexit gone\n")
    library = top / "build/source/libs/drmaa/libdrmaa.so.1.0"
    library.parent.mkdir(parents=True)
    subprocess.run(["gcc", "-fPIC", "-shared", str(top / "source/libs/drmaa/a.c"), "-o", str(library)], check=True)
    assert findings(objects.library_calls, top) == ["libdrmaa calls system, which belongs to its host program",
                                                    "drmaa.allow: libdrmaa has no exit any more"]


def test_options_must_stand_in_their_page(tmp_path):
    top = tree(tmp_path)
    put(top, "libs/cli/o.c", 'OPTION("-pe", "x", "submit(1)")\nOPTION("-p", "x", "submit(1)")\n')
    page = top / "man/man1/submit.1"
    page.parent.mkdir(parents=True)
    page.write_text(".Dd November 20, 2026\n.Dt SUBMIT 1\n.Os\n.Sh NAME\n.Nm submit\n.Nd x\n.Sh DESCRIPTION\n.Fl pe\n")
    assert list(manpages.option_rows(top)) == [("-pe", "submit.1"), ("-p", "submit.1")]
    text = manpages.rendered(page)
    assert "-pe" in text


def test_an_option_is_explained_by_a_line_of_its_own_not_by_an_example(tmp_path):
    page = tmp_path / "q.1"
    tag, example = ".It Fl Aq Ar file\nAdd.\n", ".Bd -literal -offset indent\n# q -Aq x\n.Ed\n"
    head = ".Dd November 20, 2026\n.Dt Q 1\n.Os\n.Sh NAME\n.Nm q\n.Nd x\n.Sh DESCRIPTION\n.Bl -tag -width Ds\n"
    page.write_text(head + tag.replace("Fl Aq", "Fl \\&Aq") + ".It Fl m , Fl M Ar file\nSet.\n.El\n" + example)
    assert all(manpages.explains(manpages.rendered(page), option) for option in ("-Aq", "-m", "-M"))
    page.write_text(head + tag + ".El\n" + example)  # Aq is a macro here: it puts angle brackets round its words
    assert not manpages.explains(manpages.rendered(page), "-Aq")


def test_rows_of_clients_need_a_function_to_be_explained(tmp_path):
    put(tmp_path, "clients/qx/options.c", '    { "-f", ARGUMENT_NONE, o_full, "[-f]", "full" },\n'
                                          '    { "-l", ARGUMENT_NEEDED, NULL, "[-l x]", "later" },\n'
                                          '    { "-dq", 1, MANY, remove_named, GDI_CQUEUE, "[-dq x]", "delete" },\n')
    assert list(manpages.client_rows(tmp_path)) == [("-f", "qx.1"), ("-dq", "qx.1")]


def test_a_guide_that_names_what_is_gone_is_found(tmp_path):
    top = tree(tmp_path)
    put(top, "libs/uti/a.c", "void range_set_add(void);")
    (top / "doc/developing").mkdir(parents=True)
    page = top / "doc/developing/1-x.md"
    page.write_text("`a.c` of `libs/uti` has `range_set_add`; `libs/x/y.c` and `plain words` are no names\n")
    assert findings(guides.problems, top) == []
    page.write_text("`b.c`, `libs/uti/c.h`, `libs/ute`\nand `range_set_gone` or `JB_gone`\n")
    assert len(findings(guides.problems, top)) == 5


def test_phrases_that_readers_stumble_over_are_found_where_people_read(tmp_path):
    top = tree(tmp_path, {
        "libs/uti/a.h": "/* for whoever asks\n * nobody */\nint nobody;\n",
        "libs/uti/msg_uti.h": '/* Texts. */\n#define MSG_A "the host is told"\n#define MSG_B "the host is notified"\n',
        "libs/uti/test/b.h": "/* somebody */\n",
        "libs/uti/c.c": "/* somebody */\n",
    })
    for name, text in (("man/man1/q.1", "It hears.\nThere is none.\n"), ("doc/using/a.md", "At first, at first.\n`qstat -u nobody`\n")):
        (top / name).parent.mkdir(parents=True)
        (top / name).write_text(text)
    found = [finding.split(": ")[:2] for finding in findings(words.phrases, top)]
    assert found == [["man/man1/q.1:1", '"hears"'], ["doc/using/a.md:1", '"at first"'], ["source/libs/uti/a.h:1", '"whoever"'],
                     ["source/libs/uti/a.h:2", '"nobody"'], ["source/libs/uti/msg_uti.h:2", '"is told"']]


def report(build, part, text):
    path = build / counts.REPORTS[part]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"<testsuites><testsuite>{text}</testsuite></testsuites>")


def test_a_readme_that_wraps_is_found(tmp_path):
    (tmp_path / "README").write_text("x" * 80 + "\n" + "x" * 81 + "\n")
    assert findings(guides.problems, tmp_path) == ["README:2: wider than 80 columns"]


def test_prose_of_guides_that_is_too_wide_is_found(tmp_path):
    wide = "x" * 121
    (tmp_path / "doc").mkdir()
    (tmp_path / "doc/a.md").write_text(f"{wide[1:]}\n| {wide} |\n    {wide}\n```\n{wide}\n```\n{wide}\n")
    assert list(guides.long_lines(tmp_path)) == ["doc/a.md:7: wider than 120 columns"]


def test_counts_are_of_cases_and_a_skip_needs_a_reason(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("SGE_TEST_STRICT", raising=False)
    cases = "[ RUN      ] a\n[       OK ] a\n[ RUN      ] b\nimpossible here: no mounts\n[  SKIPPED ] b\n"
    report(tmp_path, "unit", f"<testcase name='x'><system-out>{cases}</system-out></testcase><testcase name='y'><failure/></testcase>")
    report(tmp_path, "system", "<testcase name='x'><skipped message='impossible here: no users'/></testcase><testcase name='y'/>")
    assert counts.main(tmp_path, ["unit", "system"]) == 0
    out = capsys.readouterr().out
    assert "unit         1 passed    1 failed    1 skipped" in out and "system       1 passed    0 failed    1 skipped" in out
    assert "unit: skipped 1: impossible here: no mounts" in out and "system: skipped 1: impossible here: no users" in out
    monkeypatch.setenv("SGE_TEST_STRICT", "1")
    assert counts.main(tmp_path, ["unit", "system"]) == 0
    report(tmp_path, "unit", f"<testcase name='x'><system-out>{cases.replace('impossible here', 'no')}</system-out></testcase>")
    assert counts.main(tmp_path, ["unit"]) == 1


def test_a_program_that_was_cut_short_counts_as_failed(tmp_path, capsys):
    report(tmp_path, "unit", "<testcase name='x'><system-out></system-out></testcase>")  # what meson writes of one that took too long
    counts.main(tmp_path, ["unit"])
    assert "unit         0 passed    1 failed    0 skipped" in capsys.readouterr().out


def test_a_part_that_left_no_report_is_a_failure(tmp_path):
    assert counts.main(tmp_path, ["system"]) == 1


def test_attributes_stand_in_the_half_of_their_page_that_says_whether_they_are_obeyed(tmp_path):
    put(tmp_path, "libs/config/cqueue.c", '{ ATTR_ROW("slots", ATTR_X, "1"), CQ_slots, ATTR_IN_FORCE },\n'
        '{ ATTR_ROW_CHOICE("state", ATTR_X,\n "a b"),\n CQ_state, ATTR_STORED },\n')
    put(tmp_path, "libs/config/host.c", "")
    put(tmp_path, "libs/config/conf.c", '    { { "algorithm", ATTR_X, "d", 0, NULL, false }, CONF_OF_SCHEDULER, ATTR_STORED },\n')
    assert list(manpages.attribute_rows(tmp_path)) == [("slots", False, "queue_conf.5"), ("state", True, "queue_conf.5"),
                                                       ("algorithm", True, "sched_conf.5")]
    page, sched = tmp_path / "queue_conf.5", tmp_path / "sched_conf.5"
    have = {"queue_conf.5": page, "sched_conf.5": sched}
    page.write_text(f".It Sy seq_no , slots\n{manpages.STORED}.It Sy state\n")
    sched.write_text(f"{manpages.STORED}.Sy halftime ,\n.Sy algorithm .\n")
    assert list(manpages.attribute_problems(tmp_path, have)) == []
    page.write_text(f".It Sy state\n{manpages.STORED}.It Sy slots\n")
    assert len(list(manpages.attribute_problems(tmp_path, have))) == 2


def test_a_page_says_of_those_attributes_that_nothing_obeys_that_they_have_no_effect(tmp_path):
    put(tmp_path, "libs/config/kinds.c", '/* ---- pe(5) ---- */\nx[] = {\n{ ATTR_ROW("slots", X), ATTR_IN_FORCE },\n'
        '{ ATTR_ROW("qsort_args", X),\n ATTR_STORED },\n};\n/* ---- ckpt(5) ---- */\nx[] = {\n{ ATTR_ROW("when", X), ATTR_STORED },\n};\n')
    texts = {"pe.5": "slots are obeyed.\nqsort_args has no\neffect yet.\n", "ckpt.5": "What it says has no effect yet.\n"}
    assert list(manpages.kind_effect_problems(tmp_path, texts)) == []
    texts = {"pe.5": "slots have no effect yet.\nqsort_args sorts.\n", "ckpt.5": "It says when.\n"}
    assert list(manpages.kind_effect_problems(tmp_path, texts)) == ["slots: pe.5 says that it has no effect", "qsort_args: pe.5 does not say "
                                                                    "that it has no effect", "ckpt.5: does not say that nothing of it has an effect"]


def test_a_page_says_of_those_options_that_nothing_obeys_that_they_are_stored(tmp_path):
    put(tmp_path, "libs/cli/rows.h", 'OPTION("-a", "x", "submit(1)")\n    HELP("x")\nOPTION("-A", "x", "submit(1)")\n    LATER("x")\n'
                                     'OPTION("-j", "x", "submit(1)")\n    WAITS("x")\n')
    page = tmp_path / "submit.1"
    page.write_text(".It Fl a Ar x\nWhen.\n.It Fl \\&A Ar x\n.Em Stored .\nWho.\n.It Fl j\nNot supported yet.\n.El\n")
    assert list(manpages.option_effect_problems(tmp_path, {"submit.1": page})) == []
    page.write_text(".It Fl a Ar x\n.Em Stored .\nWhen.\n.It Fl \\&A Ar x\nWho.\n.It Fl j\nWho.\n.El\n")
    assert list(manpages.option_effect_problems(tmp_path, {"submit.1": page})) == [
        '-a: submit.1 says "Stored ."', '-A: submit.1 does not say "Stored ."', '-j: submit.1 does not say "Not supported yet."']


def test_a_client_s_page_does_not_call_an_option_unsupported_that_has_a_function(tmp_path):
    put(tmp_path, "clients/qx/options.c", '    { "-U", ARGUMENT_NEEDED, o_users, "[-U x]", "whose" },\n'
                                          '    { "-l", ARGUMENT_NEEDED, NULL, "[-l x]", "later" },\n')
    assert list(manpages.supported_problems(tmp_path, {"qx.1": "     -U users\n     -l and -ar are not supported yet.\n"})) == []
    for text in ("     -U is not supported\n     yet.\n", "     -l and -U are not supported yet.\n"):
        assert list(manpages.supported_problems(tmp_path, {"qx.1": text})) == ["-U: qx.1 says that it is not supported"]


def test_a_function_without_a_page_or_with_another_prototype_is_named(tmp_path):
    put(tmp_path, "libs/drmaa/drmaa.h", "/* int old(int a); */\nint run(const char *a,\n        int b);\nconst char *say(int a);\n")
    page = tmp_path / "run.3"
    page.write_text('.Ft int\n.Fo run\n.Fa "const char *a"\n.Fa "int b"\n.Fc\n.Ft const char *\n.Fo say\n.Fa "int a"\n.Fc\n')
    assert list(manpages.function_problems(tmp_path, {"run.3": page, "say.3": page})) == []
    assert len(list(manpages.function_problems(tmp_path, {"run.3": page}))) == 1
    page.write_text(page.read_text().replace("int b", "long b"))
    assert len(list(manpages.function_problems(tmp_path, {"run.3": page, "say.3": page}))) == 1


def test_a_limit_names_a_setting_that_its_page_explains(tmp_path):
    def page(text):
        (tmp_path / "man/man5").mkdir(parents=True, exist_ok=True)
        (tmp_path / "man/man5/sge_conf.5").write_text(f".Dd November 20, 2026\n.Dt SGE_CONF 5\n.Os\n.Sh DESCRIPTION\n{text}\n")

    def rows(*lines):
        (tmp_path / "doc/administering").mkdir(parents=True, exist_ok=True)
        (tmp_path / "doc/administering/limits.md").write_text("\n".join(lines) + "\n")

    page("max_jobs is a limit.  MAX_USER_BYTES=100000000 is another, KEEP_ACTIVE=true is none.")
    good = "| jobs | none | `max_jobs` and `MAX_USER_BYTES` in sge_conf(5) | why | what |"
    rows("| limit | default | set in | why | what is seen |", "|---|---|---|---|---|", good, "| x | 1 | fixed | why | what |")
    assert findings(limits.problems, tmp_path) == []
    rows("| jobs | none | `max_job` in sge_conf(5) | why | what |", "| x | 1 | somewhere | why | what |", "| x | 1 | fixed |")
    assert len(findings(limits.problems, tmp_path)) == 4  # the third has too few columns, and MAX_USER_BYTES is missing


def source_tree(tmp_path, texts):
    for name, text in texts.items():
        path = tmp_path / "source" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_figures_count_the_product_and_not_its_tests(tmp_path):
    body = "int {}(void)\n{{\n" + "    ;\n" * 4 + "}}\n"
    top = source_tree(tmp_path, {"libs/a/one.c": body.format("one") + "struct same {\n};\n", "libs/a/one.h": "struct same {\n};\n",
                                 "libs/b/one.c": "void two(void)\n{\n}\n", "libs/a/test/one.c": body.format("three")})
    rows = dict(figures.table(top, tmp_path / "build"))
    assert rows["files (.c and .h), lines"] == "3 (2 and 1), 14"
    assert rows["functions; lines of a body: median / 95 % / longest"] == "2; 2 / 4 / 4"
    assert rows["  bodies of at most 3 lines"] == "50 %"
    assert rows["struct tags that several files define; several headers"] == "1; 0"
    assert rows["names that several .c files have"] == "1"


def test_figures_count_the_short_functions_with_one_caller():
    once = "static int once(int a,\n                int b)\n{\n    return a + b;\n}\n"
    twice = "static void twice(void)\n{\n    ;\n}\n"
    named = "static void named(void)\n{\n    ;\n}\n"
    long = "static void longer(void)\n{\n" + "    ;\n" * 4 + "}\n"
    user = "int use(void)\n{\n    twice();\n    twice();\n    longer();\n    call(named); /* once() */\n    return once(1, 2);\n}\n"
    assert figures.inlinable(once + twice + named + long + user) == ["once"]


def test_files_that_call_each_other_are_a_circle():
    assert figures.strong_components({"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": set()}) == [{"a", "b", "c"}]


def test_figures_name_the_files_of_a_word(tmp_path):
    top = source_tree(tmp_path, {"a.c": "JB_pe\n", "b.c": "JB_pe_range\n", "test/c.c": "JB_pe\n"})
    assert [str(path) for path in figures.mentions(top, "JB_pe")] == ["source/a.c"]
