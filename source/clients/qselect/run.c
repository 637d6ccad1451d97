/* Which queue instances a command line means, and what each has of the resources that it asks
 * for. */
#include <stdlib.h>
#include <string.h>

#include "clients/common/complex.h"
#include "clients/qselect/msg_qselect.h"
#include "clients/qselect/qselect.h"
#include "libs/config/complex.h"
#include "libs/config/complex_match.h"
#include "libs/config/host.h"
#include "libs/config/qinstance.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

struct selecting {
    const struct qselect_options *o;
    struct GA_Type *queues, *hosts; /* owned; hosts only for -l */
    struct CE_Type_list complex;    /* for -l */
};

/* ---- what there is ---- */

static const char *const choice_fields[] = { "QU_full_name",  "QU_qname", "QU_state",
                                             "QU_hostgroups", "pe_list",  NULL };

static int host_compare(const void *left, const void *right)
{
    const struct EH_Type *a = left, *b = right;
    return strcmp(a->EH_name != NULL ? a->EH_name : "", b->EH_name != NULL ? b->EH_name : "");
}

/* with -l any attribute may count, and what hosts report */
static int get_resources(struct selecting *s, const struct source *from, struct answer *ans)
{
    s->queues = source_get_target(from, GDI_QINSTANCE, ans);
    s->hosts = s->queues != NULL ? source_get_target(from, GDI_EXECHOST, ans) : NULL;
    if (s->hosts == NULL || complex_get(from, &s->complex, ans) != 0)
        return -1;
    if (s->hosts->GA_hosts.n > 1)
        qsort(s->hosts->GA_hosts.v, s->hosts->GA_hosts.n, sizeof s->hosts->GA_hosts.v[0],
              host_compare);
    return 0;
}

static int get_all(struct selecting *s, const struct source *from, struct answer *ans)
{
    if (s->o->resources.n > 0)
        return get_resources(s, from, ans);
    s->queues = source_get_fields(from, GDI_QINSTANCE, choice_fields, ans);
    return s->queues != NULL ? 0 : -1;
}

static void free_all(struct selecting *s)
{
    cull_delete(&cull_GA_Type, s->queues);
    cull_delete(&cull_GA_Type, s->hosts);
    complex_list_clear(&s->complex);
}

/* a name that no parallel environment has is a mistake, not an empty answer */
static int check_pes(const struct source *from, const struct name_list *pes, struct answer *ans)
{
    struct GA_Type *all = pes->n > 0 ? source_get_target(from, GDI_PE, ans) : NULL;
    bool is_known = pes->n == 0;
    for (uint32_t i = 0; all != NULL && i < all->GA_texts.n && !is_known; i++)
        is_known = name_list_has(pes, all->GA_texts.v[i].TX_name);
    cull_delete(&cull_GA_Type, all);
    if (is_known)
        return 0;
    return all != NULL ? ans_fail(ans, STATUS_EUNKNOWN, MSG_QSELECT_NO_PE) : -1;
}

/* ---- resources ---- */

static const char *load_of(const struct selecting *s, const char *host_name, const char *resource)
{
    struct EH_Type key = { .EH_name = host_name };
    const struct EH_Type *host = NULL;
    if (s->hosts->GA_hosts.n > 0)
        host = bsearch(&key, s->hosts->GA_hosts.v, s->hosts->GA_hosts.n, sizeof key, host_compare);
    return host != NULL ? host_load_value(host, resource) : NULL;
}

/* what QUEUE says of it counts before what its host reports; borrowed, or in TEXT; NULL: nothing */
static const char *offer_of(const struct selecting *s, const struct QU_Type *queue,
                            const char *resource, struct dstr *text)
{
    if (strcmp(resource, "qname") == 0)
        return queue->QU_qname;
    if (strcmp(resource, "hostname") == 0)
        return queue->QU_qhostname;
    if (strcmp(resource, "slots") == 0) {
        dstr_clear(text);
        dstr_addf(text, "%u", queue->QU_job_slots);
        return dstr_get(text);
    }
    const char *setting = qinstance_setting(queue, resource);
    return setting != NULL || queue->QU_qhostname == NULL
               ? setting
               : load_of(s, queue->QU_qhostname, resource);
}

/* REQUEST is NAME=VALUE; NAME alone means that it is true */
static bool has_resource(const struct selecting *s, const struct QU_Type *queue,
                         const char *request)
{
    const char *equals = strchr(request, '=');
    struct dstr name = DSTR_INIT, text = DSTR_INIT;
    dstr_addn(&name, request, equals != NULL ? (size_t)(equals - request) : strlen(request));
    const struct CE_Type *ce = complex_find(&s->complex, dstr_get(&name));
    const char *offered = ce != NULL ? offer_of(s, queue, ce->CE_name, &text) : NULL;
    bool has = offered != NULL && complex_meets(ce, equals != NULL ? equals + 1 : "TRUE", offered);
    dstr_free(&name);
    dstr_free(&text);
    return has;
}

static bool is_selected(const struct selecting *s, const struct QU_Type *queue)
{
    if (queue->QU_full_name == NULL || !queue_choice_takes(&s->o->choice, queue))
        return false;
    for (uint32_t i = 0; i < s->o->resources.n; i++)
        if (!has_resource(s, queue, s->o->resources.v[i]))
            return false;
    return true;
}

/* ---- the page ---- */

static int name_compare(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* returns how many */
static uint32_t print_names(const struct selecting *s, FILE *out)
{
    uint32_t all = s->queues->GA_queues.n, n = 0;
    const char **names = uti_calloc(all > 0 ? all : 1, sizeof *names);
    for (uint32_t i = 0; i < all; i++)
        if (is_selected(s, &s->queues->GA_queues.v[i]))
            names[n++] = s->queues->GA_queues.v[i].QU_full_name;
    if (n > 1)
        qsort(names, n, sizeof *names, name_compare);
    for (uint32_t i = 0; i < n; i++)
        (void)fprintf(out, "%s\n", names[i]);
    free(names);
    return n;
}

int qselect_run(const struct source *from, const struct qselect_options *o, FILE *out,
                struct answer *ans)
{
    struct selecting s = { .o = o };
    uint32_t n = 0;
    if (check_pes(from, &o->choice.pes, ans) == 0 && get_all(&s, from, ans) == 0)
        n = print_names(&s, out);
    free_all(&s);
    return n > 0 ? 0 : 1;
}
