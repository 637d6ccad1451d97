/* What a process of a parallel task asks its execd for (qrsh -inherit), through the socket of
 * sessions: who may, how many, what a petask is made from, and its end. */
#include "daemons/execd/test/fake_qmaster.h"

#include <errno.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libs/comm/unix_socket.h"
#include "libs/sgeobj/task_key.h"
#include "libs/task/session_frame.h"
#include "libs/uti/dstr.h"
#include "libs/uti/process.h"

#define PETASK "1.testhost"
#define SECOND "2.testhost"

enum { WAIT_S = 20 };

/* ---- the client ---- */

static int connect_here(const struct fake *f)
{
    const struct timeval most = { .tv_sec = WAIT_S };
    char *path = fake_path(f, "sessions");
    int fd = unix_connect(path, WAIT_S * 1000);
    free(path);
    assert_true(fd >= 0);
    assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most), 0);
    return fd;
}

/* all of it, unless the execd has refused it already and closed the connection */
static void send_all(int fd, const void *bytes, size_t len)
{
    ssize_t n = send(fd, bytes, len, MSG_NOSIGNAL);
    assert_true(n == (ssize_t)len || (n < 0 && errno == EPIPE));
}

static void send_piece(int fd, const char *bytes, size_t len)
{
    uint8_t header[SESSION_HEADER_BYTES];
    session_header_pack(SESSION_PETASK_REQUEST, len, header);
    send_all(fd, header, sizeof header);
    send_all(fd, bytes, len);
}

static void send_hello(int fd, const char *task)
{
    uint8_t out[SESSION_HEADER_BYTES + SESSION_HELLO_MOST];
    const char *const texts[] = { "testhost", task, "a secret", "0" };
    send_all(fd, out, session_hello(SESSION_PETASK, texts, ARRAY_LEN(texts), out));
}

/* one that asks for COMMAND with VARIABLE */
static int ask_petask(const struct fake *f, const char *task, const char *command,
                      const char *variable)
{
    struct dstr request = DSTR_INIT;
    int fd = connect_here(f);
    dstr_addn(&request, "\0001\0", 3);
    dstr_addn(&request, command, strlen(command) + 1);
    if (variable != NULL)
        dstr_addn(&request, variable, strlen(variable) + 1);
    send_hello(fd, task);
    send_piece(fd, dstr_get(&request), 5); /* in pieces */
    send_piece(fd, dstr_get(&request) + 5, request.len - 5);
    send_piece(fd, "", 0);
    dstr_free(&request);
    return fd;
}

/* the next frame; its data end the text */
static enum session_kind next_frame(int fd, char *text, size_t most)
{
    uint8_t header[SESSION_HEADER_BYTES];
    struct session_frame frame;
    assert_int_equal(recv(fd, header, sizeof header, MSG_WAITALL), sizeof header);
    assert_int_equal(session_header_unpack(header, most - 1, &frame), 0);
    if (frame.len > 0)
        assert_int_equal(recv(fd, text, frame.len, MSG_WAITALL), frame.len);
    text[frame.len] = '\0';
    return frame.kind;
}

static void expect_started(int fd, const char *name)
{
    char text[2048];
    assert_int_equal(next_frame(fd, text, sizeof text), SESSION_PETASK_STARTED);
    assert_string_equal(text, name);
    assert_int_equal(next_frame(fd, text, sizeof text), SESSION_READY);
}

static void expect_refusal(int fd, const char *why)
{
    char text[2048], wanted[2048];
    (void)snprintf(wanted, sizeof wanted,
                   "execution daemon on host \"testhost\" didn't accept task: %s", why);
    assert_int_equal(next_frame(fd, text, sizeof text), SESSION_REFUSED);
    assert_string_equal(text, wanted);
    close(fd);
}

/* a petask that ends with its whole task: what would pass its status on may end first */
static void expect_end_with_task(int fd)
{
    uint8_t header[SESSION_HEADER_BYTES];
    ssize_t n = recv(fd, header, sizeof header, MSG_WAITALL);
    assert_true(n == 0 || (n == (ssize_t)sizeof header && header[0] == SESSION_EXIT));
    close(fd);
}

/* output, all of it, and the status */
static void expect_end(int fd, const char *output, uint32_t status)
{
    char text[SESSION_DATA_MOST + 1], all[4096] = "";
    enum session_kind kind;
    while ((kind = next_frame(fd, text, sizeof text)) == SESSION_STDOUT)
        strncat(all, text, sizeof all - strlen(all) - 1);
    assert_int_equal(kind, SESSION_EXIT);
    assert_int_equal((uint8_t)text[3], status);
    assert_string_equal(all, output);
    close(fd);
}

/* ---- tasks ---- */

static void start_tight(struct fake *f, uint32_t number, const char *command)
{
    struct JB_Type job;
    fake_job(f, &job, number, command);
    cull_set(&job, JB_pe, "tight");
    f->is_tight = true;
    fake_order(f, &job, number, 1, 1);
    cull_clear(&cull_JB_Type, &job);
}

static void start_master(struct fake *f, uint32_t number)
{
    char name[16];
    start_tight(f, number, "echo $$ > pid$JOB_ID; exec sleep 1000");
    (void)snprintf(name, sizeof name, "pid%u", number);
    (void)fake_pid(f, name);
}

static void start_slave(struct fake *f, uint32_t number)
{
    struct JR_Type r;
    f->is_slave = true;
    start_tight(f, number, "never run");
    fake_wait_report(f, number, 1, REPORT_STARTED, &r);
    assert_string_equal(r.JR_queue, "all.q@testhost");
    cull_clear(&cull_JR_Type, &r);
}

static void expect_report(struct fake *f, uint32_t number, const char *petask,
                          enum report_state state, uint32_t exit_status)
{
    struct JR_Type r;
    f->petask = petask;
    fake_wait_report(f, number, 1, state, &r);
    if (state == REPORT_ENDED)
        assert_int_equal(r.JR_exit_status, exit_status);
    cull_clear(&cull_JR_Type, &r);
    f->petask = NULL;
}

static void ack_petask(struct fake *f, uint32_t number, const char *petask)
{
    f->petask = petask;
    fake_about(f, EXEC_END_ACK, 0, number, 1, 1);
    f->petask = NULL;
}

static void end_master(struct fake *f, uint32_t number)
{
    fake_about(f, EXEC_SIGNAL, SIGKILL, number, 1, 1);
    expect_report(f, number, NULL, REPORT_ENDED, 128 + SIGKILL);
    ack_petask(f, number, NULL);
    fake_wait_heard(f);
}

/* ---- what is promised ---- */

static void a_petask_runs_with_what_its_task_has(void **state)
{
    struct fake *f = *state;
    start_master(f, 41);
    int fd = ask_petask(f, "41.1",
                        "echo $JOB_ID $JOB_NAME $JOB_SCRIPT $NSLOTS $MINE [$PE_HOSTFILE] "
                        "${SGE_JOB_SPOOL_DIR##*/}; pwd; exit 3",
                        "MINE=yes");
    expect_started(fd, PETASK);
    struct dstr output = DSTR_INIT;
    dstr_addf(&output, "41 petask QRSH 5 yes [] " PETASK "\n%s\n", f->root);
    expect_end(fd, dstr_get(&output), 3);
    dstr_free(&output);
    expect_report(f, 41, PETASK, REPORT_ENDED, 3);
    ack_petask(f, 41, PETASK);
    fd = ask_petask(f, "41.1", "echo $JOB_ID", "JOB_ID=7"); /* a variable of the system */
    expect_started(fd, SECOND);
    expect_end(fd, "41\n", 0);
    expect_report(f, 41, SECOND, REPORT_ENDED, 0);
    ack_petask(f, 41, SECOND);
    end_master(f, 41);
}

static void no_more_run_than_the_task_has_slots_here(void **state)
{
    struct fake *f = *state;
    start_master(f, 42);
    int one = ask_petask(f, "42.1", "read x", NULL),
        two = ask_petask(f, "42.1", "read x; exit 4", NULL);
    expect_started(one, PETASK);
    expect_started(two, SECOND);
    expect_refusal(ask_petask(f, "42.1", "true", NULL),
                   "2 tasks of the job run here, which is the limit: it has slots for 2");
    send_all(two, (uint8_t[]){ SESSION_STDIN, 0, 0, 0, 0 }, 5);
    expect_end(two, "", 4);
    expect_report(f, 42, SECOND, REPORT_ENDED, 4);
    int three = ask_petask(f, "42.1", "true", NULL);
    expect_started(three, "3.testhost");
    expect_end(three, "", 0);
    end_master(f, 42); /* with the one that still runs */
    expect_end_with_task(one);
}

/* The command has ended, and its client does not read the rest of its output: the slot is free, but
 * not for ever. */
#define ENDS_UNREAD                                                                                \
    "cat /dev/zero & a=1; b=0; while [ \"$a\" != \"$b\" ]; do "                                    \
    "b=$a; sleep 0.05; a=$(grep wchar /proc/$!/io); done"

/* true with FD open if it has started, false if it was refused for WHY */
static bool is_started(int fd, const char *why)
{
    char text[2048];
    enum session_kind kind = next_frame(fd, text, sizeof text);
    if (kind == SESSION_REFUSED)
        assert_non_null(strstr(text, why));
    return kind == SESSION_PETASK_STARTED;
}

static void one_whose_command_has_ended_takes_no_slot(void **state)
{
    static const char limit[] =
        "12 tasks of the job run here, which is the limit: it has slots for 2";
    struct fake *f = *state;
    int fds[60], n = 0;
    start_master(f, 52);
    for (bool is_full = false; !is_full; n++) {
        char path[96];
        assert_true(n < (int)ARRAY_LEN(fds));
        fds[n] = ask_petask(f, "52.1", ENDS_UNREAD, NULL);
        is_full = !is_started(fds[n], limit);
        (void)snprintf(path, sizeof path,
                       "spool/active_jobs/52.1/%d.testhost/shepherd_about_to_exit", n + 1);
        if (!is_full)
            assert_true(fake_wait_file(f, path));
    }
    assert_true(n > 12); /* and the one that was refused */
    while (n > 0)
        close(fds[--n]);
    end_master(f, 52);
}

static void a_task_has_at_most_so_many_in_all(void **state)
{
    struct fake *f = *state;
    start_master(f, 51);
    char *path = fake_path(f, "spool/active_jobs/51.1/petasks");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "last=%d\n", TASK_PETASK_NUMBER_MOST);
    fclose(file);
    free(path);
    expect_refusal(ask_petask(f, "51.1", "true", NULL),
                   "the job has started 1000000 tasks here, which is the limit");
    end_master(f, 51);
}

static void who_may_not_have_one_is_refused(void **state)
{
    struct fake *f = *state;
    expect_refusal(ask_petask(f, "99.1", "true", NULL), "99.1 has no slots here");
    expect_refusal(ask_petask(f, "no task", "true", NULL), "this is no request for a task");
    fake_run(f, 43, "echo $$ > pid43; exec sleep 1000");
    (void)fake_pid(f, "pid43");
    expect_refusal(ask_petask(f, "43.1", "true", NULL),
                   "the job has no parallel environment, or one with control_slaves FALSE "
                   "(sge_pe(5))");
    fake_end_task(f, 43);
}

static void a_request_has_a_longest_size_and_a_form(void **state)
{
    static char much[SESSION_DATA_MOST];
    struct fake *f = *state;
    struct dstr many = DSTR_INIT;
    start_master(f, 44);
    int fd = connect_here(f);
    send_hello(fd, "44.1");
    send_piece(fd, "no end", 6);
    send_piece(fd, "", 0);
    expect_refusal(fd, "this is no request for a task");
    fd = connect_here(f);
    send_hello(fd, "44.1");
    dstr_addn(&many, "\0001\0true\0", 8);
    for (unsigned i = 0; i < PETASK_TEXTS_MOST; i++)
        dstr_addn(&many, "A=\0", 3);
    send_piece(fd, dstr_get(&many), many.len);
    send_piece(fd, "", 0);
    dstr_free(&many);
    expect_refusal(fd, "this is no request for a task");
    fd = connect_here(f);
    send_hello(fd, "44.1");
    for (unsigned i = 0; i < PETASK_REQUEST_MOST / sizeof much; i++)
        send_piece(fd, much, sizeof much);
    uint8_t header[SESSION_HEADER_BYTES];
    session_header_pack(SESSION_PETASK_REQUEST, 1, header);
    send_all(fd, header, sizeof header);
    expect_refusal(fd, "command and variables together have more than 524288 bytes, which is the "
                       "limit");
    end_master(f, 44);
}

/* ... and its end is not the end of its job */
static void a_petask_ends_with_its_client(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    start_master(f, 45);
    int fd = ask_petask(f, "45.1", "exec sleep 1000", NULL);
    expect_started(fd, PETASK);
    close(fd);
    f->petask = PETASK;
    fake_wait_report(f, 45, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_exit_status, 128 + SIGKILL);
    assert_int_equal(r.JR_failed, 0);
    cull_clear(&cull_JR_Type, &r);
    f->petask = NULL;
    end_master(f, 45);
}

static void a_restart_finds_both_and_gives_no_number_twice(void **state)
{
    struct fake *f = *state;
    struct XM_Type m;
    start_master(f, 46);
    int fd = ask_petask(f, "46.1", "exit 5", NULL);
    expect_started(fd, PETASK);
    expect_end(fd, "", 5);
    expect_report(f, 46, PETASK, REPORT_ENDED, 5);
    ack_petask(f, 46, PETASK);
    fake_wait_heard(f);
    fd = ask_petask(f, "46.1", "read x; echo on; exit 6", NULL);
    expect_started(fd, SECOND);
    fake_kill_execd(f, SIGKILL);
    fake_start_execd(f);
    fake_accept(f, &m);
    assert_int_equal(m.XM_reports.n, 2);
    assert_string_equal(m.XM_reports.v[1].JR_pe_task_id, SECOND);
    cull_clear(&cull_XM_Type, &m);
    send_all(fd, (uint8_t[]){ SESSION_STDIN, 0, 0, 0, 0 }, 5);
    expect_end(fd, "on\n", 6);
    expect_report(f, 46, SECOND, REPORT_ENDED, 6);
    fd = ask_petask(f, "46.1", "true", NULL);
    expect_started(fd, "3.testhost");
    expect_end(fd, "", 0);
    end_master(f, 46);
}

static void a_slave_has_petasks_and_no_process(void **state)
{
    struct fake *f = *state;
    start_slave(f, 47);
    int fd = ask_petask(f, "47.1", "echo $NSLOTS", NULL),
        other = ask_petask(f, "47.1", "exec sleep 1000", NULL);
    expect_started(fd, PETASK);
    expect_end(fd, "2\n", 0); /* of its host */
    expect_started(other, SECOND);
    expect_report(f, 47, SECOND, REPORT_STARTED, 0);
    fake_about(f, EXEC_SIGNAL, SIGKILL, 47, 1, 1);
    expect_report(f, 47, SECOND, REPORT_ENDED, 128 + SIGKILL);
    expect_report(f, 47, NULL, REPORT_ENDED, 0);
    ack_petask(f, 47, NULL); /* it stays for its petasks */
    expect_refusal(ask_petask(f, "47.1", "true", NULL), "the job is ending");
    ack_petask(f, 47, PETASK);
    ack_petask(f, 47, SECOND);
    fake_wait_gone(f, "spool/active_jobs/47.1");
    expect_refusal(ask_petask(f, "47.1", "true", NULL), "47.1 has no slots here");
    close(other);
}

static void a_slave_survives_a_restart(void **state)
{
    struct fake *f = *state;
    struct XM_Type m;
    start_slave(f, 48);
    fake_kill_execd(f, SIGKILL);
    fake_start_execd(f);
    fake_accept(f, &m);
    assert_int_equal(m.XM_reports.n, 1);
    assert_int_equal(m.XM_reports.v[0].JR_state, REPORT_STARTED);
    assert_int_equal(m.XM_reports.v[0].JR_attempt, 1);
    cull_clear(&cull_XM_Type, &m);
    int fd = ask_petask(f, "48.1", "exit 7", NULL);
    expect_started(fd, PETASK);
    expect_end(fd, "", 7);
    expect_report(f, 48, PETASK, REPORT_ENDED, 7);
    ack_petask(f, 48, PETASK);
    fake_about(f, EXEC_SIGNAL, SIGKILL, 48, 1, 1);
    expect_report(f, 48, NULL, REPORT_ENDED, 0);
    ack_petask(f, 48, NULL);
    fake_wait_gone(f, "spool/active_jobs/48.1");
}

static void expect_stopped(pid_t pid, bool is_stopped)
{
    for (int i = 0; i < 4000 && process_is_stopped(pid) != is_stopped; i++)
        (void)poll(NULL, 0, 5);
    assert_int_equal(process_is_stopped(pid), is_stopped);
}

static void a_suspension_reaches_all_petasks(void **state)
{
    struct fake *f = *state;
    start_slave(f, 49);
    int fd = ask_petask(f, "49.1", "echo $$ > pid49; exec sleep 1000", NULL);
    expect_started(fd, PETASK);
    pid_t pid = fake_pid(f, "pid49");
    fake_about(f, EXEC_SIGNAL, SIGSTOP, 49, 1, 1);
    expect_stopped(pid, true);
    int late = ask_petask(f, "49.1", "echo $$ > pid49b; read x", NULL); /* is no exception */
    expect_started(late, SECOND);
    expect_report(f, 49, SECOND, REPORT_STARTED, 0);
    fake_about(f, EXEC_SIGNAL, SIGCONT, 49, 1, 1);
    send_all(late, (uint8_t[]){ SESSION_STDIN, 0, 0, 0, 0 }, 5);
    expect_end(late, "", 1);
    expect_stopped(pid, false);
    fake_about(f, EXEC_SIGNAL, SIGKILL, 49, 1, 1);
    expect_report(f, 49, PETASK, REPORT_ENDED, 128 + SIGKILL);
    expect_report(f, 49, NULL, REPORT_ENDED, 0);
    close(fd);
}

/* ---- limits of all of a task ---- */

/* a petask that ignores the signal of soft limits, and holds 65 MB or uses its processor */
#define HOLD_MEMORY                                                                                \
    "trap '' XCPU; head -c 65000000 /dev/zero | tail -c 65000000 | { read x; sleep 1000; }"
#define USE_PROCESSOR "trap '' XCPU; while :; do :; done"
static const struct summed_case {
    const char *limit, *value, *petask;
    bool is_hard;
} summed_cases[] = {
#ifndef __SANITIZE_ADDRESS__ /* a process before its exec has the address space of the shepherd */
    { "h_vmem", "50M", HOLD_MEMORY, true },    { "s_vmem", "50M", HOLD_MEMORY, false },
#endif
    { "h_rss", "50M", HOLD_MEMORY, true },     { "s_rss", "50M", HOLD_MEMORY, false },
    { "h_cpu", "0:0:2", USE_PROCESSOR, true }, { "s_cpu", "0:0:1", USE_PROCESSOR, false },
};

/* its first process uses nothing, and ends with 3 when a soft limit of the sum is reached */
static void start_limited(struct fake *f, uint32_t number, const struct summed_case *c)
{
    struct JB_Type job;
    char name[16], command[128];
    (void)snprintf(name, sizeof name, "pid%u", number);
    (void)snprintf(command, sizeof command,
                   "trap 'exit 3' XCPU; echo $$ > %s; sleep 1000 & wait $!", name);
    fake_job(f, &job, number, command);
    cull_set(&job, JB_pe, "tight");
    struct CE_Type *request = cull_append(&job, JB_hard_resource_list);
    cull_set(request, CE_name, c->limit);
    cull_set(request, CE_stringval, c->value);
    f->is_tight = true;
    fake_order(f, &job, number, 1, 1);
    cull_clear(&cull_JB_Type, &job);
    (void)fake_pid(f, name);
}

static void expect_reason(struct fake *f, uint32_t number, const char *petask,
                          const struct summed_case *c)
{
    struct JR_Type r;
    char why[128];
    (void)snprintf(why, sizeof why, "the job on this host, with its tasks, has exceeded %s",
                   c->limit);
    f->petask = petask;
    fake_wait_report(f, number, 1, REPORT_ENDED, &r);
    f->petask = NULL;
    assert_int_equal(r.JR_failed, c->is_hard ? 37 : 0);
    if (c->is_hard)
        assert_string_equal(r.JR_err_str, why);
    else
        assert_int_equal(r.JR_exit_status, 3);
    cull_clear(&cull_JR_Type, &r);
}

/* each petask is within the limit of the two slots, both together are not */
static void limits_count_for_all_petasks_together(void **state)
{
    struct fake *f = *state;
    for (uint32_t i = 0; i < ARRAY_LEN(summed_cases); i++) {
        const struct summed_case *c = &summed_cases[i];
        char task[16];
        (void)snprintf(task, sizeof task, "%u.1", 60 + i);
        start_limited(f, 60 + i, c);
        int one = ask_petask(f, task, c->petask, NULL), two = ask_petask(f, task, c->petask, NULL);
        expect_started(one, PETASK);
        expect_started(two, SECOND);
        if (c->is_hard)
            expect_reason(f, 60 + i, SECOND, c);
        expect_reason(f, 60 + i, NULL, c);
        close(one);
        close(two);
    }
}

/* a user's other processes cannot start any; root alone can see that */
static void a_process_that_is_not_of_the_task_is_refused(void **state)
{
    struct fake *f = *state;
    if (geteuid() != 0)
        return; /* an execd of an ordinary user has no groups to give */
    fake_config(f, "64100-64200", NULL);
    start_master(f, 50);
    expect_refusal(ask_petask(f, "50.1", "true", NULL),
                   "qrsh -inherit is for processes of the job");
    char *text = fake_text(f, "spool/active_jobs/50.1/addgrpid");
    gid_t group = (gid_t)strtoul(text, NULL, 10);
    free(text);
    pid_t child = fork(); /* one that is */
    if (child == 0) {
        if (setgroups(1, &group) != 0)
            _exit(9);
        int fd = ask_petask(f, "50.1", "true", NULL);
        expect_started(fd, PETASK);
        expect_end(fd, "", 0);
        _exit(0);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    expect_report(f, 50, PETASK, REPORT_ENDED, 0);
    end_master(f, 50);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        FAKE_TEST(a_petask_runs_with_what_its_task_has),
        FAKE_TEST(no_more_run_than_the_task_has_slots_here),
        FAKE_TEST(one_whose_command_has_ended_takes_no_slot),
        FAKE_TEST(a_task_has_at_most_so_many_in_all),
        FAKE_TEST(who_may_not_have_one_is_refused),
        FAKE_TEST(a_request_has_a_longest_size_and_a_form),
        FAKE_TEST(a_petask_ends_with_its_client),
        FAKE_TEST(a_restart_finds_both_and_gives_no_number_twice),
        FAKE_TEST(a_slave_has_petasks_and_no_process),
        FAKE_TEST(a_slave_survives_a_restart),
        FAKE_TEST(a_suspension_reaches_all_petasks),
        FAKE_TEST(limits_count_for_all_petasks_together),
        FAKE_TEST(a_process_that_is_not_of_the_task_is_refused),
    };
    return fake_main(argc, argv, tests, ARRAY_LEN(tests));
}
