/* Input and output of an interactive task: the test is the execd and the client. The client is the
 * job's input, output and exit status; the job ends with it. */
#include "libs/task/session_frame.h"

#include "daemons/shepherd/test/place.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "libs/task/task_dir.h"
#include "libs/uti/dstr.h"
#include "libs/uti/fd_pass.h"
#include "libs/uti/file.h"

static struct {
    int listener, line, client; /* of the execd; the connection of the pump; the client's end */
    pid_t shepherd;
    struct session_reader reader;
} at;

static void expect_ready(int fd)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };
    assert_int_equal(poll(&p, 1, PLACE_WAIT_MS), 1);
}

/* the shepherd with a task whose client has IO, and its first frame */
static void begin_task(const struct place *p, const char *command, const char *io)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    struct dstr more = DSTR_INIT;
    char hello[SESSION_HEADER_BYTES + SESSION_HELLO_MOST];
    const char *texts[3];
    struct session_frame f;
    char *path = path_join(p->dir, "s");
    assert_true(strlen(path) < sizeof address.sun_path);
    memcpy(address.sun_path, path, strlen(path) + 1);
    at.listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(at.listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(at.listener, 1), 0);
    dstr_addf(&more, "launch_io=%s\nsession_socket=%s\nsession_task=12.1\nsession_digest=abc\n", io,
              path);
    place_config(p, command, dstr_get(&more));
    at.shepherd = place_start(p);
    expect_ready(at.listener);
    at.line = accept4(at.listener, NULL, NULL, SOCK_CLOEXEC);
    assert_true(at.line >= 0);
    expect_ready(at.line);
    ssize_t n = recv(at.line, hello, sizeof hello, 0);
    assert_true(n > SESSION_HEADER_BYTES);
    assert_int_equal(session_header_unpack((uint8_t *)hello, SESSION_HELLO_MOST, &f), 0);
    assert_int_equal(f.kind, SESSION_TASK);
    assert_true(session_hello_texts((uint8_t *)hello + SESSION_HEADER_BYTES, f.len, texts, 3));
    assert_string_equal(texts[0], "12.1");
    assert_string_equal(texts[1], "abc");
    assert_int_equal(strtol(texts[2], NULL, 10), p->uid);
    session_reader_init(&at.reader);
    dstr_free(&more);
    free(path);
}

static void bring_client(void)
{
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    assert_int_equal(fd_pass(at.line, &ends[0], 1), 0);
    close(ends[0]);
    at.client = ends[1];
}

static int end_task(void)
{
    if (at.client > 0)
        close(at.client);
    close(at.line);
    close(at.listener);
    session_reader_free(&at.reader);
    int status = place_finish(at.shepherd);
    memset(&at, 0, sizeof at);
    return status;
}

static void send_frame(enum session_kind kind, const void *data, size_t len)
{
    uint8_t header[SESSION_HEADER_BYTES];
    session_header_pack(kind, len, header);
    assert_int_equal(send(at.client, header, sizeof header, MSG_NOSIGNAL), sizeof header);
    if (len > 0)
        assert_int_equal(send(at.client, data, len, MSG_NOSIGNAL), len);
}

static struct session_frame next_frame(void)
{
    struct session_frame f;
    while (session_reader_next(&at.reader, &f) == 0) {
        expect_ready(at.client);
        assert_int_equal(session_reader_fill(&at.reader, at.client), 1);
    }
    return f;
}

static void expect_frame(enum session_kind kind, const char *text)
{
    struct session_frame f = next_frame();
    assert_int_equal(f.kind, kind);
    assert_int_equal(f.len, strlen(text));
    assert_memory_equal(f.data, text, f.len);
}

static void expect_exit(unsigned status, const char *text)
{
    struct session_frame f = next_frame();
    assert_int_equal(f.kind, SESSION_EXIT);
    assert_true(f.len >= 4);
    assert_int_equal(f.data[3], status);
    assert_int_equal(f.len - 4, strlen(text));
    assert_memory_equal(f.data + 4, text, f.len - 4);
}

static void the_client_is_input_output_and_status(void **state)
{
    begin_task(*state, "read x; echo out $x; exit 5", "relay");
    bring_client();
    expect_frame(SESSION_READY, "");
    send_frame(SESSION_STDIN, "word\n", 5);
    expect_frame(SESSION_STDOUT, "out word\n");
    expect_exit(5, "");
    assert_int_equal(end_task(), TASK_FAILED_NOT);
    assert_int_equal(place_usage(*state, "exit_status"), 5);
}

static void standard_error_is_apart_and_input_has_an_end(void **state)
{
    begin_task(*state, "cat >&2", "relay");
    bring_client();
    expect_frame(SESSION_READY, "");
    send_frame(SESSION_STDIN, "x", 1);
    expect_frame(SESSION_STDERR, "x");
    send_frame(SESSION_STDIN, NULL, 0);
    expect_exit(0, "");
    assert_int_equal(end_task(), TASK_FAILED_NOT);
}

static void a_terminal_has_the_size_of_the_clients(void **state)
{
    static const uint8_t window[SESSION_WINDOW_BYTES] = { 0, 33, 0, 77 };
    begin_task(*state, "stty size", "pty");
    bring_client();
    send_frame(SESSION_WINDOW, window, sizeof window);
    expect_frame(SESSION_READY, "");
    expect_frame(SESSION_STDOUT, "33 77\r\n");
    expect_exit(0, "");
    assert_int_equal(end_task(), TASK_FAILED_NOT);
}

static void a_job_ends_with_its_client(void **state)
{
    begin_task(*state, "echo here; exec sleep 1000", "relay");
    bring_client();
    expect_frame(SESSION_READY, "");
    expect_frame(SESSION_STDOUT, "here\n");
    assert_int_equal(end_task(), TASK_FAILED_AFTER_JOB);
    assert_int_equal(place_usage(*state, "exit_status"), 128 + SIGKILL);
    place_expect_error(*state, "error: the client of the job has gone");
}

/* the execd has ended before the client came */
static void a_job_without_a_client_does_not_begin(void **state)
{
    struct place *p = *state;
    begin_task(p, "echo ran >ran", "relay");
    assert_int_equal(end_task(), TASK_FAILED_AFTER_JOB);
    place_expect_error(p, "error: the client of the job has gone");
    place_expect_text(p->dir, "ran", "");
}

static void what_is_no_frame_ends_the_job(void **state)
{
    begin_task(*state, "echo here; exec sleep 1000", "relay");
    bring_client();
    expect_frame(SESSION_READY, "");
    expect_frame(SESSION_STDOUT, "here\n");
    assert_int_equal(send(at.client, "\377\377\377\377\377", 5, MSG_NOSIGNAL), 5);
    assert_int_equal(end_task(), TASK_FAILED_AFTER_JOB);
}

static void the_client_is_told_why_there_is_no_command(void **state)
{
    begin_task(*state, "/nonexistent", "relay\nno_shell=1");
    bring_client();
    expect_frame(SESSION_READY, "");
    expect_exit(1, "execvlp(/nonexistent, \"/nonexistent\") failed: No such file or directory");
    assert_int_equal(end_task(), TASK_FAILED_NO_SHELL);
}

static void the_client_is_told_that_a_hook_has_failed(void **state)
{
    static const char why[] = "exit_status of prolog = 1 (";
    begin_task(*state, "true", "relay\nprolog=/bin/false");
    bring_client();
    struct session_frame f = next_frame();
    if (f.kind == SESSION_READY) /* the client came before the hook had failed */
        f = next_frame();
    assert_int_equal(f.kind, SESSION_EXIT);
    assert_true(f.len > 4 + sizeof why);
    assert_int_equal(f.data[3], 1);
    assert_memory_equal(f.data + 4, why, sizeof why - 1);
    assert_int_equal(end_task(), TASK_FAILED_IN_PROLOG);
}

/* all of what a job has written is there before its status */
static void much_output_is_whole(void **state)
{
    size_t bytes = 0;
    struct session_frame f;
    begin_task(*state, "head -c 3000000 /dev/zero", "relay");
    bring_client();
    expect_frame(SESSION_READY, "");
    while ((f = next_frame()).kind == SESSION_STDOUT)
        bytes += f.len;
    assert_int_equal(f.kind, SESSION_EXIT);
    assert_int_equal(bytes, 3000000);
    assert_int_equal(end_task(), TASK_FAILED_NOT);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(the_client_is_input_output_and_status),
        PLACE_TEST(standard_error_is_apart_and_input_has_an_end),
        PLACE_TEST(a_terminal_has_the_size_of_the_clients),
        PLACE_TEST(a_job_ends_with_its_client),
        PLACE_TEST(a_job_without_a_client_does_not_begin),
        PLACE_TEST(what_is_no_frame_ends_the_job),
        PLACE_TEST(the_client_is_told_why_there_is_no_command),
        PLACE_TEST(the_client_is_told_that_a_hook_has_failed),
        PLACE_TEST(much_output_is_whole),
    };
    return place_main(argc, argv, tests, ARRAY_LEN(tests));
}
