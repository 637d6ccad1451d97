#ifndef QMASTER_TEST_FIXTURE_JOBS_H
#define QMASTER_TEST_FIXTURE_JOBS_H

#include "daemons/qmaster/test/fixture.h"

/* Jobs and tasks of the fixture's qmaster: what can happen to them, and what they look like. */
struct job *fixture_job(struct fixture *f, uint32_t number); /* asserts that it is there */
struct task *fixture_task(struct fixture *f, uint32_t job,
                          uint32_t task_id); /* asserts that it has a record */
struct qinstance *fixture_queue(struct fixture *f);
/* fixture_use_slots - SLOTS of the queue instance NAME are used, no fewer than before */
void fixture_use_slots(struct fixture *f, const char *name, uint32_t slots);
/* fixture_start - as an order would: asserts that the task may start */
void fixture_start(struct fixture *f, uint32_t job, uint32_t task_id);
/* fixture_report - the execd's word on the present start; STATE enum report_state, FAILED enum
 * task_failure */
void fixture_report(struct fixture *f, uint32_t job, uint32_t task_id, uint32_t state,
                    uint32_t failed);
/* fixture_run - start, and end with FAILED */
void fixture_run(struct fixture *f, uint32_t job, uint32_t task_id, uint32_t failed);

/* fixture_held - the task ids of JOB with an array hold, as qstat prints them; borrowed till the
 * next call */
const char *fixture_held(struct fixture *f, uint32_t job);
/* fixture_ready - the task ids that may start */
const char *fixture_ready(struct fixture *f, uint32_t job);
/* fixture_picture - all jobs and tasks with their sets and lists, as text; new: free() */
char *fixture_picture(struct fixture *f);
/* fixture_assert_picture - it is still BEFORE, which is freed */
void fixture_assert_picture(struct fixture *f, char *before);

#endif
