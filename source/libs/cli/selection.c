/* Jobs and tasks as operands name them. Owns the syntax of task ranges; whether a job has such
 * tasks is the qmaster's to say.
 * Source: sge_types(1) job_task_list; captured messages of qsub -t. */
#include "libs/cli/selection.h"

#include <stdlib.h>
#include <string.h>

#include "libs/cli/msg_cli.h"
#include "libs/config/quantity.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

/* ---- ranges of tasks ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *past_blanks(const char *at)
{
    return at + strspn(at, " \t");
}

/* the number at *AT; AT moves behind it and the blanks that follow */
static int take_number(const char **at, const char *speaker, uint32_t *out, struct answer *ans)
{
    const char *digits = past_blanks(*at);
    uint64_t n;
    if (!quantity_count_take(at, &n))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_NO_NUMBER_SS, speaker, digits);
    if (n > JOB_TASK_ID_MAX)
        return ans_fail(ans, STATUS_ESYNTAX, MSG_TASK_BIG_SSI, speaker, digits, JOB_TASK_ID_MAX);
    *out = (uint32_t)n;
    *at = past_blanks(*at);
    return 0;
}

static int take_step(const char **at, const char *speaker, uint32_t *step, struct answer *ans)
{
    const char *number = past_blanks(++*at);
    if (*number == '-' && is_digit(number[1]))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_STEP_S, speaker);
    if (take_number(at, speaker, step, ans) < 0)
        return -1;
    return *step > 0 ? 0 : ans_fail(ans, STATUS_ESYNTAX, MSG_STEP_S, speaker);
}

/* past commas with nothing but blanks between */
static const char *past_commas(const char *at)
{
    return at + strspn(at, ", \t");
}

/* a,b,c: single ids at equal distances */
static int take_list(const char **at, const char *speaker, struct task_range *r, struct answer *ans)
{
    const char *text = *at;
    for (bool is_second = true; **at == ',' && *(*at = past_commas(*at)) != '\0';
         is_second = false) {
        uint32_t id;
        if (take_number(at, speaker, &id, ans) < 0)
            return -1;
        if (id <= r->last || (!is_second && id - r->last != r->step))
            return ans_fail(ans, STATUS_ESYNTAX, MSG_TASK_DISTANCE_SUS, speaker, r->first, text);
        r->step = id - r->last;
        r->last = id;
    }
    return 0;
}

/* n-m, n:m, both perhaps with :step */
static int take_end(const char **at, const char *speaker, struct task_range *r, struct answer *ans)
{
    ++*at;
    if (take_number(at, speaker, &r->last, ans) < 0)
        return -1;
    return **at == ':' ? take_step(at, speaker, &r->step, ans) : 0;
}

int task_range_parse(const char *text, const char *speaker, struct task_range *out,
                     struct answer *ans)
{
    struct task_range r = { 0, 0, 1 };
    /* messages quote "-b" as "b", as users know it */
    const char *at = *text == '-' && !is_digit(text[1]) ? text + 1 : text;
    if (take_number(&at, speaker, &r.first, ans) < 0)
        return -1;
    r.last = r.first;
    if (*at == ',' ? take_list(&at, speaker, &r, ans) < 0
                   : (*at == '-' || *at == ':') && take_end(&at, speaker, &r, ans) < 0)
        return -1;
    if (*past_commas(at) != '\0')
        return ans_fail(ans, STATUS_ESYNTAX, MSG_TASK_REST_SSS, speaker, text, at);
    if (r.last < r.first) {
        uint32_t first = r.last;
        r.last = r.first;
        r.first = first;
    }
    *out = r;
    return 0;
}

/* ---- operands ---- */

static void add_range(struct ID_Type *id, const struct task_range *r)
{
    struct TR_Type *tr = cull_append(id, ID_tasks);
    cull_set(tr, TR_min, r->first);
    cull_set(tr, TR_max, r->last);
    cull_set(tr, TR_step, r->step);
}

int selection_add_tasks(struct ID_Type *id, const char *tasks, const char *speaker,
                        struct answer *ans)
{
    struct task_range r;
    if (task_range_parse(tasks, speaker, &r, ans) < 0)
        return -1;
    add_range(id, &r);
    return 0;
}

/* `12.1-3` is a job and its tasks; with anything but digits before the dot it is a name */
static int add_entry(struct ID_Type_list *list, const char *text, const char *speaker,
                     struct answer *ans)
{
    struct task_range range;
    size_t digits = strspn(text, "0123456789");
    bool has_dot = digits > 0 && text[digits] == '.' && is_digit(text[digits + 1]);
    if (has_dot && task_range_parse(text + digits + 1, speaker, &range, ans) < 0)
        return -1;
    char *name = uti_strndup(text, has_dot ? digits : strlen(text));
    struct ID_Type *id = cull_push(list);
    cull_set(id, ID_str, name);
    if (has_dot)
        add_range(id, &range);
    free(name);
    return 0;
}

int selection_add(struct ID_Type_list *list, const char *text, const char *tasks,
                  const char *speaker, struct answer *ans)
{
    struct list_reader r = list_reader_over_names(text);
    struct dstr entry = DSTR_INIT;
    uint32_t keep = list->n;
    int result = 0;
    while (result == 0 && list_next(&r, &entry))
        result = add_entry(list, dstr_get(&entry), speaker, ans);
    if (result == 0 && tasks != NULL && list->n > keep)
        result = selection_add_tasks(&list->v[list->n - 1], tasks, speaker, ans);
    while (result < 0 && list->n > keep)
        cull_clear(&cull_ID_Type, &list->v[--list->n]);
    dstr_free(&entry);
    return result;
}
