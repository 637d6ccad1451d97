#ifndef SGEOBJ_TASK_KEY_H
#define SGEOBJ_TASK_KEY_H

#include "libs/sgeobj/rows.h"

/* Which task: {job, task, petask}. A petask is what a task of a parallel job has started on one of
 * its hosts; its name begins with a digit, as in "1.node7". Nearly always there is none, and the
 * task itself is meant. With the attempt a key names one start. Pure.
 *
 * As text, in logs and below active_jobs, it is JOB.TASK or JOB.TASK/PETASK. The files of a task's
 * directory begin with letters (libs/task/task_dir.h), so no petask takes the place of one. */
struct dstr;
struct task_key {
    uint32_t job_number, task_number;
    const char *petask; /* borrowed; NULL or "": the task itself */
};
/* the most bytes of a petask's name: with job and task it is still the name of one directory; and
 * the highest number of a petask: of one start of a task a host starts as many at most */
enum { TASK_PETASK_MOST = 224, TASK_PETASK_NUMBER_MOST = 1000000 };

/* task_key_of_report, task_key_of_record - which task a report or a record is about; borrows its
 * text */
struct task_key task_key_of_report(const struct JR_Type *report);
struct task_key task_key_of_record(const struct JAT_Type *task);
/* task_key_report - REPORT is about attempt ATTEMPT of KEY from now on */
void task_key_report(const struct task_key *key, uint32_t attempt, struct JR_Type *report);

/* task_key_is_valid - can KEY be one? For what comes from outside: a petask has at most
 * TASK_PETASK_MOST of the characters A-Z a-z 0-9 . _ -, and begins with a digit. */
bool task_key_is_valid(const struct task_key *key);
/* task_petask_number - the number that the name PETASK begins with, and in HOST (borrowed) what
 * follows it after a dot; 0 unless it is 1 to TASK_PETASK_NUMBER_MOST and a host follows */
uint32_t task_petask_number(const char *petask, const char **host);
/* task_key_compare - <0, 0 or >0: by job, then task, then petask, the task itself first */
int task_key_compare(const struct task_key *a, const struct task_key *b);

/* task_key_text - append it as text */
void task_key_text(const struct task_key *key, struct dstr *out);
/* task_key_parse - read it again; false for anything else. KEY borrows TEXT. */
bool task_key_parse(const char *text, struct task_key *key);

#endif
