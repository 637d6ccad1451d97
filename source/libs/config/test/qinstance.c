/* Tests of libs/config/qinstance.c: host before group before default, and the letters of qstat. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "libs/config/cqueue.h"
#include "libs/config/qinstance.h"
#include "libs/uti/dstr.h"

struct fixture {
    struct CQ_Type *cq;
    struct QU_Type *qu;
};

static int set_up(void **state)
{
    static struct fixture f;
    f.cq = cqueue_template("all.q");
    f.qu = cull_new(&cull_QU_Type);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    cull_delete(&cull_CQ_Type, f->cq);
    cull_delete(&cull_QU_Type, f->qu);
    return 0;
}

/* every host is in @all; node1 is in @big too */
static bool has_member(void *ctx SGE_UNUSED, const char *group, const char *host)
{
    return strcmp(group, "@all") == 0 || (strcmp(group, "@big") == 0 && strcmp(host, "node1") == 0);
}

static void a_host_wins_over_its_group_over_the_default(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(cqueue_set(f->cq, "slots", "1,[@big=8],[node1=4]", NULL), 0);
    qinstance_resolve(f->qu, f->cq, "node1", has_member, NULL);
    assert_int_equal(f->qu->QU_job_slots, 4);
    assert_int_equal(cqueue_set(f->cq, "slots", "1,[@big=8]", NULL), 0);
    qinstance_resolve(f->qu, f->cq, "node1", has_member, NULL);
    assert_int_equal(f->qu->QU_job_slots, 8);
    qinstance_resolve(f->qu, f->cq, "node2", has_member, NULL);
    assert_int_equal(f->qu->QU_job_slots, 1);
    qinstance_resolve(f->qu, f->cq, "node1", NULL, NULL);
    assert_int_equal(f->qu->QU_job_slots, 1);
}

static void all_fields_come_from_the_settings(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(cqueue_set(f->cq, "seq_no", "7", NULL), 0);
    assert_int_equal(cqueue_set(f->cq, "qtype", "batch", NULL), 0);
    assert_int_equal(cqueue_set(f->cq, "rerun", "true", NULL), 0);
    assert_int_equal(cqueue_set(f->cq, "shell", "/bin/bash", NULL), 0);
    qinstance_resolve(f->qu, f->cq, "node2", has_member, NULL);
    assert_string_equal(f->qu->QU_full_name, "all.q@node2");
    assert_string_equal(f->qu->QU_qname, "all.q");
    assert_string_equal(f->qu->QU_qhostname, "node2");
    assert_int_equal(f->qu->QU_seq_no, 7);
    assert_int_equal(f->qu->QU_qtype, QTYPE_BATCH);
    assert_true(f->qu->QU_rerun);
    assert_int_equal(f->qu->QU_settings.n, cqueue_attrs_n);
    assert_string_equal(qinstance_setting(f->qu, "shell"), "/bin/bash");
    assert_null(qinstance_setting(f->qu, "nosuch"));
}

static void groups_that_contradict_each_other_make_it_ambiguous(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(cqueue_set(f->cq, "slots", "1,[@all=2],[@big=8]", NULL), 0);
    qinstance_resolve(f->qu, f->cq, "node2", has_member, NULL);
    assert_int_equal(f->qu->QU_state & QI_AMBIGUOUS, 0);
    qinstance_resolve(f->qu, f->cq, "node1", has_member, NULL);
    assert_int_equal(f->qu->QU_state & QI_AMBIGUOUS, QI_AMBIGUOUS);
    assert_non_null(strstr(f->qu->QU_message, "\"slots\""));
    assert_int_equal(cqueue_set(f->cq, "slots", "1,[@all=2],[@big=8],[node1=3]", NULL), 0);
    qinstance_resolve(f->qu, f->cq, "node1", has_member, NULL);
    assert_int_equal(f->qu->QU_state & QI_AMBIGUOUS, 0);
    assert_null(f->qu->QU_message);
    assert_int_equal(cqueue_set(f->cq, "slots", "1,[@all=2],[@big=2]", NULL), 0);
    qinstance_resolve(f->qu, f->cq, "node1", has_member, NULL);
    assert_int_equal(f->qu->QU_state & QI_AMBIGUOUS, 0);
}

static void resolving_again_keeps_other_states(void **state)
{
    struct fixture *f = *state;
    cull_set(f->qu, QU_state, QI_DISABLED | QI_ERROR);
    cull_set(f->qu, QU_message, "job 7 failed");
    qinstance_resolve(f->qu, f->cq, "node1", has_member, NULL);
    assert_int_equal(f->qu->QU_state, QI_DISABLED | QI_ERROR);
    assert_string_equal(f->qu->QU_message, "job 7 failed");
    assert_int_equal(f->qu->QU_settings.n, cqueue_attrs_n);
}

static void states_are_letters(void **state SGE_UNUSED)
{
    struct dstr out = DSTR_INIT;
    unsigned bits = 0;
    qinstance_state_text(QI_UNKNOWN | QI_ALARM | QI_DISABLED, &out);
    assert_string_equal(dstr_get(&out), "adu");
    assert_true(qinstance_state_parse("adu", &bits));
    assert_int_equal(bits, QI_UNKNOWN | QI_ALARM | QI_DISABLED);
    assert_true(qinstance_state_parse("aACdDsSuEco", &bits));
    assert_int_equal(bits, QI_BLOCKING);
    assert_false(qinstance_state_parse("x", &bits));
    dstr_clear(&out);
    qinstance_state_text(0, &out);
    assert_int_equal(out.len, 0);
    dstr_free(&out);
}

static void types_are_letters(void **state)
{
    struct fixture *f = *state;
    struct dstr out = DSTR_INIT;
    assert_int_equal(cqueue_set(f->cq, "pe_list", "make smp", NULL), 0);
    assert_int_equal(cqueue_set(f->cq, "ckpt_list", "user_ckpt", NULL), 0);
    qinstance_resolve(f->qu, f->cq, "node1", has_member, NULL);
    qinstance_type_text(f->qu, &out);
    assert_string_equal(dstr_get(&out), "BIPC");
    dstr_clear(&out);
    assert_int_equal(cqueue_set(f->cq, "qtype", "NONE", NULL), 0);
    assert_int_equal(cqueue_set(f->cq, "pe_list", "NONE", NULL), 0);
    assert_int_equal(cqueue_set(f->cq, "ckpt_list", "NONE", NULL), 0);
    qinstance_resolve(f->qu, f->cq, "node1", has_member, NULL);
    qinstance_type_text(f->qu, &out);
    assert_string_equal(dstr_get(&out), "N");
    dstr_free(&out);
}

static void its_text_names_the_host(void **state)
{
    struct fixture *f = *state;
    struct dstr out = DSTR_INIT;
    qinstance_resolve(f->qu, f->cq, "node1", has_member, NULL);
    qinstance_text(f->qu, false, &out);
    assert_non_null(strstr(
        out.s,
        "qname                 all.q\nhostname              node1\nseq_no                0\n"));
    assert_non_null(strstr(out.s, "\nqtype                 BATCH INTERACTIVE \n"));
    dstr_free(&out);
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_host_wins_over_its_group_over_the_default),
        CASE(all_fields_come_from_the_settings),
        CASE(groups_that_contradict_each_other_make_it_ambiguous),
        CASE(resolving_again_keeps_other_states),
        CASE(states_are_letters),
        CASE(types_are_letters),
        CASE(its_text_names_the_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
