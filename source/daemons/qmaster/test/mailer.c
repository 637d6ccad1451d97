/* Mailers are run as they are known to be, one that hangs or fails harms nobody else, and what
 * waits is bounded. The mailers are scripts that note what they get. */
#include "daemons/qmaster/io/mailer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemons/qmaster/io/mail_process.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/time.h"

enum { PATIENCE_US = 20000000, LOOK_MS = 5, TEXT_MOST = 1 << 20 };

struct post {
    char dir[40];
    char *noted; /* a file with a line for each mail that was sent */
    struct mailer *mailer;
};

static void make_script(const struct post *p, const char *name, const char *text)
{
    char *path = path_join(p->dir, name);
    assert_int_equal(file_write(path, text, strlen(text), 0755, NULL), 0);
    assert_int_equal(chmod(path, 0755), 0);
    free(path);
}

/* the process that runs mailers, which ends when the socket is closed; its socket */
static int start_process(void)
{
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(ends[0]);
        _exit(mail_process_run(&(struct mail_process){ .user = "admin" }, ends[1]));
    }
    close(ends[1]);
    return ends[0];
}

static int post_setup(void **state)
{
    struct post *p = uti_calloc(1, sizeof *p);
    struct dstr text = DSTR_INIT;
    snprintf(p->dir, sizeof p->dir, "/tmp/mailer.XXXXXX");
    assert_non_null(mkdtemp(p->dir));
    sigset_t pipes; /* as in the qmaster */
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipes, NULL);
    p->noted = path_join(p->dir, "noted");
    dstr_addf(&text, "#!/bin/sh\ntext=$(cat)\necho \"$# $1 $2 $3: $text $HOME $USER\" >> %s\n",
              p->noted);
    make_script(p, "good", dstr_get(&text));
    make_script(p, "hangs", "#!/bin/sh\nsleep 1000 & echo $! > ${0}.child; wait\n");
    make_script(p, "fails", "#!/bin/sh\necho x >> ${0}.runs\necho no route >&2; exit 75\n");
    make_script(p, "deaf", "#!/bin/sh\nexec 0<&-\nexit 0\n");
    dstr_free(&text);
    p->mailer = mailer_new(start_process(), 300, 50);
    *state = p;
    return 0;
}

static int post_teardown(void **state)
{
    struct post *p = *state;
    mailer_stop(p->mailer);
    mailer_free(p->mailer);
    while (wait(NULL) > 0 || errno == EINTR)
        ; /* the process ends with the mailer */
    file_rmtree(p->dir, NULL);
    free(p->noted);
    free(p);
    return 0;
}

static struct mail *new_mail(const struct post *p, const char *user, const char *program,
                             const char *subject, const char *body)
{
    struct mail *m = uti_calloc(1, sizeof *m);
    m->user = uti_strdup(user);
    m->program = path_join(p->dir, program);
    m->subject = uti_strdup(subject);
    m->body = uti_strdup(body);
    m->to = uti_calloc(2, sizeof *m->to);
    m->to[m->n_to++] = uti_strdup("a@example.org");
    return m;
}

static void give_mail(struct post *p, struct mail *m)
{
    struct mail_list list = STAILQ_HEAD_INITIALIZER(list);
    STAILQ_INSERT_TAIL(&list, m, next);
    mailer_give(p->mailer, &list);
    assert_true(STAILQ_EMPTY(&list));
}

static char *text_of(const char *path)
{
    struct dstr text = DSTR_INIT;
    if (access(path, F_OK) == 0)
        assert_int_equal(file_read(path, TEXT_MOST, &text, NULL), 0);
    return dstr_take(&text);
}

/* the file PATH has LINES lines at last; new: free() */
static char *wait_lines(const char *path, unsigned lines)
{
    for (uint64_t until_us = uti_mono_us() + PATIENCE_US;; uti_sleep_ms(LOOK_MS)) {
        char *text = text_of(path);
        unsigned n = 0;
        for (const char *at = text; *at != '\0'; at++)
            n += *at == '\n';
        if (n >= lines)
            return text;
        assert_true(uti_mono_us() < until_us);
        free(text);
    }
}

static void a_mailer_gets_option_subject_and_address_and_the_text(void **state)
{
    struct post *p = *state;
    struct mail *m = new_mail(p, "alice", "good", "Job 1 (x) Started", "the text\n");
    m->to[m->n_to++] = uti_strdup("b");
    give_mail(p, m);
    char *noted = wait_lines(p->noted, 2);
    assert_string_equal(noted, "3 -s Job 1 (x) Started a@example.org: the text / admin\n"
                               "3 -s Job 1 (x) Started b: the text / admin\n");
    free(noted);
}

static void a_mailer_that_hangs_is_ended_with_its_children_and_delays_nobody(void **state)
{
    struct post *p = *state;
    char *children = path_join(p->dir, "hangs.child");
    give_mail(p, new_mail(p, "alice", "hangs", "s", "x\n"));
    give_mail(p, new_mail(p, "alice", "good", "second", "x\n"));
    give_mail(p, new_mail(p, "bob", "good", "bob's", "x\n"));
    char *noted = wait_lines(p->noted, 2); /* those of one user follow each other */
    assert_non_null(strstr(noted, "bob's a@"));
    assert_true(strstr(noted, "bob's a@") < strstr(noted, "second a@"));
    char *child = wait_lines(children, 1);
    for (uint64_t until_us = uti_mono_us() + PATIENCE_US; kill((pid_t)atol(child), 0) == 0;
         uti_sleep_ms(LOOK_MS))
        assert_true(uti_mono_us() < until_us);
    free(child);
    free(noted);
    free(children);
}

static void one_that_fails_is_tried_again_so_often(void **state)
{
    struct post *p = *state;
    char *runs = path_join(p->dir, "fails.runs");
    give_mail(p, new_mail(p, "alice", "fails", "s", "x\n"));
    give_mail(p, new_mail(p, "alice", "missing", "s", "x\n"));
    give_mail(p, new_mail(p, "alice", "good", "last", "x\n"));
    free(wait_lines(p->noted, 1));
    char *text = text_of(runs);
    assert_int_equal(strlen(text), 2 * MAIL_TRIES);
    free(text);
    free(runs);
}

static void one_that_does_not_read_its_input_harms_nothing(void **state)
{
    struct post *p = *state;
    char *body = uti_calloc(1, MAIL_BODY_MOST + 1);
    memset(body, 'x', MAIL_BODY_MOST); /* more than a pipe holds */
    give_mail(p, new_mail(p, "alice", "deaf", "s", body));
    free(body);
    give_mail(p, new_mail(p, "alice", "good", "next", "x\n"));
    free(wait_lines(p->noted, 1));
}

static void one_that_is_too_long_is_not_sent_and_the_next_is(void **state)
{
    struct post *p = *state;
    char *body = uti_calloc(1, MAIL_BODY_MOST + 2);
    memset(body, 'x', MAIL_BODY_MOST + 1);
    give_mail(p, new_mail(p, "alice", "good", "long", body));
    free(body);
    give_mail(p, new_mail(p, "alice", "good", "next", "x\n"));
    char *noted = wait_lines(p->noted, 1);
    assert_non_null(strstr(noted, "next a@"));
    free(noted);
}

/* while nothing is sent */
static void so_many_wait_at_most(void **state)
{
    struct post *p = *state;
    for (int i = 0; i < MAILERS; i++) {
        char user[] = { (char)('a' + i), '\0' };
        give_mail(p, new_mail(p, user, "hangs", "s", "x\n"));
    }
    for (unsigned i = 0; i < MAILS_WAIT_MOST + 100; i++)
        give_mail(p, new_mail(p, "z", "missing", "s", "x\n")); /* those beyond are freed */
    assert_true(true);
}

static void a_stop_waits_a_second_at_most(void **state)
{
    struct post *p = *state;
    mailer_free(p->mailer);
    p->mailer = mailer_new(start_process(), 100000, 100000);
    char *children = path_join(p->dir, "hangs.child");
    give_mail(p, new_mail(p, "alice", "hangs", "s", "x\n"));
    free(wait_lines(children, 1));
    uint64_t from_us = uti_mono_us();
    mailer_stop(p->mailer);
    assert_true(uti_mono_us() - from_us < 5000000);
    mailer_free(p->mailer);
    p->mailer = NULL;
    free(children);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_mailer_gets_option_subject_and_address_and_the_text,
                                        post_setup, post_teardown),
        cmocka_unit_test_setup_teardown(
            a_mailer_that_hangs_is_ended_with_its_children_and_delays_nobody, post_setup,
            post_teardown),
        cmocka_unit_test_setup_teardown(one_that_fails_is_tried_again_so_often, post_setup,
                                        post_teardown),
        cmocka_unit_test_setup_teardown(one_that_does_not_read_its_input_harms_nothing, post_setup,
                                        post_teardown),
        cmocka_unit_test_setup_teardown(one_that_is_too_long_is_not_sent_and_the_next_is,
                                        post_setup, post_teardown),
        cmocka_unit_test_setup_teardown(so_many_wait_at_most, post_setup, post_teardown),
        cmocka_unit_test_setup_teardown(a_stop_waits_a_second_at_most, post_setup, post_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
