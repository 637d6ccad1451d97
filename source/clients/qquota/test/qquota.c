/* qquota on hand-made answers: the captured pages. */
#include "clients/qquota/qquota.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

/* records: "RULE users=alice! pes=!* resource=slots limit=2 value=2"; "!" behind a value: it is
 * expanded */
static void add_record(struct GA_Type *ga, const char *line)
{
    char *copy = strdup(line), *save = NULL;
    struct TX_Type *tx = cull_append(ga, GA_texts);
    cull_set(tx, TX_name, strtok_r(copy, " ", &save));
    for (char *word = strtok_r(NULL, " ", &save); word != NULL; word = strtok_r(NULL, " ", &save)) {
        char *value = strchr(word, '=');
        assert_non_null(value);
        *value++ = '\0';
        size_t len = strlen(value);
        bool is_expanded = len > 0 && value[len - 1] == '!';
        if (is_expanded)
            value[len - 1] = '\0';
        struct VA_Type *va = cull_append(tx, TX_entries);
        cull_set(va, VA_variable, word);
        cull_set(va, VA_value, value);
        if (is_expanded) {
            va = cull_append(tx, TX_entries);
            cull_set(va, VA_variable, "expanded");
            cull_set(va, VA_value, word);
        }
    }
    free(copy);
}

static void add_queue(struct GA_Type *ga, const char *host, const char *group)
{
    struct QU_Type *queue = cull_append(ga, GA_queues);
    struct dstr name = DSTR_INIT;
    dstr_addf(&name, "all.q@%s", host);
    cull_set(queue, QU_full_name, dstr_get(&name));
    cull_set(queue, QU_qhostname, host);
    cull_set((struct ST_Type *)cull_append(queue, QU_hostgroups), ST_name, group);
    dstr_free(&name);
}

static const char *const *records; /* ends with NULL */

static int give_records(void *state, struct GR_Type *request, answer_part_fn part, void *ctx,
                        struct answer *ans)
{
    struct GA_Type ga = { 0 };
    (void)state;
    assert_int_equal(request->GR_verb, GDI_GET);
    if (request->GR_target == GDI_QINSTANCE) {
        add_queue(&ga, "h1", "@rack");
        add_queue(&ga, "x", "@others");
    } else {
        assert_int_equal(request->GR_target, GDI_QUOTA);
        for (size_t i = 0; records[i] != NULL; i++)
            add_record(&ga, records[i]);
    }
    cull_set(&ga, GA_is_last, true);
    int rc = part(ctx, &ga, ans);
    cull_clear(&cull_GA_Type, &ga);
    return rc;
}

static char *run_qquota(const char *words)
{
    char *copy = strdup(words), *save = NULL, *args[16], *page = NULL;
    int n = 0;
    size_t bytes;
    bool shows_usage = false;
    struct qquota_options o = { 0 };
    struct answer ans = ANSWER_INIT;
    for (char *w = strtok_r(copy, " ", &save); w != NULL; w = strtok_r(NULL, " ", &save))
        args[n++] = w;
    assert_int_equal(qquota_parse(n, args, &o, &shows_usage, &ans), 0);
    FILE *out = open_memstream(&page, &bytes);
    const struct source from = { .get = give_records, .is_raw = true };
    assert_int_equal(qquota_run(&from, &o, "alice", out, &ans), 0);
    (void)fclose(out);
    qquota_options_free(&o);
    ans_free(&ans);
    free(copy);
    return page;
}

static void expect_page(const char *words, const char *expected)
{
    char *page = run_qquota(words);
    assert_string_equal(page, expected);
    free(page);
}

#define HEAD                                                                                       \
    "resource quota rule limit                filter\n"                                            \
    "--------------------------------------------------------------------------------\n"

static const char *const two_sets[] = {
    "r1/1 users=alice! resource=lic limit=5 value=4",
    "r1/1 users=alice! resource=jlic limit=3 value=2",
    "r1/1 users=bob! resource=lic limit=5 value=4",
    "r1/1 users=bob! resource=jlic limit=3 value=1",
    "r2/2 users=bob! hosts=h1! resource=slots limit=50 value=2",
    NULL,
};

static void the_page_is_as_captured(void **state SGE_UNUSED)
{
    records = two_sets;
    expect_page("", HEAD "r1/1               lic=4/5              users alice\n"
                         "r1/1               jlic=2/3             users alice\n");
    expect_page("-u *", HEAD "r1/1               lic=4/5              users alice\n"
                             "r1/1               lic=4/5              users bob\n"
                             "r1/1               jlic=2/3             users alice\n"
                             "r1/1               jlic=1/3             users bob\n"
                             "r2/2               slots=2/50           users bob hosts h1\n");
    expect_page("-u alice,bob",
                HEAD "r1/1               lic=4/5              users alice\n"
                     "r1/1               jlic=2/3             users alice\n"
                     "r1/1               lic=4/5              users bob\n"
                     "r1/1               jlic=1/3             users bob\n"
                     "r2/2               slots=2/50           users bob hosts h1\n");
    expect_page("-u * -l lic=1", HEAD "r1/1               lic=4/5              users alice\n"
                                      "r1/1               lic=4/5              users bob\n");
    expect_page("-l nosuch", "");
    expect_page("-u nobody", "");
    expect_page("-u * -h x -l slots", "");
}

static void filters_choose_as_captured(void **state SGE_UNUSED)
{
    static const char *const rules[] = {
        "r1/np projects=!* resource=slots limit=1 value=1",
        "r1/p1 projects=P1! resource=slots limit=2 value=2",
        "r1/p1 projects=P2! resource=slots limit=2 value=2",
        "r2/1 users=!alice resource=slots limit=3 value=3",
        "r3/1 users=* resource=slots limit=3 value=3",
        "r4/1 resource=slots limit=9 value=1",
        NULL,
    };
    records = rules;
    expect_page("-u *", HEAD "r1/p1              slots=2/2            projects P1\n"
                             "r1/p1              slots=2/2            projects P2\n"
                             "r2/1               slots=3/3            users !alice\n"
                             "r3/1               slots=3/3            users *\n"
                             "r4/1               slots=1/9            -\n");
    expect_page("-P P1", HEAD "r1/p1              slots=2/2            projects P1\n"
                              "r3/1               slots=3/3            users *\n"
                              "r4/1               slots=1/9            -\n");
}

static void hosts_and_groups_choose(void **state SGE_UNUSED)
{
    static const char *const rules[] = {
        "r1/1 hosts=h1! resource=slots limit=2 value=2",
        "r1/1 hosts=x! resource=slots limit=2 value=1",
        "r2/1 hosts=@rack resource=slots limit=3 value=3",
        NULL,
    };
    static const char at_h1[] = HEAD "r1/1               slots=2/2            hosts h1\n"
                                     "r2/1               slots=3/3            hosts @rack\n";
    records = rules;
    expect_page("-u * -h h1", at_h1);
    expect_page("-u * -h @rack", at_h1);
    expect_page("-u * -h @r*", at_h1);
    expect_page("-u * -h x", HEAD "r1/1               slots=1/2            hosts x\n");
    expect_page("-u * -h nosuch", "");
}

static void the_xml_is_as_captured(void **state SGE_UNUSED)
{
    static const char *const one[] = {
        "r2/2 users=bob! hosts=HOST! resource=slots limit=50 value=2", NULL
    };
    static const char *const none[] = { NULL };
    records = one;
    expect_page(
        "-xml -u bob",
        "<?xml version='1.0'?>\n"
        "<qquota_result xmlns=\"http://arc.liv.ac.uk/repos/darcs/sge/source/source/dist/util/"
        "resources/schemas/qquota/qquota.xsd\">\n"
        " <qquota_rule name='r2/2'>\n"
        "   <users>bob</users>\n"
        "   <hosts>HOST</hosts>\n"
        "   <limit resource='slots' limit='50' value='2'/>\n"
        " </qquota_rule>\n"
        "</qquota_result>\n");
    records = none;
    expect_page(
        "-xml",
        "<?xml version='1.0'?>\n"
        "<qquota_result xmlns=\"http://arc.liv.ac.uk/repos/darcs/sge/source/source/dist/util/"
        "resources/schemas/qquota/qquota.xsd\">\n"
        "</qquota_result>\n");
}

static void json_has_numbers(void **state SGE_UNUSED)
{
    static const char *const one[] = {
        "r1/1 users=alice! resource=big limit=3.000G value=1.000G limit_number=3221225472 "
        "value_number=1073741824",
        NULL
    };
    records = one;
    char *page = run_qquota("-json");
    assert_non_null(strstr(page, "\"rule\": \"r1/1\""));
    assert_non_null(strstr(page, "\"limit\": 3221225472"));
    assert_non_null(strstr(page, "\"value\": 1073741824"));
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_is_as_captured), cmocka_unit_test(filters_choose_as_captured),
        cmocka_unit_test(hosts_and_groups_choose), cmocka_unit_test(the_xml_is_as_captured),
        cmocka_unit_test(json_has_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
