#ifndef EXECD_TASKS_TASK_START_H
#define EXECD_TASKS_TASK_START_H

/* Orders to start tasks. */
struct JAT_Type;
struct execd;

/* task_order - an order to start: does it once for each attempt, whatever is sent how often */
void task_order(struct execd *x, const struct JAT_Type *record);
void tasks_start_some(struct execd *x); /* what start_timer does */

#endif
