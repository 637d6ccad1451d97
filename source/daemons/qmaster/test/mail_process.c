/* The process that runs mailers checks what it is asked for, whoever asks, and nothing that it gets
 * ends it. The mailer is a script that notes what it may do. */
#include "daemons/qmaster/io/mail_process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/os.h"

enum { TEXT_MOST = 1 << 20 };

struct post {
    char dir[40];
    char *mailer, *other, *noted;
    int fd, stop_fd;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
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
