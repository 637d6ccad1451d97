#ifndef CLIENTS_QMON_WIDGETS_QMON_H
#define CLIENTS_QMON_WIDGETS_QMON_H

#include <X11/Intrinsic.h>

#include "clients/qmon/widgets/object_groups.h"
#include "libs/feed/feed.h"
#include "libs/mir/board.h"
#include "libs/mir/mir.h"
#include "libs/uti/tree.h"

/* What the windows of one qmon share. All of it belongs to the main thread. */
struct browser_window;
struct calls;
struct cell;
struct figures;
struct frames_window;
struct jobs_window;
struct main_window;
struct object_window;
struct objects_window;
struct paint;
struct queues_window;
struct submit_window;
struct task_window;
struct workers;

struct qmon {
    XtAppContext app;
    Display *display;
    Widget top; /* the main window's shell; its resources are those of the program */
    struct cell *cell;
    const char *user; /* who we are; borrowed */
    const char *home; /* our home directory; borrowed */
    struct feed *feed;
    struct feed_status status;
    struct calls *calls;
    struct workers *workers;
    struct mir *mir;     /* the cell as events describe it */
    struct board *board; /* its jobs */
    struct figures *figures;
    uint64_t lost_s; /* when the qmaster was lost */
    struct paint *paint;
    struct main_window *main;
    struct jobs_window *jobs; /* NULL until it was opened; so are those below */
    struct frames_window *frames;
    struct submit_window *submit;
    struct task_window *task;
    struct queues_window *queues;
    struct browser_window *browser;
    struct objects_window *objects[OBJECT_GROUPS];
    LIST_HEAD(, object_window) object_windows; /* that are open */
    /* objects of administrators are others now: the windows that are open ask the qmaster again */
    void (*objects_changed)(struct qmon *q);
    /* events brought changes that no window shows yet; states of queue instances: with their reasons */
    bool are_objects_new, are_queues_new, are_states_new;
    bool is_refresh_due;
    unsigned long pause_ms; /* before the next refresh: what the last one took, many times over */
};

#endif
