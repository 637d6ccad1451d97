#ifndef CLIENTS_QMON_WINDOWS_WINDOWS_H
#define CLIENTS_QMON_WINDOWS_WINDOWS_H

#include "clients/qmon/widgets/qmon.h"
#include "libs/view/object_form.h"

/* The windows: how each is opened, follows what changes, and goes. */

/* The main window: figures, buttons, a status line. */

/* main_window_make - the figures, the buttons and the status line, in q->top
 * main_window_status - say what q->status says
 * main_window_refresh - show the figures, if they are others now */
void main_window_make(struct qmon *q);
void main_window_status(struct qmon *q);
void main_window_refresh(struct qmon *q);
void main_window_free(struct main_window *w);

/* Job Control. */

/* jobs_window_open - Job Control; made when it is opened first
 * jobs_window_refresh - show what has changed; NULL is fine
 * jobs_window_status - the qmaster was lost or found */
void jobs_window_open(void *q);
void jobs_window_refresh(struct jobs_window *w);
void jobs_window_status(struct jobs_window *w);
void jobs_window_free(struct jobs_window *w);

/* Frames: the pipeline of some jobs as a matrix. */

/* frames_window_open - Frames of the pipeline that JOBS (numbers) belong to */
void frames_window_open(struct qmon *q, const struct range_set *jobs);
void frames_window_refresh(struct frames_window *w);
void frames_window_status(struct frames_window *w);
void frames_window_free(struct frames_window *w);

/* Task: what one task does, its accounting record, and the end of what it wrote. */

/* task_window_open - of the task ORDINAL of JOB; made when it is opened first
 * task_window_refresh - show it anew if the task does something else now; NULL is fine */
void task_window_open(struct qmon *q, uint32_t job, uint32_t ordinal);
void task_window_refresh(struct task_window *w);
void task_window_free(struct task_window *w);

/* Change: jobs in the pages of Submit Job. */
struct change_window;

/* change_window_new - not seen yet; new: change_window_free, which takes NULL
 * change_window_open - change JOBS (numbers), borrowed: of one alone the fields say what it has */
struct change_window *change_window_new(struct qmon *q);
void change_window_open(struct change_window *w, const struct range_set *jobs);
void change_window_free(struct change_window *w);

/* Why: what `qstat -j JOB -why` says, to be followed from job to job. */
struct why_window;

/* why_window_new - not seen yet; new: why_window_free, which takes NULL
 * why_window_open - ask about the job of that NUMBER */
struct why_window *why_window_new(struct qmon *q);
void why_window_open(struct why_window *w, uint32_t number);
void why_window_free(struct why_window *w);

/* Queue Control. */

/* queues_window_open - Queue Control; made when it is opened first
 * queues_window_renew - ask for the reasons of states now; NULL is fine, here and below
 * queues_window_show - take over what events have changed
 * queues_window_status - the qmaster was lost or found */
void queues_window_open(void *q);
void queues_window_renew(struct queues_window *w);
void queues_window_show(struct queues_window *w);
void queues_window_status(struct queues_window *w);
void queues_window_free(struct queues_window *w);

/* The windows of the objects that administrators keep: a list, and what the one that is selected
 * says. */

/* objects_window_open - that of GROUP; made when it is opened first
 * objects_window_changed - events told of other objects: ask soon, if the window is open; NULL is
 * fine, here and below
 * objects_window_status - the qmaster was lost or found
 * objects_window_renew - the cell has changed: ask again now, if the window is open
 * objects_window_free - it goes with qmon */
void objects_window_open(struct qmon *q, enum object_group group);
void objects_window_changed(struct objects_window *w);
void objects_window_status(struct objects_window *w);
void objects_window_renew(struct objects_window *w);
void objects_window_free(struct objects_window *w);

/* object_window_open - a window in which OBJECT, borrowed, is changed, or a new one made that
 * begins as it
 *
 *   said  a label for what the qmaster said when it has taken the object, and the window has gone;
 *         it lives as long as qmon
 *
 * The window lives until it is closed; object_windows_free ends those that are open. */
void object_window_open(struct qmon *q, const struct kind *kind, const void *object,
                        enum object_deed deed, Widget said);
void object_windows_free(struct qmon *q);

/* Submit Job. */

/* submit_window_open - Submit Job; made when it is opened first
 * submit_window_refresh - the jobs of the cell have changed; NULL is fine */
void submit_window_open(void *q);
void submit_window_refresh(struct submit_window *w);
void submit_window_free(struct submit_window *w);

/* A script, to be edited: one at a time. */
struct script_window;
enum { SCRIPT_EDIT_MOST = 1024 * 1024 }; /* bytes */

/* the script has been written into PATH, borrowed */
typedef void (*script_saved_fn)(void *ctx, const char *path);

/* script_window_new - not seen yet; SAVED is called with CTX. New: script_window_free, which takes
 * NULL
 * script_window_open - edit PATH, a regular file of UTF-8 or one that does not exist yet; changes
 * that were not saved are asked about first */
struct script_window *script_window_new(struct qmon *q, script_saved_fn saved, void *ctx);
void script_window_open(struct script_window *w, const char *path);
void script_window_free(struct script_window *w);

/* The Browser: records and events as text. */

/* browser_window_open - the Browser; made when it is opened first
 * browser_window_event - EVENT, borrowed, has come; NULL is fine for W, here and below
 * browser_window_refresh - show what has come */
void browser_window_open(void *q);
void browser_window_event(struct browser_window *w, const struct EV_Type *event);
void browser_window_refresh(struct browser_window *w);
void browser_window_free(struct browser_window *w);

#endif
