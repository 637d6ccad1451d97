/* What -binding takes, what it refuses in which words, and how it is shown. */
#include "libs/sgeobj/binding.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "libs/uti/dstr.h"

static void what_is_asked_for_is_shown(void **state)
{
    static const struct {
        const char *text;
        uint32_t type;
        const char *shown;
    } good[] = {
        { "linear:1", BINDING_SET, "set linear:1" },
        { "linear", BINDING_SET, "set linear:slots" },
        { "linear_automatic:1", BINDING_ENV, "env linear:1" },
        { "linear:1:0,1", BINDING_PE, "pe linear:1:0,1" },
        { "linear:1:5,5", BINDING_SET, "set linear:1:5,5" },
        { "striding:2:1", BINDING_SET, "set striding:2:1" },
        { "striding:1:2:0,1", BINDING_SET, "set striding:1:2:0,1" },
        { "striding:2:0", BINDING_SET, "set striding:2:0" },
        { "explicit:0,0:0,1", BINDING_SET, "set explicit:0,0:0,1" },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        struct BN_Type bn = { 0 };
        struct dstr text = DSTR_INIT;
        assert_null(binding_read(&bn, good[i].text));
        cull_set(&bn, BN_type, good[i].type);
        assert_null(binding_check(&bn));
        binding_text(&bn, &text);
        assert_string_equal(dstr_get(&text), good[i].shown);
        dstr_free(&text);
        cull_clear(&cull_BN_Type, &bn);
    }
}

static void what_cannot_be_read_is_refused_in_known_words(void **state)
{
    static const char *const strategy = "couldn't parse binding parameter (no strategy found)";
    static const struct {
        const char *text, *words;
    } bad[] = {
        { "", strategy },
        { "none", strategy },
        { "env", strategy },
        { "foo:1", strategy },
        { "linear:-1", "couldn't parse amount (linear)" },
        { "linear:x", "couldn't parse amount (linear)" },
        { "linear:", "couldn't parse amount (linear)" },
        { "linear:4294967296", "couldn't parse amount (linear)" },
        { "linear:1:0", "couldn't parse core number (linear)" },
        { "linear:1:0,0,0", "couldn't parse core number (linear)" },
        { "linear:1:0,0:1,1", "couldn't parse core number (linear)" },
        { "striding", "couldn't parse amount (striding)" },
        { "striding:2", "couldn't parse amount (striding)" },
        { "striding:2:x", "couldn't parse step size (striding)" },
        { "striding:2:1:0", "couldn't parse core number (striding)" },
        { "explicit", "'explicit:' not found in string!" },
        { "explicit:", "Missing first core number!" },
        { "explicit:0", "Missing first core number!" },
        { "explicit:0,0:0", "No core for a given socket!" },
        { "explicit:0,0,1", "Missing first core number!" },
        { "explicit:0,0:0,0", "<socket,core> pairs are not unique!" },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct BN_Type bn = { 0 };
        assert_string_equal(binding_read(&bn, bad[i].text), bad[i].words);
        cull_clear(&cull_BN_Type, &bn);
    }
}

static void a_list_of_cores_is_bounded(void **state)
{
    struct dstr text = DSTR_INIT;
    struct BN_Type bn = { 0 };
    (void)state;
    dstr_add(&text, "explicit");
    for (unsigned i = 0; i < BINDING_PAIRS_MOST; i++)
        dstr_addf(&text, ":0,%u", i);
    assert_null(binding_read(&bn, dstr_get(&text)));
    dstr_add(&text, ":1,0");
    assert_string_equal(binding_read(&bn, dstr_get(&text)), "more than 1024 <socket,core> pairs!");
    cull_clear(&cull_BN_Type, &bn);
    dstr_free(&text);
}

/* it may come from another program than ours */
static void a_record_is_checked_as_a_text_is(void **state)
{
    struct BN_Type bn = { 0 };
    (void)state;
    assert_non_null(binding_check(&bn));
    cull_set(&bn, BN_strategy, "linear");
    assert_null(binding_check(&bn));
    cull_set(&bn, BN_parameter_n, 0u);
    assert_string_equal(binding_check(&bn),
                        "binding parameter not consistent with strategy (BN_parameter is n)");
    cull_set(&bn, BN_strategy, "striding");
    assert_string_equal(binding_check(&bn),
                        "binding parameter not consistent with strategy (BN_parameter_n is 0)");
    cull_set(&bn, BN_strategy, "explicit");
    assert_string_equal(binding_check(&bn), "Missing first core number!");
    cull_set(&bn, BN_parameter_explicit, "0,0:0,0");
    assert_string_equal(binding_check(&bn), "<socket,core> pairs are not unique!");
    cull_set(&bn, BN_parameter_explicit, "0,0");
    cull_set(&bn, BN_type, 3u);
    assert_string_equal(binding_check(&bn), "unknown type of binding");
    cull_clear(&cull_BN_Type, &bn);
}

static void pairs_are_read_from_letters(void **state)
{
    static const struct {
        const char *letters, *pairs;
    } read[] = { { "ScC", "0,0" },
                 { "SCcScC", "0,1:1,0" },
                 { "ScttCTTSCTTctt", "0,0:1,1" },
                 { "SCTTCTT", "" },
                 { "", "" },
                 { "cc", "" } };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(read); i++) {
        struct dstr text = DSTR_INIT;
        assert_true(binding_letters_are_valid(read[i].letters));
        binding_letters_pairs(read[i].letters, &text);
        assert_string_equal(dstr_get(&text), read[i].pairs);
        dstr_free(&text);
    }
    assert_false(binding_letters_are_valid("SC C"));
    char *much = uti_calloc(BINDING_LETTERS_MOST + 2, 1);
    memset(much, 'C', BINDING_LETTERS_MOST);
    assert_true(binding_letters_are_valid(much));
    much[BINDING_LETTERS_MOST] = 'C';
    assert_false(binding_letters_are_valid(much));
    free(much);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_asked_for_is_shown),
        cmocka_unit_test(what_cannot_be_read_is_refused_in_known_words),
        cmocka_unit_test(a_list_of_cores_is_bounded),
        cmocka_unit_test(a_record_is_checked_as_a_text_is),
        cmocka_unit_test(pairs_are_read_from_letters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
