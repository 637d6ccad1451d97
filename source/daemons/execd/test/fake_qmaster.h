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

/* A qmaster as far as an execd can see: a socket, and messages in both directions. One execd process at a time. Every wait ends
 * after some seconds with a failed test. */
struct fake {
    char *root; /* directory of this test: spool, outputs */
    char *socket, *spool;
    const char *bin_dir; /* where sge_shepherd is */
    char *user;          /* who runs the test */
    int listener, conn;
    pid_t execd;
    struct XM_Type pending; /* reports that came and nobody has asked for yet */
};

void fake_open(struct fake *f, const char *bin_dir);
void fake_close(
    struct fake *f); /* ends the execd, checks that nothing of it is left, removes the directory */
void fake_start_execd(struct fake *f);
void fake_kill_execd(struct fake *f, int sig);
/* fake_accept - the execd connects and registers; what it registered with is in *out (cull_clear it) */
void fake_accept(struct fake *f, struct XM_Type *out);
void fake_hang_up(struct fake *f);
void fake_send(struct fake *f, struct XM_Type *m); /* M is cleared */
/* fake_wait_report - the next report of a task in STATE; reports of other states are dropped */
void fake_wait_report(struct fake *f, uint32_t job, uint32_t task, enum report_state state,
                      struct JR_Type *out);
/* fake_order - EXEC_START of one task; JOB NULL: not sent again */
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

#endif
