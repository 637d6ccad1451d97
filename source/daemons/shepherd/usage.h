#ifndef SHEPHERD_USAGE_H
#define SHEPHERD_USAGE_H

#include <sys/resource.h>

#include "common/basis.h"

/* What the job used: the sum over every process that was waited for. */
struct dstr;
struct job_usage {
    uint64_t start_s, end_s;   /* wall clock; start_s 0 = the job never ran, and this is when that
                                * was certain */
    uint64_t start_us, end_us; /* monotonic, for ru_wallclock */
    int wait_status;           /* of the job itself */
    struct rusage sum;
    uint64_t cpu_us; /* of all processes, as their cgroup counted it; 0: they had none */
};
void usage_add(struct job_usage *u,
               const struct rusage *one); /* sizes: the greatest; the rest: the sum */
int usage_exit_status(int wait_status);   /* 128 + signal if one ended it */
/* usage_text - the lines of file "usage"; FAILED is the last */
void usage_text(const struct job_usage *u, unsigned failed, struct dstr *out);

#endif
