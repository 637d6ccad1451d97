#ifndef CLIENTS_QMON_WINDOWS_FRAMES_DISPLAY_H
#define CLIENTS_QMON_WINDOWS_FRAMES_DISPLAY_H

#include "clients/qmon/forms/task_read.h"
#include "clients/qmon/widgets/requests.h"
#include "clients/qmon/widgets/window.h"
#include "clients/qmon/windows/frames_picture.h"
#include "libs/gdi/message.h"

/* The state of Frames, and what it shows. */
struct frames_log {
    Widget text;
    struct frame_task at; /* job 0: none */
    enum task_look look;  /* when it was looked at */
    bool has_record;      /* how it ended is known */
    char *host;           /* where it ran, as its record says; owned, NULL: not known */
    struct task_read read;
    XtIntervalId timer; /* 0: none */
};

struct frames_window {
    struct qmon *q;
    Widget shell, area, bar, legend, told, said;
    struct frames_log log;
    struct frames *frames;
    uint32_t top;            /* the first stage that is seen */
    struct frame_place at;   /* where the keys are, and a click was last */
    struct frame_place from; /* where a mark begins */
    struct frame_press {
        Time at_ms; /* by the X server; 0: no second click may follow */
        int x, y;
        bool is_drag;          /* the pointer has left that place since */
    } press;                   /* the last one of the first button */
    struct GR_Type asked;      /* what the question that is open is about */
    struct task_asking asking; /* where the task runs that is pointed at */
};

/* frames_window_show - draw all of it, and say what is seen
 * frames_window_view - what is drawn; O(1), no question to the X server
 * frames_window_picture - the same with all stages, as wide as the window is, into a new PNG file;
 * 0, or -1 with ans
 * frames_window_go - the keys are at a place now, as near as there is one
 * frames_window_zoom - see FACTOR times as much, round the place where the keys are */
void frames_window_show(struct frames_window *w);
struct frames_view frames_window_view(const struct frames_window *w);
int frames_window_picture(void *w, const char *path, struct answer *ans);
void frames_window_go(struct frames_window *w, int64_t stage, int64_t frame);
void frames_window_zoom(struct frames_window *w, double factor);
/* frames_area_make - the matrix, in FORM below ABOVE and above the legend, which is there already
 * frames_legend_make - what its forms and colours mean, above the line `told` */
void frames_area_make(struct frames_window *w, Widget form, Widget above);
void frames_legend_make(struct frames_window *w, Widget form);
/* frames_log_make - the text with the output, in FORM above BELOW; returns what is laid out
 * frames_log_stop - nothing runs any more */
Widget frames_log_make(struct frames_window *w, Widget form, Widget below);
void frames_log_stop(struct frames_window *w);
#endif
