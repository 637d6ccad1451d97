#ifndef SCHEDD_PROTOCOL_H
#define SCHEDD_PROTOCOL_H

#include "common/basis.h"

/* The scheduling daemon's common infrastructure (layer 0 of seed 004): takes events into the
 * scheduler, decides when to run it, sends orders and receives their results. */
struct loop;
struct schedd;
struct output_file;
struct recorder;

struct schedd_files {
    struct output_file *schedule; /* NULL: none is written */
    struct recorder *record;
};

/* schedd_new - register with the qmaster at the other end of FD (taken) and schedule from then on;
 * L stops when it has gone
 *
 *   job    borrowed: always the number of the job that is being looked at (sched_show_job); or NULL
 *   files  borrowed, each written if sched_conf(5) says so; NULL: none
 *
 * Returns new: schedd_free. */
struct schedd *schedd_new(struct loop *l, int fd, _Atomic uint32_t *job,
                          const struct schedd_files *files);
/* schedd_allow_plugins - from now on schedulers in shared objects in DIR may decide, in processes
 * of RUNNER; before, the default does instead */
void schedd_allow_plugins(struct schedd *d, const char *runner, const char *dir);
void schedd_free(struct schedd *d); /* NULL is fine */

#endif
