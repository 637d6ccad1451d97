/* Which jobs are shown, in which order. Invariant: `rows` has jobs of the board alone, because a
 * job that leaves it leaves the rows first; between two refreshes nothing else changes them. */
#include "libs/view/job_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libs/uti/dstr.h"
#include "libs/uti/pattern.h"
#include "libs/view/pipeline.h"

struct job_list {
    struct board *board;
    struct board_watcher watcher;
    struct board_job **rows; /* owned */
    uint32_t n, cap;
    char *words; /* owned; NULL: all jobs */
    enum job_stage stage;
    enum job_column column;
    bool is_descending, is_behind;
};

static void on_changed(void *ctx, struct board_job *job SGE_UNUSED)
{
    ((struct job_list *)ctx)->is_behind = true;
}

static void on_leaving(void *ctx, struct board_job *job)
{
    struct job_list *l = ctx;
    int64_t row = job_list_row(l, job->rec.JB_job_number);
    l->is_behind = true;
    if (row < 0)
        return;
    l->n--;
    memmove(l->rows + row, l->rows + row + 1, (l->n - (size_t)row) * sizeof *l->rows);
}

struct job_list *job_list_new(struct board *board)
{
    struct job_list *l = uti_calloc(1, sizeof *l);
    l->board = board;
    l->watcher = (struct board_watcher){ .changed = on_changed, .leaves = on_leaving, .ctx = l };
    l->is_descending = l->is_behind = true;
    board_watch(board, &l->watcher);
    return l;
}

void job_list_free(struct job_list *l)
{
    if (l == NULL)
        return;
    board_unwatch(&l->watcher);
    free(l->rows);
    free(l->words);
    free(l);
}

/* ---- the filter ---- */

void job_list_words(struct job_list *l, const char *words)
{
    free(l->words);
    l->words = words != NULL && words[strspn(words, " ")] != '\0' ? uti_strdup(words) : NULL;
    l->is_behind = true;
}

void job_list_stage(struct job_list *l, enum job_stage stage)
{
    l->stage = stage;
    l->is_behind = true;
}

static bool is_same(const char *word, const char *text)
{
    return text != NULL && strcmp(word, text) == 0;
}

static bool word_means(const char *word, const struct board_job *job)
{
    char number[16];
    snprintf(number, sizeof number, "%u", job->rec.JB_job_number);
    const char *name = job->rec.JB_job_name;
    return (name != NULL && pattern_match(word, name)) || is_same(word, job->rec.JB_owner) ||
           is_same(word, job->rec.JB_project) || is_same(word, number);
}

static bool words_mean(char *words, const struct board_job *job)
{
    struct pipeline_wish wish;
    for (char *word; (word = strsep(&words, " ")) != NULL;)
        if (*word != '\0' && !pipeline_wish_read(word, &wish) && !word_means(word, job))
            return false;
    return true;
}

/* those of the rows that each word on dependencies means */
static void choose_dependent(struct job_list *l, char *words)
{
    struct pipeline_wish wish;
    struct range_set wanted = { 0 };
    for (char *word; (word = strsep(&words, " ")) != NULL;) {
        uint32_t kept = 0;
        if (!pipeline_wish_read(word, &wish))
            continue;
        pipeline_numbers(l->board, &wish, &wanted);
        for (uint32_t i = 0; i < l->n; i++)
            if (range_set_has(&wanted, l->rows[i]->rec.JB_job_number))
                l->rows[kept++] = l->rows[i];
        l->n = kept;
    }
    range_set_free(&wanted);
}

static bool stage_has(enum job_stage stage, const struct board_job *job)
{
    if (stage == STAGE_PENDING)
        return board_look(job, LOOK_READY) + board_look(job, LOOK_HELD) > 0;
    if (stage == STAGE_RUNNING)
        return board_look(job, LOOK_RUNNING) + board_look(job, LOOK_SUSPENDED) > 0;
    if (stage == STAGE_ERROR)
        return board_look(job, LOOK_ERROR) > 0;
    if (stage == STAGE_FAILED)
        return board_look(job, LOOK_FAILED) > 0;
    return stage == STAGE_ALL || job->is_over;
}

static void take_row(struct job_list *l, struct board_job *job)
{
    l->rows = uti_vec_grow(l->rows, &l->cap, l->n + 1, sizeof *l->rows);
    l->rows[l->n++] = job;
}

static void choose_rows(struct job_list *l)
{
    size_t bytes = l->words != NULL ? strlen(l->words) + 1 : 0;
    char *scratch = uti_alloc(bytes + 1);
    l->n = 0;
    for (struct board_job *job = board_first(l->board); job != NULL; job = board_next(job)) {
        if (!stage_has(l->stage, job))
            continue;
        if (l->words != NULL)
            memcpy(scratch, l->words, bytes);
        if (l->words == NULL || words_mean(scratch, job))
            take_row(l, job);
    }
    if (l->words != NULL)
        choose_dependent(l, memcpy(scratch, l->words, bytes));
    free(scratch);
}

/* ---- in which order ---- */

static int compare_rows(const void *a, const void *b, void *ctx)
{
    const struct job_list *l = ctx;
    const struct board_job *x = *(struct board_job *const *)a, *y = *(struct board_job *const *)b;
    if (x->is_over != y->is_over)
        return x->is_over ? 1 : -1;
    int order = job_cell_compare(x, y, l->column);
    if (order == 0)
        order = job_cell_compare(x, y, COLUMN_JOB);
    return l->is_descending ? -order : order;
}

void job_list_sort(struct job_list *l, enum job_column column)
{
    l->is_descending = column == l->column && !l->is_descending;
    l->column = column;
    l->is_behind = true;
}

enum job_column job_list_sorted_by(const struct job_list *l)
{
    return l->column;
}

bool job_list_is_descending(const struct job_list *l)
{
    return l->is_descending;
}

bool job_list_refresh(struct job_list *l)
{
    board_settle(l->board);
    if (!l->is_behind)
        return false;
    l->is_behind = false;
    choose_rows(l);
    if (l->n > 0)
        qsort_r(l->rows, l->n, sizeof *l->rows, compare_rows, l);
    return true;
}

/* ---- rows ---- */

uint32_t job_list_count(const struct job_list *l)
{
    return l->n;
}

struct board_job *job_list_at(const struct job_list *l, uint32_t row)
{
    return row < l->n ? l->rows[row] : NULL;
}

int64_t job_list_row(const struct job_list *l, uint32_t number)
{
    for (uint32_t row = 0; row < l->n; row++)
        if (l->rows[row]->rec.JB_job_number == number)
            return row;
    return -1;
}

static void add_row(const struct board_job *job, const struct columns *columns, struct dstr *out)
{
    unsigned shown[COLUMNS_MOST], n = columns_shown(columns, shown);
    for (unsigned i = 0; i < n; i++) {
        if (i > 0)
            dstr_addc(out, '\t');
        if (job != NULL)
            job_cell(job, (enum job_column)shown[i], out);
        else
            dstr_add(out, job_column_title(shown[i]));
    }
    dstr_addc(out, '\n');
}

void job_list_text(const struct job_list *l, const struct columns *columns, struct dstr *out)
{
    add_row(NULL, columns, out);
    for (uint32_t row = 0; row < l->n; row++)
        add_row(l->rows[row], columns, out);
}
