#ifndef EXECD_TASKS_START_QUEUE_H
#define EXECD_TASKS_START_QUEUE_H

/* Tasks that wait for their turn to be started, and when the next turn is. While the host is
 * short of something the first one is tried for all, at intervals that grow (start_pause_us). */
struct execd;
struct exec_task;

void start_queue_add(struct exec_task *t);
/* start_queue_next - T has ended: let the attempt that waits for that begin, in another turn of
 * the loop */
void start_queue_next(struct exec_task *t);
/* start_queue_pause - the host was short of something for T: it waits, and all with it, longer
 * each time */
void start_queue_pause(struct exec_task *t);
/* start_queue_retry - something has come back to the host: see at once whether what waits for it
 * can be started now */
void start_queue_retry(struct execd *x);

/* start_queue_take - out of the queue, the first of it; NULL: it is empty */
struct exec_task *start_queue_take(struct execd *x);
/* start_queue_go_on - a turn is over: set the time of the next, if anybody waits */
void start_queue_go_on(struct execd *x);

#endif
