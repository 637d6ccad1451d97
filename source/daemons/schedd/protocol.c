/* The event and order protocol of the scheduling daemon (layer 0 of seed 004). Owns the scheduler,
 * the event client and the timer.
 *
 * Each package of events goes into the model and may ask for a run (pace.h). A run's orders leave
 * in packages of at most ORDER_PACKAGE_TASKS tasks; the model counts them as started at once, so
 * the next package need not wait for the answer: up to PACKAGES_OUT may be unanswered. A run that
 * takes long is done in slices, each from the timer, so that all events that have come meanwhile
 * are taken before the next: were there a slice behind each package of events, the job that comes
 * last would wait for as many slices. A lost connection makes all of it void: the loop stops, and
 * the qmaster starts another scheduler. */
#include "daemons/schedd/protocol.h"

#include <stdlib.h>
#include <string.h>

#include "daemons/schedd/msg_schedd.h"
#include "daemons/schedd/output_file.h"
#include "daemons/schedd/pace.h"
#include "daemons/schedd/plugin.h"
#include "daemons/schedd/recorder.h"
#include "daemons/schedd/subscription.h"
#include "libs/comm/loop.h"
#include "libs/config/conf.h"
#include "libs/evc/evc.h"
#include "libs/sched/sched.h"
#include "libs/sched/schedule.h"
#include "libs/sgeobj/event.h"
#include "libs/uti/answer.h"
#include "libs/uti/log.h"
#include "libs/uti/time.h"

/* SLICE_LOOKS: a few milliseconds of looking for places, after which events have their turn */
enum { PACKAGES_OUT = 4, MS_US = 1000, SLICE_LOOKS = 50000 };

struct schedd {
    struct loop *loop;
    struct evc *evc;
    struct sched *sched;
    struct loop_timer *timer;
    struct pace pace;
    bool is_synced;
    bool is_at_once; /* the timer runs the scheduler as soon as the loop comes to it */
    bool is_cut; /* the last run ended because too much was unanswered: the next answer runs on */
    unsigned causes;                  /* what the package under way brought */
    _Atomic uint32_t *shown_job;      /* for the qmaster; NULL: it does not look */
    struct subscription subscription; /* as the qmaster has it */
    bool awaits_anew;                 /* it has been changed, and the state is on its way */
    struct output_file *file;         /* the file "schedule"; NULL: none is written */
    struct recorder *record;
    struct plugin *plugin; /* NULL: none is allowed */
    struct schedule schedule;
    bool is_schedule_cut;             /* the log says so */
    uint32_t out;                     /* packages of orders not answered */
    uint32_t out_tasks[PACKAGES_OUT]; /* how many tasks each has, by number modulo */
};

/* ---- the file "schedule" ---- */
static bool is_monitored(const struct schedd *d)
{
    return d->file != NULL && sched_conf(d->sched)->params.is_monitored;
}

/* after a run that was not cut off */
static void write_interval(struct schedd *d)
{
    struct dstr text = DSTR_INIT;
    bool was_cut = d->is_schedule_cut;
    d->is_schedule_cut = schedule_add_interval(&d->schedule, d->sched, &text);
    if (d->is_schedule_cut && !was_cut)
        log_msg(LOG_LEVEL_WARNING, MSG_SCHEDULE_CUT_SU, "schedule", (unsigned)SCHEDULE_LINES_MOST);
    (void)output_file_add(d->file, dstr_get(&text), text.len);
    dstr_free(&text);
}

/* ---- running ---- */
/* one package of orders; false if there was nothing to order */
static bool send_orders(struct schedd *d)
{
    struct OR_Type_list orders = { 0 };
    uint64_t now_s = uti_now_s();
    uint32_t n = sched_decide(d->sched, now_s, ORDER_PACKAGE_TASKS, &orders);

    recorder_decisions(d->record, now_s, ORDER_PACKAGE_TASKS, &orders);
    if (is_monitored(d))
        schedule_add_orders(&d->schedule, d->sched, &orders);
    if (orders.n == 0)
        return false;
    uint64_t number = evc_send_orders(d->evc, &orders);
    if (number == 0)
        return false; /* the connection is going: what was ordered goes with it */
    d->out_tasks[number % PACKAGES_OUT] = n;
    d->out++;
    return true;
}

/* until a job's -a time comes, or the qmaster is to know what priorities follow from, or what is
 * reserved; UINT64_MAX if nothing of it does, or if an answer must come first */
static uint64_t next_due_in_us(struct schedd *d)
{
    const uint64_t dues[] = { sched_next_due(d->sched), sched_prior_due(d->sched),
                              sched_reserve_due(d->sched) };
    uint64_t now_ms = uti_now_ms(), due_s = 0;

    for (size_t i = 0; i < ARRAY_LEN(dues); i++)
        if (dues[i] != 0 && (due_s == 0 || dues[i] < due_s))
            due_s = dues[i];
    if (due_s == 0 || d->is_cut || due_s > UINT64_MAX / 1000000)
        return UINT64_MAX;
    return due_s * 1000 > now_ms ? (due_s * 1000 - now_ms) * MS_US : 0;
}

/* a timer that is due is left alone: set again, it would come after the next events, and so on */
static void arm_timer(struct schedd *d)
{
    if (d->is_at_once)
        return;
    uint64_t now_us = uti_mono_us(), next_us = pace_next(&d->pace, sched_conf(d->sched));
    uint64_t in_us = next_us > now_us ? next_us - now_us : 0, due_in_us = next_due_in_us(d);

    in_us = due_in_us < in_us ? due_in_us : in_us;
    d->is_at_once = in_us == 0;
    loop_timer_set(d->timer, in_us);
}

static void run_scheduler(struct schedd *d)
{
    if (!d->is_synced || !plugin_may_run(d->plugin, d->sched, uti_now_s(), ORDER_PACKAGE_TASKS))
        return;
    loop_doing(d->loop, "a scheduling run");
    pace_ran(&d->pace, uti_mono_us());
    while (d->out < PACKAGES_OUT && send_orders(d) && !sched_is_cut(d->sched))
        ;
    d->is_cut = d->out == PACKAGES_OUT;
    bool is_to_follow = plugin_ran(d->plugin, d->sched);
    if (is_monitored(d) && !d->is_cut && !sched_is_cut(d->sched))
        write_interval(d);
    if ((sched_is_cut(d->sched) || is_to_follow) && !d->is_cut)
        pace_ask(&d->pace, sched_conf(d->sched), PACE_TRIGGER, uti_mono_us());
    arm_timer(d);
}

static void on_timer(void *ctx)
{
    struct schedd *d = ctx;

    d->is_at_once = false;
    run_scheduler(d);
}

/* see to it that the scheduler runs when it is time for it */
static void run_when_due(struct schedd *d)
{
    if (d->is_synced)
        arm_timer(d);
}

/* ---- what the qmaster says ---- */
static void make_sched(struct schedd *d)
{
    plugin_drop(d->plugin);
    sched_free(d->sched);
    schedule_free(&d->schedule);
    d->sched = sched_new();
    sched_set_slice(d->sched, SLICE_LOOKS);
    sched_show_job(d->sched, d->shown_job);
    recorder_begin(d->record, SLICE_LOOKS);
}

/* A policy that needs other things receives the whole state again, with them, and a record begins
 * with it. While the state is still arriving the default policy decides, which needs less; that is
 * no reason to subscribe. */
static void subscribe_if_needed(struct schedd *d)
{
    unsigned needs = sched_needs(d->sched), had = d->subscription.needs;

    if (d->awaits_anew)
        return;
    bool is_recorded_anew = recorder_follow(d->record, sched_conf(d->sched)->params.record_mib);
    bool is_policy_s = needs != had && (d->is_synced || (needs & ~had) != 0);
    if (!is_recorded_anew && !is_policy_s)
        return;
    subscription_make(&d->subscription, needs);
    d->awaits_anew = true;
    d->is_synced = false;
    log_msg(LOG_LEVEL_INFO, MSG_SCHEDD_SUBSCRIBED_S, sched_conf(d->sched)->policy->name);
    evc_subscribe_anew(d->evc, &d->subscription.wish);
}

static int on_event(void *ctx, const struct EV_Type *event, struct answer *ans)
{
    struct schedd *d = ctx;
    struct answer told = ANSWER_INIT;

    if (event->EV_kind == EV_ANEW) {
        make_sched(d);
        d->awaits_anew = d->is_synced = false;
        return 0;
    }
    recorder_event(d->record, event);
    int rc = sched_apply(d->sched, event, &told);

    d->causes |= pace_cause_of(event->EV_kind);
    if (rc == 0 && event->EV_kind == EV_CONF &&
        strcmp(event->EV_confs.v[0].CONF_name, CONF_SCHEDULER) == 0)
        plugin_retry(d->plugin);
    if (rc < 0)
        ans_move(ans, &told);
    else
        log_answer(&told);
    ans_free(&told);
    return rc;
}

static void on_synced(void *ctx)
{
    struct schedd *d = ctx;

    if (d->awaits_anew) /* of the state that is void */
        return;
    d->is_synced = true;
    log_msg(LOG_LEVEL_INFO, MSG_SCHEDD_SYNCED);
}

static void on_package_end(void *ctx)
{
    struct schedd *d = ctx;

    subscribe_if_needed(d);
    if (d->is_synced)
        plugin_follow(d->plugin, d->sched);
    recorder_send(d->record);
    bool is_asked = is_monitored(d) && (d->causes & PACE_TRIGGER) != 0;
    if (is_asked || sched_has_work(d->sched))
        pace_ask(&d->pace, sched_conf(d->sched), d->causes, uti_mono_us());
    d->causes = 0;
    run_when_due(d);
}

static uint64_t take_refusals(struct schedd *d, const struct OR_Type_list *refused)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < refused->n; i++) {
        sched_refused(d->sched, &refused->v[i]);
        recorder_refusal(d->record, &refused->v[i]);
        n += range_set_count(&refused->v[i].OR_ids);
    }
    return n;
}

static void on_orders_ack(void *ctx, uint64_t number, const struct OR_Type_list *refused)
{
    struct schedd *d = ctx;
    uint64_t n_refused = take_refusals(d, refused), n_tasks = d->out_tasks[number % PACKAGES_OUT];
    uint64_t now_us = uti_mono_us();

    if (d->out > 0)
        d->out--;
    if (n_refused > 0) {
        const struct OR_Type *first = &refused->v[0];
        log_msg(LOG_LEVEL_INFO, MSG_SCHEDD_REFUSED_UUUS, (unsigned long long)n_refused,
                (unsigned long long)n_tasks, first->OR_job_number,
                first->OR_reason != NULL ? first->OR_reason : "");
    }
    if (n_tasks > 0 &&
        pace_answered(&d->pace, n_tasks > n_refused ? n_tasks - n_refused : 0, n_refused, now_us)) {
        log_msg(LOG_LEVEL_WARNING, MSG_SCHEDD_DISAGREE_U, d->pace.refused);
        evc_drop(d->evc, "orders refused");
        return;
    }
    if (d->is_cut)
        pace_ask(&d->pace, sched_conf(d->sched), PACE_TRIGGER, now_us);
    run_when_due(d);
}

static void on_lost(void *ctx, const char *why)
{
    struct schedd *d = ctx;

    log_msg(LOG_LEVEL_WARNING, MSG_SCHEDD_LOST_S, why);
    loop_stop(d->loop);
}

static const struct evc_ops calls = { on_event, on_synced, on_package_end, on_orders_ack, on_lost };

struct schedd *schedd_new(struct loop *l, int fd, _Atomic uint32_t *job,
                          const struct schedd_files *files)
{
    struct schedd *d = uti_calloc(1, sizeof *d);

    d->loop = l;
    d->shown_job = job;
    d->file = files->schedule;
    d->record = files->record;
    make_sched(d);
    d->timer = loop_timer_new(l, on_timer, d);
    loop_measure(l, "the scheduler");
    d->evc = evc_new(l, fd, "sge_schedd", &calls, d);
    evc_report_turns(d->evc, loop_turns(l));
    return d;
}

static void on_plugin_ready(void *ctx)
{
    struct schedd *d = ctx;
    pace_ask(&d->pace, sched_conf(d->sched), PACE_TRIGGER, uti_mono_us());
    run_when_due(d);
}

void schedd_allow_plugins(struct schedd *d, const char *runner, const char *dir)
{
    d->plugin = plugin_new(d->loop, runner, dir, on_plugin_ready, d);
}

void schedd_free(struct schedd *d)
{
    if (d == NULL)
        return;
    plugin_free(d->plugin);
    evc_free(d->evc);
    loop_timer_free(d->timer);
    sched_free(d->sched);
    schedule_free(&d->schedule);
    free(d);
}
