/* What events do not say of the task that is pointed at: how it ended, and the last lines of its
 * output. Commands find it out, one after the other, when the pointer has come to rest. Invariant:
 * at most one of them runs, and what is shown is about `log.at`. */
#include <Xm/Form.h>
#include <Xm/Text.h>
#include <Xm/Xm.h>
#include <stdlib.h>
#include <string.h>

#include "clients/qmon/command_run.h"
#include "clients/qmon/frames_window_priv.h"
#include "clients/qmon/msg_qmon.h"
#include "clients/qmon/read_text.h"
#include "clients/qmon/task_commands.h"
#include "libs/gdi/cell.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/view/task_output.h"

enum { REST_MS = 200, FOLLOW_MS = 3000, LOG_BYTES = 8 * 1024 };

static void run_command(struct frames_window *w);

/* ---- one command after the other ---- */

static void stop_log(struct frames_log *log)
{
    command_stop(log->running);
    log->running = NULL;
    if (log->timer != 0)
        XtRemoveTimeOut(log->timer);
    log->timer = 0;
}

static void on_timer(XtPointer ctx, XtIntervalId *id SGE_UNUSED)
{
    struct frames_window *w = ctx;
    w->log.timer = 0;
    run_command(w);
}

static void run_later(struct frames_window *w, unsigned long ms)
{
    w->log.timer = XtAppAddTimeOut(w->q->app, ms, on_timer, w);
}

static bool is_running(const struct frames_log *log)
{
    return log->look == LOOK_RUNNING || log->look == LOOK_SUSPENDED;
}

/* how it ended is there to be said, and the host of its output is known */
static void take_record(struct frames_window *w, const char *record)
{
    struct dstr told = DSTR_INIT;
    size_t len;
    const char *host = task_end_host(record, &len);
    task_end_told(record, &told);
    free(w->log.host);
    w->log.host = host != NULL ? uti_strndup(host, len) : NULL;
    if (host != NULL)
        dstr_addf(&told, " on %.*s", (int)len, host);
    frames_know_end(w->frames, w->log.at, dstr_get(&told));
    w->log.has_record = true;
    frames_window_say(w);
    dstr_free(&told);
}

static void on_said(void *ctx, bool is_good, const char *said)
{
    struct frames_window *w = ctx;
    w->log.running = NULL;
    if (look_is_ended(w->log.look) && !w->log.has_record) {
        take_record(w, is_good ? said : "");
        run_command(w);
        return;
    }
    read_text_follow(w->log.text, said);
    if (is_running(&w->log))
        run_later(w, FOLLOW_MS);
}

/* ---- which commands ---- */

static void add_output(struct frames_window *w, const struct board_job *job, struct words *words)
{
    bool is_own = job->rec.JB_owner != NULL && strcmp(job->rec.JB_owner, w->q->user) == 0;
    struct task_output_at at = { is_own ? w->q->home : NULL, w->log.host };
    struct dstr path = DSTR_INIT, name = DSTR_INIT;
    if (task_output_path(job, w->log.at.ordinal, &at, &path)) {
        task_output_name(job, w->log.at.ordinal, &name);
        task_output_words(path.s, name.s, LOG_BYTES, words);
    } else {
        read_text_show(w->log.text, MSG_QMON_NO_PATH);
    }
    dstr_free(&path);
    dstr_free(&name);
}

/* the record of a task that has ended, then its output; of one that waits there is neither */
static void run_command(struct frames_window *w)
{
    struct frames_log *log = &w->log;
    const struct board_job *job = board_job(w->q->board, log->at.job);
    struct words words = WORDS_INIT;
    if (job == NULL)
        return;
    if (look_is_ended(log->look) && !log->has_record)
        task_record_words(job, log->at.ordinal, &words);
    else if (look_is_ended(log->look) || is_running(log))
        add_output(w, job, &words);
    if (words.n > 0)
        log->running = command_run(w->q->app, w->q->cell->bin_dir, &words, on_said, w, NULL);
    words_free(&words);
}

/* ---- the window ---- */

void frames_log_point(struct frames_window *w)
{
    struct frames_log *log = &w->log;
    struct frame_task at = frames_pointed(w->frames);
    const struct board_job *job = at.job != 0 ? board_job(w->q->board, at.job) : NULL;
    enum task_look look = job != NULL ? board_task_look(job, at.ordinal) : LOOKS;
    bool is_same = at.job == log->at.job && at.ordinal == log->at.ordinal;
    if (is_same && look == log->look)
        return;
    stop_log(log);
    if (!is_same) {
        read_text_show(log->text, "");
        free(log->host);
        log->host = NULL;
    }
    log->at = at;
    log->look = look;
    log->has_record = false;
    if (job != NULL)
        run_later(w, REST_MS);
}

static void on_popdown(Widget shell SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    frames_log_stop(ctx);
}

Widget frames_log_make(struct frames_window *w, Widget form, Widget below)
{
    w->log.text = window_text(form, "monoText", false);
    XtVaSetValues(XtParent(w->log.text), XmNbottomAttachment, XmATTACH_WIDGET, XmNbottomWidget,
                  below, XmNleftAttachment, XmATTACH_FORM, XmNrightAttachment, XmATTACH_FORM, NULL);
    XtAddCallback(w->shell, XtNpopdownCallback, on_popdown, w);
    return XtParent(w->log.text);
}

void frames_log_stop(struct frames_window *w)
{
    stop_log(&w->log);
    free(w->log.host);
    w->log.host = NULL;
    w->log.at = (struct frame_task){ 0, 0 };
}
