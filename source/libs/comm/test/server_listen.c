/* Where a server listens: on a socket of its own, never in place of a live one or of something
 * else. */
#include "libs/comm/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libs/comm/test/fixture.h"
#include "libs/comm/unix_socket.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"

static void live_socket_is_refused_stale_one_replaced(void **state)
{
    struct fixture *t = *state;
    struct answer ans = ANSWER_INIT;
    struct loop *l = loop_new(NULL);
    struct comm_server *second = comm_server_new(l, &fixture_ops, t);
    assert_int_equal(comm_server_listen(second, t->path, 0600, &ans), -1);
    assert_int_equal(ans.v[0].status, STATUS_EEXIST);
    ans_free(&ans);
    comm_client_close(open_client(t)); /* the first goes on */

    char *stale = path_join(t->dir, "stale");
    int fd = unix_listen(stale, 0600);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(comm_server_listen(second, stale, 0640, &ans), 0);
    struct stat st;
    assert_int_equal(stat(stale, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    comm_server_free(second);
    loop_free(l);
    free(stale);
}

static void a_file_is_not_replaced(void **state)
{
    struct fixture *t = *state;
    struct answer ans = ANSWER_INIT;
    char *file = path_join(t->dir, "precious");
    assert_int_equal(file_write(file, "x", 1, 0600, NULL), 0);
    struct loop *l = loop_new(NULL);
    struct comm_server *s = comm_server_new(l, &fixture_ops, t);
    assert_int_equal(comm_server_listen(s, file, 0600, &ans), -1);
    assert_non_null(strstr(ans_first_error(&ans), file));
    ans_free(&ans);
    struct stat st;
    assert_int_equal(stat(file, &st), 0);
    assert_true(S_ISREG(st.st_mode));
    comm_server_free(s);
    loop_free(l);
    free(file);
}

static int start_long(void **state)
{
    char below[256];
    (void)snprintf(below, sizeof below, "%0200d/gdi.sock", 0);
    return start_at(state, below, NULL);
}

static void long_path_works_on_both_sides(void **state)
{
    struct fixture *t = *state;
    assert_true(strlen(t->path) > 200);
    expect_echoes(t);
    struct answer ans = ANSWER_INIT;
    struct loop *l = loop_new(NULL);
    struct comm_server *second = comm_server_new(l, &fixture_ops, t);
    assert_int_equal(comm_server_listen(second, t->path, 0600, &ans), -1);
    assert_int_equal(ans.v[0].status, STATUS_EEXIST);
    ans_free(&ans);
    comm_server_free(second);
    loop_free(l);
}

#define SERVED(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERVED(live_socket_is_refused_stale_one_replaced),
        SERVED(a_file_is_not_replaced),
        cmocka_unit_test_setup_teardown(long_path_works_on_both_sides, start_long, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
