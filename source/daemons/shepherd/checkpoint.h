#ifndef SHEPHERD_CHECKPOINT_H
#define SHEPHERD_CHECKPOINT_H

#include "common/basis.h"

/* Checkpoints of the running job (checkpoint(5)): a signal to it, or a command beside it. One
 * command at a time; signals, limits and methods go on meanwhile. A command ends, at the latest,
 * after script_timeout. */
struct shepherd;
/* checkpoint_first_us - when the first periodic checkpoint of a job is due that started at
 * START_US; UINT64_MAX: never
 * checkpoint_ring - the alarm of periodic checkpoints
 * checkpoint_ring_over - the alarm of `until_us` */
uint64_t checkpoint_first_us(const struct shepherd *s, uint64_t start_us);
uint64_t checkpoint_ring(void *shepherd);
uint64_t checkpoint_ring_over(void *shepherd);
/* checkpoint_make - save the state of the job, which runs on
 * checkpoint_migrate - save it and end the job; a job without checkpoints is not concerned */
void checkpoint_make(struct shepherd *s);
void checkpoint_migrate(struct shepherd *s);
/* checkpoint_look - children have been reaped: a command may have ended. True: one has */
bool checkpoint_look(struct shepherd *s);
/* checkpoint_give_up - the job is to end for another reason */
void checkpoint_give_up(struct shepherd *s);
/* checkpoint_finish - the job's process has ended: wait for the command that saves its state, or
 * for its other processes to do so */
void checkpoint_finish(struct shepherd *s);
/* checkpoint_is_to_stay - is what was saved still needed, as the task starts again? */
bool checkpoint_is_to_stay(void);

#endif
