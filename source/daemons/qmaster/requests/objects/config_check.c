/* What the values of a valid object mean in this cell: names of objects must be those of objects,
 * since one that does not exist would be without effect, and nobody would know; and who sets
 * something that nothing obeys yet hears it at once. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "daemons/qmaster/requests/objects/config.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "libs/config/complex.h"
#include "libs/config/conf.h"
#include "libs/config/conf_words.h"
#include "libs/config/cqueue.h"
#include "libs/config/devices.h"
#include "libs/config/host.h"
#include "libs/config/object.h"
#include "libs/config/offers.h"
#include "libs/config/sched_params.h"
#include "libs/task/task_dir.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"
#include "libs/uti/pattern.h"

/* the object under check */
struct check {
    struct qmaster *q;
    struct request *r;
    const char *name;
    enum object_kind own; /* its kind, if that knows best whether an object may name itself */
};

static bool is_there(struct qmaster *q, enum gdi_target kind, const char *name)
{
    if (kind == GDI_CQUEUE)
        return queues_cqueue(&q->queues, name) != NULL;
    if (kind == GDI_COMPLEX) /* by its shortcut, too */
        return complex_find(settings_complex(&q->settings), name) != NULL;
    return settings_text(&q->settings, kind, name) != NULL;
}

/* an object that does not exist, in the words that scripts match */
static void say_missing(struct check *c, const struct reference *to)
{
    struct answer *ans = &c->r->ans;
    if (c->own == OBJECT_SHARETREE)
        (void)ans_fail(ans, STATUS_EUNKNOWN, MSG_CONFIG_NO_SHARE_SS,
                       to->kind == OBJECT_PROJECT ? "project" : "user", to->name);
    else if (c->own == OBJECT_RQS)
        (void)ans_fail(ans, STATUS_EUNKNOWN, MSG_CONFIG_NO_COMPLEX_SS, to->attr, to->name);
    else if (strcmp(to->attr, "load_formula") == 0)
        (void)ans_fail(ans, STATUS_EUNKNOWN, MSG_CONFIG_NO_COMPLEX_SS, to->attr, to->name);
    else if (to->kind == OBJECT_CQUEUE)
        (void)ans_fail(ans, STATUS_EUNKNOWN, MSG_CONFIG_NO_SUBORDINATE_SS, to->name, c->name);
    else if (to->kind == OBJECT_HOSTGROUP)
        (void)ans_fail(ans, STATUS_EUNKNOWN, MSG_CONFIG_UNKNOWN_SS, "host group", to->name);
    else
        (void)ans_fail(ans, STATUS_EUNKNOWN, MSG_CONFIG_NO_OBJECT_SS,
                       to->kind == OBJECT_CKPT ? "Checkpointing environment"
                                               : object_rules_of(to->kind)->words.file,
                       to->name);
}

static bool check_exists(void *ctx, const struct reference *to)
{
    struct check *c = ctx;
    bool is_itself = to->kind == c->own && strcmp(to->name, c->name) == 0;
    if (is_itself || is_there(c->q, (enum gdi_target)to->kind, to->name))
        return true;
    say_missing(c, to);
    return false;
}

/* a value of the resource's type; names of devices are for those of the type RSMAP */
static int check_offer(struct check *c, const struct CE_Type *offer)
{
    const struct CE_Type *ce = complex_find(settings_complex(&c->q->settings), offer->CE_name);
    const char *value = offer->CE_stringval;
    bool is_of_devices = ce != NULL && ce->CE_valtype == COMPLEX_RSMAP;
    double amount;
    if (devices_are_named(value) && !is_of_devices)
        return ans_fail(&c->r->ans, STATUS_ESEMANTIC, MSG_CONFIG_NO_DEVICES_SSS, config_noun(c->r),
                        c->name, offer->CE_name);
    return ce != NULL && !devices_are_named(value)
               ? complex_value_parse(ce, value, &amount, &c->r->ans)
               : 0;
}

static int check_offers(struct check *c, const char *value)
{
    struct CE_Type_list offers = { 0 };
    int rc = 0;
    offers_read(value, &offers);
    for (uint32_t i = 0; i < offers.n && rc == 0; i++)
        rc = check_offer(c, &offers.v[i]);
    cull_list_clear(&cull_CE_Type, &offers);
    return rc;
}

static int check_value(struct check *c, const char *attr, const char *value)
{
    if (!attr_references(attr, value, check_exists, c))
        return -1;
    return strcmp(attr, "complex_values") == 0 ? check_offers(c, value) : 0;
}

static int check_group(struct check *c, const char *attr, const char *host)
{
    const struct reference group = { attr, OBJECT_HOSTGROUP, host };
    return host[0] != '@' || check_exists(c, &group) ? 0 : -1;
}

static void warn_idle(struct check *c, const char *attr)
{
    ans_add(&c->r->ans, STATUS_OK, ANSWER_QUALITY_WARNING, MSG_CONFIG_IDLE_S, attr);
}

/* ---- queues ---- */
static int check_settings(struct check *c, const struct CQ_Type *cq, const struct cqueue_attr *attr)
{
    const struct AT_Type_list *l = cqueue_settings(cq, attr);
    bool has_names = attr_reference_find(attr->rule.name) != NULL;
    for (uint32_t i = 0; i < l->n; i++)
        if (check_group(c, attr->rule.name, l->v[i].AT_href) != 0 ||
            (has_names && check_value(c, attr->rule.name, l->v[i].AT_value) != 0))
            return -1;
    return 0;
}

static bool is_idle(const struct CQ_Type *cq, const struct cqueue_attr *attr)
{
    const struct AT_Type_list *l = cqueue_settings(cq, attr);
    for (uint32_t i = 0; i < l->n; i++)
        if (attr_is_idle(&attr->rule, attr->effect, l->v[i].AT_value))
            return true;
    return false;
}

/* no execution hosts, and not in the list before; OLD may be NULL */
static void warn_of_hosts(struct check *c, const struct CQ_Type *cq, const struct CQ_Type *old)
{
    struct name_set before = { 0 };
    for (uint32_t i = 0; old != NULL && i < old->CQ_hostlist.n; i++)
        (void)name_set_add(&before, old->CQ_hostlist.v[i].ST_name);
    for (uint32_t i = 0; i < cq->CQ_hostlist.n; i++) {
        const char *host = cq->CQ_hostlist.v[i].ST_name;
        if (host[0] != '@' && hosts_find(&c->q->hosts, host) == NULL &&
            !name_set_has(&before, host))
            ans_add(&c->r->ans, STATUS_OK, ANSWER_QUALITY_WARNING, MSG_CONFIG_NO_EXEC_HOST_SS, host,
                    c->name);
    }
    name_set_free(&before);
}

/* does a host report RESOURCE, or has one or a queue an amount of it? True while no host reports
 * anything */
static bool is_measured(struct qmaster *q, const char *resource)
{
    const struct CE_Type *ce = complex_find(settings_complex(&q->settings), resource);
    bool is_any_here = false;
    if (ce == NULL || ce->CE_consumable != COMPLEX_CONSUMABLE_NO)
        return true;
    for (const struct host *h = q->hosts.all; h != NULL; h = h->hh.next) {
        if (host_load_value(&h->rec, ce->CE_name) != NULL)
            return true;
        is_any_here |= h->conn != 0 && h->rec.EH_load_list.n > 0;
    }
    return !is_any_here;
}

static bool warn_unmeasured(void *ctx, const struct reference *to)
{
    struct check *c = ctx;
    if (!is_measured(c->q, to->name))
        ans_add(&c->r->ans, STATUS_OK, ANSWER_QUALITY_WARNING, MSG_CONFIG_UNMEASURED_S, to->name);
    return true;
}

/* who sets a threshold on a value that nothing reports learns what follows from it */
static void warn_of_thresholds(struct check *c, const struct CQ_Type *cq, const struct CQ_Type *old)
{
    if (old != NULL && cull_field_equal(&cull_CQ_Type, old, cq, CQ_load_thresholds))
        return;
    const struct AT_Type_list *l = &cq->CQ_load_thresholds;
    for (uint32_t i = 0; i < l->n; i++)
        (void)attr_references("load_thresholds", l->v[i].AT_value, warn_unmeasured, c);
}

static bool is_another(void *ctx, const struct reference *to)
{
    const struct check *c = ctx;
    if (strcmp(to->name, c->name) == 0)
        (void)ans_fail(&c->r->ans, STATUS_ESEMANTIC, MSG_CONFIG_SUBORDINATE_ITSELF_S, c->name);
    return strcmp(to->name, c->name) != 0;
}

/* no queue is subordinate to itself */
static int check_subordinates(struct check *c, const struct CQ_Type *cq)
{
    const struct AT_Type_list *l = &cq->CQ_subordinate_list;
    for (uint32_t i = 0; i < l->n; i++)
        if (!attr_references("subordinate_list", l->v[i].AT_value, is_another, c))
            return -1;
    return 0;
}

int config_check_cqueue(struct qmaster *q, struct request *r, const struct CQ_Type *rec)
{
    struct check c = { q, r, rec->CQ_name, OBJECT_NONE };
    const struct cqueue *old = queues_cqueue(&q->queues, rec->CQ_name);
    for (uint32_t i = 0; i < rec->CQ_hostlist.n; i++)
        if (check_group(&c, "hostlist", rec->CQ_hostlist.v[i].ST_name) != 0)
            return -1;
    for (unsigned i = 0; i < cqueue_attrs_n; i++)
        if (check_settings(&c, rec, &cqueue_attrs[i]) != 0)
            return -1;
    if (check_subordinates(&c, rec) != 0)
        return -1;
    for (unsigned i = 0; i < cqueue_attrs_n; i++) {
        bool is_same =
            old != NULL && cull_field_equal(&cull_CQ_Type, &old->rec, rec, cqueue_attrs[i].field);
        if (!is_same && is_idle(rec, &cqueue_attrs[i]))
            warn_idle(&c, cqueue_attrs[i].rule.name);
    }
    warn_of_thresholds(&c, rec, old != NULL ? &old->rec : NULL);
    warn_of_hosts(&c, rec, old != NULL ? &old->rec : NULL);
    cqueue_warn_unknown(rec, old != NULL ? &old->rec : NULL, &r->ans);
    return 0;
}

/* ---- hosts ---- */
int config_check_host(struct qmaster *q, struct request *r, const struct EH_Type *rec)
{
    struct check c = { q, r, rec->EH_name, OBJECT_NONE };
    const struct host *old = hosts_find(&q->hosts, rec->EH_name);
    struct dstr value = DSTR_INIT, before = DSTR_INIT;
    struct host_attr_view attr, old_attr;
    int rc = 0;
    for (size_t i = 0; rc == 0 && host_attr(rec, i, &attr, &value); i++)
        rc = check_value(&c, attr.name, dstr_get(&value));
    for (size_t i = 0; rc == 0 && host_attr(rec, i, &attr, &value); i++) {
        bool is_same = old != NULL && host_attr(&old->rec, i, &old_attr, &before) &&
                       strcmp(dstr_get(&before), dstr_get(&value)) == 0;
        if (!is_same && attr.is_idle)
            warn_idle(&c, attr.name);
    }
    if (rc == 0)
        host_warn_unknown(rec, old != NULL ? &old->rec : NULL, &r->ans);
    dstr_free(&value);
    dstr_free(&before);
    return rc;
}

/* ---- configurations ---- */
int config_check_conf(struct qmaster *q, struct request *r, const struct CONF_Type *rec)
{
    struct check c = { q, r, rec->CONF_name, OBJECT_NONE };
    const struct conf *old = settings_conf(&q->settings, rec->CONF_name);
    const struct VA_Type_list *l = &rec->CONF_entries;
    if (device_variables_check(rec, task_is_system_variable, &r->ans) != 0)
        return -1;
    for (uint32_t i = 0; i < l->n; i++)
        if (sched_param_check(l->v[i].VA_variable, l->v[i].VA_value, settings_complex(&q->settings),
                              &r->ans) != 0)
            return -1;
    for (uint32_t i = 0; i < l->n; i++)
        if (conf_rule(l->v[i].VA_variable) != NULL &&
            check_value(&c, l->v[i].VA_variable, l->v[i].VA_value) != 0)
            return -1;
    for (uint32_t i = 0; i < l->n; i++) {
        const char *attr = l->v[i].VA_variable, *value = l->v[i].VA_value;
        bool is_same = old != NULL && strcmp(conf_get(NULL, &old->rec, attr), value) == 0;
        if (!is_same && conf_is_idle(attr, value))
            warn_idle(&c, attr);
    }
    conf_words_warn(rec, old != NULL ? &old->rec : NULL, &r->ans);
    return 0;
}

/* ---- the other kinds ---- */
static void warn_of_attrs(struct check *c, const struct object_rules *rules,
                          const struct TX_Type *rec, const struct text_object *old)
{
    for (unsigned i = 0; i < rules->attrs_n; i++) {
        const struct object_attr *attr = &rules->attrs[i];
        if (attr->effect == ATTR_IN_FORCE)
            continue;
        const char *value = object_value(rec, attr->rule.name),
                   *before = old != NULL ? object_value(&old->rec, attr->rule.name) : NULL;
        bool is_same = value == NULL || (before != NULL && strcmp(before, value) == 0);
        if (!is_same && attr_is_idle(&attr->rule, attr->effect, value))
            warn_idle(c, attr->rule.name);
    }
}

int config_check_object(struct qmaster *q, struct request *r, const struct TX_Type *rec,
                        const void *record)
{
    struct check c = { q, r, rec->TX_name, (enum object_kind)rec->TX_kind };
    const struct object_rules *rules = object_rules_of(c.own);
    if (rules == NULL)
        return 0;
    const struct text_object *old =
        settings_text(&q->settings, (enum gdi_target)rec->TX_kind, rec->TX_name);
    bool is_good = object_references(rules, rec, record, check_exists, &c);
    bool is_idle_kind = rules->effect == ATTR_STORED;
    if (is_good && is_idle_kind)
        ans_add(&r->ans, STATUS_OK, ANSWER_QUALITY_WARNING, MSG_CONFIG_KIND_IDLE_SS,
                rules->words.noun, rec->TX_name);
    if (is_good && !is_idle_kind)
        warn_of_attrs(&c, rules, rec, old);
    if (is_good)
        object_warn_unknown(rules, rec, old != NULL ? &old->rec : NULL, &r->ans);
    return is_good ? 0 : -1;
}

/* ---- references ---- */
/* Who names whom: an object that others name stays. A deletion looks at all objects whose
 * attributes may name one of its kind; that is a walk over queues, hosts and the like, and never
 * over jobs, which are counted (jobs.h). */
/* what is looked for */
struct search {
    struct qmaster *q;
    enum object_kind kind;
    const char *name;
};

static bool is_other(void *ctx, const struct reference *to)
{
    const struct search *s = ctx;
    return to->kind != s->kind || strcmp(to->name, s->name) != 0;
}

/* may a value of ATTR name one of the kind? Asked first, so that values of others are not read */
static bool attr_may_name_it(const struct search *s, const char *attr)
{
    const struct attr_reference *to = attr_reference_find(attr);
    return to != NULL && to->kind == s->kind;
}

static bool names_it(struct search *s, const char *attr, const char *value)
{
    return attr_may_name_it(s, attr) && !attr_references(attr, value, is_other, s);
}

/* what names only itself may go */
static bool is_itself(struct search *s, enum object_kind kind, const char *name)
{
    return kind == s->kind && strcmp(name, s->name) == 0;
}

static bool values_name_it(struct search *s, const struct AT_Type_list *l, const char *attr)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (names_it(s, attr, l->v[i].AT_value))
            return true;
    return false;
}

/* as the group whose hosts a setting is for */
static bool settings_are_for_it(const struct search *s, const struct AT_Type_list *l)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (strcmp(l->v[i].AT_href, s->name) == 0)
            return true;
    return false;
}

static const char *find_queue_with(struct search *s, const struct cqueue_attr *attr)
{
    bool is_group = s->kind == OBJECT_HOSTGROUP, may_name = attr_may_name_it(s, attr->rule.name);
    const struct cqueue *cq = is_group || may_name ? s->q->queues.cqueues : NULL;
    for (; cq != NULL; cq = cq->hh.next) {
        const struct AT_Type_list *l = cqueue_settings(&cq->rec, attr);
        if (is_itself(s, OBJECT_CQUEUE, cq->rec.CQ_name))
            continue;
        if ((is_group && settings_are_for_it(s, l)) ||
            (may_name && values_name_it(s, l, attr->rule.name)))
            return cq->rec.CQ_name;
    }
    return NULL;
}

static const char *find_queue_on(const struct search *s)
{
    const struct cqueue *cq = s->kind == OBJECT_HOSTGROUP ? s->q->queues.cqueues : NULL;
    for (; cq != NULL; cq = cq->hh.next)
        if (cull_find(&cull_ST_Type, &cq->rec.CQ_hostlist, s->name) != NULL)
            return cq->rec.CQ_name;
    return NULL;
}

static const char *find_queue(struct search *s)
{
    const char *found = find_queue_on(s);
    for (unsigned i = 0; found == NULL && i < cqueue_attrs_n; i++)
        found = find_queue_with(s, &cqueue_attrs[i]);
    return found;
}

/* in attribute I */
static const char *find_host_with(struct search *s, size_t i)
{
    struct dstr value = DSTR_INIT;
    struct host_attr_view attr;
    const char *found = NULL;
    for (const struct host *h = s->q->hosts.all; h != NULL && found == NULL; h = h->hh.next)
        if (host_attr(&h->rec, i, &attr, &value) && names_it(s, attr.name, dstr_get(&value)))
            found = h->rec.EH_name;
    dstr_free(&value);
    return found;
}

static const char *find_host(struct search *s)
{
    const char *attr, *found = NULL;
    for (size_t i = 0; found == NULL && (attr = host_attr_name(i)) != NULL; i++)
        if (attr_may_name_it(s, attr))
            found = find_host_with(s, i);
    return found;
}

static bool entries_name_it(struct search *s, const struct VA_Type_list *l)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (conf_rule(l->v[i].VA_variable) != NULL &&
            names_it(s, l->v[i].VA_variable, l->v[i].VA_value))
            return true;
    return false;
}

static const char *find_conf(struct search *s)
{
    for (const struct conf *c = s->q->settings.confs; c != NULL; c = c->hh.next)
        if (entries_name_it(s, &c->rec.CONF_entries))
            return c->rec.CONF_name;
    return NULL;
}

static bool kind_may_name_it(struct search *s, const struct object_rules *rules)
{
    if (rules->own->references != NULL)
        return true;
    for (unsigned i = 0; i < rules->attrs_n; i++) {
        const struct attr_reference *to = attr_reference_find(rules->attrs[i].rule.name);
        if (to != NULL && to->kind == s->kind)
            return true;
    }
    return false;
}

static const char *find_object(struct search *s, const struct object_rules *rules)
{
    const struct text_object *t = s->q->settings.texts[rules->kind];
    for (; t != NULL; t = t->hh.next)
        if (!object_references(rules, &t->rec, t->record, is_other, s))
            return t->rec.TX_name;
    return NULL;
}

/* the first that names it; NOUN becomes what it is */
static const char *find_any(struct search *s, const char **noun)
{
    static const struct {
        const char *noun;
        const char *(*find)(struct search *s);
    } others[] = {
        { "queue", find_queue },
        { "exechost", find_host },
        { "configuration", find_conf },
    };
    const struct object_rules *rules;
    const char *found = NULL;
    for (size_t i = 0; found == NULL && i < ARRAY_LEN(others); i++) {
        *noun = others[i].noun;
        found = others[i].find(s);
    }
    for (unsigned i = 0; found == NULL && (rules = object_rules_at(i)) != NULL; i++) {
        *noun = rules->words.noun;
        if (kind_may_name_it(s, rules))
            found = find_object(s, rules);
    }
    return found;
}

/* is WANTED, which jobs request, a pattern that nothing else matches? */
static bool is_last_match(void *ctx, const char *wanted)
{
    const struct search *s = ctx;
    const struct text_object *t = s->q->settings.texts[s->kind];
    if (!pattern_is_wild(wanted) || !pattern_match(wanted, s->name))
        return false;
    while (t != NULL &&
           (strcmp(t->rec.TX_name, s->name) == 0 || !pattern_match(wanted, t->rec.TX_name)))
        t = t->hh.next;
    return t == NULL;
}

/* is no job of the table to have it? What a job requests is there as long as the job: that one, or
 * of a pattern one that matches. Only parallel environments are requested by patterns. */
static bool no_job_names(struct search *s, struct request *r)
{
    const struct job_names *names = &s->q->jobs.names;
    const char *mine = config_noun(r);
    uint64_t n = job_names_count(names, s->kind, s->name);
    if (s->kind == OBJECT_PE)
        n += job_names_count_if(names, s->kind, is_last_match, s);
    if (n > 0)
        ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_CONFIG_REQUESTED_CSSUS,
                toupper((unsigned char)mine[0]), mine + 1, s->name, n, n == 1 ? "" : "s");
    return n == 0;
}

/* is no task in it, whatever its job asks for by now? */
static bool no_task_has(struct search *s, struct request *r)
{
    const struct text_object *t =
        s->kind == OBJECT_PE ? settings_text(&s->q->settings, GDI_PE, s->name) : NULL;
    for (const struct ar *ar = s->q->ars.all; t != NULL && ar != NULL; ar = ar->hh.next)
        if (ar->pe == t) {
            ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_PE_RESERVED_SU, s->name,
                    ar->rec.AR_id);
            return false;
        }
    uint64_t used = t != NULL ? supply_booked(t->slots, RESOURCE_SLOTS) : 0;
    if (used == 0)
        return true;
    ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_PE_IN_USE_SU, s->name, used);
    return false;
}

/* BY, a NOUN, names it: in the words that scripts match */
static void say_referenced(const struct search *s, struct request *r, const char *noun,
                           const char *by)
{
    const char *mine = s->kind == OBJECT_CKPT ? "ckpt" : config_noun(r);
    bool has_dot = s->kind == OBJECT_CKPT || s->kind == OBJECT_PE;
    if (s->kind == OBJECT_CQUEUE)
        ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_CONFIG_SUBORDINATE_SS, s->name,
                by);
    else if (strcmp(noun, object_rules_of(OBJECT_SHARETREE)->words.noun) == 0)
        ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_CONFIG_IN_SHARES_SS, mine,
                s->name);
    else
        ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_CONFIG_REFERENCED_CSSSSS,
                toupper((unsigned char)mine[0]), mine + 1, s->name, noun, by, has_dot ? "." : "");
}

bool config_is_free(struct qmaster *q, struct request *r, const char *name)
{
    struct search s = { q, (enum object_kind)r->gr.GR_target, name };
    const char *noun, *by = find_any(&s, &noun);
    if (by == NULL && s.kind == OBJECT_COMPLEX) {
        s.name = complex_find(settings_complex(&q->settings), name)->CE_shortcut;
        by = find_any(&s, &noun);
    }
    s.name = name;
    if (by != NULL)
        say_referenced(&s, r, noun, by);
    return by == NULL && no_job_names(&s, r) && no_task_has(&s, r);
}
