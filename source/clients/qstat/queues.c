/* Which queue instances a listing is about, and their hosts. */
#include <stdlib.h>

#include "clients/common/complex.h"
#include "clients/common/resource_request.h"
#include "clients/qstat/qstat.h"
#include "libs/config/complex.h"
#include "libs/config/host.h"

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

/* Returns 0, or -1 with ans; VIEW owns what there is in both cases. */
static int ask_all(const struct qstat_world *w, const struct qstat_options *o, bool with_hosts,
                   struct queue_view *view, struct answer *ans)
{
    const char *const *some = o->choice.users.n > 0 ? queue_fields : queue_fields + 1;
    const char *const *fields = needs_resources(o) ? all_fields : some;
    view->queues = source_get_fields(&w->from, GDI_QINSTANCE, fields, ans);
    if (view->queues == NULL ||
        user_access_get(&w->from, &o->choice.users, &view->access, ans) != 0)
        return -1;
    if (with_hosts || needs_resources(o))
        view->hosts = source_get_target(&w->from, GDI_EXECHOST, ans);
    if ((with_hosts || needs_resources(o)) && view->hosts == NULL)
        return -1;
    if (needs_resources(o) && complex_get(&w->from, &view->complex, ans) != 0)
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

int queue_view_get(const struct qstat_world *w, const struct qstat_options *o, bool with_hosts,
                   struct queue_view *view, struct answer *ans)
{
    *view = (struct queue_view){ 0 };
    if (ask_all(w, o, with_hosts, view, ans) != 0) {
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

void queue_view_free(struct queue_view *view)
{
    cull_delete(&cull_GA_Type, view->queues);
    cull_delete(&cull_GA_Type, view->hosts);
    complex_list_clear(&view->complex);
    user_access_free(&view->access);
    free(view->v);
    *view = (struct queue_view){ 0 };
}

bool queue_view_has(const struct queue_view *view, const char *full_name)
{
    struct QU_Type key = { .QU_full_name = full_name };
    const struct QU_Type *wanted = &key;
    return view->n > 0 && bsearch(&wanted, view->v, view->n, sizeof *view->v, name_compare) != NULL;
}

bool queue_view_suits(const struct queue_view *view, const struct JB_Type *job)
{
    if (job->JB_hard_queue_list.n == 0)
        return view->n > 0;
    for (uint32_t i = 0; i < view->n; i++) {
        for (uint32_t k = 0; k < job->JB_hard_queue_list.n; k++) {
            const char *pattern = job->JB_hard_queue_list.v[k].QR_name;
            if (pattern != NULL && queue_is_meant(view->v[i], pattern))
                return true;
        }
    }
    return false;
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
