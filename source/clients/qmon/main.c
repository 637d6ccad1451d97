/* qmon: the display, the cell, the windows, and what keeps them alive. Events are taken when they
 * come; windows are drawn at most so often that it takes a tenth of the time. */
#include <X11/Shell.h>
#include <X11/Xresource.h>
#include <Xm/Xm.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/source.h"
#include "clients/qmon/widgets/msg_qmon.h"
#include "clients/qmon/widgets/paint.h"
#include "clients/qmon/widgets/window.h"
#include "clients/qmon/windows/windows.h"
#include "common/version.h"
#include "libs/cli/submitter.h"
#include "libs/feed/calls.h"
#include "libs/feed/workers.h"
#include "libs/gdi/cell.h"
#include "libs/sgeobj/event.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"
#include "libs/view/figures.h"

enum { SHARE = 10, PAUSE_LEAST_MS = 40, PAUSE_MOST_MS = 3000, US_PER_MS = 1000 };

/* ---- alive ---- */

/* what windows show besides jobs */
static void note_change(struct qmon *q, const struct EV_Type *event)
{
    uint32_t kind = event->EV_kind;
    bool is_object = kind == EV_OBJECT || kind == EV_OBJECT_DEL || kind == EV_CONF;
    bool is_host = kind == EV_HOST || kind == EV_HOST_DEL;
    bool is_queue = kind == EV_QUEUE_ADD || kind == EV_QUEUE_MOD || kind == EV_QUEUE_DEL;
    bool has_state =
        is_queue && (event->EV_queues.n == 0 || cull_has(event->EV_queues.v, QU_state));
    q->are_objects_new = q->are_objects_new || is_object;
    q->are_queues_new = q->are_queues_new || is_host || is_queue || kind == EV_SYNCED;
    q->are_states_new = q->are_states_new || has_state || kind == EV_SYNCED;
}

static void take_event(void *ctx, const struct EV_Type *event)
{
    struct qmon *q = ctx;
    if (mir_apply(q->mir, event, NULL) == 0)
        figures_event(q->figures, event);
    browser_window_event(q->browser, event);
    note_change(q, event);
}

static void objects_changed(struct qmon *q)
{
    for (unsigned i = 0; i < OBJECT_GROUPS; i++)
        objects_window_renew(q->objects[i]);
    queues_window_renew(q->queues);
    q->are_objects_new = false;
}

static void refresh_objects(struct qmon *q)
{
    for (unsigned i = 0; q->are_objects_new && i < OBJECT_GROUPS; i++)
        objects_window_changed(q->objects[i]);
    q->are_objects_new = false;
    if (!q->status.is_synced)
        return;
    if (q->are_queues_new)
        queues_window_show(q->queues);
    if (q->are_states_new)
        queues_window_renew(q->queues);
    q->are_queues_new = q->are_states_new = false;
}

static void refresh_windows(XtPointer ctx, XtIntervalId *id SGE_UNUSED)
{
    struct qmon *q = ctx;
    uint64_t began = uti_mono_us();
    q->is_refresh_due = false;
    main_window_refresh(q);
    jobs_window_refresh(q->jobs);
    frames_window_refresh(q->frames);
    submit_window_refresh(q->submit);
    browser_window_refresh(q->browser);
    refresh_objects(q);
    task_window_refresh(q->task);
    uint64_t pause_ms = (uti_mono_us() - began) * SHARE / US_PER_MS;
    q->pause_ms = pause_ms < PAUSE_LEAST_MS  ? PAUSE_LEAST_MS
                  : pause_ms > PAUSE_MOST_MS ? PAUSE_MOST_MS
                                             : pause_ms;
}

static void show_status(struct qmon *q, const struct feed_status *before)
{
    if (memcmp(before, &q->status, sizeof *before) == 0)
        return;
    if (!q->status.is_synced && (before->is_synced || q->lost_s == 0))
        q->lost_s = uti_now_s();
    main_window_status(q);
    jobs_window_status(q->jobs);
    frames_window_status(q->frames);
    queues_window_status(q->queues);
    for (unsigned i = 0; i < OBJECT_GROUPS; i++)
        objects_window_status(q->objects[i]);
}

static void on_feed(XtPointer ctx, int *fd SGE_UNUSED, XtInputId *id SGE_UNUSED)
{
    struct qmon *q = ctx;
    struct feed_status before = q->status;
    feed_take(q->feed, take_event, q, &q->status);
    show_status(q, &before);
    if (!q->is_refresh_due)
        XtAppAddTimeOut(q->app, q->pause_ms, refresh_windows, q);
    q->is_refresh_due = true;
}

static void on_calls(XtPointer ctx, int *fd SGE_UNUSED, XtInputId *id SGE_UNUSED)
{
    calls_take(((struct qmon *)ctx)->calls);
}

static void on_workers(XtPointer ctx, int *fd SGE_UNUSED, XtInputId *id SGE_UNUSED)
{
    workers_take(((struct qmon *)ctx)->workers);
}

/* ---- the display ---- */

static int display_has_gone(Display *display)
{
    fprintf(stderr, MSG_QMON_LOST_S, DisplayString(display));
    _exit(EXIT_FAILURE);
}

/* what the user has set comes before what the file says */
static int read_layout(struct qmon *q, struct answer *ans)
{
    struct dstr path = DSTR_INIT;
    XrmDatabase db = XtScreenDatabase(DefaultScreenOfDisplay(q->display));
    dstr_addf(&path, "%s/qmon/Qmon", q->cell->root);
    bool is_read = XrmCombineFileDatabase(dstr_get(&path), &db, False);
    int result = is_read ? 0 : ans_fail(ans, STATUS_ENOFILE, MSG_QMON_LAYOUT_S, dstr_get(&path));
    dstr_free(&path);
    return result;
}

static int open_display(struct qmon *q, int *argc, char **argv, struct answer *ans)
{
    XtSetLanguageProc(NULL, NULL, NULL);
    XtToolkitInitialize();
    q->app = XtCreateApplicationContext();
    text_edit_install(q->app);
    q->display = XtOpenDisplay(q->app, NULL, "qmon", "Qmon", NULL, 0, argc, argv);
    if (q->display == NULL)
        return ans_fail(ans, STATUS_ENOCONN, MSG_QMON_DISPLAY_S, XDisplayName(NULL));
    if (*argc > 1)
        return ans_fail(ans, STATUS_EUSAGE, MSG_QMON_WORD_S, argv[1]);
    XSetIOErrorHandler(display_has_gone);
    if (read_layout(q, ans) != 0)
        return -1;
    q->paint = paint_new(q, ans);
    return q->paint != NULL ? 0 : -1;
}

/* ---- the program ---- */

static int start_all(struct qmon *q, struct answer *ans)
{
    q->mir = mir_new();
    q->board = mir_board(q->mir);
    q->figures = figures_new(q->board, q->user);
    q->feed = feed_start(q->cell, "qmon", board_fields, ans);
    q->calls = calls_new(q->cell, "qmon", ans);
    q->workers = workers_new(ans);
    if (q->feed == NULL || q->calls == NULL || q->workers == NULL)
        return -1;
    q->top = XtVaAppCreateShell("qmon", "Qmon", applicationShellWidgetClass, q->display, NULL);
    main_window_make(q);
    XtRealizeWidget(q->top);
    q->pause_ms = PAUSE_LEAST_MS;
    XtAppAddInput(q->app, feed_fd(q->feed), (XtPointer)XtInputReadMask, on_feed, q);
    XtAppAddInput(q->app, calls_fd(q->calls), (XtPointer)XtInputReadMask, on_calls, q);
    XtAppAddInput(q->app, workers_fd(q->workers), (XtPointer)XtInputReadMask, on_workers, q);
    return 0;
}

static void end_all(struct qmon *q)
{
    feed_stop(q->feed);
    object_windows_free(q);
    if (q->top != NULL)
        XtDestroyWidget(q->top);
    frames_window_free(q->frames);
    jobs_window_free(q->jobs);
    submit_window_free(q->submit);
    queues_window_free(q->queues);
    browser_window_free(q->browser);
    for (unsigned i = 0; i < OBJECT_GROUPS; i++)
        objects_window_free(q->objects[i]);
    task_window_free(q->task);
    main_window_free(q->main);
    figures_free(q->figures);
    mir_free(q->mir);
    paint_free(q->paint);
    bool are_left = workers_free(q->workers);
    calls_free(q->calls);
    if (q->app != NULL)
        XtDestroyApplicationContext(q->app);
    if (!are_left) /* threads that hang have the cell */
        cell_free(q->cell);
}

static int run_qmon(int argc, char **argv, struct answer *ans)
{
    struct qmon q = { .cell = cell_open(ans), .objects_changed = objects_changed };
    char *user = NULL, *home = NULL;
    int result = -1;
    if (q.cell != NULL && submitter_find_user(geteuid(), &user, &home, ans) == 0 &&
        open_display(&q, &argc, argv, ans) == 0) {
        q.user = user;
        q.home = home;
        result = start_all(&q, ans);
    }
    if (result == 0)
        XtAppMainLoop(q.app);
    end_all(&q);
    free(user);
    free(home);
    return result;
}

int main(int argc, char **argv)
{
    struct answer ans = ANSWER_INIT;
    if (argc == 2 && (strcmp(argv[1], "-help") == 0 || strcmp(argv[1], "-h") == 0)) {
        printf(SGE_VERSION_LINE "\nusage: qmon [-help] [options of the X Toolkit]\n");
        return EXIT_SUCCESS;
    }
    (void)freopen("/dev/null", "r", stdin); /* a script from standard input is empty */
    int result = run_qmon(argc, argv, &ans);
    answer_print_errors(stderr, &ans, "error: ");
    ans_free(&ans);
    return result == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
