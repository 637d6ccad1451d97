#ifndef EXECD_FILES_TASK_FILES_H
#define EXECD_FILES_TASK_FILES_H

#include <sys/types.h>

#include "libs/sgeobj/rows.h"
#include "libs/uti/process.h"

/* A task's directory below active_jobs, as libs/task/task_dir.h describes it: execd's half. Names
 * are relative to open directories; a petask's is a path, since it stands in its task's directory.
 * A file that says nothing is missing or an empty line. */
struct answer;
struct dstr;

/* Directories whose tasks are over are kept, with their files, for the next tasks: making and
 * removing them is the dearest part of a start on most file systems. They stand beside the others
 * as "spare.N"; nothing in them says anything. */
struct task_dirs {
    int active_fd;           /* borrowed: the directory active_jobs */
    const char *active_path; /* borrowed */
    uint32_t *spare;         /* owned: the N of those there are */
    uint32_t n, cap, next;
};
void task_dirs_init(struct task_dirs *d, int active_fd,
                    const char *active_path); /* removes an earlier execd's spares */
void task_dirs_free(struct task_dirs *d);     /* and these */

/* task_files_make - give directory NAME, whose files say nothing; what an earlier start left there
 * goes
 * Returns its descriptor, or -1 with ans. */
int task_files_make(struct task_dirs *d, const char *name, struct answer *ans);
/* task_files_recycle - NAME is over: keep it as a spare, or remove it; task_files_remove - remove
 * it */
void task_files_recycle(struct task_dirs *d, const char *name);
void task_files_remove(const struct task_dirs *d, const char *name);
int task_files_write(int dir_fd, const char *file, const struct dstr *text, mode_t mode,
                     struct answer *ans);
/* task_files_lock - make "pid", for ourselves alone, and lock it for the shepherd; returns the
 * descriptor, or -1 with ans */
int task_files_lock(int dir_fd, struct answer *ans);

enum task_life {
    TASK_LIFE_NONE,    /* no shepherd ever took the directory */
    TASK_LIFE_RUNNING, /* its shepherd runs; SHEPHERD has pid 0 if it has not said yet who it is */
    TASK_LIFE_ENDED    /* it ran and is gone */
};
enum task_life task_files_life(int dir_fd, struct process_id *shepherd);

/* task_files_read - append file FILE; false if it cannot be read (missing) */
bool task_files_read(int dir_fd, const char *file, struct dstr *out);
/* task_files_value - the value of KEY in TEXT of key=value lines, unescaped; new: free(); NULL if
 * there is none */
char *task_files_value(const char *text, const char *key);
uint64_t task_files_number(const char *text, const char *key, uint64_t otherwise);

/* task_files_report - fill the end of a task from its files: failed, exit status, times, usage,
 * error text
 * Returns false if the shepherd left no last word: then JR_failed is TASK_FAILED_NO_EXIT_STATUS. */
bool task_files_report(int dir_fd, struct JR_Type *report);

#endif
