/* Tokens: one host, one use, a while. */
#include "libs/tls/token.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "libs/tls/test/papers.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"

enum { UNTIL_S = 1000, BEFORE_S = 999 };

static char *token_of(const struct papers *p, const char *host)
{
    struct dstr text = DSTR_INIT;
    struct token t = { host, UNTIL_S, "cell default\n" };
    assert_int_equal(token_make(p->authority, &t, &text, NULL), 0);
    return dstr_take(&text);
}

/* use it; what is said, new: "" when it held */
static char *said_of(const struct papers *p, const char *host, const char *text, uint64_t now_s)
{
    struct answer ans = ANSWER_INIT;
    struct dstr said = DSTR_INIT, about = DSTR_INIT;
    int rc = token_use(p->authority, host, text, now_s, &about, &ans);
    dstr_add(&said, ans_first_error(&ans));
    assert_string_equal(dstr_get(&about), rc == 0 ? "cell default\n" : "");
    assert_int_equal(rc == 0, said.len == 0);
    dstr_free(&about);
    ans_free(&ans);
    return dstr_take(&said);
}

static void expect_said(const struct papers *p, const char *host, const char *text,
                        const char *part)
{
    char *said = said_of(p, host, text, BEFORE_S);
    assert_non_null(strstr(said, part));
    assert_int_equal(said[0] == '\0', part[0] == '\0');
    free(said);
}

static void a_token_holds_once(void **state)
{
    char *text = token_of(*state, "node1");
    assert_true(strlen(text) < TOKEN_BYTES_MOST);
    expect_said(*state, "node1", text, "");
    expect_said(*state, "node1", text, "not valid");
    free(text);
}

static void a_token_is_for_one_host(void **state)
{
    char *text = token_of(*state, "node1"), *other = token_of(*state, "node2");
    expect_said(*state, "node2", text, "not valid");
    expect_said(*state, "node3", text, "not valid");
    expect_said(*state, "../authority", text, "not valid");
    expect_said(*state, "node1", text, "");
    expect_said(*state, "node2", other, "");
    free(text);
    free(other);
}

static void a_token_that_has_expired_is_gone(void **state)
{
    char *text = token_of(*state, "node1"), *said = said_of(*state, "node1", text, UNTIL_S);
    assert_string_equal(said, "its token has expired");
    expect_said(*state, "node1", text, "not valid");
    free(said);
    free(text);
}

static void a_new_token_replaces_the_old(void **state)
{
    char *old = token_of(*state, "node1"), *text = token_of(*state, "node1");
    expect_said(*state, "node1", old, "not valid");
    expect_said(*state, "node1", text, "");
    free(old);
    free(text);
}

static void change_last(char *text)
{
    char *last = text + strlen(text) - 1;
    *last = *last == '0' ? '1' : '0';
}

static void wrong_secrets_make_a_token_void(void **state)
{
    char *text = token_of(*state, "node1"), *wrong = token_of(*state, "node2");
    memcpy(wrong, text, strlen(text) + 1);
    change_last(wrong);
    for (int i = 1; i < TOKEN_GUESSES; i++)
        expect_said(*state, "node1", wrong, "not valid");
    expect_said(*state, "node1", wrong, "no longer valid");
    expect_said(*state, "node1", text, "not valid");
    free(text);
    free(wrong);
}

static void who_knows_no_token_cannot_make_one_void(void **state)
{
    static const char *const guesses[] = {
        "", "-", "0123456789abcdef-", "0123456789abcdef-00\n", "0123456789abcdef", "x"
    };
    char *text = token_of(*state, "node1");
    for (int i = 0; i < 3 * TOKEN_GUESSES; i++)
        expect_said(*state, "node1", guesses[(size_t)i % ARRAY_LEN(guesses)], "not valid");
    expect_said(*state, "node1", text, "");
    free(text);
}

static void the_file_of_a_token_does_not_tell_it(void **state)
{
    struct papers *p = *state;
    struct dstr content = DSTR_INIT;
    struct stat st;
    char *text = token_of(p, "node1"), *path = path_join(p->authority, "tokens/node1.token");
    assert_int_equal(file_read(path, 8192, &content, NULL), 0);
    assert_null(strstr(dstr_get(&content), strchr(text, '-') + 1));
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & ALLPERMS, 0600);
    dstr_free(&content);
    free(path);
    free(text);
}

static void a_broken_file_is_no_token(void **state)
{
    struct papers *p = *state;
    char *text = token_of(p, "node1"), *path = path_join(p->authority, "tokens/node1.token");
    assert_int_equal(file_write(path, "1000\n0\n", 7, 0600, NULL), 0);
    expect_said(p, "node1", text, "not a token file");
    free(path);
    free(text);
}

static void what_is_no_host_gets_no_token(void **state)
{
    struct papers *p = *state;
    struct answer ans = ANSWER_INIT;
    struct dstr text = DSTR_INIT;
    struct token t = { "../x", UNTIL_S, "" };
    assert_int_equal(token_make(p->authority, &t, &text, &ans), -1);
    assert_int_equal(ans.v[0].status, STATUS_ESEMANTIC);
    assert_int_equal(text.len, 0);
    ans_free(&ans);
    dstr_free(&text);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, papers_start, papers_stop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_token_holds_once),
        TEST(a_token_is_for_one_host),
        TEST(a_token_that_has_expired_is_gone),
        TEST(a_new_token_replaces_the_old),
        TEST(wrong_secrets_make_a_token_void),
        TEST(who_knows_no_token_cannot_make_one_void),
        TEST(the_file_of_a_token_does_not_tell_it),
        TEST(a_broken_file_is_no_token),
        TEST(what_is_no_host_gets_no_token),
    };
    return cmocka_run_group_tests_name("tls/token", tests, NULL, NULL);
}
