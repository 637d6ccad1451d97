/* One table from (verb, kind of object) to handler. A handler checks everything before it changes
 * anything; what it changes is staged; its answer leaves after the batch that holds the change is
 * durable. */
#include "daemons/qmaster/requests/requests.h"

#include <string.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/connections.h"
#include "daemons/qmaster/change/recent.h"
#include "daemons/qmaster/requests/explain/why.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/requests/objects/object_requests.h"
#include "daemons/qmaster/requests/reads/reads.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "daemons/qmaster/requests/steps/steps.h"
#include "daemons/qmaster/tables/hosts.h"
#include "daemons/qmaster/tables/rights.h"
#include "libs/config/attr_names.h"
#include "libs/config/cqueue.h"
#include "libs/gdi/message.h"
#include "libs/uti/dstr.h"
#include "libs/uti/host_name.h"
#include "libs/uti/pattern.h"

/* ---- names of hosts ---- */
/* Names of hosts in requests. Owns nothing; one table says in which requests the names of objects
 * are hosts. Everything behind it compares names by their texts. */
static const char *spelled_host(struct qmaster *q, const char *said, char *out)
{
    return host_name_is_valid(said) ? host_name_known(&q->hosts, &q->settings, said, out) : said;
}

/* most names are what they are to be */
static void put_name(const char **name, const char *to)
{
    if (to != *name)
        cull_put_string(name, to);
}

static void spell_name(struct qmaster *q, const char **name)
{
    char out[HOST_NAME_BYTES];
    if (*name != NULL)
        put_name(name, spelled_host(q, *name, out));
}

/* the part of QUEUE@HOST behind the first @ */
static void spell_instance(struct qmaster *q, const char **name)
{
    char out[HOST_NAME_BYTES];
    const char *at = *name != NULL ? strchr(*name, '@') : NULL;
    if (at == NULL)
        return;
    struct dstr text = DSTR_INIT;
    dstr_addn(&text, *name, (size_t)(at + 1 - *name));
    dstr_add(&text, spelled_host(q, at + 1, out));
    cull_put_string(name, dstr_get(&text));
    dstr_free(&text);
}

static void spell_cqueue(struct qmaster *q, struct CQ_Type *cq)
{
    for (uint32_t i = 0; i < cq->CQ_hostlist.n; i++)
        spell_name(q, &cq->CQ_hostlist.v[i].ST_name);
    for (unsigned a = 0; a < cqueue_attrs_n; a++) {
        struct AT_Type_list *l =
            (void *)((char *)cq + cull_CQ_Type.fields[cqueue_attrs[a].field].offset);
        for (uint32_t i = 0; i < l->n; i++)
            spell_name(q, &l->v[i].AT_href);
    }
}

/* the words of a list */
static void spell_words(struct qmaster *q, const char **list)
{
    char out[HOST_NAME_BYTES];
    struct dstr word = DSTR_INIT, all = DSTR_INIT;
    if (*list == NULL || attr_is_none(*list))
        return;
    for (const char *at = *list; attr_next_word(&at, " ,", &word);)
        dstr_addf(&all, "%s%s", all.len > 0 ? " " : "", spelled_host(q, dstr_get(&word), out));
    cull_put_string(list, dstr_get(&all));
    dstr_free(&word);
    dstr_free(&all);
}

static void spell_group(struct qmaster *q, struct TX_Type *group)
{
    for (uint32_t i = 0; i < group->TX_entries.n; i++) {
        struct VA_Type *entry = &group->TX_entries.v[i];
        if (entry->VA_variable != NULL && strcmp(entry->VA_variable, "hostlist") == 0)
            spell_words(q, &entry->VA_value);
    }
}

static void spell_selection(struct qmaster *q, struct GR_Type *gr,
                            void (*spell)(struct qmaster *q, const char **name))
{
    for (uint32_t i = 0; i < gr->GR_select.n; i++)
        spell(q, &gr->GR_select.v[i].ID_str);
}

/* objects that are called what a host is called */
static void spell_host_objects(struct qmaster *q, struct GR_Type *gr)
{
    spell_selection(q, gr, spell_name);
    for (uint32_t i = 0; i < gr->GR_hosts.n; i++)
        spell_name(q, &gr->GR_hosts.v[i].EH_name);
    for (uint32_t i = 0; i < gr->GR_names.n; i++)
        spell_name(q, &gr->GR_names.v[i].NM_name);
    for (uint32_t i = 0; i < gr->GR_confs.n; i++)
        spell_name(q, &gr->GR_confs.v[i].CONF_name);
}

void spell_hosts(struct qmaster *q, struct GR_Type *gr)
{
    if (gr->GR_target == GDI_EXECHOST || gr->GR_target == GDI_ADMINHOST ||
        gr->GR_target == GDI_SUBMITHOST || gr->GR_target == GDI_CONFIG)
        spell_host_objects(q, gr);
    if (gr->GR_target == GDI_QINSTANCE)
        spell_selection(q, gr, spell_instance);
    for (uint32_t i = 0; gr->GR_target == GDI_CQUEUE && i < gr->GR_cqueues.n; i++)
        spell_cqueue(q, &gr->GR_cqueues.v[i]);
    for (uint32_t i = 0; gr->GR_target == GDI_HOSTGROUP && i < gr->GR_texts.n; i++)
        spell_group(q, &gr->GR_texts.v[i]);
}

/* ---- requests ---- */
typedef void (*request_fn)(struct qmaster *q, struct request *r);

static const request_fn job_handlers[GDI_VERBS] = {
    [GDI_ADD] = submit_request,       [GDI_MOD] = alter_request,     [GDI_DEL] = delete_request,
    [GDI_GET] = get_jobs_request,     [GDI_COPY] = resubmit_request, [GDI_WHY] = why_request,
    [GDI_ADD_AS] = submit_as_request,
};
static const request_fn other_handlers[GDI_VERBS] = {
    [GDI_ADD] = add_config_request,
    [GDI_MOD] = mod_config_request,
    [GDI_DEL] = del_config_request,
    [GDI_GET] = get_config_request,
};
static const request_fn session_handlers[GDI_VERBS] = {
    [GDI_ADD] = add_session_request,     [GDI_DEL] = del_session_request,
    [GDI_GET] = get_session_request,     [GDI_ACT] = act_session_request,
    [GDI_WATCH] = watch_session_request,
};
static const request_fn ar_handlers[GDI_VERBS] = {
    [GDI_ADD] = add_ar_request,
    [GDI_DEL] = delete_ar_request,
    [GDI_GET] = get_ars_request,
};

/* for the log, when one takes long */
static const char *const request_words[GDI_VERBS] = {
    [GDI_ADD] = "an ADD request",       [GDI_MOD] = "a MOD request",
    [GDI_DEL] = "a DEL request",        [GDI_GET] = "a GET request",
    [GDI_COPY] = "a COPY request",      [GDI_ACT] = "an ACT request",
    [GDI_WATCH] = "a WATCH request",    [GDI_WHY] = "a WHY request",
    [GDI_ADD_AS] = "an ADD_AS request",
};

/* of ACT: jobs and queues (qmod), or parts of the cell (qconf) */
static request_fn action_of(const struct GR_Type *gr)
{
    bool is_qmod =
        gr->GR_target == GDI_JOB || gr->GR_target == GDI_QINSTANCE || gr->GR_target == GDI_CQUEUE;
    return is_qmod && gr->GR_action != GDI_ACT_TRIGGER_SCHEDULING ? act_request : act_on_cell;
}

static request_fn handler_of(const struct GR_Type *gr)
{
    if (gr->GR_verb >= GDI_VERBS || gr->GR_target >= GDI_TARGETS)
        return NULL;
    if (gr->GR_target == GDI_SESSION)
        return session_handlers[gr->GR_verb];
    if (gr->GR_target == GDI_AR)
        return ar_handlers[gr->GR_verb];
    if (gr->GR_target == GDI_QUOTA)
        return gr->GR_verb == GDI_GET ? get_quotas_request : NULL;
    if (gr->GR_target == GDI_SHARE_USAGE)
        return gr->GR_verb == GDI_GET   ? get_usage_request
               : gr->GR_verb == GDI_DEL ? clear_usage_request
                                        : NULL;
    if (gr->GR_target == GDI_ACCOUNTING)
        return gr->GR_verb == GDI_GET ? get_accounting_request : NULL;
    if (gr->GR_verb == GDI_ACT)
        return action_of(gr);
    if (gr->GR_target == GDI_THREAD)
        return NULL;
    if (gr->GR_verb == GDI_GET && gr->GR_target == GDI_MASTER)
        return statistics_request;
    if (gr->GR_verb == GDI_GET && gr->GR_target == GDI_EVENTCLIENT)
        return event_clients_request;
    return gr->GR_target == GDI_JOB ? job_handlers[gr->GR_verb] : other_handlers[gr->GR_verb];
}

/* An empty list never means everything: a request that changes what is selected names it. Jobs are
 * named by their owners, too, but an action has a word for each entry of GR_select in its
 * answer. */
static int check_selection(const struct GR_Type *gr, struct answer *ans)
{
    bool is_selection =
        gr->GR_target == GDI_JOB && (gr->GR_verb == GDI_MOD || gr->GR_verb == GDI_DEL);
    bool is_action = gr->GR_verb == GDI_ACT && gr->GR_target != GDI_MASTER &&
                     gr->GR_target != GDI_SESSION && gr->GR_action != GDI_ACT_TRIGGER_SCHEDULING;
    if (is_selection && gr->GR_select.n == 0 && gr->GR_users.n == 0)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_CONFIG_NONE_S, "job");
    if (is_action && gr->GR_select.n == 0)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_NO_SELECTION);
    return 0;
}

static int check_id(const struct GR_Type *gr, struct answer *ans)
{
    size_t len = gr->GR_request_id != NULL ? strlen(gr->GR_request_id) : 0;
    if (len > GDI_REQUEST_ID_MOST)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_REQUEST_ID_ZU, len,
                        (unsigned)GDI_REQUEST_ID_MOST);
    return 0;
}

/* A request with an owner is for another user: nothing is done in the sender's own name. */
static int check_owner(const struct GR_Type *gr, struct answer *ans)
{
    if (!cull_has(gr, GR_owner) || gr->GR_verb == GDI_ADD_AS)
        return 0;
    return ans_fail(ans, STATUS_ENOTSUP, MSG_OWNER_OF_SUBMITS);
}

static int check_queue_patterns(const struct QR_Type_list *l, struct answer *ans)
{
    int rc = 0;
    for (uint32_t i = 0; rc == 0 && i < l->n; i++)
        rc = pattern_check(l->v[i].QR_name, ans);
    return rc;
}

static int check_dependency_patterns(const struct JRE_Type_list *l, struct answer *ans)
{
    int rc = 0;
    for (uint32_t i = 0; rc == 0 && i < l->n; i++)
        rc = pattern_check(l->v[i].JRE_job_name, ans);
    return rc;
}

static int check_job_patterns(const struct JB_Type *job, struct answer *ans)
{
    if (pattern_check(job->JB_pe, ans) < 0 ||
        check_queue_patterns(&job->JB_hard_queue_list, ans) < 0 ||
        check_queue_patterns(&job->JB_soft_queue_list, ans) < 0 ||
        check_queue_patterns(&job->JB_master_hard_queue_list, ans) < 0 ||
        check_dependency_patterns(&job->JB_jid_request_list, ans) < 0)
        return -1;
    return check_dependency_patterns(&job->JB_ja_ad_request_list, ans);
}

/* names and patterns are compared with many others, each time at the cost of their length */
static int check_patterns(const struct GR_Type *gr, struct answer *ans)
{
    int rc = 0;
    for (uint32_t i = 0; rc == 0 && i < gr->GR_select.n; i++)
        rc = pattern_check(gr->GR_select.v[i].ID_str, ans);
    for (uint32_t i = 0; rc == 0 && i < gr->GR_users.n; i++)
        rc = pattern_check(gr->GR_users.v[i].ST_name, ans);
    for (uint32_t i = 0; rc == 0 && i < gr->GR_jobs.n; i++)
        rc = check_job_patterns(&gr->GR_jobs.v[i], ans);
    for (uint32_t i = 0; rc == 0 && i < gr->GR_ars.n; i++)
        for (uint32_t k = 0; rc == 0 && k < gr->GR_ars.v[i].AR_request.n; k++)
            rc = check_job_patterns(&gr->GR_ars.v[i].AR_request.v[k], ans);
    return rc;
}

/* Requests that change something are carried out once, however often the client has to ask. Submits
 * see to that themselves, by job; what is asked of a session does nothing the second time. */
static bool is_repeatable(const struct GR_Type *gr)
{
    bool is_submit =
        gr->GR_target == GDI_JOB &&
        (gr->GR_verb == GDI_ADD || gr->GR_verb == GDI_ADD_AS || gr->GR_verb == GDI_COPY);
    bool is_reading = gr->GR_verb == GDI_GET || gr->GR_verb == GDI_WATCH || gr->GR_verb == GDI_WHY;
    bool is_named = gr->GR_target == GDI_SESSION && gr->GR_session != NULL;
    return is_submit || is_reading || is_named || gr->GR_request_id == NULL ||
           *gr->GR_request_id == '\0';
}

static void carry_out_once(struct qmaster *q, struct request *r, request_fn fn)
{
    if (!is_repeatable(&r->gr) && recent_answer_again(q, r))
        return;
    r->keeps_answer = !is_repeatable(&r->gr);
    fn(q, r);
}

static void handle_request(struct qmaster *q, struct request *r)
{
    request_fn fn = handler_of(&r->gr);
    if (right_to_come(q, &r->from->who, &r->ans) != 0)
        return;
    if (fn != NULL)
        q->turns.doing = request_words[r->gr.GR_verb];
    if (fn == NULL)
        ans_add(&r->ans, STATUS_ENOTSUP, ANSWER_QUALITY_ERROR, MSG_REQUEST_UNKNOWN_UU,
                r->gr.GR_verb, r->gr.GR_target);
    else if (check_id(&r->gr, &r->ans) == 0 && check_owner(&r->gr, &r->ans) == 0 &&
             check_selection(&r->gr, &r->ans) == 0 && check_patterns(&r->gr, &r->ans) == 0) {
        spell_hosts(q, &r->gr);
        carry_out_once(q, r, fn);
    }
}

void requests_handle(struct qmaster *q, struct connection *s, struct frame *f)
{
    struct request r = { .from = s, .serial = f->serial, .after = change_number(q) };
    if (connection_unpack(q, s, f, &cull_GR_Type, &r.gr, &r.ans) == 0)
        handle_request(q, &r);
    request_answer(q, &r);
}

void requests_last_words(struct qmaster *q, struct connection *s, struct frame *f)
{
    struct request r = { .from = s, .serial = f->serial, .after = change_number(q) };
    bool is_request = f->kind == GDI_FRAME_REQUEST && connection_may_send(q, s, f->kind) &&
                      connection_unpack(q, s, f, &cull_GR_Type, &r.gr, &r.ans) == 0;
    if (is_request && r.gr.GR_target == GDI_SESSION &&
        (r.gr.GR_verb == GDI_ACT || r.gr.GR_verb == GDI_DEL))
        handle_request(q, &r);
    request_clear(&r);
}
