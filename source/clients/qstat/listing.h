#ifndef CLIENTS_QSTAT_LISTING_H
#define CLIENTS_QSTAT_LISTING_H

#include "clients/common/job_table.h"
#include "clients/qstat/qstat.h"
#include "libs/sgeobj/prior.h"

/* A listing under way. Its lines are gathered, ranked and shown; when they are many and the qmaster
 * says that jobs come ranked, they are shown as they come, so that a million jobs cost the memory
 * of a few thousand. */
struct doc;
struct listing {
    const struct qstat_world *world;
    const struct qstat_options *options;
    const struct queue_view *queues;
    bool shows_all;       /* ... that waits: what the qmaster ranks is what is listed */
    struct job_rows rows; /* not shown yet */
    uint32_t enough;      /* so many are worth a look */
    uint32_t last_number; /* of the job whose lines came last */
    struct prior_weights weights;
    struct prior_span span;
    bool is_ranked, rest_waits; /* as the qmaster says: GA_is_ranked, GA_rest_waits */
    struct doc *doc;            /* NULL: nothing is shown yet */
    struct job_table table;     /* in it */
    enum row_kind last_kind;    /* of the line that was shown last */
};

/* listing_init - nothing is listed yet; all is borrowed; end with listing_free */
void listing_init(struct listing *l, const struct qstat_world *w, const struct qstat_options *o,
                  const struct queue_view *queues);
void listing_free(struct listing *l);
/* listing_hear - what PART says about all jobs of the answer, before its own are added
 * listing_flow - and when these have been: shows what nothing can come before. Returns 0, or -1
 * with ans */
void listing_hear(struct listing *l, const struct GA_Type *part);
int listing_flow(struct listing *l, const struct GA_Type *part, struct answer *ans);
/* listing_end - all has come: shows the rest. Returns as above */
int listing_end(struct listing *l, struct answer *ans);

#endif
