/* Is there a queue that a wc_queue of -q means? A cell may have 100,000 instances, and anybody may
 * ask: the search goes over cluster queues and hosts apart, looks an instance up where both match,
 * and counts what it compares. It changes nothing. */
#include "daemons/qmaster/requests/explain/queue_known.h"

#include "daemons/qmaster/tables/hosts.h"
#include "libs/sgeobj/queue_match.h"
#include "libs/uti/dstr.h"
#include "libs/uti/host_name.h"
#include "libs/uti/pattern.h"

struct search {
    struct qmaster *q;
    const char *queue, *host; /* the parts before and after the first `@`; groups keep their `@` */
    struct dstr name;         /* of the instance looked up last */
    uint32_t *work;
};

static bool is_spent(const struct search *s)
{
    return *s->work >= QUEUE_SEARCH_MOST;
}

static bool matches_name(struct search *s, const char *pattern, const char *name)
{
    *s->work += (uint32_t)(strlen(pattern) + strlen(name));
    return pattern_match(pattern, name);
}

static bool matches_host(struct search *s, const char *name)
{
    *s->work += (uint32_t)(strlen(s->host) + strlen(name));
    return host_name_matches(s->host, name);
}

static bool some_cqueue_matches(struct search *s)
{
    if (!pattern_is_wild(s->queue))
        return queues_cqueue(&s->q->queues, s->queue) != NULL;
    for (const struct cqueue *cq = s->q->queues.cqueues; cq != NULL; cq = cq->hh.next)
        if (is_spent(s) || matches_name(s, s->queue, cq->rec.CQ_name))
            return true;
    return false;
}

/* are host groups asked for? Then it takes an instance to say whether its host is meant. */
static bool concerns_groups(const struct search *s)
{
    return strchr(s->host, '@') != NULL;
}

static bool is_host_meant(struct search *s, const struct qinstance *qi)
{
    const struct ST_Type_list *groups = &qi->rec.QU_hostgroups;
    for (uint32_t i = 0; i < groups->n; i++)
        *s->work += (uint32_t)strlen(s->host) +
                    (groups->v[i].ST_name != NULL ? (uint32_t)strlen(groups->v[i].ST_name) : 0);
    return queue_host_match(s->host, qi->rec.QU_qhostname, groups);
}

/* is CQUEUE on HOST, and HOST in the groups that are asked for, if any are? */
static bool is_on(struct search *s, const char *cqueue, const char *host)
{
    dstr_clear(&s->name);
    dstr_addf(&s->name, "%s@%s", cqueue, host);
    *s->work += (uint32_t)s->name.len;
    const struct qinstance *qi = queues_instance(&s->q->queues, dstr_get(&s->name));
    return qi != NULL && (!concerns_groups(s) || is_host_meant(s, qi));
}

static bool some_cqueue_is_on(struct search *s, const char *host)
{
    if (!pattern_is_wild(s->queue))
        return is_on(s, s->queue, host);
    for (const struct cqueue *cq = s->q->queues.cqueues; cq != NULL; cq = cq->hh.next)
        if (is_spent(s) ||
            (matches_name(s, s->queue, cq->rec.CQ_name) && is_on(s, cq->rec.CQ_name, host)))
            return true;
    return false;
}

static bool some_instance_matches(struct search *s)
{
    bool is_group = concerns_groups(s);
    if (!is_group && !pattern_is_wild(s->host))
        return some_cqueue_is_on(s, s->host);
    for (const struct host *h = s->q->hosts.all; h != NULL; h = h->hh.next)
        if (is_spent(s) ||
            ((is_group || matches_host(s, h->rec.EH_name)) && some_cqueue_is_on(s, h->rec.EH_name)))
            return true;
    return false;
}

bool queue_is_known(struct qmaster *q, const char *wc_queue, uint32_t *work)
{
    const char *at = strchr(wc_queue, '@');
    struct dstr queue = DSTR_INIT;
    dstr_addn(&queue, wc_queue, at != NULL ? (size_t)(at - wc_queue) : strlen(wc_queue));
    struct search s = {
        .q = q, .queue = dstr_get(&queue), .host = at != NULL ? at + 1 : NULL, .work = work
    };
    char host[HOST_NAME_BYTES];
    if (s.host != NULL && !concerns_groups(&s) && !pattern_is_wild(s.host))
        s.host = host_name_known(&q->hosts, &q->settings, s.host, host);
    bool is_known = some_cqueue_matches(&s) && (s.host == NULL || some_instance_matches(&s));
    dstr_free(&s.name);
    dstr_free(&queue);
    return is_known;
}
