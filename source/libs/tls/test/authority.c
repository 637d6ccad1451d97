/* What the authority writes, and what it refuses. */
#include "libs/tls/authority.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "libs/tls/test/papers.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/time.h"

static mode_t mode_of(const char *dir, const char *name)
{
    struct stat st;
    char *path = path_join(dir, name);
    assert_int_equal(stat(path, &st), 0);
    free(path);
    return st.st_mode & ALLPERMS;
}

static void keys_are_their_owners_alone(void **state)
{
    struct papers *p = *state;
    char *dir = papers_of(p, p->authority, "node1", TLS_HOST, 100);
    assert_int_equal(mode_of(p->authority, "."), 0700);
    assert_int_equal(mode_of(p->authority, AUTHORITY_FILE_KEY), 0600);
    assert_int_equal(mode_of(dir, "."), 0700);
    assert_int_equal(mode_of(dir, TLS_FILE_KEY), 0600);
    assert_int_equal(mode_of(dir, TLS_FILE_CERTIFICATE), 0644);
    free(dir);
}

static void an_authority_is_made_once(void **state)
{
    struct papers *p = *state;
    struct answer ans = ANSWER_INIT;
    assert_int_equal(authority_make(p->authority, &ans), -1);
    assert_int_equal(ans.v[0].status, STATUS_EEXIST);
    ans_free(&ans);
}

static void what_is_no_host_name_gets_no_certificate(void **state)
{
    static const char *const names[] = { "", "node1,DNS:node2", "node 1", "node1\n", "*", "../x" };
    struct papers *p = *state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct answer ans = ANSWER_INIT;
        struct certificate c = { names[i], TLS_HOST, 0, uti_now_s() + 100 };
        char *dir = path_join(p->dir, "none");
        assert_int_equal(authority_issue(p->authority, &c, dir, &ans), -1);
        assert_int_equal(ans.v[0].status, STATUS_ESEMANTIC);
        ans_free(&ans);
        free(dir);
    }
}

static void a_host_name_may_be_long(void **state)
{
    struct papers *p = *state;
    char name[254];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    struct certificate c = { name, TLS_HOST, 0, uti_now_s() + 100 };
    assert_int_equal(authority_issue(p->authority, &c, p->authority, NULL), 0);
}

static void an_authority_without_its_key_issues_nothing(void **state)
{
    struct papers *p = *state;
    struct answer ans = ANSWER_INIT;
    struct certificate c = { "node1", TLS_HOST, 0, uti_now_s() + 100 };
    assert_int_equal(authority_issue(p->dir, &c, p->dir, &ans), -1);
    assert_non_null(strstr(ans_first_error(&ans), AUTHORITY_FILE_KEY));
    ans_free(&ans);
}

static void a_key_that_others_may_read_is_refused(void **state)
{
    struct papers *p = *state;
    struct answer ans = ANSWER_INIT;
    char *dir = papers_of(p, p->authority, "node1", TLS_HOST, 100);
    char *key = path_join(dir, TLS_FILE_KEY);
    assert_int_equal(chmod(key, 0640), 0);
    assert_null(tls_context_new(dir, TLS_HOST, &ans));
    assert_non_null(strstr(ans_first_error(&ans), "its mode is 640"));
    ans_free(&ans);
    free(key);
    free(dir);
}

/* whoever is killed while papers are replaced has replaced the key's file, which comes first */
static void papers_that_were_half_replaced_work(void **state)
{
    struct papers *p = *state;
    struct dstr text = DSTR_INIT;
    uint64_t at_s, until_s;
    char *dir = papers_of(p, p->authority, "node1", TLS_HOST, 100);
    char *path = path_join(dir, TLS_FILE_CERTIFICATE);
    assert_int_equal(file_read(path, 10000, &text, NULL), 0);
    free(papers_of(p, p->authority, "node1", TLS_HOST, 100000));
    assert_int_equal(file_replace(path, text.s, text.len, 0644, NULL), 0);
    struct tls_context *c = tls_context_new(dir, TLS_HOST, NULL);
    assert_non_null(c);
    tls_context_free(c);
    assert_int_equal(tls_renewal_at(dir, &at_s, &until_s, NULL), 0);
    assert_true(until_s > uti_now_s() + 1000 && at_s < until_s);
    dstr_free(&text);
    free(path);
    free(dir);
}

static void a_key_of_somebody_else_is_refused(void **state)
{
    struct papers *p = *state;
    struct answer ans = ANSWER_INIT;
    struct dstr text = DSTR_INIT;
    char *one = papers_of(p, p->authority, "node1", TLS_HOST, 100);
    char *two = papers_of(p, p->authority, "node2", TLS_HOST, 100);
    char *from = path_join(one, TLS_FILE_KEY), *to = path_join(two, TLS_FILE_KEY);
    assert_int_equal(file_read(from, 10000, &text, NULL), 0);
    char *certificate = strstr(text.s, "-----BEGIN CERTIFICATE");
    assert_non_null(certificate); /* two's, which stands beside it, would have to do */
    assert_int_equal(file_replace(to, text.s, (size_t)(certificate - text.s), 0600, NULL), 0);
    assert_null(tls_context_new(two, TLS_HOST, &ans));
    assert_non_null(strstr(ans_first_error(&ans), to));
    ans_free(&ans);
    dstr_free(&text);
    free(from);
    free(to);
    free(one);
    free(two);
}

#define WITH_PAPERS(test) cmocka_unit_test_setup_teardown(test, papers_start, papers_stop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_PAPERS(keys_are_their_owners_alone),
        WITH_PAPERS(an_authority_is_made_once),
        WITH_PAPERS(what_is_no_host_name_gets_no_certificate),
        WITH_PAPERS(a_host_name_may_be_long),
        WITH_PAPERS(an_authority_without_its_key_issues_nothing),
        WITH_PAPERS(a_key_that_others_may_read_is_refused),
        WITH_PAPERS(papers_that_were_half_replaced_work),
        WITH_PAPERS(a_key_of_somebody_else_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
