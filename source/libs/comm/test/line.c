/* What the frames of lines say, and how much of a line may be on its way. */
#include "libs/comm/line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"

static void a_user_is_who_was_packed(void **state)
{
    const struct line_user alice = { 4711, 100, 42, "alice", "domain users" };
    struct line_user who;
    size_t len;
    (void)state;
    uint8_t *body = line_user_pack(&alice, &len);
    assert_true(len <= line_body_most(LINE_OPEN));
    assert_int_equal(line_user_unpack(body, len, &who), 0);
    assert_true(who.uid == 4711 && who.gid == 100 && who.pid == 42);
    assert_string_equal(who.user, "alice");
    assert_string_equal(who.group, "domain users");
    for (size_t shorter = 0; shorter < len; shorter++) /* each byte is needed */
        assert_int_equal(line_user_unpack(body, shorter, &who), -1);
    free(body);
}

static void names_that_could_mean_something_else_are_refused(void **state)
{
    static const char *const bad[] = { "", "a b", "a\nb", "\x7f", "host\tnode1" };
    struct line_user who;
    size_t len;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        uint8_t *body = line_user_pack(&(struct line_user){ 1, 1, 1, bad[i], "users" }, &len);
        assert_int_equal(line_user_unpack(body, len, &who), -1);
        free(body);
    }
}

static void a_name_that_is_too_long_is_cut(void **state)
{
    char name[2 * LINE_NAME_MOST];
    struct line_user who;
    size_t len;
    (void)state;
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    uint8_t *body = line_user_pack(&(struct line_user){ 1, 1, 1, name, name }, &len);
    assert_int_equal(len, line_body_most(LINE_OPEN));
    assert_int_equal(line_user_unpack(body, len, &who), 0);
    assert_int_equal(strlen(who.group), LINE_NAME_MOST);
    free(body);
}

static void no_more_comes_than_was_granted(void **state)
{
    static const uint8_t bytes[LINE_WINDOW];
    struct line_flow f;
    (void)state;
    line_flow_init(&f);
    assert_int_equal(line_flow_come(&f, bytes, LINE_WINDOW), 0);
    assert_int_equal(line_flow_come(&f, bytes, 1), -1);
    assert_int_equal(line_flow_take(&f, 1), 0);
    assert_int_equal(line_flow_come(&f, bytes, 1), -1); /* taken is not granted */
    uint32_t granted = line_flow_take(&f, LINE_WINDOW - 1);
    assert_int_equal(granted, LINE_WINDOW);
    assert_int_equal(line_flow_come(&f, bytes, granted), 0);
    line_flow_free(&f);
}

static void no_more_is_granted_than_has_gone(void **state)
{
    struct line_flow f;
    (void)state;
    line_flow_init(&f);
    assert_int_equal(line_flow_granted(&f, 1), -1);
    assert_int_equal(line_flow_granted(&f, UINT32_MAX), -1);
    f.may_go = 0;
    assert_int_equal(line_flow_granted(&f, LINE_WINDOW), 0);
    line_flow_free(&f);
}

static void bytes_stay_in_their_order(void **state)
{
    struct line_flow f;
    uint8_t next = 0, expected = 0;
    (void)state;
    line_flow_init(&f);
    for (unsigned i = 0; i < 1000; i++) {
        uint8_t two[] = { next, (uint8_t)(next + 1) };
        assert_int_equal(line_flow_come(&f, two, 2), 0);
        next = (uint8_t)(next + 2);
        assert_int_equal(*line_flow_bytes(&f), expected);
        line_flow_take(&f, 1); /* every second one stays */
        expected++;
    }
    assert_int_equal(line_flow_left(&f), 1000);
    line_flow_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_user_is_who_was_packed),
        cmocka_unit_test(names_that_could_mean_something_else_are_refused),
        cmocka_unit_test(a_name_that_is_too_long_is_cut),
        cmocka_unit_test(no_more_comes_than_was_granted),
        cmocka_unit_test(no_more_is_granted_than_has_gone),
        cmocka_unit_test(bytes_stay_in_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
