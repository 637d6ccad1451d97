#ifndef COMM_LOOP_PRIV_H
#define COMM_LOOP_PRIV_H

struct event_base;
struct loop;
struct turn_counts;

/* loop_base - libevent's side of a loop, for what else in this room waits for descriptors */
struct event_base *loop_base(struct loop *l);
/* loop_doing_for - loop_doing, first in each function that libevent calls: there a turn begins. How
 * long it takes counts in COUNTS as well; NULL: nowhere else */
void loop_doing_for(struct loop *l, const char *what, struct turn_counts *counts);

#endif
