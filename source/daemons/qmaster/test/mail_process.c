/* The process that runs mailers checks what it is asked for, whoever asks, and nothing that it gets
 * ends it. The mailer is a script that notes what it may do. */
#include "daemons/qmaster/io/mail_process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

enum { TEXT_MOST = 1 << 20 };

struct post {
    char dir[40];
    char *mailer, *other, *noted;
    int fd, stop_fd;
    pid_t keeper;
};

static void make_script(const char *path, const char *noted)
{
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, "#!/bin/sh\ncat >> %s\ngrep NoNewPrivs /proc/self/status >> %s\n", noted,
              noted);
    assert_int_equal(file_write(path, dstr_get(&text), text.len, 0755, NULL), 0);
    assert_int_equal(chmod(path, 0755), 0);
    dstr_free(&text);
}

static int post_setup(void **state)
{
    struct post *p = uti_calloc(1, sizeof *p);
    int ends[2];
    snprintf(p->dir, sizeof p->dir, "/tmp/mail_process.XXXXXX");
    assert_non_null(mkdtemp(p->dir));
    p->mailer = path_join(p->dir, "mailer");
    p->other = path_join(p->dir, "other");
    p->noted = path_join(p->dir, "noted");
    make_script(p->mailer, p->noted);
    make_script(p->other, p->noted);
    p->stop_fd = eventfd(0, EFD_CLOEXEC);
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        struct dstr trusted = DSTR_INIT;
        close(ends[0]);
        dstr_addf(&trusted, "/usr/bin/mail, %s", p->mailer);
        _exit(mail_process_run(&(struct mail_process){ .user = "admin",
                                                       .trusted = dstr_get(&trusted),
                                                       .is_hardened = true,
                                                       .group = getegid() },
                               ends[1]));
    }
    close(ends[1]);
    p->fd = ends[0];
    p->keeper = pid;
    *state = p;
    return 0;
}

static int post_teardown(void **state)
{
    struct post *p = *state;
    close(p->fd);
    close(p->stop_fd);
    while (wait(NULL) > 0 || errno == EINTR)
        ; /* it ends with its socket */
    file_rmtree(p->dir, NULL);
    free(p->mailer);
    free(p->other);
    free(p->noted);
    free(p);
    return 0;
}

static struct mail_request good_request(const struct post *p)
{
    return (struct mail_request){ .program = p->mailer,
                                  .subject = "Job 1 (x) Started",
                                  .address = "a@example.org",
                                  .body = "text\n",
                                  .deadline_ms = MAIL_DEADLINE_MS };
}

/* M is sent; what the mailer noted: new, free() */
static char *send_good(const struct post *p, const struct mail_request *m)
{
    struct mail_answer answer;
    struct dstr text = DSTR_INIT;
    (void)unlink(p->noted);
    assert_int_equal(mail_process_send(p->fd, m, p->stop_fd, &answer), 0);
    assert_int_equal(answer.result, MAIL_SENT);
    assert_int_equal(file_read(p->noted, TEXT_MOST, &text, NULL), 0);
    return dstr_take(&text);
}

static void a_mailer_that_root_has_named_alone_can_gain_privileges(void **state)
{
    const struct post *p = *state;
    struct mail_request m = good_request(p);
    for (int round = 0; round < 2; round++) {
        m.program = p->mailer;
        char *noted = send_good(p, &m);
        assert_string_equal(noted, "text\nNoNewPrivs:\t0\n");
        free(noted);
        m.program = p->other;
        noted = send_good(p, &m);
        assert_string_equal(noted, "text\nNoNewPrivs:\t1\n");
        free(noted);
    }
}

static void what_could_be_more_than_a_mail_is_refused(void **state)
{
    const struct post *p = *state;
    const struct mail_request good = good_request(p);
    char *long_subject = uti_calloc(1, MAIL_SUBJECT_MOST + 2);
    memset(long_subject, 'x', MAIL_SUBJECT_MOST + 1);
    const struct {
        const char *program, *subject, *address, *body;
    } cases[] = {
        { "mailer", NULL, NULL, NULL },
        { "", NULL, NULL, NULL },
        { NULL, "a\nBcc: b", NULL, NULL },
        { NULL, "=?utf-8?Q?x?=", NULL, NULL },
        { NULL, NULL, "-f", NULL },
        { NULL, NULL, "|sh", NULL },
        { NULL, NULL, "/etc/passwd", NULL },
        { NULL, NULL, "a@-x", NULL },
        { NULL, NULL, "", NULL },
        { NULL, NULL, NULL, "a\n~!sh\n" },
        { NULL, NULL, NULL, ".\n" },
        { NULL, NULL, NULL, "a\033[2J\n" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct mail_request m = good;
        struct mail_answer answer;
        m.program = cases[i].program != NULL ? cases[i].program : m.program;
        m.subject = cases[i].subject != NULL ? cases[i].subject : m.subject;
        m.address = cases[i].address != NULL ? cases[i].address : m.address;
        m.body = cases[i].body != NULL ? cases[i].body : m.body;
        assert_int_equal(mail_process_send(p->fd, &m, p->stop_fd, &answer), 0);
        assert_int_equal(answer.result, MAIL_FAILED);
        assert_string_equal(answer.said, "the mail is malformed");
        assert_int_equal(access(p->noted, F_OK), -1);
    }
    struct mail_answer answer;
    struct mail_request m = good;
    m.subject = long_subject;
    assert_int_equal(mail_process_send(p->fd, &m, p->stop_fd, &answer), E2BIG);
    free(long_subject);
}

/* N descriptors of FDS, in a packet */
static void send_packet(const struct post *p, const int *fds, size_t n)
{
    char byte = 0;
    struct iovec data = { .iov_base = &byte, .iov_len = 1 };
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(3 * sizeof(int))];
    } control = { 0 };
    struct msghdr msg = { .msg_iov = &data, .msg_iovlen = 1 };
    if (n > 0) {
        msg.msg_control = control.space;
        msg.msg_controllen = CMSG_SPACE(n * sizeof(int));
        *CMSG_FIRSTHDR(&msg) = (struct cmsghdr){ .cmsg_level = SOL_SOCKET,
                                                 .cmsg_type = SCM_RIGHTS,
                                                 .cmsg_len = CMSG_LEN(n * sizeof(int)) };
        memcpy(CMSG_DATA(CMSG_FIRSTHDR(&msg)), fds, n * sizeof(int));
    }
    assert_int_equal(sendmsg(p->fd, &msg, 0), 1);
}

static void packets_that_are_no_requests_end_nothing(void **state)
{
    const struct post *p = *state;
    int junk = os_shared_memory(0, STDERR_FILENO);
    uint32_t words[5] = { 1, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX };
    assert_int_equal(write(junk, words, sizeof words), sizeof words);
    send_packet(p, NULL, 0);
    send_packet(p, &junk, 1);
    send_packet(p, (int[]){ junk, junk }, 2);
    send_packet(p, (int[]){ junk, junk, junk }, 3);
    words[1] = words[2] = words[3] = words[4] = 5; /* more than there is */
    assert_int_equal(pwrite(junk, words, sizeof words, 0), sizeof words);
    send_packet(p, (int[]){ junk, junk }, 2);
    close(junk);
    const struct mail_request m = good_request(p);
    free(send_good(p, &m));
}

static void a_process_that_has_ended_loses_the_mail(void **state)
{
    struct post *p = *state;
    const struct mail_request m = good_request(p);
    struct mail_answer answer;
    int ends[2];
    close(p->fd);
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    p->fd = ends[0];
    close(ends[1]);
    assert_int_equal(mail_process_send(p->fd, &m, p->stop_fd, &answer), EPIPE);
    assert_int_equal(answer.result, MAIL_LOST);
}

/* ---- a process that is killed ---- */

/* the only child of PID, which has one soon; -1 if it has none after ten seconds */
static pid_t child_of(pid_t pid, pid_t other)
{
    struct dstr path = DSTR_INIT;
    uint64_t until_us = uti_mono_us() + 10000000;
    pid_t child = -1;
    dstr_addf(&path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    while ((child <= 0 || child == other) && uti_mono_us() < until_us) {
        struct dstr text = DSTR_INIT;
        const struct timespec pause = { 0, 1000000 };
        child = -1;
        if (file_read(dstr_get(&path), TEXT_MOST, &text, NULL) == 0 && text.len > 0)
            child = (pid_t)strtol(dstr_get(&text), NULL, 10);
        dstr_free(&text);
        (void)nanosleep(&pause, NULL);
    }
    dstr_free(&path);
    return child != other ? child : -1;
}

static void a_server_that_is_killed_is_started_again(void **state)
{
    struct post *p = *state;
    const struct mail_request m = good_request(p);
    pid_t server = child_of(p->keeper, -1);
    for (int i = 0; i < 2; i++) {
        assert_true(server > 0);
        assert_int_equal(kill(server, SIGKILL), 0);
        char *noted = send_good(p, &m); /* once, though no server may be there yet */
        assert_string_equal(noted, "text\nNoNewPrivs:\t0\n");
        free(noted);
        server = child_of(p->keeper, server);
    }
}

static void a_server_without_its_keeper_becomes_one(void **state)
{
    struct post *p = *state;
    const struct mail_request m = good_request(p);
    pid_t server = child_of(p->keeper, -1);
    assert_true(server > 0);
    assert_int_equal(kill(p->keeper, SIGKILL), 0);
    pid_t next = child_of(server, -1);
    assert_true(next > 0);
    free(send_good(p, &m));
    assert_int_equal(kill(next, SIGKILL), 0);
    free(send_good(p, &m));
}

/* a mail that a mailer has already is sent once */
static void a_mailer_goes_on_when_its_server_is_killed(void **state)
{
    struct post *p = *state;
    struct mail_request m = good_request(p);
    struct mail_answer answer;
    struct dstr text = DSTR_INIT, began = DSTR_INIT, go = DSTR_INIT;
    dstr_addf(&began, "%s/began", p->dir);
    dstr_addf(&go, "%s/go", p->dir);
    assert_int_equal(mkfifo(dstr_get(&began), 0600), 0);
    assert_int_equal(mkfifo(dstr_get(&go), 0600), 0);
    dstr_addf(&text, "#!/bin/sh\necho >%s\nread x <%s\ncat >>%s\n", dstr_get(&began), dstr_get(&go),
              p->noted);
    assert_int_equal(file_write(p->other, dstr_get(&text), text.len, 0755, NULL), 0);
    m.program = p->other;
    pid_t sender = fork();
    if (sender == 0)
        _exit(mail_process_send(p->fd, &m, p->stop_fd, &answer) == 0 ? (int)answer.result : 100);
    int fd = open(dstr_get(&began), O_RDONLY | O_CLOEXEC); /* when the mailer runs */
    char byte;
    assert_true(fd >= 0);
    assert_int_equal(read(fd, &byte, 1), 1);
    close(fd);
    pid_t server = child_of(p->keeper, -1);
    assert_int_equal(kill(server, SIGKILL), 0);
    assert_true(child_of(p->keeper, server) > 0);
    fd = open(dstr_get(&go), O_WRONLY | O_CLOEXEC);
    assert_int_equal(write(fd, "\n", 1), 1);
    close(fd);
    int status = -1;
    assert_int_equal(waitpid(sender, &status, 0), sender);
    assert_int_equal(WEXITSTATUS(status), MAIL_SENT);
    text.len = 0;
    assert_int_equal(file_read(p->noted, TEXT_MOST, &text, NULL), 0);
    assert_string_equal(dstr_get(&text), "text\n");
    dstr_free(&text);
    dstr_free(&began);
    dstr_free(&go);
}

/* however often it is killed: the third start in a row waits a second, the fourth two */
static void starts_are_limited(void **state)
{
    struct post *p = *state;
    uint64_t begun_us = uti_mono_us();
    pid_t server = child_of(p->keeper, -1);
    for (int i = 0; i < 3; i++) {
        assert_true(server > 0);
        (void)kill(server, SIGKILL);
        server = child_of(p->keeper, server);
    }
    assert_true(server > 0);
    assert_true(uti_mono_us() - begun_us >= 2900000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_server_that_is_killed_is_started_again, post_setup,
                                        post_teardown),
        cmocka_unit_test_setup_teardown(a_server_without_its_keeper_becomes_one, post_setup,
                                        post_teardown),
        cmocka_unit_test_setup_teardown(a_mailer_goes_on_when_its_server_is_killed, post_setup,
                                        post_teardown),
        cmocka_unit_test_setup_teardown(starts_are_limited, post_setup, post_teardown),
        cmocka_unit_test_setup_teardown(a_mailer_that_root_has_named_alone_can_gain_privileges,
                                        post_setup, post_teardown),
        cmocka_unit_test_setup_teardown(what_could_be_more_than_a_mail_is_refused, post_setup,
                                        post_teardown),
        cmocka_unit_test_setup_teardown(packets_that_are_no_requests_end_nothing, post_setup,
                                        post_teardown),
        cmocka_unit_test_setup_teardown(a_process_that_has_ended_loses_the_mail, post_setup,
                                        post_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
