/* Tests of libs/config/subordinates.c: subordinate_list of queue_conf(5). */
#include "libs/config/subordinates.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "libs/config/attr_syntax.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static void assert_read(const char *value, const char *want)
{
    struct subordination *s = subordination_read(value);
    struct dstr text = DSTR_INIT;
    if (s != NULL)
        dstr_addf(&text, "%u:", s->slots);
    for (uint32_t i = 0; s != NULL && i < s->n; i++)
        dstr_addf(&text, " %s %u %u %d", s->v[i].queue, s->v[i].slots, s->v[i].seq,
                  (int)s->v[i].order);
    assert_string_equal(dstr_get(&text), want);
    dstr_free(&text);
    subordination_free(s);
}

static void queues_are_read_with_their_slots(void **state SGE_UNUSED)
{
    assert_read("low.q=2,other.q", "0: low.q 2 0 0 other.q 0 0 0");
    assert_read("slots=4(mid.q:2:sr, low.q:1:lr)", "4: mid.q 0 2 0 low.q 0 1 1");
    assert_read("slots=4(a:1, b:3:lr, c:1, d:2)", "4: b 0 3 1 d 0 2 0 a 0 1 0 c 0 1 0");
    assert_read("NONE", "");
    assert_read(NULL, "");
    assert_read("a=1,b=2,c=3,d=4,e=5,f=6", "0: a 1 0 0 b 2 0 0 c 3 0 0 d 4 0 0 e 5 0 0 f 6 0 0");
}

/* as captured; NULL: it is refused */
static void assert_kept(const char *value, const char *want)
{
    const struct attr_rule rule = ATTR_ROW("subordinate_list", ATTR_SUBORDINATES, "NONE");
    struct dstr kept = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    int result = attr_value_parse(&rule, value, &kept, &ans);
    assert_int_equal(result, want != NULL ? 0 : -1);
    if (want != NULL)
        assert_string_equal(dstr_get(&kept), want);
    else
        assert_non_null(strstr(ans_first_error(&ans), "attribute \"subordinate_list\""));
    dstr_free(&kept);
    ans_free(&ans);
}

static void a_value_is_kept_in_one_form_or_refused(void **state SGE_UNUSED)
{
    assert_kept("low.q=2, other.q", "low.q=2,other.q");
    assert_kept("slots=2(low.q)", "slots=2(low.q:0:sr)");
    assert_kept("slots=2(low.q:1)", "slots=2(low.q:1:sr)");
    assert_kept("slots=2(mid.q:2:sr,low.q:1:lr)", "slots=2(mid.q:2:sr, low.q:1:lr)");
    assert_kept("slots=2(mid.q:2:sr, low.q:1:lr)", "slots=2(mid.q:2:sr, low.q:1:lr)");
    static const char *const wrong[] = {
        "slots=2(low.q:1:xx)",
        "slots=0(low.q:1:sr)",
        "slots=x(low.q:1:sr)",
        "slots=2(low.q:1:sr",
        "slots=2(low.q:1:sr),mid.q=1",
        "mid.q=1,slots=2(low.q:1:sr)",
        "slots=2(low.q:1:sr:4)",
        "slots=2(low.q:x)",
        "slots=2()",
        "slots=2(low.q)x",
        "low.q=x",
        "low.q=-1",
    };
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        assert_kept(wrong[i], NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queues_are_read_with_their_slots),
        cmocka_unit_test(a_value_is_kept_in_one_form_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
