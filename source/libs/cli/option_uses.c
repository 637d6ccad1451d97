/* The option tables, expanded from sge_optionL.h and sge_argumentL.h, and the one loop that reads
 * every option of every source: it gathers the uses of options from words, and obeys them. Below it
 * are the parsers that the tables name. Invariants: a name stands at most once for each program;
 * uses stand in rising rank, so that the last one wins and lists add up in that order.
 * Source: submit(1), qdel(1), qmod(1), sge_request(5). */
#include "libs/cli/option.h"

#include <stdlib.h>
#include <string.h>

#include "libs/cli/job_command.h"
#include "libs/cli/msg_cli.h"
#include "libs/cli/parse_options.h"
#include "libs/config/job_resources.h"
#include "libs/sgeobj/rows.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

/* ---- tables ---- */

#define OPTION(name, argument, sets, parse, where, documented)                                     \
    {                                                                                              \
        name, argument, sets, parse, where, documented,
#define HELP(words)                                                                                \
    OPTION_ACTS, words                                                                             \
    }                                                                                              \
    ,
#define HIDDEN()                                                                                   \
    OPTION_ACTS, NULL                                                                              \
    }                                                                                              \
    ,
#define LATER(words)                                                                               \
    OPTION_KEPT, words                                                                             \
    }                                                                                              \
    ,
#define WAITS(words)                                                                               \
    OPTION_WAITS, words                                                                            \
    }                                                                                              \
    ,
const struct option_row option_rows[] = {
#include "libs/sgeobj/sge_optionL.h"
};
const unsigned option_rows_n = ARRAY_LEN(option_rows);

#define ARGUMENT(name, shown, syntax, where) { name, shown, syntax, where },
const struct argument_row argument_rows[] = {
#include "libs/cli/sge_argumentL.h"
};
const unsigned argument_rows_n = ARRAY_LEN(argument_rows);

/* ---- uses ---- */

enum { FILES_DEEP_MAX = 8, FAILED_DEEPER = -2 }; /* the answer says already in which file */

void option_uses_free(struct option_uses *u)
{
    for (uint32_t i = 0; i < u->n_files; i++) {
        words_free(u->files[i]);
        free(u->files[i]);
    }
    free(u->files);
    free(u->v);
    *u = (struct option_uses)OPTION_USES_INIT;
}

/* ---- gathering ---- */

/* Say where in a file a failure is: its last text gets a tail. */
static int fail_in_file(struct answer *ans, const char *file, unsigned line)
{
    if (file == NULL || ans == NULL || ans->n == 0)
        return -1;
    struct answer_entry *last = &ans->v[ans->n - 1];
    char *text = last->text;
    last->text = NULL;
    struct answer tail = ANSWER_INIT;
    ans_fail(&tail, last->status, MSG_IN_FILE_SUS, text, line, file);
    last->text = uti_strdup(ans_first_error(&tail));
    free(text);
    ans_free(&tail);
    return -1;
}

static int scan_level(struct option_uses *u, const struct words *w,
                      const struct option_source *source, int depth, struct answer *ans);

static int scan_option_file(struct option_uses *u, const char *path,
                            const struct option_source *source, int depth, struct answer *ans)
{
    if (depth >= FILES_DEEP_MAX)
        return ans_fail(ans, STATUS_ESYNTAX, MSG_OPTION_FILES_NESTED_SI,
                        option_speaker(source->program), FILES_DEEP_MAX);
    struct words *w = uti_calloc(1, sizeof *w);
    u->files = uti_vec_grow(u->files, &u->cap_files, u->n_files + 1, sizeof(struct words *));
    u->files[u->n_files++] = w;
    if (words_of_file(path, false, w, ans) < 0)
        return -1;
    struct option_source nested = { source->program, source->also, source->rank, path,
                                    source->others };
    return scan_level(u, w, &nested, depth + 1, ans) < 0 ? FAILED_DEEPER : 0;
}

/* One option at word AT; returns how many words it took, or -1, or FAILED_DEEPER. */
static long scan_option(struct option_uses *u, const struct words *w, uint32_t at,
                        const struct option_source *source, int depth, struct answer *ans)
{
    const char *speaker = option_speaker(source->program);
    const struct option_row *row = option_find(w->v[at], source->program | source->also);
    for (unsigned other = QRSH; row == NULL && other <= QSH; other <<= 1)
        if ((source->others & other) != 0)
            row = option_find(w->v[at], other);
    if (row == NULL && (source->program & INTERACTIVE_PROGRAMS) != 0 &&
        option_find(w->v[at], QSUB) != NULL)
        return ans_fail(ans, STATUS_EUSAGE, MSG_OPTION_OF_BATCH_S, w->v[at]);
    if (row == NULL && source->program == QMOD)
        return ans_fail(ans, STATUS_EUSAGE, MSG_OPTION_BARE_S, w->v[at]);
    if (row == NULL)
        return ans_fail(ans, STATUS_EUSAGE, MSG_OPTION_UNKNOWN_SS, speaker, w->v[at]);
    int n = option_words(row, w->v + at + 1, w->n - at - 1);
    if (n < 0)
        return ans_fail(ans, STATUS_EUSAGE, MSG_OPTION_NO_ARGUMENT_SS, speaker, row->name);
    if (strcmp(row->name, "-@") == 0) {
        int rc = scan_option_file(u, w->v[at + 1], source, depth, ans);
        return rc < 0 ? rc : n + 1;
    }
    u->v = uti_vec_grow(u->v, &u->cap, u->n + 1, sizeof *u->v);
    u->v[u->n++] = (struct option_use){ row,         (const char *const *)(w->v + at + 1),
                                        (unsigned)n, source->rank,
                                        w->line[at], source->file };
    return n + 1;
}

static int scan_level(struct option_uses *u, const struct words *w,
                      const struct option_source *source, int depth, struct answer *ans)
{
    for (uint32_t at = 0; at < w->n;) {
        long took = scan_option(u, w, at, source, depth, ans);
        if (took < 0)
            return took == FAILED_DEEPER ? -1 : fail_in_file(ans, source->file, w->line[at]);
        at += (uint32_t)took;
    }
    return 0;
}

int option_uses_scan_all(struct option_uses *u, const struct words *w,
                         const struct option_source *source, struct answer *ans)
{
    return scan_level(u, w, source, 0, ans);
}

long option_uses_scan(struct option_uses *u, const struct words *w, uint32_t from,
                      const struct option_source *source, struct answer *ans)
{
    uint32_t at = from;
    while (at < w->n && w->v[at][0] == '-' && strcmp(w->v[at], OPTIONS_END) != 0) {
        long took = scan_option(u, w, at, source, 0, ans);
        if (took < 0)
            return -1;
        at += (uint32_t)took;
    }
    return at;
}

long option_uses_scan_one(struct option_uses *u, const struct words *w, uint32_t at,
                          const struct option_source *source, struct answer *ans)
{
    long took = scan_option(u, w, at, source, 0, ans);
    return took < 0 ? -1 : at + took;
}

/* ---- obeying ---- */

static uint32_t after_last_clear(const struct option_uses *u)
{
    for (uint32_t i = u->n; i > 0; i--)
        if (strcmp(u->v[i - 1].row->name, "-clear") == 0)
            return i;
    return 0;
}

/* -clear forgets what was said of the job; what its own source said to the program (-terse, -sync)
 * stays */
static bool outlives_clear(const struct option_use *use, const struct option_use *clear)
{
    return use->source == clear->source && use->row->sets == OPTION_SETS_NOTHING &&
           use->row->parse != parse_soft;
}

static int obey_one(const struct option_use *use, bool is_first, struct job_command *to,
                    struct answer *ans)
{
    const struct option_row *row = use->row;
    if (row->effect == OPTION_WAITS) {
        ans_fail(ans, STATUS_ENOTSUP, MSG_OPTION_WAITS_SS, option_speaker(to->program), row->name);
        return fail_in_file(ans, use->file, use->line);
    }
    struct option_call call = { row, use->args, use->n_args, is_first, to };
    return row->parse(&call, ans) < 0 ? fail_in_file(ans, use->file, use->line) : 0;
}

static void warn_of_empty_limits(const struct JB_Type *job, struct answer *ans)
{
    const struct CE_Type_list *hard = &job->JB_hard_resource_list;
    for (uint32_t i = 0; i < hard->n; i++)
        if (job_limit_is_one(hard->v[i].CE_name) && hard->v[i].CE_stringval == NULL)
            ans_add(ans, STATUS_OK, ANSWER_QUALITY_WARNING, MSG_LIMIT_EMPTY_S, hard->v[i].CE_name);
}

/* what became of a row so far */
struct row_state {
    unsigned last_source; /* 1 + the source that named it last; 0 = none yet */
    bool is_warned;
};

int option_uses_obey(const struct option_uses *u, struct job_command *to, struct answer *ans)
{
    struct row_state *states = uti_calloc(option_rows_n, sizeof *states);
    int result = 0;
    uint32_t begin = after_last_clear(u);
    for (uint32_t i = 0; result == 0 && i < u->n; i++) {
        const struct option_use *use = &u->v[i];
        if (i < begin && !outlives_clear(use, &u->v[begin - 1]))
            continue;
        struct row_state *state = &states[use->row - option_rows];
        if (i > 0 && u->v[i - 1].source != use->source)
            to->is_soft = false; /* -soft holds to the end of its source */
        if (!state->is_warned && use->row->effect == OPTION_KEPT) {
            ans_add(ans, STATUS_OK, ANSWER_QUALITY_WARNING, MSG_OPTION_KEPT_S, use->row->name);
            state->is_warned = true;
        }
        result = obey_one(use, state->last_source != use->source + 1, to, ans);
        state->last_source = use->source + 1;
    }
    free(states);
    if (result == 0)
        warn_of_empty_limits(&to->job, ans);
    return result;
}
