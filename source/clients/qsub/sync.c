/* qsub -sync y: waits for the ends of a job's tasks and says them. A task that was deleted has no
 * end; the job is over all the same when the qmaster says so. Who interrupts the wait wants the job
 * gone. Source: captured behaviour of -sync; submit(1). */
#include "clients/qsub/qsub.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/qsub/msg_qsub.h"
#include "libs/gdi/client.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_state.h"
#include "libs/show/printable.h"
#include "libs/task/task_dir.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"
#include "libs/uti/os.h"
#include "libs/uti/signals.h"

enum { SIGNALLED = 128, EXIT_STATUS_MAX = 255, KEY_BYTES = 16 };

static void say_end(const struct sync_wait *w, const char *id, const struct EN_Type *end)
{
    const char *name =
        end->EN_exit_status > SIGNALLED ? signal_name((int)end->EN_exit_status - SIGNALLED) : NULL;
    bool is_signalled =
        end->EN_failed == TASK_FAILED_AFTER_JOB || end->EN_failed == TASK_FAILED_LIMIT;
    if (is_signalled && name != NULL)
        fprintf(stderr, MSG_SIGNALLED_SS "\n", id, name);
    else if (is_signalled)
        fprintf(stderr, MSG_SIGNALLED_SU "\n", id, end->EN_exit_status);
    else if (task_failure_is_start(end->EN_failed))
        fprintf(stderr, MSG_NEVER_RAN_S "\n", id);
    else if (end->EN_exit_status != 0)
        fprintf(stderr, MSG_EXITED_SI "\n", id, end->EN_exit_status);
    else if (!w->c->command.is_terse)
        printf(MSG_EXITED_SI "\n", id, 0u);
    fflush(NULL);
}

/* It waits for a person, and we go on waiting with it. */
static void say_error(const char *id, const struct JR_Type *report)
{
    struct dstr why = DSTR_INIT;
    bool is_known = report->JR_err_str != NULL && *report->JR_err_str != '\0';
    text_add_printable(&why, is_known ? report->JR_err_str : MSG_WHY_UNKNOWN);
    fprintf(stderr, MSG_IN_ERROR_SS "\n", id, dstr_get(&why));
    dstr_free(&why);
}

struct said_error {
    struct {
        uint32_t task, attempt;
    } start;
    UT_hash_handle hh;
};

/* A qmaster that was away repeats what it knows. True if that start's error is news. */
static bool note_error(struct sync_wait *w, const struct JR_Type *report)
{
    struct said_error *known, *e = uti_calloc(1, sizeof *e);
    e->start.task = report->JR_task_number;
    e->start.attempt = report->JR_attempt;
    HASH_FIND(hh, w->errors, &e->start, sizeof e->start, known);
    if (known == NULL)
        HASH_ADD(hh, w->errors, start, sizeof e->start, e);
    else
        free(e);
    return known == NULL;
}

static unsigned status_of(const struct EN_Type *end)
{
    if (end->EN_exit_status == 0 && !task_failure_is_start(end->EN_failed))
        return EXIT_SUCCESS;
    bool is_own = end->EN_failed == TASK_FAILED_NOT && end->EN_exit_status <= EXIT_STATUS_MAX;
    return is_own ? end->EN_exit_status : EXIT_FAILURE;
}

static void id_text(const struct sync_wait *w, uint32_t task, struct dstr *out)
{
    dstr_clear(out);
    dstr_addf(out, "%u", w->number);
    if (job_is_array(&w->c->command.job))
        dstr_addf(out, ".%u", task);
}

/* Ends come in any order; the exit status must not depend on it. */
static void note_status(struct sync_wait *w, uint32_t ordinal, unsigned status)
{
    if (status == EXIT_SUCCESS || (w->status != EXIT_SUCCESS && w->failed < ordinal))
        return;
    w->status = status;
    w->failed = ordinal;
}

/* a deleted task has no end to say: sync_finish says that there are some */
static void take_end(struct sync_wait *w, const struct EN_Type *end)
{
    struct dstr id = DSTR_INIT;
    uint32_t ordinal;
    if (end->EN_job_number != w->number || end->EN_how != END_RAN ||
        !range_set_min(&end->EN_ordinals, &ordinal) || range_set_has(&w->ended, ordinal))
        return; /* or said before the connection was lost */
    id_text(w, end_task_id(end, ordinal), &id);
    range_set_add(&w->ended, ordinal, ordinal);
    say_end(w, dstr_get(&id), end);
    note_status(w, ordinal, status_of(end));
    dstr_free(&id);
}

static void take_error(struct sync_wait *w, const struct JR_Type *report)
{
    struct dstr id = DSTR_INIT;
    uint32_t ordinal;
    if (!job_task_ordinal(&w->c->command.job, report->JR_task_number, &ordinal) ||
        range_set_has(&w->ended, ordinal) || !note_error(w, report))
        return;
    id_text(w, report->JR_task_number, &id);
    say_error(dstr_get(&id), report);
    dstr_free(&id);
}

void sync_take(struct sync_wait *w, const struct GA_Type *part)
{
    for (uint32_t i = 0; i < part->GA_reports.n; i++)
        take_error(w, &part->GA_reports.v[i]);
    for (uint32_t i = 0; i < part->GA_ends.n; i++)
        take_end(w, &part->GA_ends.v[i]);
}

static int take_part(void *ctx, const struct GA_Type *part)
{
    sync_take(ctx, part);
    return 0;
}

/* ---- requests ---- */

int sync_ask(struct sync_wait *w, struct GR_Type *gr)
{
    struct dstr key = DSTR_INIT;
    int rc = random_text(&key, KEY_BYTES, &w->c->ans);
    w->session = dstr_take(&key);
    cull_set(gr, GR_options, (uint32_t)GDI_WATCH_TOO);
    cull_set(gr, GR_session, w->session);
    return rc;
}

/* no other client knows this job session: it is removed now instead of when it expires */
void sync_forget(struct sync_wait *w)
{
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, (uint32_t)GDI_DEL);
    cull_set(&gr, GR_target, (uint32_t)GDI_SESSION);
    cull_set(&gr, GR_session, w->session);
    gdi_tell(w->c->gdi, &gr);
    cull_clear(&cull_GR_Type, &gr);
}

int sync_resume(struct sync_wait *w)
{
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, (uint32_t)GDI_WATCH);
    cull_set(&gr, GR_target, (uint32_t)GDI_SESSION);
    cull_set(&gr, GR_session, w->session);
    cull_set(&gr, GR_job_number, w->number);
    int called = client_call(w->c, &gr, take_part, w);
    cull_clear(&cull_GR_Type, &gr);
    if (called == 0 && ans_has_error(&w->c->ans) && w->c->ans.v[0].status == STATUS_EUNKNOWN) {
        ans_free(&w->c->ans);
        ans_fail(&w->c->ans, STATUS_EUNKNOWN, MSG_ENDS_UNKNOWN_U, w->number);
    }
    return client_print(w->c, stderr) != STATUS_OK ? -1 : called;
}

/* ---- interrupts ---- */

/* SIGINT and SIGTERM, but none that whoever started us wants ignored (qsub -sync y in the
 * background of a script) */
static void wanted_signals(sigset_t *out)
{
    static const int signals[] = { SIGINT, SIGTERM };
    sigemptyset(out);
    for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
        struct sigaction now;
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaddset(out, signals[i]);
    }
}

void sync_begin(struct sync_wait *w)
{
    sigset_t signals;
    wanted_signals(&signals);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    int fd = os_signal_fd(&signals);
    if (fd < 0) {
        sigprocmask(SIG_UNBLOCK, &signals, NULL); /* then they end us, as without -sync */
        return;
    }
    w->signal_fd = fd;
    gdi_stop_on(w->c->gdi, fd);
}

bool sync_is_interrupted(const struct sync_wait *w)
{
    struct pollfd p = { .fd = w->signal_fd, .events = POLLIN };
    return w->signal_fd > 0 && poll(&p, 1, 0) > 0;
}

int sync_cancel(struct sync_wait *w)
{
    struct GR_Type gr = { 0 };
    struct dstr number = DSTR_INIT;
    sigset_t signals;
    while (os_signal_take(w->signal_fd) != 0)
        ;
    gdi_stop_on(w->c->gdi, -1);
    wanted_signals(&signals);
    sigprocmask(SIG_UNBLOCK, &signals, NULL);
    cull_set(&gr, GR_verb, (uint32_t)GDI_DEL);
    cull_set(&gr, GR_target, (uint32_t)GDI_JOB);
    dstr_addf(&number, "%u", w->number);
    struct ID_Type *id = cull_append(&gr, GR_select);
    cull_set(id, ID_str, dstr_get(&number));
    client_call(w->c, &gr, NULL, NULL);
    client_print(w->c, stderr);
    dstr_free(&number);
    cull_clear(&cull_GR_Type, &gr);
    sync_forget(w);
    return EXIT_FAILURE;
}

static bool has_more(const struct sync_wait *w)
{
    return range_set_count(&w->ended) < job_task_count(&w->c->command.job);
}

int sync_finish(struct sync_wait *w)
{
    int status = (int)w->status;
    sync_forget(w);
    if (has_more(w)) {
        fprintf(stderr, MSG_NEVER_RAN_U "\n", w->number);
        status = status == EXIT_SUCCESS ? EXIT_FAILURE : status;
    }
    return status;
}

void sync_free(struct sync_wait *w)
{
    struct said_error *e, *next;
    HASH_ITER(hh, w->errors, e, next) {
        HASH_DEL(w->errors, e);
        free(e);
    }
    range_set_free(&w->ended);
    free(w->session);
}
