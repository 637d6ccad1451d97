/* Tests of libs/config/cqueue.c: queue_conf(5) and the captured `qconf -sq`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "libs/config/cqueue.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static const char all_q[] = /* as captured */
    "qname                 all.q\n"
    "hostlist              @allhosts\n"
    "seq_no                0\n"
    "load_thresholds       NONE\n"
    "suspend_thresholds    NONE\n"
    "nsuspend              1\n"
    "suspend_interval      00:05:00\n"
    "priority              0\n"
    "min_cpu_interval      00:05:00\n"
    "processors            UNDEFINED\n"
    "qtype                 BATCH INTERACTIVE\n"
    "ckpt_list             user_ckpt\n"
    "pe_list               make smp mpi\n"
    "rerun                 FALSE\n"
    "slots                 64\n"
    "tmpdir                /tmp\n"
    "shell                 /bin/sh\n"
    "prolog                NONE\n"
    "epilog                NONE\n"
    "shell_start_mode      unix_behavior\n"
    "starter_method        NONE\n"
    "suspend_method        NONE\n"
    "resume_method         NONE\n"
    "terminate_method      NONE\n"
    "notify                00:00:60\n"
    "owner_list            NONE\n"
    "user_lists            NONE\n"
    "xuser_lists           NONE\n"
    "subordinate_list      NONE\n"
    "complex_values        NONE\n"
    "projects              NONE\n"
    "xprojects             NONE\n"
    "calendar              NONE\n"
    "initial_state         default\n"
    "s_rt                  INFINITY\n"
    "h_rt                  INFINITY\n"
    "s_cpu                 INFINITY\n"
    "h_cpu                 INFINITY\n"
    "s_fsize               INFINITY\n"
    "h_fsize               INFINITY\n"
    "s_data                INFINITY\n"
    "h_data                INFINITY\n"
    "s_stack               INFINITY\n"
    "h_stack               INFINITY\n"
    "s_core                INFINITY\n"
    "h_core                INFINITY\n"
    "s_rss                 INFINITY\n"
    "h_rss                 INFINITY\n"
    "s_vmem                INFINITY\n"
    "h_vmem                INFINITY\n";

static struct CQ_Type *parse_queue(const char *text)
{
    struct CQ_Type *cq = cull_new(&cull_CQ_Type);
    struct answer ans = ANSWER_INIT;
    assert_int_equal(cqueue_parse(text, cq, &ans), 0);
    assert_int_equal(ans.n, 0);
    return cq;
}

static void assert_refused(const char *text, const char *want)
{
    struct CQ_Type *cq = cull_new(&cull_CQ_Type), *empty = cull_new(&cull_CQ_Type);
    struct answer ans = ANSWER_INIT;
    assert_int_equal(cqueue_parse(text, cq, &ans), -1);
    assert_int_equal(ans.n, 1);
    assert_string_equal(ans_first_error(&ans), want);
    assert_true(cull_equal(&cull_CQ_Type, cq, empty));
    ans_free(&ans);
    cull_delete(&cull_CQ_Type, cq);
    cull_delete(&cull_CQ_Type, empty);
}

/* all_q with the line of ATTR replaced */
static char *with_line(const char *attr, const char *line)
{
    struct dstr d = DSTR_INIT;
    for (const char *at = all_q; *at != '\0';) {
        size_t len = strcspn(at, "\n") + 1;
        if (strncmp(at, attr, strlen(attr)) == 0 && at[strlen(attr)] == ' ')
            dstr_add(&d, line);
        else
            dstr_addn(&d, at, len);
        at += len;
    }
    return dstr_take(&d);
}

static void a_captured_queue_prints_as_it_was_read(void **state SGE_UNUSED)
{
    struct CQ_Type *cq = parse_queue(all_q);
    struct dstr out = DSTR_INIT;
    assert_int_equal(cqueue_check(cq, NULL), 0);
    cqueue_text(cq, false, &out);
    assert_string_equal(dstr_get(&out), all_q);
    dstr_free(&out);
    cull_delete(&cull_CQ_Type, cq);
}

static void the_template_has_the_defaults(void **state SGE_UNUSED)
{
    struct CQ_Type *cq = cqueue_template("new.q");
    struct dstr out = DSTR_INIT;
    assert_int_equal(cqueue_check(cq, NULL), 0);
    assert_string_equal(cq->CQ_name, "new.q");
    assert_int_equal(cq->CQ_hostlist.n, 0);
    cqueue_value(cq, "load_thresholds", &out);
    dstr_addc(&out, ' ');
    cqueue_value(cq, "slots", &out);
    dstr_addc(&out, ' ');
    cqueue_value(cq, "hostlist", &out);
    assert_string_equal(dstr_get(&out), "np_load_avg=1.75 1 NONE");
    dstr_free(&out);
    cull_delete(&cull_CQ_Type, cq);
}

static void hosts_and_groups_may_differ(void **state SGE_UNUSED)
{
    struct CQ_Type *cq = parse_queue(all_q);
    struct dstr out = DSTR_INIT;
    assert_int_equal(cqueue_set(cq, "slots", "4,[@allhosts=6] , [node1=8]", NULL), 0);
    assert_int_equal(cq->CQ_slots.n, 3);
    assert_string_equal(cq->CQ_slots.v[1].AT_href, "@allhosts");
    cqueue_value(cq, "slots", &out);
    assert_string_equal(dstr_get(&out), "4,[@allhosts=6],[node1=8]");
    dstr_clear(&out);
    assert_int_equal(cqueue_set(cq, "complex_values", "a=1,b=2,[node1=a=3, b=4],[@g=NONE]", NULL),
                     0);
    cqueue_value(cq, "complex_values", &out);
    assert_string_equal(dstr_get(&out), "a=1,b=2,[node1=a=3,b=4],[@g=NONE]");
    assert_int_equal(cqueue_check(cq, NULL), 0);
    dstr_free(&out);
    cull_delete(&cull_CQ_Type, cq);
}

static void hostlists_take_blanks_and_commas(void **state SGE_UNUSED)
{
    struct CQ_Type *cq = parse_queue(all_q);
    assert_int_equal(cqueue_set(cq, "hostlist", "a, b @g  a", NULL), 0);
    assert_int_equal(cq->CQ_hostlist.n, 3);
    assert_string_equal(cq->CQ_hostlist.v[2].ST_name, "@g");
    assert_int_equal(cqueue_set(cq, "hostlist", "none", NULL), 0);
    assert_int_equal(cq->CQ_hostlist.n, 0);
    cull_delete(&cull_CQ_Type, cq);
}

static void a_refused_value_leaves_the_queue_as_it_was(void **state SGE_UNUSED)
{
    static const struct {
        const char *attr, *value, *want;
    } cases[] = {
        { "slots", "abc", "attribute \"slots\": \"abc\" is not a number from 0 to 9999999" },
        { "slots", "10000000",
          "attribute \"slots\": \"10000000\" is not a number from 0 to 9999999" },
        { "slots", "1,[node1=x]", "attribute \"slots\": \"x\" is not a number from 0 to 9999999" },
        { "slots", "[node1=1]",
          "attribute \"slots\": no value for all hosts before the first bracket in \"[node1=1]\"" },
        { "slots", "1,[node1]",
          "attribute \"slots\": \"[node1]\" is not of the form [host=value],[@group=value]" },
        { "slots", "1,[node1=2",
          "attribute \"slots\": \"[node1=2\" is not of the form [host=value],[@group=value]" },
        { "slots", "1,[a=2]x",
          "attribute \"slots\": \"[a=2]x\" is not of the form [host=value],[@group=value]" },
        { "slots", "1,[a/b=2]", "attribute \"slots\": \"a/b\" is neither a host nor a host group" },
        { "slots", "1,[a=2],[a=3]", "attribute \"slots\": more than one value for \"a\"" },
        { "hostlist", "a b/c",
          "attribute \"hostlist\": \"b/c\" is neither a host nor a host group" },
        { "priority", "-21", "attribute \"priority\": \"-21\" is not a number from -20 to 20" },
        { "nosuch", "1", "unknown attribute name \"nosuch\"" },
        { "qname", "template", "cluster queue name \"template\" is not valid" },
    };
    struct CQ_Type *cq = parse_queue(all_q);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct answer ans = ANSWER_INIT;
        struct dstr out = DSTR_INIT;
        assert_int_equal(cqueue_set(cq, cases[i].attr, cases[i].value, &ans), -1);
        assert_int_equal(ans.n, 1);
        assert_string_equal(ans_first_error(&ans), cases[i].want);
        cqueue_text(cq, false, &out);
        assert_string_equal(dstr_get(&out), all_q);
        dstr_free(&out);
        ans_free(&ans);
    }
    cull_delete(&cull_CQ_Type, cq);
}

static void a_text_must_be_whole_and_known(void **state SGE_UNUSED)
{
    char *missing = with_line("slots", ""), *junk = with_line("slots", "slots 1\nju-nk 1\n"),
         *twice = with_line("slots", "slots 1\nslots 2\n"), *empty = with_line("slots", "slots\n");
    assert_refused(missing, "required attribute \"slots\" is missing");
    assert_refused(junk, "unknown attribute name \"ju-nk\"");
    assert_refused(twice, "attribute \"slots\" is specified twice");
    assert_refused(empty, "attribute \"slots\": \"\" is not a number from 0 to 9999999");
    assert_refused("", "required attribute \"qname\" is missing");
    free(missing);
    free(junk);
    free(twice);
    free(empty);
}

/* printed, they would be read as something else */
static void a_foreign_setting_must_read_back(void **state SGE_UNUSED)
{
    static const struct {
        const char *attr, *href, *value; /* href NULL: the default */
    } rows[] = { { "prolog", NULL, "/bin/a,[h=/b]" },
                 { "prolog", NULL, "/bin/a, [h=/b]" },
                 { "prolog", "node1", "/bin/a]" },
                 { "prolog", "no de", "/bin/a" },
                 { "prolog", "node1", "bin/a" },
                 { "slots", "node1", "07x" },
                 { "prolog", NULL, "[a" } };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct CQ_Type *cq = cqueue_template("q");
        struct AT_Type_list *l =
            (struct AT_Type_list *)cqueue_settings(cq, cqueue_attr_find(rows[i].attr));
        struct AT_Type *at = rows[i].href == NULL ? &l->v[0] : cull_push(l);
        cull_set(at, AT_href, rows[i].href != NULL ? rows[i].href : "/");
        cull_set(at, AT_value, rows[i].value);
        assert_int_equal(cqueue_check(cq, NULL), -1);
        cull_delete(&cull_CQ_Type, cq);
    }
}

/* slots for HOSTS hosts; the last is TWICE */
static int set_slots_of_many(struct CQ_Type *cq, const char *twice)
{
    enum { HOSTS = 2000 };
    struct dstr value = DSTR_INIT;
    dstr_add(&value, "1");
    for (int i = 0; i < HOSTS; i++)
        dstr_addf(&value, ",[node%d=2]", i);
    dstr_addf(&value, ",[%s=3]", twice);
    int ret = cqueue_set(cq, "slots", dstr_get(&value), NULL);
    dstr_free(&value);
    return ret;
}

static void of_many_settings_none_is_for_a_host_twice(void **state SGE_UNUSED)
{
    struct CQ_Type *cq = cqueue_template("q");
    assert_int_equal(set_slots_of_many(cq, "node0"), -1);
    assert_int_equal(set_slots_of_many(cq, "node1999"), -1);
    assert_int_equal(set_slots_of_many(cq, "node2000"), 0);
    assert_int_equal(cqueue_check(cq, NULL), 0);
    struct AT_Type_list *l = (struct AT_Type_list *)cqueue_settings(cq, cqueue_attr_find("slots"));
    cull_set(&l->v[l->n - 1], AT_href, "node7");
    assert_int_equal(cqueue_check(cq, NULL), -1);
    cull_delete(&cull_CQ_Type, cq);
}

/* the warnings of QUEUE, which was BEFORE, a line each */
static void assert_warned(const struct CQ_Type *queue, const struct CQ_Type *before,
                          const char *want)
{
    struct answer ans = ANSWER_INIT;
    struct dstr text = DSTR_INIT;
    cqueue_warn_unknown(queue, before, &ans);
    for (uint32_t i = 0; i < ans.n; i++)
        dstr_addf(&text, "%s\n", ans.v[i].text);
    assert_string_equal(dstr_get(&text), want);
    dstr_free(&text);
    ans_free(&ans);
}

static void unknown_attributes_are_kept_shown_and_named(void **state SGE_UNUSED)
{
    char *text = with_line("slots", "slots 1\nd_rt 100\nslotz 2\n");
    struct CQ_Type *cq = parse_queue(text), *plain = parse_queue(all_q);
    struct dstr out = DSTR_INIT;
    assert_int_equal(cqueue_check(cq, NULL), 0);
    cqueue_text(cq, false, &out);
    assert_non_null(strstr(dstr_get(&out), "h_vmem                INFINITY\n"
                                           "d_rt                  100\n"
                                           "slotz                 2\n"));
    assert_warned(cq, plain,
                  "attribute \"d_rt\" is unknown: it is stored, but has no effect; did you mean "
                  "\"s_rt\"?\n"
                  "attribute \"slotz\" is unknown: it is stored, but has no effect; did you mean "
                  "\"slots\"?\n");
    assert_warned(cq, cq, "");
    /* one that a table has, or twice, comes from a foreign sender */
    cull_set(&cq->CQ_unknown.v[1], VA_variable, "d_rt");
    assert_int_equal(cqueue_check(cq, NULL), -1);
    cull_set(&cq->CQ_unknown.v[1], VA_variable, "slots");
    assert_int_equal(cqueue_check(cq, NULL), -1);
    cull_set(&cq->CQ_unknown.v[1], VA_variable, "a\nb");
    assert_int_equal(cqueue_check(cq, NULL), -1);
    free(text);
    dstr_free(&out);
    cull_delete(&cull_CQ_Type, plain);
    cull_delete(&cull_CQ_Type, cq);
}

static void a_foreign_queue_is_checked(void **state SGE_UNUSED)
{
    struct CQ_Type *cq = parse_queue(all_q);
    cull_set(&cq->CQ_slots.v[0], AT_value, "many");
    assert_int_equal(cqueue_check(cq, NULL), -1);
    cull_set(&cq->CQ_slots.v[0], AT_value, "1,[a=2]");
    assert_int_equal(cqueue_check(cq, NULL), -1);
    cull_set(&cq->CQ_slots.v[0], AT_value, NULL);
    assert_int_equal(cqueue_check(cq, NULL), -1);
    cull_set(&cq->CQ_slots.v[0], AT_value, "1");
    assert_int_equal(cqueue_check(cq, NULL), 0);
    cull_set(&cq->CQ_slots.v[0], AT_href, "node1");
    assert_int_equal(cqueue_check(cq, NULL), -1);
    cull_clear_field(&cull_CQ_Type, cq, CQ_slots);
    assert_int_equal(cqueue_check(cq, NULL), -1);
    cull_delete(&cull_CQ_Type, cq);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_captured_queue_prints_as_it_was_read),
        cmocka_unit_test(the_template_has_the_defaults),
        cmocka_unit_test(hosts_and_groups_may_differ),
        cmocka_unit_test(hostlists_take_blanks_and_commas),
        cmocka_unit_test(a_refused_value_leaves_the_queue_as_it_was),
        cmocka_unit_test(a_text_must_be_whole_and_known),
        cmocka_unit_test(a_foreign_setting_must_read_back),
        cmocka_unit_test(of_many_settings_none_is_for_a_host_twice),
        cmocka_unit_test(unknown_attributes_are_kept_shown_and_named),
        cmocka_unit_test(a_foreign_queue_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
