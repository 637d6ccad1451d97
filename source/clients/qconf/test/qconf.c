/* qconf on hand-made answers: what it sends, what it says where, and what it refuses. */
#include "clients/qconf/test/played_cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* cmocka last: it needs the four above */
#include <cmocka.h>

#include "libs/doc/test/wellformed.h"
#include "libs/uti/file.h"

static void host_groups_are_shown_with_what_is_in_them(void **state)
{
    (void)state;
    struct played_cell cell;
    played_cell_init(&cell);
    expect_shown(
        &cell, "-shgrp_tree", "@all",
        "@all\n   vm3\n   @rack\n      vm2\n      vm1\n      @empty\n      @none\n   vm1\n");
    expect_shown(&cell, "-shgrp_resolved", "@all", "vm1 vm2 vm3\n");
    expect_shown(&cell, "-shgrp_resolved", "@empty", "");
    expect_shown(&cell, "-shgrp_resolved", "@loop", "vm1\n");
    static const char *const options[] = { "-shgrp_tree", "-shgrp_resolved" };
    for (size_t i = 0; i < ARRAY_LEN(options); i++) {
        struct page p = RUN(&cell, options[i], "@nope");
        assert_string_equal(p.err, "Host group \"@nope\" does not exist\n");
        assert_int_equal(p.status, 1);
        page_free(&p);
    }
    played_cell_free(&cell);
}

static void detached_settings_are_those_of_hosts_that_the_queue_is_not_on(void **state)
{
    (void)state;
    static const struct {
        const char *hosts, *slots, *out;
    } rows[] = {
        { "vm1", "4,[vm1=2]", "" },
        { "vm1", "4,[vm1=2],[vm2=3]",
          "qname                 two.q\nslots                 [vm2=3]\n" },
        { "NONE", "4,[vm1=2],[@rack=3]",
          "qname                 two.q\nslots                 [vm1=2],[@rack=3]\n" },
        { "@rack", "4,[vm2=2],[@rack=3],[@all=5],[@loop=6],[@empty=7]", "" },
        { "vm3", "4,[@all=5]", "" },
        { "vm3", "4,[@rack=5]", "qname                 two.q\nslots                 [@rack=5]\n" },
        { "@empty", "4,[@empty=5]", "" },
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct played_cell cell;
        played_cell_init(&cell);
        assert_int_equal(cqueue_set(cell.queue, "hostlist", rows[i].hosts, NULL), 0);
        assert_int_equal(cqueue_set(cell.queue, "slots", rows[i].slots, NULL), 0);
        struct page p = RUN(&cell, "-sds");
        assert_string_equal(p.err, "");
        assert_string_equal(p.out, rows[i].out);
        assert_int_equal(p.status, 0);
        page_free(&p);
        played_cell_free(&cell);
    }
}

static void json_is_one_document_for_all_options(void **state)
{
    (void)state;
    struct played_cell cell;
    played_cell_init(&cell);
    struct page p = RUN(&cell, "-shgrp_resolved", "@all", "-json", "-shgrp_tree", "@empty");
    assert_int_equal(p.status, 0);
    assert_true(is_json(p.out));
    assert_string_equal(p.out, "{\"shown\": [\n"
                               "    {\"option\": \"-shgrp_resolved\", \"names\": [\n"
                               "        \"vm1\",\n"
                               "        \"vm2\",\n"
                               "        \"vm3\"\n"
                               "      ]},\n"
                               "    {\"option\": \"-shgrp_tree\", \"objects\": [\n"
                               "        {\"name\": \"@empty\", \"depth\": 0}\n"
                               "      ]}\n"
                               "  ]}\n");
    page_free(&p);
    p = RUN(&cell, "-shgrp_tree", "@nope", "-json");
    assert_int_equal(p.status, 1);
    assert_true(is_json(p.out));
    assert_string_equal(p.err, "Host group \"@nope\" does not exist\n");
    page_free(&p);
    played_cell_free(&cell);
}

static void json_is_refused_for_what_changes(void **state)
{
    (void)state;
    struct played_cell cell;
    played_cell_init(&cell);
    struct page p = RUN(&cell, "-sql", "-am", "alice", "-json");
    assert_int_equal(p.status, 1);
    assert_string_equal(p.out, "");
    assert_string_equal(p.err, "-json: \"-am\" does not show anything\n");
    page_free(&p);
    played_cell_free(&cell);
}

static void a_warning_goes_to_stderr_and_is_no_failure(void **state)
{
    (void)state;
    struct played_cell cell;
    played_cell_init(&cell);
    cell.warning = "no effect yet";
    struct page p = RUN(&cell, "-mattr", "queue", "nsuspend", "2", "two.q");
    assert_int_equal(p.status, 0);
    assert_string_equal(p.out, "done\n");
    assert_string_equal(p.err, "warning: no effect yet\n");
    page_free(&p);
    played_cell_free(&cell);
}

static void wrong_changes_are_refused_before_anything_is_sent(void **state)
{
    (void)state;
    static const struct wrong wrong[] = {
        { { "-mattr", "queue", "nosuch", "1", "two.q" },
          "The attribute name (\"nosuch\") and/or value (\"1\") is invalid\n" },
        { { "-mattr", "queue", "slots", "8", "nope.q" },
          "denied: cluster queue \"nope.q\" does not exist\n" },
        { { "-mattr", "queue", "priority", "7", "tw?.q" },
          "denied: cluster queue \"tw?.q\" does not exist\n" },
        { { "-dattr", "queue", "slots", "4", "two.q" },
          "attribute \"slots\" is not a list: name the host whose value to remove, "
          "[HOST=VALUE]\n" },
        { { "-mattr", "nosuch", "x", "1", "h" },
          "Modification of object \"nosuch\" not supported\n" },
        { { "-mattr", "exechost", "x", "1", "h" }, "denied: exechost \"h\" does not exist\n" },
        { { "-mattr", "pe", "slots", "1", "p" },
          "denied: parallel environment \"p\" does not exist\n" },
        { { "-purge", "queue", "slots", "two.q" },
          "error: Given object_instance \"two.q\" is incomplete\n" },
        { { "-Mq", "/nonexistent" },
          "error: error opening file \"/nonexistent\" for reading: No such file or directory\n"
          "Cluster queue file \"/nonexistent\" is not correct\n" },
    };
    struct played_cell cell;
    played_cell_init(&cell);
    expect_refused(&cell, wrong, ARRAY_LEN(wrong));
    struct page p = RUN(&cell, "-mattr", "queue", "slots", "abc", "two.q");
    assert_non_null(strstr(p.err, "Error during parsing of attribute value \"abc\"\n"));
    page_free(&p);
    assert_int_equal(cell.changes, 0);
    played_cell_free(&cell);
}

static void objects_that_are_not_there_are_named(void **state)
{
    (void)state;
    static const struct wrong wrong[] = {
        { { "-sq", "nope.q" },
          "No cluster queue or queue instance matches the phrase \"nope.q\"\n" },
        { { "-sp", "nope" }, "nope is not a parallel environment\n" },
        { { "-shgrp", "@nope" }, "Host group \"@nope\" does not exist\n" },
        { { "-se", "nope" }, "can't resolve hostname \"nope\"\n" },
        { { "-sconf", "nope" }, "configuration nope not defined\n" },
        { { "-so" }, "no operator defined\n" },
    };
    struct played_cell cell;
    played_cell_init(&cell);
    expect_refused(&cell, wrong, ARRAY_LEN(wrong));
    played_cell_free(&cell);
}

static void wrong_options_are_refused(void **state)
{
    (void)state;
    static const struct wrong wrong[] = {
        { { "-zz" }, "error: invalid option argument \"-zz\"\nUsage: qconf -help\n" },
    };
    struct played_cell cell;
    played_cell_init(&cell);
    expect_refused(&cell, wrong, ARRAY_LEN(wrong));
    struct page p = RUN(&cell, "-se");
    assert_int_equal(strncmp(p.err, "error: no option argument provided to \"-se\"\n", 44), 0);
    page_free(&p);
    p = run_command(&cell, 0, NULL);
    assert_int_equal(p.status, 1);
    assert_non_null(strstr(p.err, "ERROR! no option argument\n"));
    page_free(&p);
    played_cell_free(&cell);
}

static void options_of_a_kind_follow_from_its_letters(void **state)
{
    (void)state;
    static const char *const missing[] = { "-acal",  "-Acal",  "-dcal",  "-mcal", "-Mcal",  "-scal",
                                           "-ackpt", "-Ap",    "-dhgrp", "-mprj", "-Muser", "-su",
                                           "-Arqs",  "-aconf", "-se",    "-mq" };
    static const struct wrong unknown[] = {
        { { "-ac", "x" }, "error: invalid option argument \"-ac\"\nUsage: qconf -help\n" },
        { { "-scl" }, "error: invalid option argument \"-scl\"\nUsage: qconf -help\n" },
        { { "-dsconf" }, "error: invalid option argument \"-dsconf\"\nUsage: qconf -help\n" },
        { { "-sstreel" }, "error: invalid option argument \"-sstreel\"\nUsage: qconf -help\n" },
        { { "-acall" }, "error: invalid option argument \"-acall\"\nUsage: qconf -help\n" },
        { { "-cal" }, "error: invalid option argument \"-cal\"\nUsage: qconf -help\n" },
    };
    struct played_cell cell;
    played_cell_init(&cell);
    for (size_t i = 0; i < ARRAY_LEN(missing); i++) {
        struct page p = RUN(&cell, missing[i]);
        assert_int_equal(strncmp(p.err, "error: no option argument provided", 34), 0);
        page_free(&p);
    }
    expect_refused(&cell, unknown, ARRAY_LEN(unknown));
    struct page p = RUN(&cell, "-scall", "-spl", "-shgrpl");
    assert_string_equal(p.err, "no calendar defined\n");
    page_free(&p);
    played_cell_free(&cell);
}

/* the word behind each [ at the begin of a line of -help is an option, or several in one */
static void each_option_that_help_shows_is_one(void **state)
{
    (void)state;
    struct played_cell cell;
    played_cell_init(&cell);
    struct page help = RUN(&cell, "-help");
    unsigned n = 0;
    for (const char *at = help.out; (at = strstr(at, "\n   [-")) != NULL; n++) {
        at += strlen("\n   [");
        char name[32];
        size_t len = strcspn(at, " []{");
        assert_true(len < sizeof name);
        memcpy(name, at, len);
        name[len] = '\0';
        struct page p = at[len] == '{' ? RUN(&cell, "-km", "-zz") : RUN(&cell, name, "-zz");
        char *refusal = strstr(p.err, "invalid option argument");
        if (refusal != NULL)
            assert_int_equal(strncmp(refusal, "invalid option argument \"-zz\"", 29), 0);
        page_free(&p);
    }
    assert_true(n > 100);
    page_free(&help);
    played_cell_free(&cell);
}

static void files_are_read_before_they_are_sent(void **state)
{
    (void)state;
    struct played_cell cell;
    struct dstr text = DSTR_INIT;
    char path[] = "/tmp/qconf_test_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    played_cell_init(&cell);
    cqueue_text(cell.queue, false, &text);
    dstr_add(&text, "j-nk 1\n");
    assert_int_equal(write(fd, text.s, text.len), (ssize_t)text.len);
    struct page p = RUN(&cell, "-Mq", path);
    assert_int_equal(p.status, 1);
    assert_int_equal(
        strncmp(p.err, "error: unknown attribute name \"j-nk\"\nerror: error reading file: \"", 64),
        0);
    assert_non_null(strstr(p.err, " is not correct\n"));
    page_free(&p);
    assert_int_equal(cell.changes, 0);
    assert_int_equal(ftruncate(fd, (off_t)text.len - 7), 0);
    p = RUN(&cell, "-Aq", path);
    assert_int_equal(p.status, 0);
    assert_string_equal(p.err, "done\n"); /* files and names speak on stderr */
    assert_int_equal(cell.sent.GR_verb, GDI_ADD);
    page_free(&p);
    (void)close(fd);
    (void)unlink(path);
    dstr_free(&text);
    played_cell_free(&cell);
}

/* what somebody wrote is not lost: its last line on stderr names a file that has it */
static void expect_kept(const char *err, const char *text)
{
    struct dstr kept = DSTR_INIT;
    const char *line = strstr(err, "the edited text is in \"");
    assert_non_null(line);
    char *path = uti_strndup(strchr(line, '"') + 1, strcspn(strchr(line, '"') + 1, "\""));
    assert_int_equal(file_read(path, 4096, &kept, NULL), 0);
    assert_string_equal(dstr_get(&kept), text);
    assert_int_equal(unlink(path), 0);
    free(path);
    dstr_free(&kept);
}

static void an_editor_that_changes_nothing_changes_nothing(void **state)
{
    (void)state;
    struct played_cell cell;
    played_cell_init(&cell);
    struct page p = RUN(&cell, "-mq", "two.q");
    assert_int_equal(p.status, 1);
    assert_string_equal(p.err, "file unchanged\n");
    page_free(&p);
    p = RUN(&cell, "-msconf");
    assert_string_equal(p.err, "file unchanged\n");
    page_free(&p);
    assert_int_equal(cell.changes, 0);
    p = RUN(&cell, "-aq", "new.q"); /* a new queue may be as the template is */
    assert_int_equal(p.status, 0);
    assert_string_equal(cell.queue->CQ_name, "new.q");
    page_free(&p);
    cell.edited = "qname broken\n";
    p = RUN(&cell, "-aq", "x.q");
    assert_int_equal(p.status, 1);
    assert_int_equal(cell.changes, 1);
    expect_kept(p.err, cell.edited);
    page_free(&p);
    played_cell_free(&cell);
}

static void what_was_written_is_kept_when_it_is_refused(void **state)
{
    (void)state;
    struct played_cell cell;
    struct dstr text = DSTR_INIT;
    played_cell_init(&cell);
    cell.edited = "qname broken\n";
    struct page p = RUN(&cell, "-mq", "two.q");
    assert_int_equal(p.status, 1);
    assert_int_equal(strncmp(p.err, "required attribute", 18), 0);
    expect_kept(p.err, cell.edited);
    page_free(&p);
    cqueue_text(cell.queue, false, &text);
    dstr_add(&text, "\n");
    cell.edited = dstr_get(&text);
    cell.faster = 1; /* only once: an editor's text is not written over what nobody has seen */
    p = RUN(&cell, "-mq", "two.q");
    assert_int_equal(p.status, 1);
    assert_int_equal(strncmp(p.err, "has changed\n", 12), 0);
    expect_kept(p.err, cell.edited);
    page_free(&p);
    assert_int_equal(cell.changes, 0);
    p = RUN(&cell, "-mq", "two.q");
    assert_int_equal(p.status, 0);
    assert_string_equal(p.err, "done\n");
    page_free(&p);
    dstr_free(&text);
    played_cell_free(&cell);
}

static void an_object_is_not_renamed_in_an_editor(void **state)
{
    (void)state;
    struct played_cell cell;
    struct dstr text = DSTR_INIT;
    struct CQ_Type *other = cqueue_template("other.q");
    played_cell_init(&cell);
    cqueue_text(other, false, &text);
    cell.edited = dstr_get(&text);
    struct page p = RUN(&cell, "-mq", "two.q");
    assert_int_equal(p.status, 1);
    assert_ptr_equal(strstr(p.err, "cluster queue \"two.q\" cannot be renamed to \"other.q\"\n"),
                     p.err);
    expect_kept(p.err, cell.edited);
    assert_int_equal(cell.changes, 0);
    page_free(&p);
    cull_delete(&cull_CQ_Type, other);
    dstr_free(&text);
    played_cell_free(&cell);
}

static void names_are_sorted_and_lists_go_in_one_request(void **state)
{
    (void)state;
    struct played_cell cell;
    played_cell_init(&cell);
    struct page p = RUN(&cell, "-sm");
    assert_string_equal(p.out, "root\nsgeadmin\n");
    page_free(&p);
    p = RUN(&cell, "-am", "alice,bob");
    assert_int_equal(cell.sent.GR_names.n, 2);
    assert_int_equal(cell.sent.GR_target, GDI_MANAGER);
    page_free(&p);
    p = RUN(&cell, "-ke", "all");
    assert_string_equal(cell.sent.GR_select.v[0].ID_str, "*");
    page_free(&p);
    played_cell_free(&cell);
}

static void a_refusal_is_exit_status_1_but_for_hosts_on_a_list(void **state)
{
    (void)state;
    struct played_cell cell;
    played_cell_init(&cell);
    cell.refusal = STATUS_EEXIST;
    struct page p = RUN(&cell, "-am", "bob");
    assert_int_equal(p.status, 1);
    assert_string_equal(p.err, "refused\n");
    page_free(&p);
    p = RUN(&cell, "-as", "node1");
    assert_int_equal(p.status, 0);
    assert_string_equal(p.err, "refused\n");
    page_free(&p);
    cell.refusal = STATUS_DENIED;
    p = RUN(&cell, "-as", "node1", "-am", "bob"); /* the first failure is the last option */
    assert_int_equal(p.status, 1);
    assert_int_equal(cell.sent.GR_target, GDI_SUBMITHOST);
    page_free(&p);
    played_cell_free(&cell);
}

/* the name as it was given, with its domain */
static void a_host_that_cannot_be_resolved_is_named_whole(void **state)
{
    (void)state;
    struct played_cell cell;
    played_cell_init(&cell);
    static const char *const options[] = { "-ah", "-as", "-de", "-dh", "-ds" };
    for (size_t i = 0; i < ARRAY_LEN(options); i++) {
        struct page p = RUN(&cell, options[i], "x.invalid");
        assert_int_equal(p.status, 1);
        assert_string_equal(p.err, "can't resolve hostname \"x.invalid\"\n");
        page_free(&p);
    }
    assert_int_equal(cell.changes, 0);
    played_cell_free(&cell);
}

static void an_empty_list_is_no_argument(void **state)
{
    (void)state;
    static const char *const options[] = { "-am", "-do", "-dq", "-ah", "-ke" };
    struct played_cell cell;
    played_cell_init(&cell);
    for (size_t i = 0; i < ARRAY_LEN(options); i++) {
        struct page p = RUN(&cell, options[i], ",");
        struct dstr wanted = DSTR_INIT;
        dstr_addf(&wanted, "error: no option argument provided to \"%s\"\n", options[i]);
        assert_int_equal(p.status, 1);
        assert_string_equal(p.err, dstr_get(&wanted));
        dstr_free(&wanted);
        page_free(&p);
    }
    played_cell_free(&cell);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(host_groups_are_shown_with_what_is_in_them),
        cmocka_unit_test(detached_settings_are_those_of_hosts_that_the_queue_is_not_on),
        cmocka_unit_test(json_is_one_document_for_all_options),
        cmocka_unit_test(json_is_refused_for_what_changes),
        cmocka_unit_test(a_warning_goes_to_stderr_and_is_no_failure),
        cmocka_unit_test(wrong_changes_are_refused_before_anything_is_sent),
        cmocka_unit_test(objects_that_are_not_there_are_named),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(options_of_a_kind_follow_from_its_letters),
        cmocka_unit_test(each_option_that_help_shows_is_one),
        cmocka_unit_test(files_are_read_before_they_are_sent),
        cmocka_unit_test(an_editor_that_changes_nothing_changes_nothing),
        cmocka_unit_test(what_was_written_is_kept_when_it_is_refused),
        cmocka_unit_test(an_object_is_not_renamed_in_an_editor),
        cmocka_unit_test(names_are_sorted_and_lists_go_in_one_request),
        cmocka_unit_test(a_refusal_is_exit_status_1_but_for_hosts_on_a_list),
        cmocka_unit_test(a_host_that_cannot_be_resolved_is_named_whole),
        cmocka_unit_test(an_empty_list_is_no_argument),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
