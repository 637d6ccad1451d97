/* When to run the scheduler. Nothing happens, nothing runs but once every schedule_interval; a
 * submit or an end asks for a run at once, unless flush_submit_sec or flush_finish_sec put it off.
 * Orders that the qmaster refuses altogether mean that the model is not what is: then runs pause,
 * longer each time, so that two programs that disagree do not keep each other busy. Pure. */
#include "daemons/schedd/pace.h"

#include "libs/sgeobj/event.h"

enum { SECOND_US = 1000000, PAUSE_FIRST_US = 2000, PAUSE_MOST_US = SECOND_US };

unsigned pace_cause_of(uint32_t kind)
{
    static const unsigned causes[EV_KINDS] = {
        [EV_JOB_ADD] = PACE_SUBMIT,     [EV_JOB_MOD] = PACE_SUBMIT,
        [EV_TASKS_READY] = PACE_SUBMIT, [EV_TASKS_ENDED] = PACE_FINISH,
        [EV_JOB_DEL] = PACE_FINISH,     [EV_TASKS_UNREADY] = PACE_FINISH,
        [EV_QUEUE_ADD] = PACE_FINISH,   [EV_QUEUE_MOD] = PACE_FINISH,
        [EV_QUEUE_DEL] = PACE_FINISH,   [EV_OBJECT] = PACE_FINISH,
        [EV_OBJECT_DEL] = PACE_FINISH,  [EV_HOST] = PACE_FINISH,
        [EV_HOST_DEL] = PACE_FINISH,    [EV_CONF] = PACE_TRIGGER,
        [EV_AR] = PACE_FINISH,          [EV_AR_DEL] = PACE_FINISH,
        [EV_TRIGGER] = PACE_TRIGGER,    [EV_SYNCED] = PACE_TRIGGER,
    };
    return kind < EV_KINDS ? causes[kind] : 0;
}

static void ask_at(struct pace *p, uint64_t at_us)
{
    if (p->due_us == 0 || at_us < p->due_us)
        p->due_us = at_us;
}

void pace_ask(struct pace *p, const struct sched_conf *conf, unsigned causes, uint64_t now_us)
{
    if ((causes & PACE_TRIGGER) != 0)
        ask_at(p, now_us);
    if ((causes & PACE_SUBMIT) != 0)
        ask_at(p, now_us + (uint64_t)conf->flush_submit_s * SECOND_US);
    if ((causes & PACE_FINISH) != 0)
        ask_at(p, now_us + (uint64_t)conf->flush_finish_s * SECOND_US);
}

uint64_t pace_next(const struct pace *p, const struct sched_conf *conf)
{
    uint64_t next_us = p->ran_us + (uint64_t)conf->interval_s * SECOND_US;

    if (p->due_us != 0 && p->due_us < next_us)
        next_us = p->due_us;
    return next_us > p->not_before_us ? next_us : p->not_before_us;
}

void pace_ran(struct pace *p, uint64_t now_us)
{
    p->ran_us = now_us;
    p->due_us = 0;
}

bool pace_answered(struct pace *p, uint64_t done, uint64_t refused, uint64_t now_us)
{
    if (done > 0 || refused == 0) {
        p->refused = 0;
        p->not_before_us = 0;
        return false;
    }
    uint64_t pause_us = (uint64_t)PAUSE_FIRST_US << (p->refused < 16 ? p->refused : 16);
    p->refused++;
    p->not_before_us = now_us + (pause_us < PAUSE_MOST_US ? pause_us : PAUSE_MOST_US);
    return p->refused >= PACE_DISAGREE;
}
