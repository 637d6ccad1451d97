#ifndef COMM_LOOP_PRIV_H
#define COMM_LOOP_PRIV_H

struct event_base;
struct loop;

/* loop_base - libevent's side of a loop, for what else in this room waits for descriptors */
struct event_base *loop_base(struct loop *l);

#endif
