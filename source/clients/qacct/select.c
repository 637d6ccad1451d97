/* Which records count. Names may be patterns, as sge_types(1) has them. */
#include <stdlib.h>
#include <string.h>

#include "clients/qacct/qacct.h"
#include "libs/config/quantity.h"
#include "libs/uti/pattern.h"

static bool matches_pattern(const char *pattern, const char *value)
{
    return pattern == NULL || (value != NULL && pattern_match(pattern, value));
}

/* "queue", "queue@host" or patterns of them */
static bool queue_matches(const char *wanted, const struct accounting *a)
{
    const char *at = wanted != NULL ? strchr(wanted, '@') : NULL;
    if (at == NULL)
        return matches_pattern(wanted, a->qname);
    size_t len = (size_t)(at - wanted);
    char name[256];
    if (len >= sizeof name)
        return false;
    memcpy(name, wanted, len);
    name[len] = '\0';
    return matches_pattern(name, a->qname) && matches_pattern(at + 1, a->hostname);
}

static bool slots_match(const char *wanted, uint32_t slots)
{
    uint32_t number;
    return wanted == NULL || (quantity_count_parse(wanted, &number) && number == slots);
}

bool job_word_matches(const struct job_word *word, const struct accounting *a)
{
    return word->is_number ? word->number == a->job_number
                           : matches_pattern(word->text, a->job_name);
}

static bool some_word_matches(const struct qacct_options *o, const struct accounting *a)
{
    for (uint32_t i = 0; i < o->n_jobs; i++)
        if (job_word_matches(&o->jobs[i], a))
            return true;
    return o->n_jobs == 0;
}

static bool job_matches(const struct qacct_options *o, const struct accounting *a)
{
    if (!some_word_matches(o, a))
        return false;
    if (o->tasks == NULL)
        return true;
    return a->task_number >= o->range.first && a->task_number <= o->range.last &&
           (a->task_number - o->range.first) % o->range.step == 0;
}

static bool time_matches(const struct qacct_options *o, const struct accounting *a)
{
    uint64_t at_s = o->by_end ? a->end_time : a->start_time;
    return at_s >= o->begin_s && (o->end_s == 0 || at_s <= o->end_s);
}

bool qacct_wants(const struct qacct_options *o, const struct accounting *a)
{
    return job_matches(o, a) && time_matches(o, a) && queue_matches(o->only[GROUP_QUEUE], a) &&
           matches_pattern(o->only[GROUP_HOST], a->hostname) &&
           matches_pattern(o->only[GROUP_GROUP], a->group) &&
           matches_pattern(o->only[GROUP_OWNER], a->owner) &&
           matches_pattern(o->only[GROUP_PROJECT], a->project) &&
           matches_pattern(o->only[GROUP_DEPARTMENT], a->department) &&
           matches_pattern(o->only[GROUP_PE], a->granted_pe) &&
           slots_match(o->only[GROUP_SLOTS], a->slots) &&
           matches_pattern(o->only[GROUP_ACCOUNT], a->account);
}

/* The number of the job is the sixth field. Whatever may have a name that is asked for, or is no
 * record, is not passed over unseen. */
bool qacct_may_want(const struct qacct_options *o, const char *line)
{
    for (int i = 0; i < 5 && o->n_jobs > 0; i++) {
        line = strchr(line, ':');
        if (line == NULL)
            return true;
        line++;
    }
    for (uint32_t i = 0; i < o->n_jobs; i++)
        if (!o->jobs[i].is_number || strtoul(line, NULL, 10) == o->jobs[i].number)
            return true;
    return o->n_jobs == 0;
}
