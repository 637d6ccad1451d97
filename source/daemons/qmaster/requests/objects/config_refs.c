/* Who names whom: an object that others name stays. A deletion looks at all objects whose
 * attributes may name one of its kind; that is a walk over queues, hosts and the like, and never
 * over jobs, which are counted (job_names.h). */
#include "daemons/qmaster/requests/objects/config.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "libs/config/complex.h"
#include "libs/config/conf.h"
#include "libs/config/cqueue.h"
#include "libs/config/host.h"
#include "libs/config/object.h"
#include "libs/config/reference.h"
#include "libs/uti/dstr.h"
#include "libs/uti/pattern.h"

/* what somebody is looking for */
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
