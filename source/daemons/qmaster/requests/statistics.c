/* GET of the master: what the qmaster has to say of itself, one line a text, for qping(1). It is
 * answered at once, without a look at any job. */
#include <inttypes.h>

#include "daemons/qmaster/change/request.h"
#include "daemons/qmaster/change/sessions.h"
#include "daemons/qmaster/requests/handlers.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/tables/qmaster.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"

static void add_time(struct request *r, const char *what, uint64_t at_s)
{
    struct dstr text = DSTR_INIT;
    uti_time_us_date(at_s, &text);
    ans_info(&r->ans, "%-25s %s (%" PRIu64 ")", what, dstr_get(&text), at_s);
    dstr_free(&text);
}

static void add_number(struct request *r, const char *what, uint64_t n)
{
    ans_info(&r->ans, "%-25s %" PRIu64, what, n);
}

/* one line for each length that a turn has had */
static void add_histogram(struct request *r, const struct turns *t)
{
    for (unsigned i = 0; i < TURN_BUCKETS; i++) {
        if (t->bucket[i] > 0 && i < TURN_BUCKETS - 1)
            ans_info(&r->ans, "turns < %-8" PRIu64 " us:     %" PRIu64, UINT64_C(1) << i,
                     t->bucket[i]);
        else if (t->bucket[i] > 0)
            ans_info(&r->ans, "turns of more:            %" PRIu64, t->bucket[i]);
    }
}

/* what health checks look at: 0 and OK, or 1 where nothing starts because no scheduler is there */
static void add_health(struct qmaster *q, struct request *r)
{
    bool is_well = events_has_scheduler(q);
    add_number(r, "status:", is_well ? 0 : 1);
    ans_info(&r->ans, "%-25s core: R (0.00) | scheduler: %s | %s",
             "info:", is_well ? "R (0.00)" : "not connected", is_well ? "OK" : "WARNING");
    ans_info(&r->ans, "%-25s disabled", "Monitor:");
}

void statistics_request(struct qmaster *q, struct request *r)
{
    const struct turns *t = &q->turns;
    r->after = 0;
    add_time(r, "start time:", q->started_s);
    add_number(r, "run time [s]:", q->now_s > q->started_s ? q->now_s - q->started_s : 0);
    add_number(r, "messages in read buffer:", 0);
    add_number(r, "messages in write buffer:", 0);
    add_number(r, "no. of connected clients:", sessions_count(q));
    add_health(q, r);
    add_number(r, "jobs:", q->jobs.n);
    add_number(r, "turns:", t->n);
    add_number(r, "slices:", t->slices);
    add_number(r, "turn budget [us]:", q->settings.turn_budget_us);
    add_number(r, "longest turn [us]:", t->longest_us);
    add_histogram(r, t);
}
