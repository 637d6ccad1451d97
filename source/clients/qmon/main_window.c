/* The main window: a button for each thing to look after, the same in a menu with keys, and a line
 * that says which cell this is, who we are, and whether the qmaster answers. */
#include <X11/Shell.h>
#include <Xm/Label.h>
#include <Xm/MainW.h>
#include <Xm/RowColumn.h>
#include <stdlib.h>

#include "clients/qmon/msg_qmon.h"
#include "clients/qmon/objects_window.h"
#include "clients/qmon/window.h"
#include "clients/qmon/windows.h"
#include "libs/gdi/cell.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

struct main_window {
    Widget status;
};

static void leave_program(void *q)
{
    XtAppSetExitFlag(((struct qmon *)q)->app);
}

/* a button's function for each window of objects */
#define OPEN_GROUP(function, group)                                                                \
    static void function(void *q)                                                                  \
    {                                                                                              \
        objects_window_open(q, group);                                                             \
    }
OPEN_GROUP(open_complex, GROUP_COMPLEX)
OPEN_GROUP(open_cluster, GROUP_CLUSTER)
OPEN_GROUP(open_host, GROUP_HOST)
OPEN_GROUP(open_calendar, GROUP_CALENDAR)
OPEN_GROUP(open_user, GROUP_USER)
OPEN_GROUP(open_parallel_environment, GROUP_PE)
OPEN_GROUP(open_checkpoint, GROUP_CHECKPOINT)
OPEN_GROUP(open_ticket_and_scheduler, GROUP_SCHEDULER)
OPEN_GROUP(open_project, GROUP_PROJECT)
OPEN_GROUP(open_resource_quota, GROUP_QUOTA)

static const struct window_button buttons[] = {
    { "jobControl", jobs_window_open },
    { "queueControl", queues_window_open },
    { "submitJob", submit_window_open },
    { "complex", open_complex },
    { "cluster", open_cluster },
    { "host", open_host },
    { "calendar", open_calendar },
    { "user", open_user },
    { "parallelEnvironment", open_parallel_environment },
    { "checkpoint", open_checkpoint },
    { "ticketAndScheduler", open_ticket_and_scheduler },
    { "project", open_project },
    { "resourceQuota", open_resource_quota },
    { "advanceReservation", NULL },
    { "browser", browser_window_open },
    { "exit", leave_program },
};

void main_window_make(struct qmon *q)
{
    struct main_window *w = uti_calloc(1, sizeof *w);
    Widget window = XtVaCreateManagedWidget("main", xmMainWindowWidgetClass, q->top, NULL);
    Widget bar = window_menu(window, "task", buttons, ARRAY_LEN(buttons), q);
    Widget grid = XtVaCreateManagedWidget("buttons", xmRowColumnWidgetClass, window, NULL);
    window_buttons(grid, buttons, ARRAY_LEN(buttons), q);
    w->status = XtVaCreateManagedWidget("status", xmLabelWidgetClass, window, NULL);
    XtVaSetValues(window, XmNmenuBar, bar, XmNworkWindow, grid, XmNmessageWindow, w->status, NULL);
    q->main = w;
    main_window_status(q);
}

static void add_connection(const struct feed_status *s, struct dstr *out)
{
    if (s->is_synced)
        dstr_addf(out, MSG_QMON_CONNECTED "%s", s->has_all ? "" : ", " MSG_QMON_OWN_JOBS);
    else if (s->why[0] == '\0')
        dstr_add(out, MSG_QMON_CONNECTING);
    else
        dstr_addf(out, MSG_QMON_NO_MASTER_S, s->why);
}

void main_window_status(struct qmon *q)
{
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, "%s (%s)   %s   ", q->cell->name, q->cell->root, q->user);
    add_connection(&q->status, &text);
    window_say(q->main->status, dstr_get(&text));
    dstr_clear(&text);
    dstr_addf(&text, ": %s, ", q->cell->name);
    add_connection(&q->status, &text);
    window_title(q->top, dstr_get(&text));
    dstr_free(&text);
}

void main_window_free(struct main_window *w)
{
    free(w);
}
