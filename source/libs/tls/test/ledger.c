/* The ledger of an authority: what it says of certificates, who is revoked, and what a crash can
 * leave in it. */
#include "libs/tls/ledger.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libs/tls/test/papers.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"
#include "libs/uti/time.h"

static void issue_one(struct papers *p, const char *name, enum tls_side side, int until_s)
{
    free(papers_of(p, p->authority, name, side, until_s));
}

static void expect_entry(struct papers *p, uint32_t i, const char *name, enum tls_side side,
                         bool is_revoked)
{
    struct ledger l;
    assert_int_equal(ledger_read(&l, p->authority, NULL), 0);
    assert_true(i < l.n);
    assert_string_equal(l.v[i].about.name, name);
    assert_int_equal(l.v[i].about.side, side);
    assert_int_equal(strlen(l.v[i].serial), 30);
    assert_true((l.v[i].revoked_s != 0) == is_revoked);
    ledger_free(&l);
}

static char *serial_of(struct papers *p, uint32_t i)
{
    struct ledger l;
    assert_int_equal(ledger_read(&l, p->authority, NULL), 0);
    char *serial = strdup(l.v[i].serial);
    ledger_free(&l);
    return serial;
}

/* bytes that no writer has finished */
static void add_bytes(struct papers *p, const char *bytes, size_t n)
{
    char *path = path_join(p->authority, LEDGER_FILE);
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    assert_int_equal(write(fd, bytes, n), n);
    close(fd);
    free(path);
}

static void refuse_to_revoke(struct papers *p, const char *what, const char *why)
{
    struct answer ans = ANSWER_INIT;
    assert_int_equal(ledger_revoke(p->authority, what, uti_now_s(), &ans), -1);
    assert_non_null(strstr(ans_first_error(&ans), why));
    ans_free(&ans);
}

static void every_certificate_is_in_the_ledger(void **state)
{
    struct papers *p = *state;
    struct ledger l;
    assert_int_equal(ledger_read(&l, p->authority, NULL), 0);
    assert_int_equal(l.n, 0);
    ledger_free(&l);
    issue_one(p, "master", TLS_QMASTER, 100);
    issue_one(p, "node1", TLS_HOST, 100);
    expect_entry(p, 0, "master", TLS_QMASTER, false);
    expect_entry(p, 1, "node1", TLS_HOST, false);
}

static void the_ledger_is_its_owners_alone(void **state)
{
    struct papers *p = *state;
    struct stat st;
    issue_one(p, "node1", TLS_HOST, 100);
    char *path = path_join(p->authority, LEDGER_FILE);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & ALLPERMS, 0600);
    free(path);
}

static void no_certificate_is_issued_through_a_symbolic_link(void **state)
{
    struct papers *p = *state;
    struct answer ans = ANSWER_INIT;
    struct certificate c = { "node1", TLS_HOST, 0, uti_now_s() + 100 };
    char *path = path_join(p->authority, LEDGER_FILE), *to = path_join(p->dir, "node1");
    char *elsewhere = path_join(p->dir, "elsewhere"), *key = path_join(to, TLS_FILE_KEY);
    assert_int_equal(symlink(elsewhere, path), 0);
    assert_int_equal(authority_issue(p->authority, &c, to, &ans), -1);
    assert_non_null(strstr(ans_first_error(&ans), path));
    assert_int_equal(access(elsewhere, F_OK), -1);
    assert_int_equal(access(key, F_OK), -1);
    ans_free(&ans);
    free(path);
    free(to);
    free(elsewhere);
    free(key);
}

static void a_host_loses_all_its_certificates_that_hold(void **state)
{
    struct papers *p = *state;
    issue_one(p, "node1", TLS_HOST, -10);
    issue_one(p, "node1", TLS_HOST, 100);
    issue_one(p, "node2", TLS_HOST, 100);
    issue_one(p, "node1", TLS_HOST, 200);
    assert_int_equal(ledger_revoke(p->authority, "NODE1", uti_now_s(), NULL), 2);
    expect_entry(p, 0, "node1", TLS_HOST, false);
    expect_entry(p, 1, "node1", TLS_HOST, true);
    expect_entry(p, 2, "node2", TLS_HOST, false);
    expect_entry(p, 3, "node1", TLS_HOST, true);
    assert_int_equal(ledger_revoke(p->authority, "node1", uti_now_s(), NULL), 0);
}

/* a host may be called as a user is */
static void a_user_is_revoked_by_a_name_with_a_colon(void **state)
{
    struct papers *p = *state;
    issue_one(p, "alice", TLS_HOST, 100);
    issue_one(p, "alice:1001:100", TLS_USER, 100);
    issue_one(p, "alice:2001:100", TLS_USER, 100);
    issue_one(p, "alicex:1001:100", TLS_USER, 100);
    assert_int_equal(ledger_revoke(p->authority, "alice:", uti_now_s(), NULL), 2);
    assert_int_equal(ledger_revoke(p->authority, "alice", uti_now_s(), NULL), 1);
    expect_entry(p, 1, "alice:1001:100", TLS_USER, true);
    expect_entry(p, 2, "alice:2001:100", TLS_USER, true);
    expect_entry(p, 3, "alicex:1001:100", TLS_USER, false);
    refuse_to_revoke(p, "alice:1", "\"alice:1\" is not a host, user or serial number");
    refuse_to_revoke(p, ":", "\":\" is not a host, user or serial number");
}

static void one_certificate_is_revoked_by_its_serial(void **state)
{
    struct papers *p = *state;
    issue_one(p, "node1", TLS_HOST, 100);
    issue_one(p, "node1", TLS_HOST, 100);
    char *serial = serial_of(p, 1);
    assert_int_equal(ledger_revoke(p->authority, serial, uti_now_s(), NULL), 1);
    expect_entry(p, 0, "node1", TLS_HOST, false);
    expect_entry(p, 1, "node1", TLS_HOST, true);
    free(serial);
}

static void who_has_no_certificate_is_not_revoked(void **state)
{
    struct papers *p = *state;
    issue_one(p, "node1", TLS_HOST, 100);
    issue_one(p, "node2", TLS_HOST, -10);
    refuse_to_revoke(p, "node3", "\"node3\" is not a host, user or serial number");
    refuse_to_revoke(p, "node2", "\"node2\" is not a host, user or serial number");
    refuse_to_revoke(p, "", "\"\" is not a host, user or serial number");
    refuse_to_revoke(p, "node1 1\nrevoked", "is not a host, user or serial number");
    expect_entry(p, 0, "node1", TLS_HOST, false);
}

static void the_qmasters_certificate_is_not_revoked(void **state)
{
    struct papers *p = *state;
    issue_one(p, "master", TLS_QMASTER, 100);
    char *serial = serial_of(p, 0);
    refuse_to_revoke(p, "master", "\"master\" is not a host, user or serial number");
    refuse_to_revoke(p, serial, "belongs to the qmaster");
    expect_entry(p, 0, "master", TLS_QMASTER, false);
    free(serial);
}

static void what_a_crash_has_torn_hides_nothing(void **state)
{
    static const char torn[] = "revoked 12\0\0\0";
    struct papers *p = *state;
    issue_one(p, "node1", TLS_HOST, 100);
    struct revocations *r = revocations_new(p->authority, NULL);
    add_bytes(p, torn, sizeof torn);
    assert_int_equal(revocations_refresh(r, NULL), 0);
    issue_one(p, "node2", TLS_HOST, 100);
    expect_entry(p, 1, "node2", TLS_HOST, false);
    assert_int_equal(ledger_revoke(p->authority, "node2", uti_now_s(), NULL), 1);
    char *serial = serial_of(p, 1);
    assert_int_equal(revocations_refresh(r, NULL), 0);
    assert_true(revocations_has(r, serial));
    assert_int_equal(revocations_count(r), 1);
    revocations_free(r);
    free(serial);
}

static void a_ledger_that_is_lost_forgives_nobody(void **state)
{
    struct papers *p = *state;
    struct answer ans = ANSWER_INIT;
    char *path = path_join(p->authority, LEDGER_FILE);
    issue_one(p, "node1", TLS_HOST, 100);
    assert_int_equal(ledger_revoke(p->authority, "node1", uti_now_s(), NULL), 1);
    char *serial = serial_of(p, 0);
    struct revocations *r = revocations_new(p->authority, NULL);
    assert_true(revocations_has(r, serial));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(revocations_refresh(r, NULL), 0);
    assert_true(revocations_has(r, serial));
    assert_int_equal(symlink("/etc/passwd", path), 0);
    assert_int_equal(revocations_refresh(r, &ans), -1);
    assert_non_null(strstr(ans_first_error(&ans), path));
    assert_true(revocations_has(r, serial));
    ans_free(&ans);
    revocations_free(r);
    free(serial);
    free(path);
}

static void lines_that_make_no_sense_are_left_out(void **state)
{
    static const char *const lines[] = {
        "",
        "issued",
        "issued 1 host node1 0",
        "issued 1 host node1 0 1 2",
        "issued 1 nobody node1 0 1",
        "issued 1 host no/de 0 1",
        "issued 1 host node1 0 -1",
        "revoked 1",
        "revoked 1 x",
        "revoked 1 2 3",
        "forgiven 1 2",
    };
    struct ledger_line out;
    char text[64] = "issued 1f host node1 5 6";
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        char *line = strdup(lines[i]);
        assert_false(ledger_parse_line(line, &out));
        free(line);
    }
    assert_true(ledger_parse_line(text, &out));
    assert_string_equal(out.serial, "1f");
    assert_true(out.about.from_s == 5 && out.about.until_s == 6 && !out.is_revocation);
}

#define WITH_PAPERS(test) cmocka_unit_test_setup_teardown(test, papers_start, papers_stop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_PAPERS(every_certificate_is_in_the_ledger),
        WITH_PAPERS(the_ledger_is_its_owners_alone),
        WITH_PAPERS(no_certificate_is_issued_through_a_symbolic_link),
        WITH_PAPERS(a_host_loses_all_its_certificates_that_hold),
        WITH_PAPERS(a_user_is_revoked_by_a_name_with_a_colon),
        WITH_PAPERS(one_certificate_is_revoked_by_its_serial),
        WITH_PAPERS(who_has_no_certificate_is_not_revoked),
        WITH_PAPERS(the_qmasters_certificate_is_not_revoked),
        WITH_PAPERS(what_a_crash_has_torn_hides_nothing),
        WITH_PAPERS(a_ledger_that_is_lost_forgives_nobody),
        cmocka_unit_test(lines_that_make_no_sense_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
