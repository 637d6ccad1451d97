/* Resolving the words of a dependency list. First the words that say where to look, ids and names;
 * then, if there are patterns, one walk over the names of the owner's jobs, each held against all
 * patterns: the cost is words + names + jobs found. The request means jobs that were there when it
 * came; those that go before it is through are not waited for. */
#include "daemons/qmaster/jobs/depend_words.h"

#include <stdlib.h>

#include "daemons/qmaster/jobs/msg_jobs.h"
#include "libs/uti/parse.h"
#include "libs/uti/pattern.h"

enum { LOOK_AT_CLOCK = 64 /* after so many things */, IDLE_BYTES_MOST = 1000 };
_Static_assert(DEPEND_PATTERNS_MOST <= 64, "each has a bit");

bool depend_step_is_over(const struct qmaster *q, uint32_t *work)
{
    if (*work >= DEPEND_STEP_WORK)
        return true;
    return ++*work % LOOK_AT_CLOCK == 0 && slice_is_over(q);
}

void depend_words_begin(struct depend_words *w, const struct qmaster *q, const char *owner,
                        uint32_t self)
{
    *w = (struct depend_words){ .owner = owner, .self = self, .n_added = q->jobs.n_added };
}

static void match_number(struct depend_words *w, uint32_t word, uint32_t number)
{
    if (range_set_has(&w->numbers, number)) {
        /* WORD means job NUMBER, which was found before: the first of them counts */
        for (uint32_t i = 0; w->n_few <= LINKS_FEW && i < w->n_few; i++)
            if (w->few[i].number == number && w->few[i].word > word)
                w->few[i].word = word;
        return;
    }
    range_set_add(&w->numbers, number, number);
    if (w->n_few < LINKS_FEW)
        w->few[w->n_few] = (struct word_match){ word, number };
    if (w->n_few <= LINKS_FEW)
        w->n_few++;
}

/* ---- words that say where to look ---- */
static int match_id(struct depend_words *w, struct qmaster *q, uint32_t id, struct answer *ans)
{
    const struct job *job = jobs_find(&q->jobs, id);
    if (id == w->self)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_JOB_OWN_PREDECESSOR_U, id);
    if (job != NULL && job->serial < w->n_added)
        match_number(w, w->at, id);
    else
        dstr_addf(&w->exited, "%s%u", w->exited.len > 0 ? "," : "", id);
    return 0;
}

static bool is_task_of_job(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    return digits > 0 && name[digits] == '.' &&
           name[digits + 1 + strspn(name + digits + 1, "0123456789-:")] == '\0';
}

/* a name that means nothing, which is said; a long list of them is cut */
static void note_idle(struct depend_words *w, const char *word)
{
    static const char more[] = " ...";
    bool is_cut = w->idle.len > sizeof more && strcmp(w->idle.s + w->idle.len - 4, more) == 0;
    if (w->idle.len < IDLE_BYTES_MOST)
        dstr_addf(&w->idle, "%s\"%s\"", w->idle.len > 0 ? ", " : "", word);
    else if (!is_cut)
        dstr_add(&w->idle, more);
}

/* the jobs of the name that the walk is at, which WORD means; true: all of them */
static bool match_jobs(struct depend_words *w, struct qmaster *q, uint32_t word, uint32_t *work)
{
    const struct named_jobs *named = w->walk.named;
    while (w->walk.job != NULL && w->walk.named == named) {
        if (depend_step_is_over(q, work))
            return false;
        const struct job *job = name_walk_job(&w->walk);
        if (job->serial >= w->n_added || job->rec.JB_job_number == w->self)
            continue;
        match_number(w, word, job->rec.JB_job_number);
        w->is_found = true;
        w->found |= w->matched;
    }
    return true;
}

static int match_name(struct depend_words *w, struct qmaster *q, const char *name, uint32_t *work)
{
    if (w->walk.jobs == NULL) {
        w->is_found = false;
        name_walk_begin(&w->walk, &q->jobs, w->owner, name);
        if (w->walk.named != NULL)
            name_walk_into(&w->walk);
    }
    if (!match_jobs(w, q, w->at, work))
        return 1;
    name_walk_end(&w->walk);
    if (!w->is_found)
        note_idle(w, name);
    return 0;
}

static uint32_t id_of(const struct JRE_Type *word)
{
    uint32_t id = word->JRE_job_number;
    if (id == 0 && word->JRE_job_name != NULL && !parse_u32(word->JRE_job_name, &id))
        id = 0;
    return id;
}

static int match_word(struct depend_words *w, struct qmaster *q, const struct JRE_Type *word,
                      uint32_t *work, struct answer *ans)
{
    const char *name = word->JRE_job_name;
    uint32_t id = id_of(word);
    if (id != 0)
        return match_id(w, q, id, ans);
    if (name == NULL)
        return 0;
    if (is_task_of_job(name))
        return ans_fail(ans, STATUS_EUNKNOWN, MSG_JOB_NOT_FOUND_S, name);
    if (!pattern_is_wild(name))
        return match_name(w, q, name, work);
    if (++w->n_patterns > DEPEND_PATTERNS_MOST)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_DEPEND_PATTERNS_U,
                        (unsigned)DEPEND_PATTERNS_MOST);
    return 0;
}

/* ---- patterns ---- */
/* the pattern in ENTRY; NULL: it has none */
static const char *pattern_in(const struct JRE_Type *entry)
{
    const char *name = entry->JRE_job_name;
    return name != NULL && id_of(entry) == 0 && pattern_is_wild(name) ? name : NULL;
}

/* the first pattern of WANTED that means NAME; wanted->n: none does. Those of which it is not known
 * yet whether they mean a job are held against it, too. */
static uint32_t pattern_for(struct depend_words *w, const struct JRE_Type_list *wanted,
                            const char *name)
{
    uint32_t first = wanted->n;
    uint64_t bit = 1;
    w->matched = 0;
    for (uint32_t i = 0; i < wanted->n; i++) {
        const char *pattern = pattern_in(&wanted->v[i]);
        if (pattern == NULL)
            continue;
        if ((first == wanted->n || (w->found & bit) == 0) && pattern_match(pattern, name)) {
            first = first == wanted->n ? i : first;
            w->matched |= bit;
        }
        bit <<= 1;
    }
    return first;
}

static void note_idle_patterns(struct depend_words *w, const struct JRE_Type_list *wanted)
{
    uint64_t bit = 1;
    for (uint32_t i = 0; i < wanted->n; i++) {
        const char *pattern = pattern_in(&wanted->v[i]);
        if (pattern == NULL)
            continue;
        if ((w->found & bit) == 0)
            note_idle(w, pattern);
        bit <<= 1;
    }
}

static int match_patterns(struct depend_words *w, struct qmaster *q,
                          const struct JRE_Type_list *wanted, uint32_t *work)
{
    if (w->walk.jobs == NULL)
        name_walk_begin(&w->walk, &q->jobs, w->owner, NULL);
    while (w->walk.named != NULL) {
        if (depend_step_is_over(q, work))
            return 1;
        uint32_t word = pattern_for(w, wanted, w->walk.named->name);
        if (word == wanted->n) {
            name_walk_pass(&w->walk);
            continue;
        }
        if (w->walk.job == NULL)
            name_walk_into(&w->walk);
        if (!match_jobs(w, q, word, work))
            return 1;
    }
    name_walk_end(&w->walk);
    note_idle_patterns(w, wanted);
    return 0;
}

/* ---- all of it ---- */
int depend_words_step(struct depend_words *w, struct qmaster *q, const struct JRE_Type_list *wanted,
                      uint32_t *work, struct answer *ans)
{
    for (; w->at < wanted->n; w->at++) {
        if (depend_step_is_over(q, work))
            return 1;
        int rc = match_word(w, q, &wanted->v[w->at], work, ans);
        if (rc != 0)
            return rc;
    }
    return w->n_patterns > 0 ? match_patterns(w, q, wanted, work) : 0;
}

static int by_word(const void *a, const void *b)
{
    const struct word_match *x = a, *y = b;
    if (x->word != y->word)
        return x->word < y->word ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

uint64_t depend_words_found(struct depend_words *w)
{
    if (w->n_few > LINKS_FEW)
        return range_set_count(&w->numbers);
    if (w->n_few > 1)
        qsort(w->few, w->n_few, sizeof *w->few, by_word);
    return w->n_few;
}

void depend_words_free(struct depend_words *w)
{
    range_set_free(&w->numbers);
    dstr_free(&w->exited);
    dstr_free(&w->idle);
    name_walk_end(&w->walk);
}
