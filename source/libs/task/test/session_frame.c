/* Frames of sessions: whole, in pieces, too long, of no kind. */
#include "libs/task/session_frame.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct ends {
    int a, b;
};

static struct ends make_ends(void)
{
    int fds[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds), 0);
    return (struct ends){ fds[0], fds[1] };
}

static void close_ends(struct ends e)
{
    close(e.a);
    close(e.b);
}

static void frames_arrive_as_they_were_sent(void **state)
{
    (void)state;
    struct ends e = make_ends();
    struct session_writer w;
    struct session_reader r;
    struct session_frame f;
    session_writer_init(&w);
    session_reader_init(&r);
    memcpy(session_writer_room(&w), "hello", 5);
    session_writer_put(&w, SESSION_STDOUT, 5);
    assert_false(session_writer_is_empty(&w));
    assert_int_equal(session_writer_flush(&w, e.a), 1);
    assert_true(session_writer_is_empty(&w));
    session_writer_put(&w, SESSION_STDIN, 0);
    assert_int_equal(session_writer_flush(&w, e.a), 1);
    assert_int_equal(session_reader_fill(&r, e.b), 1);
    assert_int_equal(session_reader_next(&r, &f), 1);
    assert_int_equal(f.kind, SESSION_STDOUT);
    assert_int_equal(f.len, 5);
    assert_memory_equal(f.data, "hello", 5);
    assert_int_equal(session_reader_next(&r, &f), 1);
    assert_int_equal(f.kind, SESSION_STDIN);
    assert_int_equal(f.len, 0);
    assert_int_equal(session_reader_next(&r, &f), 0);
    assert_int_equal(session_reader_fill(&r, e.b), 0);
    close(e.a);
    assert_int_equal(session_reader_fill(&r, e.b), -1);
    close(e.b);
    session_writer_free(&w);
    session_reader_free(&r);
}

static void a_frame_in_single_bytes_is_whole_at_its_last(void **state)
{
    (void)state;
    struct ends e = make_ends();
    struct session_reader r;
    struct session_frame f;
    uint8_t bytes[SESSION_HEADER_BYTES + 3];
    session_reader_init(&r);
    session_header_pack(SESSION_STDERR, 3, bytes);
    memcpy(bytes + SESSION_HEADER_BYTES, "abc", 3);
    for (size_t i = 0; i < sizeof bytes; i++) {
        assert_int_equal(session_reader_next(&r, &f), 0);
        assert_int_equal(send(e.a, bytes + i, 1, 0), 1);
        assert_int_equal(session_reader_fill(&r, e.b), 1);
    }
    assert_int_equal(session_reader_next(&r, &f), 1);
    assert_memory_equal(f.data, "abc", 3);
    session_reader_free(&r);
    close_ends(e);
}

static void what_is_no_frame_ends_the_reading(void **state)
{
    (void)state;
    uint8_t bytes[SESSION_HEADER_BYTES];
    struct session_frame f;
    session_header_pack(SESSION_STDIN, SESSION_DATA_MOST + 1, bytes);
    assert_int_equal(session_header_unpack(bytes, SESSION_DATA_MOST, &f), -1);
    session_header_pack(SESSION_STDIN, SESSION_DATA_MOST, bytes);
    assert_int_equal(session_header_unpack(bytes, SESSION_DATA_MOST, &f), 0);
    bytes[0] = 0;
    assert_int_equal(session_header_unpack(bytes, SESSION_DATA_MOST, &f), -1);
    bytes[0] = SESSION_KINDS;
    assert_int_equal(session_header_unpack(bytes, SESSION_DATA_MOST, &f), -1);
}

/* a peer that does not read costs the buffer of the socket and this one */
static void a_writer_keeps_what_the_socket_does_not_take(void **state)
{
    (void)state;
    struct ends e = make_ends();
    struct session_writer w;
    int rc;
    session_writer_init(&w);
    do {
        memset(session_writer_room(&w), 'x', SESSION_DATA_MOST);
        session_writer_put(&w, SESSION_STDOUT, SESSION_DATA_MOST);
    } while ((rc = session_writer_flush(&w, e.a)) == 1);
    assert_int_equal(rc, 0);
    assert_false(session_writer_is_empty(&w));
    close(e.b);
    assert_int_equal(session_writer_flush(&w, e.a), -1);
    close(e.a);
    session_writer_free(&w);
}

static void hellos_have_exactly_their_texts(void **state)
{
    (void)state;
    static const char *const texts[] = { "host", "12.1", "" };
    uint8_t out[SESSION_HEADER_BYTES + SESSION_HELLO_MOST];
    const char *got[3];
    char longest[SESSION_HELLO_MOST + 1];
    size_t n = session_hello(SESSION_CLIENT, texts, 3, out);
    assert_int_equal(n, SESSION_HEADER_BYTES + 11);
    assert_true(session_hello_texts(out + SESSION_HEADER_BYTES, 11, got, 3));
    for (int i = 0; i < 3; i++)
        assert_string_equal(got[i], texts[i]);
    assert_false(session_hello_texts(out + SESSION_HEADER_BYTES, 11, got, 2));
    assert_false(session_hello_texts(out + SESSION_HEADER_BYTES, 10, got, 3));
    assert_false(session_hello_texts(out + SESSION_HEADER_BYTES, 0, got, 1));
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    const char *const too_long[] = { longest };
    assert_int_equal(session_hello(SESSION_TASK, too_long, 1, out), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_arrive_as_they_were_sent),
        cmocka_unit_test(a_frame_in_single_bytes_is_whole_at_its_last),
        cmocka_unit_test(what_is_no_frame_ends_the_reading),
        cmocka_unit_test(a_writer_keeps_what_the_socket_does_not_take),
        cmocka_unit_test(hellos_have_exactly_their_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
