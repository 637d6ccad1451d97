/* The cell as a plug-in sees it: jobs by number, queue instances and hosts by name; and the
 * functions of sge_scheduler.h. Decisions are packed as they are made, within the limits of an
 * answer.
 *
 * Source: sge_scheduler(3) */
#include "daemons/sched_runner/view.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "libs/cull/range_set.h"
#include "libs/plugin/wire.h"
#include "libs/uti/alloc.h"
#include "libs/uti/hash.h"

struct sge_scheduler_job {
    struct plugin_job is;
    UT_hash_handle hh;
};
struct sge_scheduler_host {
    char *name;
    uint64_t slots, free;
    double load;
    uint32_t n_queues;
    UT_hash_handle hh;
};
struct sge_scheduler_queue {
    struct plugin_queue is;
    struct sge_scheduler_host *host;
    UT_hash_handle hh;
};
struct sge_scheduler_run {
    struct sge_scheduler_job *jobs;
    struct sge_scheduler_queue *queues;
    struct sge_scheduler_host *hosts;
    uint64_t now_s;
    uint32_t most;
    struct packer decisions;
    uint32_t n_decisions, n_logs;
};

struct sge_scheduler_run *view_new(void)
{
    return uti_calloc(1, sizeof(struct sge_scheduler_run));
}

/* ---- objects ---- */
static uint64_t time_now(const struct sge_scheduler_run *run)
{
    return run->now_s;
}

static uint32_t tasks_most(const struct sge_scheduler_run *run)
{
    return run->most;
}

static struct sge_scheduler_job *find_job(const struct sge_scheduler_run *run, uint32_t number)
{
    struct sge_scheduler_job *job;
    HASH_FIND(hh, run->jobs, &number, sizeof number, job);
    return job;
}

static const struct sge_scheduler_job *job_find(const struct sge_scheduler_run *run,
                                                uint32_t number)
{
    return find_job(run, number);
}

static const struct sge_scheduler_job *job_next(const struct sge_scheduler_run *run,
                                                const struct sge_scheduler_job *after)
{
    return after == NULL ? run->jobs : after->hh.next;
}

static struct sge_scheduler_queue *find_queue(const struct sge_scheduler_run *run, const char *name)
{
    struct sge_scheduler_queue *queue;
    HASH_FIND_STR(run->queues, name, queue);
    return queue;
}

static const struct sge_scheduler_queue *queue_find(const struct sge_scheduler_run *run,
                                                    const char *name)
{
    return name != NULL ? find_queue(run, name) : NULL;
}

static const struct sge_scheduler_queue *queue_next(const struct sge_scheduler_run *run,
                                                    const struct sge_scheduler_queue *after)
{
    return after == NULL ? run->queues : after->hh.next;
}

static const struct sge_scheduler_host *host_find(const struct sge_scheduler_run *run,
                                                  const char *name)
{
    struct sge_scheduler_host *host = NULL;
    if (name != NULL)
        HASH_FIND_STR(run->hosts, name, host);
    return host;
}

static const struct sge_scheduler_host *host_next(const struct sge_scheduler_run *run,
                                                  const struct sge_scheduler_host *after)
{
    return after == NULL ? run->hosts : after->hh.next;
}

/* ---- fields ---- */
static int64_t job_number(const struct sge_scheduler_job *job, enum sge_scheduler_job_field field)
{
    const struct plugin_job *is = &job->is;
    switch ((unsigned)field) {
    case SGE_JOB_NUMBER:
        return is->number;
    case SGE_JOB_PRIORITY:
        return is->priority;
    case SGE_JOB_SUBMIT_TIME:
        return (int64_t)is->submitted_s;
    case SGE_JOB_START_TIME:
        return (int64_t)is->start_at_s;
    case SGE_JOB_RUN_TIME:
        return (int64_t)is->run_s;
    case SGE_JOB_SLOTS:
        return is->slots;
    case SGE_JOB_IS_PARALLEL:
        return is->is_parallel;
    case SGE_JOB_PENDING:
        return (int64_t)range_set_count(&is->ready);
    case SGE_JOB_TAKEN:
        return (int64_t)is->n_taken;
    case SGE_JOB_RESERVES:
        return is->reserves;
    default:
        return 0;
    }
}

static const char *job_text(const struct sge_scheduler_job *job, enum sge_scheduler_job_field field)
{
    switch ((unsigned)field) {
    case SGE_JOB_OWNER:
        return job->is.owner;
    case SGE_JOB_PROJECT:
        return job->is.project;
    case SGE_JOB_DEPARTMENT:
        return job->is.department;
    default:
        return "";
    }
}

static int64_t load_thousandths(double load)
{
    const double most = 1e12;
    return load > -most && load < most ? (int64_t)(load * 1000) : (int64_t)most;
}

static int64_t queue_number(const struct sge_scheduler_queue *queue,
                            enum sge_scheduler_queue_field field)
{
    const struct plugin_queue *is = &queue->is;
    switch ((unsigned)field) {
    case SGE_QUEUE_SLOTS:
        return (int64_t)is->slots;
    case SGE_QUEUE_SLOTS_FREE:
        return (int64_t)is->free;
    case SGE_QUEUE_SEQ_NO:
        return is->seq_no;
    case SGE_QUEUE_IS_OPEN:
        return is->is_open;
    case SGE_QUEUE_LOAD:
        return load_thousandths(is->load);
    default:
        return 0;
    }
}

static const char *queue_text(const struct sge_scheduler_queue *queue,
                              enum sge_scheduler_queue_field field)
{
    switch ((unsigned)field) {
    case SGE_QUEUE_NAME:
        return queue->is.name;
    case SGE_QUEUE_HOST:
        return queue->is.host;
    default:
        return "";
    }
}

static int64_t host_number(const struct sge_scheduler_host *host,
                           enum sge_scheduler_host_field field)
{
    switch ((unsigned)field) {
    case SGE_HOST_SLOTS:
        return (int64_t)host->slots;
    case SGE_HOST_SLOTS_FREE:
        return (int64_t)host->free;
    case SGE_HOST_QUEUES:
        return host->n_queues;
    case SGE_HOST_LOAD:
        return load_thousandths(host->load);
    default:
        return 0;
    }
}

static const char *host_text(const struct sge_scheduler_host *host,
                             enum sge_scheduler_host_field field)
{
    return field == SGE_HOST_NAME ? host->name : "";
}

static uint32_t step_of(const struct plugin_job *is)
{
    return is->ja_step > 0 ? is->ja_step : 1;
}

static uint32_t first_of(const struct plugin_job *is)
{
    return is->ja_step > 0 ? is->ja_first : 1;
}

static bool job_tasks(const struct sge_scheduler_job *job, uint32_t from, uint32_t *first,
                      uint32_t *last)
{
    const struct plugin_job *is = &job->is;
    struct range run;
    uint64_t step = step_of(is), begins = first_of(is);
    uint64_t at = from <= begins ? 0 : (from - begins + step - 1) / step;
    if (!range_set_next_run(&is->ready, at, &run))
        return false;
    *first = (uint32_t)(begins + run.first * step);
    *last = (uint32_t)(begins + run.last * step);
    return true;
}

/* ---- decisions ---- */
static int decide_one(struct sge_scheduler_run *run, const struct plugin_decided *one)
{
    if (run->n_decisions == PLUGIN_DECISIONS_MOST ||
        run->decisions.len > PLUGIN_ANSWER_MOST - PLUGIN_ANSWER_MOST / 8)
        return -1;
    run->n_decisions++;
    plugin_decided_pack(&run->decisions, one);
    return 0;
}

static int rank_job(struct sge_scheduler_run *run, const struct sge_scheduler_job *job,
                    int64_t rank)
{
    if (job == NULL)
        return -1;
    const struct plugin_decided one = { PLUGIN_RANK, .job = job->is.number, .rank = rank };
    return decide_one(run, &one);
}

static int place_job(struct sge_scheduler_run *run, const struct sge_scheduler_job *job,
                     uint32_t tasks, const struct sge_scheduler_queue *queue)
{
    if (job == NULL || tasks == 0 || (job->is.is_parallel && queue != NULL))
        return -1;
    const struct plugin_decided one = { PLUGIN_PLACE, .job = job->is.number, .tasks = tasks,
                                        .text = queue != NULL ? queue->is.name : NULL };
    return decide_one(run, &one);
}

static int reserve_job(struct sge_scheduler_run *run, const struct sge_scheduler_job *job,
                       const struct sge_scheduler_queue *queue, uint64_t start, uint64_t duration)
{
    if (job == NULL || queue == NULL || start < run->now_s)
        return -1;
    const struct plugin_decided one = { PLUGIN_RESERVE, .job = job->is.number,
                                        .text = queue->is.name, .start_s = start,
                                        .duration_s = duration };
    return decide_one(run, &one);
}

static int log_text(struct sge_scheduler_run *run, const char *text)
{
    if (text == NULL || run->n_logs == PLUGIN_LOGS_MOST)
        return -1;
    char *own = uti_strndup(text, strnlen(text, PLUGIN_LOG_BYTES));
    const struct plugin_decided one = { PLUGIN_LOG, .text = own };
    run->n_logs++;
    int rc = decide_one(run, &one);
    free(own);
    return rc;
}

const struct sge_scheduler_api *view_api(void)
{
    static const struct sge_scheduler_api api = {
        .version = SGE_SCHEDULER_VERSION,
        .size = sizeof api,
        .now = time_now,
        .tasks_most = tasks_most,
        .job_next = job_next,
        .job_find = job_find,
        .queue_next = queue_next,
        .queue_find = queue_find,
        .host_next = host_next,
        .host_find = host_find,
        .job_number = job_number,
        .job_text = job_text,
        .queue_number = queue_number,
        .queue_text = queue_text,
        .host_number = host_number,
        .host_text = host_text,
        .job_tasks = job_tasks,
        .rank = rank_job,
        .place = place_job,
        .reserve = reserve_job,
        .log = log_text,
    };
    return &api;
}

void view_answer(struct sge_scheduler_run *view, struct packer *out)
{
    const struct plugin_decided done = { PLUGIN_DONE };
    pack_u8(out, PLUGIN_DECIDED);
    pack_bytes(out, view->decisions.data, view->decisions.len);
    plugin_decided_pack(out, &done);
    view->decisions.len = 0;
    view->n_decisions = view->n_logs = 0;
}

/* ---- hosts follow their queue instances ---- */
static void host_leave(struct sge_scheduler_run *view, struct sge_scheduler_queue *queue)
{
    struct sge_scheduler_host *host = queue->host;
    queue->host = NULL;
    if (host == NULL)
        return;
    host->slots -= queue->is.slots;
    host->free -= queue->is.free;
    if (--host->n_queues > 0)
        return;
    HASH_DEL(view->hosts, host);
    free(host->name);
    free(host);
}

static void host_join(struct sge_scheduler_run *view, struct sge_scheduler_queue *queue)
{
    struct sge_scheduler_host *host;
    HASH_FIND_STR(view->hosts, queue->is.host, host);
    if (host == NULL) {
        host = uti_calloc(1, sizeof *host);
        host->name = uti_strdup(queue->is.host);
        HASH_ADD_KEYPTR(hh, view->hosts, host->name, strlen(host->name), host);
    }
    host->slots += queue->is.slots;
    host->free += queue->is.free;
    host->load = host->n_queues == 0 || queue->is.load > host->load ? queue->is.load : host->load;
    host->n_queues++;
    queue->host = host;
}

/* ---- changes ---- */
struct taker {
    struct sge_scheduler_run *view;
    const struct sge_scheduler *plugin;
    void *own;
};

static void tell_job(const struct taker *t, const struct sge_scheduler_job *job,
                     enum sge_scheduler_change change)
{
    if (t->plugin->job_changed != NULL)
        t->plugin->job_changed(t->own, t->view, job, change);
}

static void tell_queue(const struct taker *t, const struct sge_scheduler_queue *queue,
                       enum sge_scheduler_change change)
{
    if (t->plugin->queue_changed != NULL)
        t->plugin->queue_changed(t->own, t->view, queue, change);
}

static void take_job(const struct taker *t, struct unpacker *u)
{
    struct plugin_job is = { 0 };
    plugin_job_unpack(u, &is);
    struct sge_scheduler_job *job = find_job(t->view, is.number);
    bool is_new = job == NULL;
    if (is_new) {
        job = uti_calloc(1, sizeof *job);
        job->is = is;
        HASH_ADD(hh, t->view->jobs, is.number, sizeof job->is.number, job);
    } else {
        plugin_job_clear(&job->is);
        job->is = is;
    }
    tell_job(t, job, is_new ? SGE_CHANGE_NEW : SGE_CHANGE_MODIFIED);
}

static void take_job_gone(const struct taker *t, struct unpacker *u)
{
    struct sge_scheduler_job *job = find_job(t->view, unpack_varint32(u));
    if (job == NULL)
        return;
    HASH_DEL(t->view->jobs, job);
    tell_job(t, job, SGE_CHANGE_GONE);
    plugin_job_clear(&job->is);
    free(job);
}

static void take_queue(const struct taker *t, struct unpacker *u)
{
    struct plugin_queue is = { 0 };
    plugin_queue_unpack(u, &is);
    struct sge_scheduler_queue *queue = find_queue(t->view, is.name);
    bool is_new = queue == NULL;
    if (is_new) {
        queue = uti_calloc(1, sizeof *queue);
    } else {
        host_leave(t->view, queue);
        HASH_DEL(t->view->queues, queue);
        plugin_queue_clear(&queue->is);
    }
    queue->is = is;
    HASH_ADD_KEYPTR(hh, t->view->queues, queue->is.name, strlen(queue->is.name), queue);
    host_join(t->view, queue);
    tell_queue(t, queue, is_new ? SGE_CHANGE_NEW : SGE_CHANGE_MODIFIED);
}

static void take_queue_gone(const struct taker *t, struct unpacker *u)
{
    char *name = unpack_string(u);
    struct sge_scheduler_queue *queue = name != NULL ? find_queue(t->view, name) : NULL;
    free(name);
    if (queue == NULL)
        return;
    HASH_DEL(t->view->queues, queue);
    tell_queue(t, queue, SGE_CHANGE_GONE);
    host_leave(t->view, queue);
    plugin_queue_clear(&queue->is);
    free(queue);
}

int view_take(struct sge_scheduler_run *view, struct unpacker *u,
              const struct sge_scheduler *plugin, void *own)
{
    static void (*const kinds[])(const struct taker *t, struct unpacker *u) = {
        [PLUGIN_JOB] = take_job,
        [PLUGIN_JOB_GONE] = take_job_gone,
        [PLUGIN_QUEUE] = take_queue,
        [PLUGIN_QUEUE_GONE] = take_queue_gone,
    };
    const struct taker taker = { view, plugin, own };
    view->now_s = unpack_varint(u);
    view->most = unpack_varint32(u);
    uint8_t what = unpack_u8(u);
    for (uint8_t kind = unpack_u8(u); kind != PLUGIN_END && !u->is_bad; kind = unpack_u8(u)) {
        if (kind >= ARRAY_LEN(kinds))
            return -1;
        kinds[kind](&taker, u);
    }
    return u->is_bad ? -1 : what == PLUGIN_RUN;
}
