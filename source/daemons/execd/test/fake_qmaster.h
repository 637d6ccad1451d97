#ifndef EXECD_TEST_FAKE_QMASTER_H
#define EXECD_TEST_FAKE_QMASTER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <cmocka.h>

#include "libs/gdi/message.h"
#include "libs/sgeobj/job_report.h"

/* A qmaster as far as an execd can see: a socket, and messages in both directions. One execd
 * process at a time. Every wait ends after some seconds with a failed test. */
struct fake {
    char *root; /* directory of this test: spool, outputs */
    char *socket, *spool;
    const char *bin_dir; /* where sge_shepherd is */
    char *user;          /* who runs the test */
    int listener, conn;
    pid_t execd;
    /* orders, what is said and what is waited for are about this petask; NULL: the task itself */
    const char *petask;
    /* what an order of a parallel job says besides: that its hosts start petasks, and that this one
     * is a slave */
    bool is_tight, is_slave;
    struct XM_Type pending; /* reports that came and nobody has asked for yet */
};

void fake_open(struct fake *f, const char *bin_dir);
void fake_close(
    struct fake *f); /* ends the execd, checks that nothing of it is left, removes the directory */
void fake_start_execd(struct fake *f);
void fake_kill_execd(struct fake *f, int sig);
/* fake_accept - the execd connects and registers; what it registered with is in *out (cull_clear
 * it) */
void fake_accept(struct fake *f, struct XM_Type *out);
/* fake_bring_up - start an execd, which connects and registers */
void fake_bring_up(struct fake *f);
void fake_hang_up(struct fake *f);
/* fake_wait_lost - the execd ends the connection */
void fake_wait_lost(struct fake *f);
void fake_send(struct fake *f, struct XM_Type *m); /* M is cleared */
/* fake_wait_report - the next report of a task in STATE; reports of other states are dropped */
void fake_wait_report(struct fake *f, uint32_t job, uint32_t task, enum report_state state,
                      struct JR_Type *out);
/* fake_order - EXEC_START of one task; JOB NULL: not sent again. Of a parallel job it has 3
 * slots on another host, too */
void fake_order(struct fake *f, const struct JB_Type *job, uint32_t number, uint32_t task,
                uint32_t attempt);
void fake_job(const struct fake *f, struct JB_Type *job, uint32_t number,
              const char *command); /* -b y COMMAND, output to root/out */
void fake_about(struct fake *f, enum exec_message kind, uint32_t sig, uint32_t job, uint32_t task,
                uint32_t attempt);
char *fake_path(const struct fake *f, const char *name); /* root/NAME; new */
char *fake_text(const struct fake *f,
                const char *name); /* contents of root/NAME, "" if missing; new */
bool fake_wait_file(const struct fake *f, const char *name); /* until root/NAME has contents */

/* ---- tasks; NAME is a path below root ---- */

int fake_setup(void **state); /* an execd runs and has registered */
int fake_teardown(void **state);
/* fake_main - run the N tests; arguments: where the shepherd is, and the name of a single test */
int fake_main(int argc, char **argv, const struct CMUnitTest *tests, size_t n);
#define FAKE_TEST(name) cmocka_unit_test_setup_teardown(name, fake_setup, fake_teardown)

/* fake_run - order task NUMBER.1 of a job that runs COMMAND; fake_end_task - kill it and wait for
 * its end */
void fake_run(struct fake *f, uint32_t number, const char *command);
void fake_end_task(struct fake *f, uint32_t number);
/* fake_open_gate - a job that reads the fifo at PATH goes on with the word x */
void fake_open_gate(const char *path);
/* fake_accept_end - the execd registers with the end of one task, which had that exit status */
void fake_accept_end(struct fake *f, uint32_t exit_status);
double fake_usage(const struct JR_Type *r, const char *name); /* -1 if it is not reported */
void fake_wait_gone(const struct fake *f, const char *name);
/* fake_pid - the pid in a file whose line is whole
 * fake_next_pid - a file that is used again has that of BEFORE until the next process has written
 * its own */
pid_t fake_pid(const struct fake *f, const char *name);
pid_t fake_next_pid(const struct fake *f, const char *name, pid_t before);
/* fake_pid_file - the file of task directory NAME that says who its shepherd is, opened to write */
int fake_pid_file(const struct fake *f, const char *name);
/* fake_add_conf - to an EXEC_CONFIG: VALUE of PARAM in the configuration NAME, "global" or
 * "testhost"
 * fake_config - send one: GROUPS is gid_range for all hosts, EPILOG the setting of this host alone
 * (NULL: it has none) */
void fake_add_conf(struct XM_Type *m, const char *name, const char *param, const char *value);
void fake_config(struct fake *f, const char *groups, const char *epilog);
/* fake_config_value - the value of KEY in the file config of task NUMBER.1, whose job writes file
 * "pidNUMBER"; new */
char *fake_config_value(struct fake *f, uint32_t number, const char *key);
/* fake_wait_heard - the execd has taken what was sent before: its answer to something it does not
 * know comes after that */
void fake_wait_heard(struct fake *f);

#endif
