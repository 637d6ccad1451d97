/* Following dependencies. A job knows those before it alone, so what comes behind is found by
 * looking at all jobs; in the order of their numbers one look finds a whole chain. */
#include "libs/view/pipeline.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/parse.h"

enum { PASSES_MOST = 64 };

struct search {
    const struct board *board;
    struct range_set found;         /* numbers */
    uint32_t order[PIPELINE_MOST];  /* the same as they were found */
    uint32_t n, followed;           /* of `order`: whose predecessors are there, too */
    bool wants_before, wants_after; /* where to look */
};

static void add_number(struct search *s, uint32_t number)
{
    if (s->n >= PIPELINE_MOST || range_set_has(&s->found, number) ||
        board_job(s->board, number) == NULL)
        return;
    range_set_add(&s->found, number, number);
    s->order[s->n++] = number;
}

static void add_list(struct search *s, const struct JRE_Type_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        add_number(s, list->v[i].JRE_job_number);
}

static bool names_found(const struct search *s, const struct JRE_Type_list *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (range_set_has(&s->found, list->v[i].JRE_job_number))
            return true;
    return false;
}

static void look_before(struct search *s)
{
    while (s->followed < s->n) {
        const struct JB_Type *rec = &board_job(s->board, s->order[s->followed++])->rec;
        add_list(s, &rec->JB_jid_predecessor_list);
        add_list(s, &rec->JB_ja_ad_predecessor_list);
    }
}

static void look_behind(struct search *s)
{
    for (const struct board_job *job = board_first(s->board); job != NULL; job = board_next(job))
        if (names_found(s, &job->rec.JB_jid_predecessor_list) ||
            names_found(s, &job->rec.JB_ja_ad_predecessor_list))
            add_number(s, job->rec.JB_job_number);
}

/* those before the jobs that were found, and those that name one of them; true if there are more */
static bool look_around(struct search *s)
{
    uint32_t before = s->n;
    if (s->wants_before)
        look_before(s);
    if (s->wants_after)
        look_behind(s);
    return s->n > before;
}

static void search_jobs(struct search *s, const struct range_set *start)
{
    struct range run;
    for (uint64_t at = 0; s->n < PIPELINE_MOST && range_set_next_run(start, at, &run);
         at = (uint64_t)run.last + 1)
        for (uint64_t n = run.first; n <= run.last && s->n < PIPELINE_MOST; n++)
            add_number(s, (uint32_t)n);
    for (int pass = 0; pass < PASSES_MOST && look_around(s); pass++) {
    }
}

/* ---- in which order ---- */

static uint32_t depth_behind(const struct pipeline *p, const uint32_t *depth,
                             const struct JRE_Type_list *list)
{
    uint32_t most = 0;
    for (uint32_t k = 0; k < list->n; k++)
        for (uint32_t i = 0; i < p->n; i++)
            if (p->stages[i]->rec.JB_job_number == list->v[k].JRE_job_number && depth[i] + 1 > most)
                most = depth[i] + 1;
    return most;
}

static void swap_stages(struct pipeline *p, uint32_t *depth, uint32_t a, uint32_t b)
{
    struct board_job *job = p->stages[a];
    uint32_t d = depth[a];
    p->stages[a] = p->stages[b];
    depth[a] = depth[b];
    p->stages[b] = job;
    depth[b] = d;
}

/* jobs come by number: each gets its depth from those before it, and goes up to its like */
static void order_stages(struct pipeline *p)
{
    uint32_t *depth = uti_calloc(p->n + 1, sizeof *depth);
    for (uint32_t i = 0; i < p->n; i++) {
        const struct JB_Type *rec = &p->stages[i]->rec;
        uint32_t a = depth_behind(p, depth, &rec->JB_jid_predecessor_list);
        uint32_t b = depth_behind(p, depth, &rec->JB_ja_ad_predecessor_list);
        depth[i] = a > b ? a : b;
        for (uint32_t k = i; k > 0 && depth[k - 1] > depth[k]; k--)
            swap_stages(p, depth, k - 1, k);
    }
    free(depth);
}

static void take_stages(const struct search *s, struct pipeline *out)
{
    struct range run;
    for (uint64_t at = 0; range_set_next_run(&s->found, at, &run); at = (uint64_t)run.last + 1)
        for (uint64_t n = run.first; n <= run.last; n++) {
            out->stages = uti_vec_grow(out->stages, &out->cap, out->n + 1, sizeof *out->stages);
            out->stages[out->n++] = board_job(s->board, (uint32_t)n);
        }
}

void pipeline_find(const struct board *b, const struct range_set *start, struct pipeline *out)
{
    struct search s = { .board = b, .wants_before = true, .wants_after = true };
    search_jobs(&s, start);
    out->n = 0;
    take_stages(&s, out);
    order_stages(out);
    range_set_free(&s.found);
}

static bool read_after(const char *word, const char *prefix, uint32_t *number)
{
    size_t length = strlen(prefix);
    return strncmp(word, prefix, length) == 0 && parse_u32(word + length, number);
}

bool pipeline_wish_read(const char *word, struct pipeline_wish *out)
{
    bool is_with = read_after(word, "with:", &out->number);
    out->wants_before = is_with || read_after(word, "before:", &out->number);
    out->wants_after = is_with || read_after(word, "after:", &out->number);
    return out->wants_before || out->wants_after;
}

void pipeline_numbers(const struct board *b, const struct pipeline_wish *wish,
                      struct range_set *out)
{
    struct search s = { .board = b,
                        .wants_before = wish->wants_before,
                        .wants_after = wish->wants_after };
    struct range_set start = { 0 };
    range_set_add(&start, wish->number, wish->number);
    search_jobs(&s, &start);
    range_set_move(out, &s.found);
    if (!wish->wants_before || !wish->wants_after)
        range_set_remove(out, wish->number, wish->number);
    range_set_free(&start);
}

void pipeline_free(struct pipeline *p)
{
    free(p->stages);
    *p = (struct pipeline){ 0 };
}

bool job_has_predecessors(const struct board_job *job)
{
    return job->rec.JB_jid_predecessor_list.n > 0 || job->rec.JB_ja_ad_predecessor_list.n > 0;
}

bool job_array_waits(const struct board_job *job, uint32_t number)
{
    const struct JRE_Type_list *list = &job->rec.JB_ja_ad_predecessor_list;
    for (uint32_t i = 0; i < list->n; i++)
        if (list->v[i].JRE_job_number == number)
            return true;
    return false;
}
