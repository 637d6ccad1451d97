/* Which queue instances a listing is about, and their hosts. */
#include <stdlib.h>

#include "clients/common/complex.h"
#include "clients/qstat/qstat.h"
#include "libs/config/complex.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/queue_match.h"
#include "libs/uti/parse.h"

bool queue_is_meant(const struct QU_Type *queue, const char *pattern)
{
    if (queue->QU_full_name == NULL || queue->QU_qname == NULL)
        return false;
    return queue_match(pattern, queue->QU_full_name, &queue->QU_hostgroups);
}

/* A list of names as queue_conf(5) has it: blanks or commas between. */
static bool list_has(const char *list, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = list; *at != '\0';) {
        size_t word = strcspn(at, " ,");
        if (word == len && strncmp(at, name, len) == 0)
            return true;
        at += word;
        at += strspn(at, " ,");
    }
    return false;
}

static bool has_pe(const struct QU_Type *queue, const struct name_list *pes)
{
    const char *list = qinstance_setting(queue, "pe_list");
    for (uint32_t i = 0; list != NULL && i < pes->n; i++) {
        if (list_has(list, pes->v[i]))
            return true;
    }
    return false;
}

static bool is_selected(const struct QU_Type *queue, const struct qstat_options *o)
{
    bool is_named = o->queues.n == 0;
    for (uint32_t i = 0; i < o->queues.n && !is_named; i++)
        is_named = queue_is_meant(queue, o->queues.v[i]);
    return is_named && (!o->has_queue_states || (queue->QU_state & o->queue_states) != 0) &&
           (o->pes.n == 0 || has_pe(queue, &o->pes));
}

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
static const char *const queue_fields[] = { "QU_full_name",
                                            "QU_qname",
                                            "QU_qhostname",
                                            "QU_state",
                                            "QU_message",
                                            "QU_hostgroups",
                                            "QU_qtype",
                                            "QU_job_slots",
                                            "QU_slots_used",
                                            "QU_slots_reserved",
                                            "pe_list",
                                            "ckpt_list",
                                            NULL };
static const char *const all_fields[] = { NULL };

int queue_view_get(const struct qstat_world *w, const struct qstat_options *o, bool with_hosts,
                   struct queue_view *view, struct answer *ans)
{
    *view = (struct queue_view){ 0 };
    view->queues = source_get_fields(&w->from, GDI_QINSTANCE,
                                     o->wants_resources ? all_fields : queue_fields, ans);
    if (view->queues != NULL && with_hosts)
        view->hosts = source_get_target(&w->from, GDI_EXECHOST, ans);
    bool is_known = !o->wants_resources || complex_get(&w->from, &view->complex, ans) == 0;
    if (view->queues == NULL || (with_hosts && view->hosts == NULL) || !is_known) {
        queue_view_free(view);
        return -1;
    }
    if (with_hosts && view->hosts->GA_hosts.n > 1)
        qsort(view->hosts->GA_hosts.v, view->hosts->GA_hosts.n, sizeof view->hosts->GA_hosts.v[0],
              host_compare);
    uint32_t n = view->queues->GA_queues.n;
    view->v = uti_calloc(n > 0 ? n : 1, sizeof *view->v);
    for (uint32_t i = 0; i < n; i++) {
        if (is_selected(&view->queues->GA_queues.v[i], o))
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

const struct EH_Type *queue_view_host(const struct queue_view *view, const struct QU_Type *queue)
{
    if (view->hosts == NULL || view->hosts->GA_hosts.n == 0 || queue->QU_qhostname == NULL)
        return NULL;
    struct EH_Type key = { .EH_name = queue->QU_qhostname };
    return bsearch(&key, view->hosts->GA_hosts.v, view->hosts->GA_hosts.n, sizeof key,
                   host_compare);
}
