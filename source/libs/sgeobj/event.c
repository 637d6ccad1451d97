/* Which fields an event needs, by kind: one table for all who take events. Pure. */
#include "libs/sgeobj/event.h"

#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/msg_sgeobj.h"
#include "libs/sgeobj/rows.h"
#include "libs/uti/answer.h"

enum {
    IS_KNOWN = 1,
    NEEDS_JOB = 2,
    NEEDS_NUMBER = 4,
    NEEDS_QUEUE = 8,
    NEEDS_QUEUE_NAME = 16,
    NEEDS_CONF = 32,
    NEEDS_ALLOCATION = 64,
    NEEDS_TEXT = 128,
    NEEDS_HOST = 256,
    NEEDS_OWNER = 512,
    NEEDS_AR = 1024
};

static const unsigned needs_of[EV_KINDS] = {
    [EV_SYNCED] = IS_KNOWN,
    [EV_JOB_ADD] = IS_KNOWN | NEEDS_JOB,
    [EV_JOB_MOD] = IS_KNOWN | NEEDS_JOB,
    [EV_JOB_DEL] = IS_KNOWN | NEEDS_NUMBER,
    [EV_TASKS_READY] = IS_KNOWN | NEEDS_NUMBER,
    [EV_TASKS_UNREADY] = IS_KNOWN | NEEDS_NUMBER,
    [EV_TASKS_STARTED] = IS_KNOWN | NEEDS_NUMBER | NEEDS_ALLOCATION,
    [EV_TASKS_ENDED] = IS_KNOWN | NEEDS_NUMBER | NEEDS_ALLOCATION,
    [EV_QUEUE_ADD] = IS_KNOWN | NEEDS_QUEUE,
    [EV_QUEUE_MOD] = IS_KNOWN | NEEDS_QUEUE,
    [EV_QUEUE_DEL] = IS_KNOWN | NEEDS_QUEUE_NAME,
    [EV_CONF] = IS_KNOWN | NEEDS_CONF,
    [EV_TRIGGER] = IS_KNOWN,
    [EV_TASKS_DONE] = IS_KNOWN | NEEDS_NUMBER,
    [EV_ANEW] = IS_KNOWN,
    [EV_OBJECT] = IS_KNOWN | NEEDS_TEXT,
    [EV_OBJECT_DEL] = IS_KNOWN | NEEDS_TEXT,
    [EV_HOST] = IS_KNOWN | NEEDS_HOST,
    [EV_HOST_DEL] = IS_KNOWN | NEEDS_HOST,
    [EV_TASKS_STATE] = IS_KNOWN | NEEDS_NUMBER,
    [EV_USAGE] = IS_KNOWN | NEEDS_NUMBER | NEEDS_OWNER,
    [EV_SHARE_USAGE] = IS_KNOWN | NEEDS_OWNER,
    [EV_AR] = IS_KNOWN | NEEDS_AR,
    [EV_AR_DEL] = IS_KNOWN | NEEDS_AR,
};

static const char *const names[EV_KINDS] = {
    [EV_SYNCED] = "synced",
    [EV_JOB_ADD] = "job_add",
    [EV_JOB_MOD] = "job_mod",
    [EV_JOB_DEL] = "job_del",
    [EV_TASKS_READY] = "tasks_ready",
    [EV_TASKS_UNREADY] = "tasks_unready",
    [EV_TASKS_STARTED] = "tasks_started",
    [EV_TASKS_ENDED] = "tasks_ended",
    [EV_QUEUE_ADD] = "queue_add",
    [EV_QUEUE_MOD] = "queue_mod",
    [EV_QUEUE_DEL] = "queue_del",
    [EV_CONF] = "conf",
    [EV_TRIGGER] = "trigger",
    [EV_TASKS_DONE] = "tasks_done",
    [EV_ANEW] = "anew",
    [EV_OBJECT] = "object",
    [EV_OBJECT_DEL] = "object_del",
    [EV_HOST] = "host",
    [EV_HOST_DEL] = "host_del",
    [EV_TASKS_STATE] = "tasks_state",
    [EV_USAGE] = "usage",
    [EV_SHARE_USAGE] = "share_usage",
    [EV_AR] = "ar",
    [EV_AR_DEL] = "ar_del",
};

const char *event_kind_name(uint32_t kind)
{
    return kind < EV_KINDS ? names[kind] : NULL;
}

uint32_t event_kind_find(const char *name)
{
    for (uint32_t kind = 1; kind < EV_KINDS; kind++)
        if (strcasecmp(names[kind], name) == 0)
            return kind;
    return 0;
}

/* the first field that EVENT needs and lacks, NULL if it is whole */
static const char *missing_field(const struct EV_Type *event, unsigned needs)
{
    if ((needs & NEEDS_JOB) != 0 &&
        (event->EV_jobs.n == 0 || event->EV_jobs.v[0].JB_job_number == 0))
        return "JB_job_number";
    if ((needs & NEEDS_NUMBER) != 0 && event->EV_job_number == 0)
        return "EV_job_number";
    if ((needs & NEEDS_QUEUE) != 0 &&
        (event->EV_queues.n == 0 || event->EV_queues.v[0].QU_full_name == NULL))
        return "QU_full_name";
    if ((needs & NEEDS_QUEUE_NAME) != 0 && event->EV_queue == NULL)
        return "EV_queue";
    if ((needs & NEEDS_ALLOCATION) != 0 && !allocation_is_whole(&event->EV_granted))
        return "EV_granted";
    if ((needs & NEEDS_CONF) != 0 &&
        (event->EV_confs.n == 0 || event->EV_confs.v[0].CONF_name == NULL))
        return "CONF_name";
    if ((needs & NEEDS_TEXT) != 0 &&
        (event->EV_texts.n == 0 || event->EV_texts.v[0].TX_name == NULL))
        return "TX_name";
    if ((needs & NEEDS_HOST) != 0 &&
        (event->EV_hosts.n == 0 || event->EV_hosts.v[0].EH_name == NULL))
        return "EH_name";
    if ((needs & NEEDS_OWNER) != 0 && event->EV_owner == NULL)
        return "EV_owner";
    if ((needs & NEEDS_AR) != 0 && (event->EV_ars.n == 0 || event->EV_ars.v[0].AR_id == 0))
        return "AR_id";
    return NULL;
}

int event_check(const struct EV_Type *event, struct answer *ans)
{
    unsigned needs = event->EV_kind < EV_KINDS ? needs_of[event->EV_kind] : 0;

    if (needs == 0)
        return ans_fail(ans, STATUS_EPROTO, MSG_EVENT_KIND_U, event->EV_kind);
    const char *missing = missing_field(event, needs);
    if (missing != NULL)
        return ans_fail(ans, STATUS_EPROTO, MSG_EVENT_LACKS_US, event->EV_kind, missing);
    return 0;
}
