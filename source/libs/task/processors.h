#ifndef TASK_PROCESSORS_H
#define TASK_PROCESSORS_H

#include "common/basis.h"

/* Processors of a machine, by their numbers: those of a queue (queue_conf(5) processors), and those
 * that a task is bound to. Pure. */
enum { PROCESSORS_MOST = 1024 };
struct processors {   /* as sched_setaffinity(2) takes them */
    const char *text; /* borrowed */
    uint64_t bits[PROCESSORS_MOST / 64];
};
/* processors_from - read TEXT, "0-3,8"; UNDEFINED and NULL are none. Returns true if there are any,
 * and each is below PROCESSORS_MOST. */
bool processors_from(struct processors *p, const char *text);
bool processors_have(const struct processors *p, unsigned number);

#endif
