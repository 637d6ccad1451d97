#ifndef QMASTER_TABLES_TIGHT_H
#define QMASTER_TABLES_TIGHT_H

#include <sys/queue.h>

#include "common/basis.h"
#include "libs/uti/hash.h"

/* What is known of a task whose hosts start petasks (task_key.h) beside its record: those that run,
 * and how far its slaves are. It comes and goes with the slots of the task, and is found again when
 * hosts register. State only. */
struct host;
struct task;

struct slave_host { /* a host where a task that runs on another one has slots, too */
    struct task *task;
    struct host *host;
    bool is_preempted; /* as of struct task, there */
    /* of tasks with petasks: it has reported that it would start some; it has ended, or is lost; it
     * is known to its host, which registers */
    bool is_ready, is_ended, is_reported;
    uint32_t n_petasks;             /* that run there */
    LIST_ENTRY(slave_host) in_host; /* of that host's */
};

/* what is shown of a petask that runs: cpu, mem, io, vmem, maxvmem */
enum { USAGE_SHOWN = 5 };
extern const char *const usage_shown[USAGE_SHOWN];

struct petask_key {
    struct host *host;
    uint64_t number;
};
struct petask { /* one that runs */
    struct petask_key key;
    uint64_t start_s;
    double usage[USAGE_SHOWN];
    uint64_t conn; /* over which its host has reported it last */
    UT_hash_handle hh;
};
TAILQ_HEAD(tight_list, tight);
struct tight {
    struct task *task;
    const struct host *master; /* where the task itself runs */
    struct slave_host *slaves; /* borrowed of it */
    uint32_t n_slaves;
    struct petask *running;
    double own[USAGE_SHOWN], of_petasks[USAGE_SHOWN]; /* of the task itself, of all that run */
    /* this qmaster has ordered it, and has not sent it yet: it has not begun for certain */
    bool is_unsent;
    uint32_t n_on_master;        /* petasks that run on the host of the task itself */
    uint32_t n_unready;          /* slaves that have not reported that they are ready */
    uint32_t n_open;             /* slaves that have not ended */
    uint64_t since_us;           /* monotonic: it waits for its slaves since then */
    struct tight_list *waits_in; /* NULL: it does not */
    TAILQ_ENTRY(tight) in_waiting;
};
/* tasks that wait for their slaves, the longest first: all ready, all ended */
struct tight_tasks {
    struct tight_list starting, ending;
};

/* tight_new - of TASK, which runs on MASTER and has these slaves: no petask, no slave ready; new:
 * tight_free, NULL is fine */
struct tight *tight_new(struct task *task, const struct host *master, struct slave_host *slaves,
                        uint32_t n_slaves);
void tight_free(struct tight *x);
/* tight_wait - it waits in LIST since NOW_US; NULL: no longer. O(1) */
void tight_wait(struct tight *x, struct tight_list *list, uint64_t now_us);
/* tight_slave - H as a slave; NULL: it is not. O(slaves) */
struct slave_host *tight_slave(const struct tight *x, const struct host *h);

/* petask_find - the petask NUMBER that runs on H; NULL: none does
 * petask_add - it runs from now on. petask_remove - no longer; frees P
 * petasks_on - how many run on H, which is one of the hosts. O(1), but for tight_slave
 * petask_use - P has used this so far */
struct petask *petask_find(const struct tight *x, struct host *h, uint32_t number);
struct petask *petask_add(struct tight *x, struct host *h, uint32_t number);
void petask_remove(struct tight *x, struct petask *p);
uint32_t petasks_on(struct tight *x, const struct host *h);
void petask_use(struct tight *x, struct petask *p, const double usage[USAGE_SHOWN]);

#endif
