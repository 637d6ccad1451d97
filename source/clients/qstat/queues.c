/* Which queue instances a listing is about, and their hosts. */
#include <stdlib.h>
#include <string.h>

#include "clients/common/source.h"
#include "clients/qstat/qstat.h"
#include "libs/config/complex.h"
#include "libs/config/host.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/pe_match.h"
#include "libs/sgeobj/queue_match.h"
#include "libs/show/resources.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"

static int name_compare(const void *left, const void *right)
{
    const struct QU_Type *a = *(const struct QU_Type *const *)left,
                         *b = *(const struct QU_Type *const *)right;
    return strcmp(a->QU_full_name != NULL ? a->QU_full_name : "",
                  b->QU_full_name != NULL ? b->QU_full_name : "");
}

static int host_compare(const void *left, const void *right)
{
    const struct EH_Type *a = left, *b = right;
    return strcmp(a->EH_name != NULL ? a->EH_name : "", b->EH_name != NULL ? b->EH_name : "");
}

/* what is shown of a queue, and what chooses it; -F shows any attribute */
static const char *const queue_fields[] = {
    "QU_access", /* for -U alone */
    "QU_full_name",  "QU_qname",          "QU_qhostname",  "QU_state",  "QU_message",
    "QU_load_alarm", "QU_suspend_alarm",  "QU_hostgroups", "QU_qtype",  "QU_job_slots",
    "QU_slots_used", "QU_slots_reserved", "pe_list",       "ckpt_list", NULL
};
static const char *const all_fields[] = { NULL };

static bool needs_resources(const struct qstat_options *o)
{
    return o->wants_resources || o->choice.resources.n > 0;
}

/* `queue_fields`, and the attributes that jobs ask for; new: free() it */
static const char **fields_for_jobs(const struct qstat_options *o)
{
    const char **all = NULL;
    uint32_t n = 0, cap = 0;
    for (size_t i = o->choice.users.n > 0 ? 0 : 1; queue_fields[i] != NULL; i++) {
        all = uti_vec_grow(all, &cap, n + 1, sizeof *all);
        all[n++] = queue_fields[i];
    }
    for (size_t i = 0; queue_resource_names[i] != NULL; i++) {
        all = uti_vec_grow(all, &cap, n + 1, sizeof *all);
        all[n++] = queue_resource_names[i];
    }
    all = uti_vec_grow(all, &cap, n + 2, sizeof *all);
    all[n++] = "QU_consumable_config_list";
    all[n] = NULL;
    return all;
}

static struct GA_Type *ask_queues(const struct qstat_world *w, const struct qstat_options *o,
                                  unsigned with, struct answer *ans)
{
    const char *const *some = o->choice.users.n > 0 ? queue_fields : queue_fields + 1;
    if (needs_resources(o))
        return source_get_fields(&w->from, GDI_QINSTANCE, all_fields, ans);
    if ((with & VIEW_RESOURCES) == 0)
        return source_get_fields(&w->from, GDI_QINSTANCE, some, ans);
    const char **fields = fields_for_jobs(o);
    struct GA_Type *queues = source_get_fields(&w->from, GDI_QINSTANCE, fields, ans);
    free(fields);
    return queues;
}

/* Returns 0, or -1 with ans; VIEW owns what there is in both cases. */
static int ask_all(const struct qstat_world *w, const struct qstat_options *o, unsigned with,
                   struct queue_view *view, struct answer *ans)
{
    bool with_resources = (with & VIEW_RESOURCES) != 0 || needs_resources(o);
    if (queue_choice_check(&o->choice, &w->from, ans) != 0)
        return -1;
    view->queues = ask_queues(w, o, with, ans);
    if (view->queues == NULL ||
        user_access_get(&w->from, &o->choice.users, &view->access, ans) != 0)
        return -1;
    if ((with & VIEW_HOSTS) != 0 || with_resources) {
        view->hosts = source_get_target(&w->from, GDI_EXECHOST, ans);
        if (view->hosts == NULL)
            return -1;
    }
    if (with_resources && complex_get(&w->from, &view->complex, ans) != 0)
        return -1;
    return resource_requests_check(&o->choice.resources, &view->complex, ans);
}

static bool is_chosen(const struct queue_view *view, const struct queue_choice *choice,
                      const struct QU_Type *queue)
{
    struct offering what = { queue, queue_view_host(view, queue), queue_view_cell(view),
                             &view->complex };
    return queue_choice_takes(choice, queue) && user_access_admits(&view->access, queue) &&
           queue_choice_suits(choice, &what);
}

int queue_view_get(const struct qstat_world *w, const struct qstat_options *o, unsigned with,
                   struct queue_view *view, struct answer *ans)
{
    *view = (struct queue_view){ 0 };
    if (ask_all(w, o, with, view, ans) != 0) {
        queue_view_free(view);
        return -1;
    }
    if (view->hosts != NULL && view->hosts->GA_hosts.n > 1)
        qsort(view->hosts->GA_hosts.v, view->hosts->GA_hosts.n, sizeof view->hosts->GA_hosts.v[0],
              host_compare);
    uint32_t n = view->queues->GA_queues.n;
    view->v = uti_calloc(n > 0 ? n : 1, sizeof *view->v);
    for (uint32_t i = 0; i < n; i++) {
        if (is_chosen(view, &o->choice, &view->queues->GA_queues.v[i]))
            view->v[view->n++] = &view->queues->GA_queues.v[i];
    }
    if (view->n > 1)
        qsort(view->v, view->n, sizeof *view->v, name_compare);
    return 0;
}

/* What a job asks for, as text. Most jobs ask for what others ask for: each is looked up once, as
 * long as they are not too many to be kept. */
struct asked {
    char *key;
    bool is_there;
    UT_hash_handle hh; /* by key */
};
enum { ASKED_MOST = 1000 };

static void asked_free(struct asked *all)
{
    struct asked *a, *next;
    HASH_ITER(hh, all, a, next) {
        HASH_DEL(all, a);
        free(a->key);
        free(a);
    }
}

void queue_view_free(struct queue_view *view)
{
    cull_delete(&cull_GA_Type, view->queues);
    cull_delete(&cull_GA_Type, view->hosts);
    complex_list_clear(&view->complex);
    user_access_free(&view->access);
    asked_free(view->asked);
    free(view->v);
    *view = (struct queue_view){ 0 };
}

bool queue_view_has(const struct queue_view *view, const char *full_name)
{
    struct QU_Type key = { .QU_full_name = full_name };
    const struct QU_Type *wanted = &key;
    return view->n > 0 && bsearch(&wanted, view->v, view->n, sizeof *view->v, name_compare) != NULL;
}

static const struct EH_Type *host_find(const struct queue_view *view, const char *name)
{
    if (view->hosts == NULL || view->hosts->GA_hosts.n == 0 || name == NULL)
        return NULL;
    struct EH_Type key = { .EH_name = name };
    return bsearch(&key, view->hosts->GA_hosts.v, view->hosts->GA_hosts.n, sizeof key,
                   host_compare);
}

const struct EH_Type *queue_view_host(const struct queue_view *view, const struct QU_Type *queue)
{
    return host_find(view, queue->QU_qhostname);
}

const struct EH_Type *queue_view_cell(const struct queue_view *view)
{
    return host_find(view, HOST_OF_CELL);
}

/* ---- jobs ---- */
/* is all that is asked for at QUEUE, or could be? A host that is not there says nothing. */
static bool could_have(const struct queue_view *view, const struct QU_Type *queue,
                       const struct CE_Type_list *wanted)
{
    const struct EH_Type *host = queue_view_host(view, queue);
    bool is_there = host != NULL && host->EH_is_connected;
    struct offering what = { queue, host, queue_view_cell(view), &view->complex };
    for (uint32_t i = 0; i < wanted->n; i++) {
        const struct CE_Type *one = &wanted->v[i];
        const struct CE_Type *ce =
            one->CE_name != NULL ? complex_find(&view->complex, one->CE_name) : NULL;
        struct available found;
        if (ce != NULL && one->CE_stringval != NULL &&
            !available_could_meet(&what, ce, one->CE_stringval, &found) &&
            (found.place != '\0' || is_there))
            return false;
    }
    return true;
}

static bool could_run(const struct queue_view *view, const struct QU_Type *queue,
                      const struct JB_Type *job)
{
    return queue->QU_full_name != NULL &&
           queue_match_any(&job->JB_hard_queue_list, queue->QU_full_name, &queue->QU_hostgroups) &&
           (job->JB_pe == NULL || pe_list_meets(qinstance_setting(queue, "pe_list"), job->JB_pe)) &&
           could_have(view, queue, &job->JB_hard_resource_list);
}

static void add_key(const struct JB_Type *job, struct dstr *out)
{
    dstr_addf(out, "%s\n", job->JB_pe != NULL ? job->JB_pe : "");
    for (uint32_t i = 0; i < job->JB_hard_queue_list.n; i++)
        dstr_addf(out, "%s\n", job->JB_hard_queue_list.v[i].QR_name);
    for (uint32_t i = 0; i < job->JB_hard_resource_list.n; i++) {
        const struct CE_Type *ce = &job->JB_hard_resource_list.v[i];
        dstr_addf(out, "\n%s=%s", ce->CE_name, ce->CE_stringval != NULL ? ce->CE_stringval : "");
    }
}

static bool look_up(const struct queue_view *view, const struct JB_Type *job)
{
    for (uint32_t i = 0; i < view->n; i++)
        if (could_run(view, view->v[i], job))
            return true;
    return false;
}

bool queue_view_suits(struct queue_view *view, const struct JB_Type *job)
{
    struct dstr key = DSTR_INIT;
    struct asked *a;
    add_key(job, &key);
    HASH_FIND_STR(view->asked, dstr_get(&key), a);
    if (a == NULL) {
        if (HASH_COUNT(view->asked) >= ASKED_MOST) {
            asked_free(view->asked);
            view->asked = NULL;
        }
        a = uti_calloc(1, sizeof *a);
        a->is_there = look_up(view, job);
        a->key = dstr_take(&key);
        HASH_ADD_KEYPTR(hh, view->asked, a->key, strlen(a->key), a);
    }
    dstr_free(&key);
    return a->is_there;
}
