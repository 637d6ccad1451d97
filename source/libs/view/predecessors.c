/* Jobs to wait for, and which tasks wait for which. Owns no data. */
#include "libs/view/predecessors.h"

#include <stdlib.h>
#include <string.h>

#include "libs/sgeobj/job_state.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"
#include "libs/uti/pattern.h"
#include "libs/view/msg_view.h"

/* ---- words and jobs ---- */

static const char *name_of(const struct board_job *job)
{
    return job->rec.JB_job_name != NULL ? job->rec.JB_job_name : "";
}

static bool is_meant(const struct board_job *job, const char *word)
{
    uint32_t number;
    if (parse_u32(word, &number))
        return job->rec.JB_job_number == number;
    return pattern_check(word, NULL) == 0 && pattern_match(word, name_of(job));
}

/* What is wrong with waiting for JOB? */
static bool job_why_not(const struct board_job *job, const struct ja_shape *array, struct dstr *why)
{
    uint32_t number = job->rec.JB_job_number;
    struct ja_shape shape = ja_shape_of(&job->rec);
    if (job->is_over)
        dstr_addf(why, MSG_HOLD_OVER_US, number, name_of(job));
    else if (array != NULL && (job->rec.JB_type & JOB_TYPE_ARRAY) == 0)
        dstr_addf(why, MSG_HOLD_NO_ARRAY_US, number, name_of(job));
    else if (array != NULL && !ja_same_range(&shape, array))
        dstr_addf(why, MSG_HOLD_RANGE_USUUUU, number, name_of(job), shape.first, shape.last,
                  array->first, array->last);
    return why->len > 0;
}

static bool word_why_not(const struct board *b, const char *word, const struct ja_shape *array,
                         struct dstr *why)
{
    uint32_t number, n = 0;
    if (parse_u32(word, &number)) {
        const struct board_job *job = board_job(b, number);
        if (job == NULL)
            dstr_addf(why, MSG_HOLD_NO_JOB_U, number);
        return job == NULL || job_why_not(job, array, why);
    }
    for (const struct board_job *job = board_first(b); job != NULL; job = board_next(job)) {
        if (job->is_over || !is_meant(job, word))
            continue;
        n++;
        if (job_why_not(job, array, why))
            return true;
    }
    if (n == 0)
        dstr_addf(why, MSG_HOLD_NO_NAME_S, word);
    return n == 0;
}

bool predecessors_why_not(const struct board *b, const char *list, const struct ja_shape *array,
                          struct dstr *why)
{
    struct list_reader r = list_reader_over_names(list);
    struct dstr word = DSTR_INIT;
    bool is_wrong = false;
    while (!is_wrong && list_next(&r, &word))
        is_wrong = word_why_not(b, dstr_get(&word), array, why);
    dstr_free(&word);
    return is_wrong;
}

bool predecessors_first(const struct board *b, const char *list, struct ja_shape *out)
{
    struct list_reader r = list_reader_over_names(list);
    struct dstr word = DSTR_INIT;
    const struct board_job *job = NULL;
    if (list_next(&r, &word))
        for (job = board_first(b);
             job != NULL && (job->is_over || !is_meant(job, dstr_get(&word)));)
            job = board_next(job);
    dstr_free(&word);
    if (job == NULL || (job->rec.JB_type & JOB_TYPE_ARRAY) == 0)
        return false;
    *out = ja_shape_of(&job->rec);
    return true;
}

/* ---- completion ---- */

static const char *last_word(const char *list)
{
    const char *comma = strrchr(list, ',');
    const char *word = comma != NULL ? comma + 1 : list;
    return word + strspn(word, " \t");
}

static bool begins_with(const struct board_job *job, const char *word)
{
    struct dstr number = DSTR_INIT;
    size_t length = strlen(word);
    dstr_addf(&number, "%u", job->rec.JB_job_number);
    bool begins =
        strncmp(dstr_get(&number), word, length) == 0 || strncmp(name_of(job), word, length) == 0;
    dstr_free(&number);
    return begins;
}

static bool is_of(const struct board_job *job, const char *owner)
{
    return owner == NULL || (job->rec.JB_owner != NULL && strcmp(job->rec.JB_owner, owner) == 0);
}

static int newest_first(const void *a, const void *b)
{
    const struct board_job *x = *(const struct board_job *const *)a;
    const struct board_job *y = *(const struct board_job *const *)b;
    return (x->rec.JB_job_number < y->rec.JB_job_number) -
           (x->rec.JB_job_number > y->rec.JB_job_number);
}

void predecessors_complete(const struct board *b, const char *list, const char *owner,
                           uint32_t most, struct dstr *out)
{
    const struct board_job **found = NULL;
    uint32_t n = 0, cap = 0;
    const char *word = last_word(list);
    for (const struct board_job *job = board_first(b); job != NULL; job = board_next(job)) {
        if (job->is_over || !is_of(job, owner) || !begins_with(job, word))
            continue;
        found = uti_vec_grow(found, &cap, n + 1, sizeof *found);
        found[n++] = job;
    }
    if (n > 1)
        qsort(found, n, sizeof *found, newest_first);
    for (uint32_t i = 0; i < n && i < most; i++)
        dstr_addf(out, "%u %s\n", found[i]->rec.JB_job_number, name_of(found[i]));
    free(found);
}

/* ---- chunks ---- */

static uint32_t id_of(const struct ja_shape *s, uint32_t ordinal)
{
    return s->first + ordinal * s->step;
}

static void add_ids(const struct ja_shape *s, struct ja_window w, struct dstr *out)
{
    dstr_addf(out, "%u", id_of(s, w.first));
    if (w.last > w.first)
        dstr_addf(out, "-%u", id_of(s, w.last));
    if (w.last > w.first && s->step > 1)
        dstr_addf(out, ":%u", s->step);
}

/* the last task of B, beginning with FROM, that waits for the same window: that of those which wait
 * for its first task, unless they wait for more before it or behind it */
static uint32_t run_end(const struct ja_shape *a, const struct ja_shape *b, uint32_t from)
{
    struct ja_window all = ja_dep_forward(a, b, from);
    uint32_t last = ja_dep_backward(a, b, all.first).last;
    while (last > from && ja_dep_forward(a, b, last).last != all.last)
        last--;
    return last > from ? last : from;
}

void chunks_text(const struct ja_shape *a, const struct ja_shape *b, uint32_t lines,
                 struct dstr *out)
{
    uint32_t n = ja_task_count(b), from = 0;
    for (uint32_t line = 0; line < lines && from < n; line++) {
        struct ja_window same = { from, run_end(a, b, from) };
        add_ids(b, same, out);
        dstr_add(out, ": ");
        add_ids(a, ja_dep_forward(a, b, from), out);
        dstr_addc(out, '\n');
        from = same.last + 1;
    }
    if (from < n)
        dstr_addf(out, MSG_CHUNKS_MORE_U "\n", n - from);
}

/* ---- the geometry of chunk maps ---- */
/* Invariant: the blocks of an array cover the picture from its left to
 * its right edge, without gaps. Owns no data. */

/* the left edge of the task with this ordinal; behind the last one it is WIDTH */
static int left_of(const struct ja_shape *s, uint64_t ordinal, int width)
{
    uint64_t frames = (uint64_t)s->last - s->first + 1, at = ordinal * s->step;
    return at >= frames ? width : (int)(at * (uint64_t)width / frames);
}

static struct chunk_block block_of(const struct ja_shape *s, uint32_t first, uint32_t last,
                                   int width)
{
    int x = left_of(s, first, width);
    return (struct chunk_block){
        .x = x, .width = left_of(s, (uint64_t)last + 1, width) - x, .first = first, .last = last
    };
}

uint32_t chunk_blocks(const struct ja_shape *s, int width, int least, struct chunk_block *out,
                      uint32_t most)
{
    uint64_t tasks = ja_task_count(s), n = (uint64_t)(width / (least > 0 ? least : 1));
    n = n > most ? most : n;
    n = n > tasks ? tasks : n > 0 ? n : 1;
    for (uint64_t i = 0; i < n; i++)
        out[i] = block_of(s, (uint32_t)(i * tasks / n), (uint32_t)((i + 1) * tasks / n - 1), width);
    return (uint32_t)n;
}

struct chunk_block chunk_waited(const struct ja_shape *a, const struct ja_shape *b,
                                const struct chunk_block *block, int width)
{
    struct ja_window first = ja_dep_forward(a, b, block->first);
    struct ja_window last = ja_dep_forward(a, b, block->last);
    return block_of(a, first.first, last.last, width);
}

uint32_t chunk_at(const struct chunk_block *v, uint32_t n, int x)
{
    uint32_t i = 0;
    while (i < n && v[i].x + v[i].width <= x)
        i++;
    return i;
}
