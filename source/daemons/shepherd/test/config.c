/* Reading of config and environment files, limits and identity. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "daemons/shepherd/config.h"
#include "daemons/shepherd/limits.h"
#include "daemons/shepherd/privilege.h"
#include "libs/task/task_dir.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static struct config conf_of(const char *text)
{
    struct config c;
    assert_int_equal(config_parse(&c, uti_strdup(text), "test", NULL), 0);
    return c;
}

static void test_parse(void **state)
{
    (void)state;
    struct config c = conf_of("a=1\n\nb=x=y\nc=\nlast=no newline");
    assert_string_equal(config_get(&c, "a", NULL), "1");
    assert_string_equal(config_get(&c, "b", NULL), "x=y");
    assert_string_equal(config_get(&c, "c", NULL), "");
    assert_string_equal(config_get(&c, "last", NULL), "no newline");
    assert_string_equal(config_get(&c, "none", "otherwise"), "otherwise");
    config_free(&c);
}

static void test_line_without_equals(void **state)
{
    (void)state;
    struct config c;
    struct answer ans = ANSWER_INIT;
    assert_int_equal(config_parse(&c, uti_strdup("a=1\nbroken\n"), "config", &ans), -1);
    assert_string_equal(ans_first_error(&ans), "config: line 2 has no \"=\"");
    assert_int_equal(c.n, 0);
    ans_free(&ans);
}

static void test_escapes(void **state)
{
    (void)state;
    struct dstr text = DSTR_INIT;
    task_text_add(&text, "k", "two\nlines\\n and \\");
    struct config c = conf_of(dstr_get(&text));
    assert_string_equal(config_get(&c, "k", NULL), "two\nlines\\n and \\");
    assert_int_equal(c.n, 1);
    config_free(&c);
    dstr_free(&text);
}

static void test_environment(void **state)
{
    (void)state;
    struct config lines = conf_of("A=1\nAB=2\n");
    struct environment e;
    environment_from(&e, &lines);
    config_free(&lines); /* it has its own copies */
    environment_set(&e, "A", "3");
    environment_set(&e, "NEW", "");
    assert_string_equal(environment_get(&e, "A"), "3");
    assert_string_equal(environment_get(&e, "AB"), "2");
    assert_string_equal(environment_get(&e, "NEW"), "");
    assert_null(environment_get(&e, "B"));
    assert_int_equal(e.n, 3);
    assert_null(e.v[3]);
    environment_free(&e);
}

static void test_limits(void **state)
{
    (void)state;
    struct limits l;
    struct config c =
        conf_of("s_cpu=10\nh_cpu=20\nh_vmem=1024\ns_stack=INFINITY\nh_core=UNDEFINED\nh_rt=3\n"
                "s_fsize=9\nh_fsize=5\n");
    assert_int_equal(limits_from(&l, &c, NULL), 0);
    assert_int_equal(l.n, 4);
    assert_int_equal(l.h_rt_s, 3);
    assert_true(l.s_rt_s == UINT64_MAX);
    for (uint32_t i = 0; i < l.n; i++) {
        const struct rlimit *v = &l.v[i].value;
        if (l.v[i].resource == RLIMIT_CPU)
            assert_true(v->rlim_cur == 10 && v->rlim_max == 20);
        if (l.v[i].resource == RLIMIT_AS)
            assert_true(v->rlim_cur == 1024 && v->rlim_max == 1024);
        if (l.v[i].resource == RLIMIT_STACK)
            assert_true(v->rlim_cur == RLIM_INFINITY && v->rlim_max == RLIM_INFINITY);
        if (l.v[i].resource == RLIMIT_FSIZE)
            assert_true(v->rlim_cur == 5 && v->rlim_max == 5); /* never above the hard one */
    }
    config_free(&c);
}

static void test_bad_limit(void **state)
{
    (void)state;
    struct limits l;
    struct answer ans = ANSWER_INIT;
    struct config c = conf_of("h_vmem=lots");
    assert_int_equal(limits_from(&l, &c, &ans), -1);
    assert_string_equal(ans_first_error(&ans), "config: \"h_vmem\" has the value \"lots\"");
    ans_free(&ans);
    config_free(&c);
}

static void test_identity(void **state)
{
    (void)state;
    struct job_identity who;
    struct answer ans = ANSWER_INIT;
    struct config c = conf_of("job_uid=1001\njob_gid=1002\njob_groups=1002,27\nadd_grp_id=65400\n");
    assert_int_equal(identity_from(&who, &c, &ans), 0);
    if (geteuid() == 0) {
        assert_true(who.is_switch && who.uid == 1001 && who.gid == 1002);
        assert_int_equal(who.n_groups, 3);
        assert_int_equal(who.groups[2], 65400);
    } else {
        assert_true(!who.is_switch && who.uid == geteuid());
    }
    identity_free(&who);
    config_free(&c);
    c = conf_of("job_gid=1");
    if (geteuid() == 0) { /* root never runs a job as whoever it happens to be */
        assert_int_equal(identity_from(&who, &c, &ans), -1);
        assert_string_equal(ans_first_error(&ans), "config has no \"job_uid\"");
    }
    ans_free(&ans);
    config_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse),    cmocka_unit_test(test_line_without_equals),
        cmocka_unit_test(test_escapes),  cmocka_unit_test(test_environment),
        cmocka_unit_test(test_limits),   cmocka_unit_test(test_bad_limit),
        cmocka_unit_test(test_identity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
