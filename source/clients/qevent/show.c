/* An event as a line: what happened, to which job and tasks, where. */
#include "clients/common/printable.h"
#include "clients/qevent/qevent.h"
#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/event.h"
#include "libs/sgeobj/object_kind.h"
#include "libs/sgeobj/task_state.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"

static const struct doc_kind event_kind = { .name = "event", .end = "\n" };
static const struct doc_field fields[] = {
    { .name = "time", .text = { .time = DOC_ISO } },
    { .name = "event", .text = { .before = " " } },
    { .name = "job", .text = { .before = " " } },
    { .name = "owner", .text = { .before = " owner=" } },
    { .name = "name", .text = { .before = " name=" } },
    { .name = "tasks", .text = { .before = " tasks=" } },
    { .name = "queue", .text = { .before = " queue=" } },
    { .name = "slots", .text = { .before = " slots=" } },
    { .name = "configuration", .text = { .before = " configuration=" } },
    { .name = "kind", .text = { .before = " kind=" } },
    { .name = "object", .text = { .before = " object=" } },
    { .name = "state", .text = { .before = " state=" } },
    { .name = "failed", .text = { .before = " failed=" } },
    { .name = "exit_status", .text = { .before = " exit_status=" } },
};
enum {
    F_TIME,
    F_EVENT,
    F_JOB,
    F_OWNER,
    F_NAME,
    F_TASKS,
    F_QUEUE,
    F_SLOTS,
    F_CONF,
    F_KIND,
    F_OBJECT,
    F_STATE,
    F_FAILED,
    F_EXIT_STATUS
};

static void put_string(struct doc *d, unsigned field, const char *text)
{
    if (text != NULL)
        doc_field(d, &fields[field], doc_string(text));
}

static uint32_t number_of(const struct EV_Type *event)
{
    return event->EV_jobs.n > 0 ? event->EV_jobs.v[0].JB_job_number : event->EV_job_number;
}

static void put_job(struct doc *d, const struct EV_Type *event, const struct mir *known)
{
    uint32_t number = number_of(event);
    const struct JB_Type *job = event->EV_jobs.n > 0 ? event->EV_jobs.v : mir_job(known, number);
    if (number == 0)
        return;
    doc_field(d, &fields[F_JOB], doc_number(number));
    if (job == NULL)
        return;
    put_string(d, F_OWNER, job->JB_owner);
    put_string(d, F_NAME, job->JB_job_name);
    if (range_set_is_empty(&event->EV_ids))
        return;
    struct dstr tasks = DSTR_INIT;
    job_ids_text(job, &event->EV_ids, &tasks);
    put_string(d, F_TASKS, dstr_get(&tasks));
    dstr_free(&tasks);
}

static void put_place(struct doc *d, const char *queue, uint32_t slots)
{
    put_string(d, F_QUEUE, queue);
    doc_field(d, &fields[F_SLOTS], doc_number(slots));
}

/* in the letters of qstat, without those of holds */
static void put_state(struct doc *d, const struct EV_Type *event)
{
    struct JAT_Type task = { .JAT_status = event->EV_status, .JAT_state = event->EV_state };
    struct dstr letters = DSTR_INIT;
    task_state_text(&task, 0, &letters);
    put_string(d, F_STATE, dstr_get(&letters));
    dstr_free(&letters);
}

static void put_others(struct doc *d, const struct EV_Type *event)
{
    if (event->EV_granted.n > 0)
        put_place(d, allocation_queue(&event->EV_granted), allocation_slots(&event->EV_granted));
    else if (event->EV_queues.n > 0)
        put_place(d, event->EV_queues.v[0].QU_full_name, event->EV_queues.v[0].QU_job_slots);
    else
        put_string(d, F_QUEUE, event->EV_queue);
    if (event->EV_kind == EV_TASKS_STATE)
        put_state(d, event);
    if (cull_has(event, EV_exit_status)) {
        doc_field(d, &fields[F_FAILED], doc_number(event->EV_failed));
        doc_field(d, &fields[F_EXIT_STATUS], doc_number(event->EV_exit_status));
    }
    if (event->EV_confs.n > 0)
        put_string(d, F_CONF, event->EV_confs.v[0].CONF_name);
    if (event->EV_texts.n > 0) {
        put_string(d, F_KIND, object_kind_name(event->EV_texts.v[0].TX_kind));
        put_string(d, F_OBJECT, event->EV_texts.v[0].TX_name);
    }
}

int show_event(const struct EV_Type *event, const struct mir *known, enum doc_form form, FILE *out,
               struct answer *ans)
{
    struct doc *d = doc_open(form, out, NULL, ans);
    if (d == NULL)
        return -1;
    doc_begin(d, &event_kind);
    doc_field(d, &fields[F_TIME], doc_moment(uti_now_s()));
    put_string(d, F_EVENT, event_kind_name(event->EV_kind));
    put_job(d, event, known);
    put_others(d, event);
    doc_end(d);
    return doc_close(d, ans);
}
