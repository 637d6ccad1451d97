/* GET of the master: the figures of the qmaster, one line a text, for qping(1); with a host
 * selected, those of its execd. It is answered at once, without a look at any job. */
#include <inttypes.h>

#include "daemons/qmaster/change/connections.h"
#include "daemons/qmaster/change/request.h"
#include "daemons/qmaster/io/net.h"
#include "daemons/qmaster/requests/reads/reads.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/tables/hosts.h"
#include "daemons/qmaster/tables/qmaster.h"
#include "libs/uti/dstr.h"
#include "libs/uti/host_name.h"
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

/* one line for each length that a turn has had, after the NAME of its thread */
static void add_lengths(struct request *r, const char *name, const struct turn_report *t)
{
    for (unsigned i = 0; i < TURN_BUCKETS; i++) {
        if (t->bucket[i] > 0 && i < TURN_BUCKETS - 1)
            ans_info(&r->ans, "%sturns < %-8" PRIu64 " us:     %" PRIu64, name, UINT64_C(1) << i,
                     t->bucket[i]);
        else if (t->bucket[i] > 0)
            ans_info(&r->ans, "%sturns of more:            %" PRIu64, name, t->bucket[i]);
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

static void add_report(struct request *r, const struct turn_report *t)
{
    struct dstr name = DSTR_INIT, what = DSTR_INIT;
    dstr_addf(&name, "%s ", t->thread);
    dstr_addf(&what, "%sturns:", name.s);
    add_number(r, what.s, t->n);
    dstr_clear(&what);
    dstr_addf(&what, "%slongest [us]:", name.s);
    add_number(r, what.s, t->longest_us);
    add_lengths(r, name.s, t);
    dstr_free(&name);
    dstr_free(&what);
}

static void add_reports(struct request *r, const struct turn_reports *reports)
{
    for (uint32_t i = 0; reports != NULL && i < reports->n; i++)
        add_report(r, &reports->v[i]);
}

static void add_counts(struct request *r, const char *thread, const struct turn_counts *c)
{
    struct turn_report t = turn_report_of(c, thread);
    add_report(r, &t);
}

/* of the execd of the host that R names */
static void host_statistics(struct qmaster *q, struct request *r)
{
    char name[HOST_NAME_BYTES];
    const char *said = r->gr.GR_select.v[0].ID_str != NULL ? r->gr.GR_select.v[0].ID_str : "";
    const struct host *h =
        hosts_find(&q->hosts, host_name_known(&q->hosts, &q->settings, said, name));
    if (h == NULL || h->conn == 0)
        ans_fail(&r->ans, STATUS_EEXIST, MSG_EXECD_UNKNOWN_S, said);
    else
        add_reports(r, h->turns);
}

void statistics_request(struct qmaster *q, struct request *r)
{
    const struct turns *t = &q->turns;
    const struct turn_report core = turn_report_of(&t->counts, "");
    r->after = 0;
    if (r->gr.GR_select.n > 0) {
        host_statistics(q, r);
        return;
    }
    add_time(r, "start time:", q->started_s);
    add_number(r, "run time [s]:", q->now_s > q->started_s ? q->now_s - q->started_s : 0);
    add_number(r, "messages in read buffer:", 0);
    add_number(r, "messages in write buffer:", 0);
    add_number(r, "no. of connected clients:", connections_count(q));
    add_health(q, r);
    add_number(r, "jobs:", q->jobs.n);
    add_number(r, "turns:", core.n);
    add_number(r, "slices:", t->slices);
    add_number(r, "turn budget [us]:", q->settings.turn_budget_us);
    add_number(r, "longest turn [us]:", core.longest_us);
    add_lengths(r, "", &core);
    add_counts(r, "network", net_turns(q->net));
    add_counts(r, "names", net_names_turns(q->net));
    add_reports(r, q->schedd_turns);
}
