/* What attributes may hold. */
#include "libs/drmaa/attributes.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "libs/drmaa/drmaa.h"
#include "libs/drmaa/texts.h"
#include "libs/uti/answer.h"

static const struct {
    const char *name, *value;
    int number;
} cases[] = {
    { DRMAA_REMOTE_COMMAND, "/bin/true", DRMAA_ERRNO_SUCCESS },
    { DRMAA_REMOTE_COMMAND, "", DRMAA_ERRNO_INVALID_ATTRIBUTE_VALUE },
    { DRMAA_JS_STATE, "drmaa_hold", DRMAA_ERRNO_SUCCESS },
    { DRMAA_JS_STATE, "drmaa_active", DRMAA_ERRNO_SUCCESS },
    { DRMAA_JS_STATE, "drmaa_", DRMAA_ERRNO_INVALID_ATTRIBUTE_VALUE },
    { DRMAA_JS_STATE, "", DRMAA_ERRNO_INVALID_ATTRIBUTE_VALUE },
    { DRMAA_WD, "/tmp", DRMAA_ERRNO_SUCCESS },
    { DRMAA_WD, "$drmaa_hd_ph$/x", DRMAA_ERRNO_SUCCESS },
    { DRMAA_WD, "/x/$drmaa_hd_ph$", DRMAA_ERRNO_INVALID_ATTRIBUTE_VALUE },
    { DRMAA_WD, "$drmaa_wd_ph$/x", DRMAA_ERRNO_INVALID_ATTRIBUTE_VALUE },
    { DRMAA_BLOCK_EMAIL, "1", DRMAA_ERRNO_SUCCESS },
    { DRMAA_BLOCK_EMAIL, "yes", DRMAA_ERRNO_INVALID_ATTRIBUTE_VALUE },
    { DRMAA_START_TIME, "11:22", DRMAA_ERRNO_SUCCESS },
    { DRMAA_START_TIME, "noon", DRMAA_ERRNO_INVALID_ATTRIBUTE_FORMAT },
    { DRMAA_START_TIME, "25:00", DRMAA_ERRNO_INVALID_ATTRIBUTE_VALUE },
    { DRMAA_JOB_NAME, "render", DRMAA_ERRNO_SUCCESS },
    { DRMAA_JOB_NAME, "a/b", DRMAA_ERRNO_INVALID_ATTRIBUTE_VALUE },
    { DRMAA_OUTPUT_PATH, ":/tmp", DRMAA_ERRNO_SUCCESS },
    { DRMAA_OUTPUT_PATH, "vm:$drmaa_wd_ph$/out", DRMAA_ERRNO_SUCCESS },
    { DRMAA_OUTPUT_PATH, "/tmp", DRMAA_ERRNO_INVALID_ATTRIBUTE_FORMAT },
    { DRMAA_ERROR_PATH, ":", DRMAA_ERRNO_INVALID_ATTRIBUTE_FORMAT },
    { DRMAA_INPUT_PATH, ":/x$drmaa_hd_ph$", DRMAA_ERRNO_INVALID_ATTRIBUTE_VALUE },
    { DRMAA_JOIN_FILES, "y", DRMAA_ERRNO_SUCCESS },
    { DRMAA_JOIN_FILES, "y|n", DRMAA_ERRNO_INVALID_ATTRIBUTE_VALUE },
    { DRMAA_SUBMIT_AS_EUID, "n", DRMAA_ERRNO_SUCCESS },
    { DRMAA_TRANSFER_FILES, "oie", DRMAA_ERRNO_SUCCESS },
    { DRMAA_TRANSFER_FILES, "", DRMAA_ERRNO_SUCCESS },
    { DRMAA_TRANSFER_FILES, "iox", DRMAA_ERRNO_INVALID_ATTRIBUTE_VALUE },
};

static void values_are_checked_when_they_are_set(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct answer ans = ANSWER_INIT;
        int id = attribute_find(cases[i].name, false);
        assert_true(id >= 0);
        int number = attribute_check((enum attribute_id)id, cases[i].value, &ans);
        if (number != cases[i].number)
            fail_msg("%s=%s: %d", cases[i].name, cases[i].value, number);
        assert_int_equal(ans_has_error(&ans), number != DRMAA_ERRNO_SUCCESS);
        ans_free(&ans);
    }
}

static void a_refusal_names_value_and_attribute(void **state)
{
    (void)state;
    struct answer ans = ANSWER_INIT;
    attribute_check(ATTRIBUTE_OUTPUT_PATH, "/tmp/x", &ans);
    assert_string_equal(ans_first_error(&ans),
                        "\"/tmp/x\" is not a valid value of attribute \"drmaa_output_path\": the "
                        "form is [host]:path");
    ans_free(&ans);
}

static void variables_have_a_name(void **state)
{
    (void)state;
    assert_int_equal(attribute_check(ATTRIBUTE_ENV, "A=", NULL), DRMAA_ERRNO_SUCCESS);
    assert_int_equal(attribute_check(ATTRIBUTE_ENV, "A", NULL),
                     DRMAA_ERRNO_INVALID_ATTRIBUTE_FORMAT);
    assert_int_equal(attribute_check(ATTRIBUTE_ENV, "=1", NULL),
                     DRMAA_ERRNO_INVALID_ATTRIBUTE_FORMAT);
}

static void a_value_has_a_limit(void **state)
{
    (void)state;
    char *value = malloc(ATTRIBUTE_BYTES_MOST + 2);
    memset(value, 'a', ATTRIBUTE_BYTES_MOST + 1);
    value[ATTRIBUTE_BYTES_MOST + 1] = '\0';
    assert_int_equal(attribute_check(ATTRIBUTE_NATIVE, value, NULL),
                     DRMAA_ERRNO_INVALID_ATTRIBUTE_VALUE);
    value[ATTRIBUTE_BYTES_MOST] = '\0';
    assert_int_equal(attribute_check(ATTRIBUTE_NATIVE, value, NULL), DRMAA_ERRNO_SUCCESS);
    free(value);
}

static void vectors_and_scalars_have_names_of_their_own(void **state)
{
    (void)state;
    assert_int_equal(attribute_find(DRMAA_V_ARGV, true), ATTRIBUTE_ARGV);
    assert_int_equal(attribute_find(DRMAA_V_ARGV, false), -1);
    assert_int_equal(attribute_find(DRMAA_WD, true), -1);
    assert_int_equal(attribute_find("drmaa_deadline_time", false), -1);
    assert_int_equal(attribute_find("", false), -1);
    struct texts *scalars = texts_new(), *vectors = texts_new();
    attributes_list(false, false, scalars);
    attributes_list(true, false, vectors);
    assert_int_equal(scalars->n, 13); /* the mandatory 12, and drmaa_submit_as_euid */
    assert_int_equal(vectors->n, 3);
    attributes_list(false, true, scalars);
    assert_int_equal(scalars->n, 13 + 14); /* drmaa_transfer_files, where files are staged */
    texts_free(scalars);
    texts_free(vectors);
}

static void texts_are_cut_to_the_room_they_have(void **state)
{
    (void)state;
    struct texts *ids = texts_of_tasks(7, 1, 2, 3);
    char exact[4], one[1] = "", none[] = "x";
    assert_true(texts_next(ids, exact, sizeof exact));
    assert_string_equal(exact, "7.1");
    assert_true(texts_next(ids, one, sizeof one));
    assert_string_equal(one, "");
    assert_true(texts_next(ids, none, 0));
    assert_string_equal(none, "x");
    assert_false(texts_next(ids, exact, sizeof exact));
    texts_free(ids);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_checked_when_they_are_set),
        cmocka_unit_test(a_refusal_names_value_and_attribute),
        cmocka_unit_test(variables_have_a_name),
        cmocka_unit_test(a_value_has_a_limit),
        cmocka_unit_test(vectors_and_scalars_have_names_of_their_own),
        cmocka_unit_test(texts_are_cut_to_the_room_they_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
