/* Attributes of objects, changed one by one (-aattr and its like), from the command line and from
 * files. */
#include "clients/qconf/test/played_cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* cmocka last: it needs the four above */
#include <cmocka.h>

#include "clients/qconf/qconf.h"

static void expect_attr(const struct played_cell *cell, const char *attr, const char *wanted)
{
    struct dstr text = DSTR_INIT;
    assert_true(cqueue_value(cell->queue, attr, &text));
    assert_string_equal(dstr_get(&text), wanted);
    dstr_free(&text);
}

static void change_attr(struct played_cell *cell, const char *option, const char *attr,
                        const char *value, const char *object, const char *said)
{
    struct page p = RUN(cell, option, "queue", attr, value, object);
    assert_int_equal(p.status, 0);
    assert_string_equal(p.out, said);
    assert_string_equal(p.err, "");
    page_free(&p);
}

static void attributes_of_hosts_are_joined(void **state)
{
    (void)state;
    struct played_cell cell;
    played_cell_init(&cell);
    change_attr(&cell, "-mattr", "slots", "8", "two.q", "done\n");
    expect_attr(&cell, "slots", "8");
    change_attr(&cell, "-mattr", "slots", "[@big=6]", "two.q", "done\n");
    expect_attr(&cell, "slots", "8,[@big=6]");
    change_attr(&cell, "-mattr", "slots", "9", "two.q@node1", "done\n");
    expect_attr(&cell, "slots", "8,[@big=6],[node1=9]");
    change_attr(&cell, "-mattr", "slots", "7", "two.q", "done\n");
    expect_attr(&cell, "slots", "7,[@big=6],[node1=9]");
    change_attr(&cell, "-aattr", "slots", "[node2=1]", "two.q", "done\n");
    expect_attr(&cell, "slots", "7,[@big=6],[node1=9],[node2=1]");
    change_attr(&cell, "-dattr", "slots", "[node1=9]", "two.q", "done\n");
    expect_attr(&cell, "slots", "7,[@big=6],[node2=1]");
    change_attr(&cell, "-rattr", "slots", "4,[@big=5]", "two.q", "done\n");
    expect_attr(&cell, "slots", "4,[@big=5]");
    assert_int_equal(cell.sent.GR_verb, GDI_MOD);
    played_cell_free(&cell);
}

static void list_attributes_gain_and_lose_elements(void **state)
{
    (void)state;
    struct played_cell cell;
    played_cell_init(&cell);
    change_attr(&cell, "-rattr", "pe_list", "NONE", "two.q", "done\n");
    change_attr(&cell, "-aattr", "pe_list", "mpi", "two.q", "done\n");
    expect_attr(&cell, "pe_list", "mpi");
    change_attr(
        &cell, "-aattr", "pe_list", "mpi", "two.q",
        "No modification because \"mpi\" already exists in \"pe_list\" of \"two.q\"\ndone\n");
    change_attr(&cell, "-aattr", "pe_list", "smp make", "two.q", "done\n");
    expect_attr(&cell, "pe_list", "mpi smp make");
    change_attr(&cell, "-dattr", "pe_list", "smp", "two.q", "done\n");
    expect_attr(&cell, "pe_list", "mpi make");
    change_attr(&cell, "-dattr", "pe_list", "mpi make", "two.q", "done\n");
    expect_attr(&cell, "pe_list", "NONE");
    change_attr(&cell, "-rattr", "complex_values", "lic=2,mem=1G", "two.q", "done\n");
    change_attr(&cell, "-dattr", "complex_values", "lic", "two.q", "done\n");
    expect_attr(&cell, "complex_values", "mem=1G");
    change_attr(&cell, "-aattr", "hostlist", "node1", "two.q", "done\n");
    expect_attr(&cell, "hostlist", "node1");
    played_cell_free(&cell);
}

static void devices_in_parentheses_are_one_element(void **state)
{
    (void)state;
    struct played_cell cell;
    played_cell_init(&cell);
    change_attr(&cell, "-mattr", "complex_values", "slots=4(0  1 2 3),lic=2", "two.q",
                "\"complex_values\" of \"two.q\" is empty - Adding new element(s).\ndone\n");
    expect_attr(&cell, "complex_values", "slots=4(0 1 2 3),lic=2");
    change_attr(&cell, "-mattr", "complex_values", "slots=2(a b)", "two.q", "done\n");
    expect_attr(&cell, "complex_values", "slots=2(a b),lic=2");
    change_attr(&cell, "-dattr", "complex_values", "lic", "two.q", "done\n");
    expect_attr(&cell, "complex_values", "slots=2(a b)");
    change_attr(&cell, "-dattr", "complex_values", "slots=2(a b)", "two.q", "done\n");
    expect_attr(&cell, "complex_values", "NONE");
    played_cell_free(&cell);
}

static void modifying_a_list_changes_its_named_elements_alone(void **state)
{
    (void)state;
    struct played_cell cell;
    played_cell_init(&cell);
    change_attr(&cell, "-mattr", "complex_values", "mem_free=5G,slots=3", "two.q",
                "\"complex_values\" of \"two.q\" is empty - Adding new element(s).\ndone\n");
    change_attr(&cell, "-mattr", "complex_values", "mem_free=6G", "two.q", "done\n");
    expect_attr(&cell, "complex_values", "mem_free=6G,slots=3");
    change_attr(&cell, "-mattr", "complex_values", "lic=1,slots=4", "two.q",
                "Unable to find \"lic=1\" in \"complex_values\" of \"two.q\" - Adding new "
                "element.\ndone\n");
    expect_attr(&cell, "complex_values", "mem_free=6G,slots=4,lic=1");
    change_attr(&cell, "-mattr", "complex_values", "[node1=slots=9]", "two.q",
                "\"complex_values\" of \"two.q\" is empty - Adding new element(s).\ndone\n");
    change_attr(&cell, "-mattr", "complex_values", "slots=8", "two.q@node1", "done\n");
    expect_attr(&cell, "complex_values", "mem_free=6G,slots=4,lic=1,[node1=slots=8]");
    change_attr(&cell, "-rattr", "pe_list", "smp mpi", "two.q", "done\n");
    change_attr(
        &cell, "-mattr", "pe_list", "make mpi", "two.q",
        "Unable to find \"make\" in \"pe_list\" of \"two.q\" - Adding new element.\ndone\n");
    expect_attr(&cell, "pe_list", "smp mpi make");
    change_attr(&cell, "-mattr", "pe_list", "none", "two.q", "done\n");
    expect_attr(&cell, "pe_list", "NONE");
    change_attr(&cell, "-mattr", "qtype", "BATCH", "two.q", "done\n");
    expect_attr(&cell, "qtype", "BATCH");
    played_cell_free(&cell);
}

static char *file_with(const char *text)
{
    char *path = strdup("/tmp/qconf_test_XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    (void)close(fd);
    return path;
}

/* what was to go and is not there is named; the exit status says it, too */
static void an_element_that_is_not_there_cannot_go(void **state)
{
    (void)state;
    struct played_cell cell;
    played_cell_init(&cell);
    change_attr(&cell, "-rattr", "pe_list", "make", "two.q", "done\n");
    struct page p = RUN(&cell, "-dattr", "queue", "pe_list", "nosuch", "two.q");
    assert_int_equal(p.status, 1);
    assert_string_equal(p.out, "\"nosuch\" does not exist in \"pe_list\" of \"two.q\"\ndone\n");
    assert_string_equal(p.err, "");
    expect_attr(&cell, "pe_list", "make");
    page_free(&p);
    played_cell_free(&cell);
}

static void expect_no_change(struct played_cell *cell, const char *option, const char *kind,
                             const char *object, const char *error)
{
    bool is_purge = strcmp(option, "-purge") == 0;
    struct page p = is_purge ? RUN(cell, option, kind, "slots", object)
                             : RUN(cell, option, kind, "slots", "4", object);
    assert_int_equal(p.status, 1);
    assert_string_equal(p.out, "");
    assert_string_equal(p.err, error);
    page_free(&p);
}

static void what_cannot_be_changed_is_named(void **state)
{
    (void)state;
    struct played_cell cell;
    played_cell_init(&cell);
    static const char *const options[] = { "-aattr", "-mattr", "-dattr", "-rattr" };
    for (size_t i = 0; i < ARRAY_LEN(options); i++)
        expect_no_change(&cell, options[i], "foo", "z",
                         "Modification of object \"foo\" not supported\n");
    expect_no_change(&cell, "-purge", "exechost", "vm1",
                     "error: Modification of object \"exechost\" not supported\n");
    expect_no_change(&cell, "-purge", "queue", "two.q",
                     "error: Given object_instance \"two.q\" is incomplete\n");
    expect_no_change(&cell, "-purge", "queue", "no.q@vm1",
                     "error: Cluster queue entry \"no.q\" does not exist\n");
    expect_no_change(&cell, "-purge", "queue", "two.q@vm9",
                     "Attribute name (\"slots\") and/or value (\"vm9\") not found\n");
    assert_int_equal(cell.changes, 0);
    played_cell_free(&cell);
}

/* notes belong to a change that is made */
static void a_refused_change_has_no_notes(void **state)
{
    (void)state;
    struct played_cell cell;
    played_cell_init(&cell);
    cell.refusal = STATUS_ESEMANTIC;
    expect_no_change(&cell, "-mattr", "queue", "two.q", "refused\n");
    struct page p = RUN(&cell, "-mattr", "queue", "complex_values", "slots=1", "two.q");
    assert_string_equal(p.out, "");
    assert_string_equal(p.err, "refused\n");
    page_free(&p);
    played_cell_free(&cell);
}

/* OPTION with a file of TEXT, on the queue two.q */
static struct page run_file(struct played_cell *cell, const char *option, const char *text)
{
    char *path = file_with(text);
    struct page p = RUN(cell, option, "queue", path, "two.q");
    (void)unlink(path);
    free(path);
    return p;
}

static void attributes_from_a_file_are_one_change(void **state)
{
    (void)state;
    struct played_cell cell;
    played_cell_init(&cell);
    change_attr(&cell, "-rattr", "pe_list", "make", "two.q", "done\n");
    unsigned before = cell.changes;
    struct page p = run_file(&cell, "-Aattr", "# more\npe_list  mpi\nslots [node1=3]\n");
    assert_int_equal(p.status, 0);
    assert_string_equal(p.out, "done\n");
    page_free(&p);
    assert_int_equal(cell.changes, before + 1);
    expect_attr(&cell, "pe_list", "make mpi");
    p = run_file(&cell, "-Dattr", "pe_list make\n");
    page_free(&p);
    expect_attr(&cell, "pe_list", "mpi");
    p = run_file(&cell, "-Mattr", "priority 7\n");
    page_free(&p);
    expect_attr(&cell, "priority", "7");
    p = run_file(&cell, "-Rattr", "pe_list \\\n  smp\n");
    page_free(&p);
    expect_attr(&cell, "pe_list", "smp");
    played_cell_free(&cell);
}

static void a_wrong_line_of_such_a_file_changes_nothing(void **state)
{
    (void)state;
    struct played_cell cell;
    played_cell_init(&cell);
    struct page p = run_file(&cell, "-Mattr", "priority 7\nnosuch 1\n");
    assert_int_equal(p.status, 1);
    assert_string_equal(p.err, "The attribute name (\"nosuch\") and/or value (\"1\") is invalid\n");
    page_free(&p);
    p = run_file(&cell, "-Mattr", "# nothing\n");
    assert_int_equal(p.status, 1);
    assert_non_null(strstr(p.err, " is not correct\n"));
    page_free(&p);
    p = RUN(&cell, "-Mattr", "queue", "/nonexistent", "two.q");
    assert_string_equal(
        p.err, "error: error opening file \"/nonexistent\" for reading: No such file or directory\n"
               "Cluster queue file \"/nonexistent\" is not correct\n");
    page_free(&p);
    assert_int_equal(cell.changes, 0);
    played_cell_free(&cell);
}

static void purge_takes_a_hosts_own_values(void **state)
{
    (void)state;
    struct played_cell cell;
    played_cell_init(&cell);
    change_attr(&cell, "-rattr", "slots", "4,[node1=9],[@big=6]", "two.q", "done\n");
    change_attr(&cell, "-rattr", "seq_no", "0,[node1=3]", "two.q", "done\n");
    struct page p = RUN(&cell, "-purge", "queue", "slots,seq_no", "two.q@node1");
    assert_int_equal(p.status, 0);
    page_free(&p);
    expect_attr(&cell, "slots", "4,[@big=6]");
    expect_attr(&cell, "seq_no", "0");
    p = RUN(&cell, "-purge", "queue", "*", "two.q@@big");
    assert_int_equal(p.status, 0);
    page_free(&p);
    expect_attr(&cell, "slots", "4");
    unsigned changes = cell.changes;
    p = RUN(&cell, "-purge", "queue", "slots", "two.q@node1");
    assert_int_equal(p.status, 1);
    assert_int_equal(cell.changes, changes);
    page_free(&p);
    played_cell_free(&cell);
}

static void expect_found(struct played_cell *cell, const char *kind, const char *attr,
                         const char *value, const char *names)
{
    struct page p = RUN(cell, "-sobjl", kind, attr, value);
    assert_string_equal(p.err, "");
    assert_string_equal(p.out, names);
    assert_int_equal(p.status, 0);
    page_free(&p);
}

static void objects_are_found_by_their_values(void **state)
{
    (void)state;
    struct played_cell cell;
    played_cell_init(&cell);
    change_attr(&cell, "-rattr", "slots", "4,[vm1=9],[@big=6]", "two.q", "done\n");
    change_attr(&cell, "-rattr", "pe_list", "make smp", "two.q", "done\n");
    expect_found(&cell, "queue", "slots", "4", "two.q\n");
    expect_found(&cell, "queue", "slots", "9", "");
    expect_found(&cell, "queue", "s?ots|seq_no", "[0-4]", "two.q\n");
    expect_found(&cell, "queue", "pe_list", "make", "two.q\n"); /* one of its elements */
    expect_found(&cell, "queue_instance", "slots", "*", "two.q@vm1\n");
    expect_found(&cell, "queue_domain", "slots", "*", "two.q@@big\n");
    expect_found(&cell, "queue_domain", "slots", "9", "");
    expect_found(&cell, "exechost", "load_values", "*", "vm1\ntemplate\nglobal\n");
    expect_found(&cell, "hostgroup", "hostlist", "vm2", "@rack\n");
    expect_found(&cell, "queue", "nosuch", "*", "");
    struct page p = RUN(&cell, "-sobjl", "nosuch", "slots", "4");
    assert_int_equal(p.status, 1);
    assert_string_equal(p.err, "-sobjl nosuch: not supported yet\n");
    page_free(&p);
    played_cell_free(&cell);
}

/* ---- nodes of the share tree ---- */

static void a_queue_is_on_hosts_that_are_known_or_can_be_resolved(void **state)
{
    (void)state;
    struct played_cell cell;
    played_cell_init(&cell);
    change_attr(&cell, "-rattr", "hostlist", "vm1 node1 @any", "two.q", "done\n");
    unsigned changes = cell.changes;
    struct page p = RUN(&cell, "-aattr", "queue", "hostlist", "nohost.invalid", "two.q");
    assert_int_equal(p.status, 1);
    assert_string_equal(p.err, "unable to resolve host \"nohost.invalid\"\n");
    assert_int_equal(cell.changes, changes);
    page_free(&p);
    played_cell_free(&cell);
}

/* words say what is to become of an attribute, whatever it and the others are by then */
static void what_changed_meanwhile_is_read_again(void **state)
{
    (void)state;
    struct played_cell cell;
    played_cell_init(&cell);
    change_attr(&cell, "-rattr", "pe_list", "NONE", "two.q", "done\n");
    unsigned before = cell.changes;
    cell.faster = 3;
    change_attr(&cell, "-mattr", "pe_list", "mpi", "two.q",
                "\"pe_list\" of \"two.q\" is empty - Adding new element(s).\ndone\n");
    assert_int_equal(cell.changes, before + 1);
    expect_attr(&cell, "pe_list", "mpi");
    expect_attr(&cell, "priority", "4");
    played_cell_free(&cell);
}

static void who_is_never_fast_enough_hears_it_once(void **state)
{
    (void)state;
    struct played_cell cell;
    played_cell_init(&cell);
    cell.faster = 1000;
    struct page p = RUN(&cell, "-mattr", "queue", "slots", "9", "two.q");
    assert_int_equal(p.status, 1);
    assert_string_equal(p.out, "");
    assert_string_equal(p.err, "has changed\n");
    assert_int_equal(cell.faster, 1000 - QCONF_ATTEMPTS_MOST);
    assert_int_equal(cell.changes, 0);
    page_free(&p);
    played_cell_free(&cell);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attributes_of_hosts_are_joined),
        cmocka_unit_test(list_attributes_gain_and_lose_elements),
        cmocka_unit_test(devices_in_parentheses_are_one_element),
        cmocka_unit_test(modifying_a_list_changes_its_named_elements_alone),
        cmocka_unit_test(attributes_from_a_file_are_one_change),
        cmocka_unit_test(a_wrong_line_of_such_a_file_changes_nothing),
        cmocka_unit_test(purge_takes_a_hosts_own_values),
        cmocka_unit_test(an_element_that_is_not_there_cannot_go),
        cmocka_unit_test(what_cannot_be_changed_is_named),
        cmocka_unit_test(a_refused_change_has_no_notes),
        cmocka_unit_test(objects_are_found_by_their_values),
        cmocka_unit_test(what_changed_meanwhile_is_read_again),
        cmocka_unit_test(who_is_never_fast_enough_hears_it_once),
        cmocka_unit_test(a_queue_is_on_hosts_that_are_known_or_can_be_resolved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
