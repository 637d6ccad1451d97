#ifndef VIEW_FRAMES_H
#define VIEW_FRAMES_H

#include "libs/mir/board.h"
#include "libs/sgeobj/ja_dependency.h"

/* The frame matrix: the stages of a pipeline below each other, their tasks side by side over the
 * frames that they work at. A task of an array with step 4 is four frames wide. Pure; one
 * thread. */
struct dstr;
struct frames;

/* frames_new - the pipeline that the jobs of START (numbers) belong to; all its frames are seen
 * BOARD is borrowed for life. Returns new: frames_free. */
struct frames *frames_new(struct board *board, const struct range_set *start);
void frames_free(struct frames *f);
/* frames_refresh - take over what has changed; true if the picture may be another one
 * O(changed jobs), and if jobs came that wait for others O(jobs). NOW_S is for estimates. */
bool frames_refresh(struct frames *f, uint64_t now_s);

/* frames_count - how many stages there are
 * frames_job - the job of a stage, borrowed until the next event; NULL: there is none */
uint32_t frames_count(const struct frames *f);
struct board_job *frames_job(const struct frames *f, uint32_t stage);

/* struct frame_span - frames from FIRST to LAST, at least one */
struct frame_span {
    uint32_t first, last;
};
/* frames_seen - those that are seen
 * frames_zoom - see FACTOR times as many (0.5: half), so that the frame AT stays where it is
 * frames_move - see those that are BY parts of the width further right; negative: left
 * frames_see_all - see all of them */
struct frame_span frames_seen(const struct frames *f);
void frames_zoom(struct frames *f, double factor, uint32_t at);
void frames_move(struct frames *f, double by);
void frames_see_all(struct frames *f);

/* What is drawn of a stage: columns FIRST..LAST (pixels, from 0) have that look. */
struct frame_run {
    int first, last;
    enum task_look look;
    bool is_task; /* one task, wide enough to be drawn apart from its neighbours */
};
/* frames_runs - the picture of STAGE on COLUMNS columns
 *   out  room for COLUMNS runs
 * A column with many tasks has the most urgent look among them. Returns how many runs there are.
 * O(columns log tasks), whatever the tasks. */
uint32_t frames_runs(const struct frames *f, uint32_t stage, int columns, struct frame_run *out);
/* frames_at - the frame at COLUMN of COLUMNS
 * frames_columns - the columns that the tasks FIRST..LAST (ordinals) of STAGE have; false: none is
 * seen */
uint32_t frames_at(const struct frames *f, int column, int columns);
bool frames_columns(const struct frames *f, uint32_t stage, struct ja_window tasks, int columns,
                    int *first, int *last);

/* frames_point - point at the task of STAGE that works at FRAME; false, and at nothing: there is
 * none
 * frames_pointed - the task that is pointed at; job 0: none
 * frames_lit - the tasks of STAGE that the task pointed at is, waits for, or releases
 * (-hold_jid_ad); false: none
 * frames_wants_where - the task pointed at runs, and where was not asked yet
 * frames_know_end - how TASK ended (", exit status 1 on node7"), shown while it is pointed at
 * frames_know_where - it runs in QUEUE since START_S, which is shown as long as it runs; QUEUE
 * NULL: that is not known */
bool frames_point(struct frames *f, uint32_t stage, uint32_t frame);
struct frame_task {
    uint32_t job, ordinal; /* number of the job */
};
struct frame_task frames_pointed(const struct frames *f);
bool frames_lit(const struct frames *f, uint32_t stage, struct ja_window *out);
bool frames_wants_where(const struct frames *f);
void frames_know_end(struct frames *f, struct frame_task task, const char *words);
void frames_know_where(struct frames *f, struct frame_task task, const char *queue,
                       uint64_t start_s);
/* task_where_told - append " in all.q@a since 14:05:00", with a date if that was not lately */
void task_where_told(const char *queue, uint64_t start_s, uint64_t now_s, struct dstr *out);

/* The mark: tasks of one or several stages that something shall be done to. It stays on these
 * tasks whatever becomes of the pipeline; those of a job that is forgotten leave it. */
struct frame_place {
    uint32_t stage, frame;
};
struct frame_mark {
    uint32_t job;           /* its number; the board has it */
    struct ja_window tasks; /* ordinals */
};
/* frames_mark - mark the tasks that the stages between two places, in any order, have at the frames
 * between them, and no others; returns how many those are. O(stages)
 * frames_unmark - nothing is marked
 * frames_marked - the marked tasks of STAGE; false: none
 * frames_marked_count - how many tasks are marked
 * frames_marks - a mark for each job that has one, N of them; borrowed until the next change
 * frames_marks_told - append "tasks 5-8 of ribs 12, task 5 of render 13", MOST jobs at most */
uint64_t frames_mark(struct frames *f, struct frame_place from, struct frame_place to);
void frames_unmark(struct frames *f);
bool frames_marked(const struct frames *f, uint32_t stage, struct ja_window *out);
uint64_t frames_marked_count(const struct frames *f);
const struct frame_mark *frames_marks(const struct frames *f, uint32_t *n);
void frames_marks_told(const struct frames *f, uint32_t most, struct dstr *out);

/* ---- the matrix as text ---- */

/* frames_told - append what is pointed at: "render 12, task 7: held; waits for ribs 13-14" */
void frames_told(const struct frames *f, struct dstr *out);
/* frames_line - append how far STAGE is: "40 of 100 done, 4 running, 2 held, 1 in error, 3 failed,
 * end about 14:05" */
void frames_line(const struct frames *f, uint32_t stage, struct dstr *out);
/* frames_text - append the matrix as text, COLUMNS letters a stage: "." done, "F" failed, "?"
 * ended in an unknown way, "r" running, "p" pending, "h" held, "s" suspended, "E" in error */
void frames_text(const struct frames *f, int columns, struct dstr *out);

#endif
