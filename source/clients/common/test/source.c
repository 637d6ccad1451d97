/* What commands receive from a source. */
#include "clients/common/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
/* cmocka last: it needs the three above */
#include <cmocka.h>

#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static int give_sample(void *state, struct GR_Type *request, answer_part_fn part, void *ctx,
                       struct answer *ans)
{
    (void)request;
    return part(ctx, state, ans);
}

static int note_project(void *ctx, const struct GA_Type *part, struct answer *ans)
{
    (void)ans;
    dstr_add(ctx, part->GA_jobs.v[0].JB_project);
    return 0;
}

static void assert_project_seen(bool is_raw, const char *expected)
{
    struct GA_Type part = { 0 };
    cull_set((struct JB_Type *)cull_append(&part, GA_jobs), JB_project, "p\033[31m");
    struct GR_Type request = { 0 };
    struct dstr seen = DSTR_INIT;
    struct source from = { .get = give_sample, .state = &part, .is_raw = is_raw };
    assert_int_equal(source_ask(&from, &request, note_project, &seen, NULL), 0);
    assert_string_equal(dstr_get(&seen), expected);
    assert_string_equal(part.GA_jobs.v[0].JB_project, "p\033[31m");
    dstr_free(&seen);
    cull_clear(&cull_GA_Type, &part);
}

static void what_a_source_gives_is_printable_unless_xml_is_written(void **state)
{
    (void)state;
    assert_project_seen(false, "p\\x1b[31m");
    assert_project_seen(true, "p\033[31m");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_source_gives_is_printable_unless_xml_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
