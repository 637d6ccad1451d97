/* Which records count. Names may be patterns, as sge_types(1) has them. */
#include <stdlib.h>
#include <string.h>

#include "clients/qacct/qacct.h"
#include "libs/uti/parse.h"

static bool matches(const char *pattern, const char *value)
{
    return pattern == NULL || (value != NULL && pattern_match(pattern, value));
}

/* "queue", "queue@host" or patterns of them */
static bool queue_matches(const char *wanted, const struct accounting *a)
{
    const char *at = wanted != NULL ? strchr(wanted, '@') : NULL;
    if (at == NULL)
        return matches(wanted, a->qname);
    size_t len = (size_t)(at - wanted);
    char name[256];
    if (len >= sizeof name)
        return false;
    memcpy(name, wanted, len);
    name[len] = '\0';
    return matches(name, a->qname) && matches(at + 1, a->hostname);
}

static bool slots_match(const char *wanted, uint32_t slots)
{
    uint32_t number;
    return wanted == NULL || (parse_u32(wanted, &number) && number == slots);
}

static bool job_matches(const struct qacct_options *o, const struct accounting *a)
{
    uint32_t number;
    if (o->job == NULL)
        return true;
    if (parse_u32(o->job, &number) ? number != a->job_number : !matches(o->job, a->job_name))
        return false;
    if (!o->has_tasks)
        return true;
    return a->task_number >= o->tasks.first && a->task_number <= o->tasks.last &&
           (a->task_number - o->tasks.first) % (o->tasks.step > 0 ? o->tasks.step : 1) == 0;
}

static bool time_matches(const struct qacct_options *o, const struct accounting *a)
{
    uint64_t at_s = o->by_end ? a->end_time : a->start_time;
    return at_s >= o->begin_s && (o->end_s == 0 || at_s <= o->end_s);
}

bool qacct_wants(const struct qacct_options *o, const struct accounting *a)
{
    return job_matches(o, a) && time_matches(o, a) && queue_matches(o->only[GROUP_QUEUE], a) &&
           matches(o->only[GROUP_HOST], a->hostname) && matches(o->only[GROUP_GROUP], a->group) &&
           matches(o->only[GROUP_OWNER], a->owner) && matches(o->only[GROUP_PROJECT], a->project) &&
           matches(o->only[GROUP_DEPARTMENT], a->department) &&
           matches(o->only[GROUP_PE], a->granted_pe) &&
           slots_match(o->only[GROUP_SLOTS], a->slots) &&
           matches(o->only[GROUP_ACCOUNT], a->account);
}

/* The number of the job is the sixth field. */
bool qacct_may_want(const struct qacct_options *o, const char *line)
{
    uint32_t number;
    if (o->job == NULL || !parse_u32(o->job, &number))
        return true;
    for (int i = 0; i < 5; i++) {
        line = strchr(line, ':');
        if (line == NULL)
            return true; /* whatever it is, it is not passed over unseen */
        line++;
    }
    size_t len = strlen(o->job);
    return strncmp(line, o->job, len) == 0 && line[len] == ':';
}
