/* The reasons for which a place waits, and the way to it. Invariant: `way` has the places that
 * lead to where it is, which is the last of them; it is empty only before the first
 * why_list_begin. */
#include "libs/view/why_list.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

struct why_line {
    char *text; /* owned */
    struct why_place leads;
};
struct why_list {
    struct why_line *v;
    uint32_t n, cap;
    struct why_place way[WHY_STEPS_MOST];
    uint32_t n_way;
};

struct why_list *why_list_new(void)
{
    return uti_calloc(1, sizeof(struct why_list));
}

static void forget_lines(struct why_list *l)
{
    while (l->n > 0)
        free(l->v[--l->n].text);
}

void why_list_free(struct why_list *l)
{
    if (l == NULL)
        return;
    forget_lines(l);
    free(l->v);
    free(l);
}

/* ---- the way ---- */

void why_list_begin(struct why_list *l, struct why_place place)
{
    l->n_way = 0;
    why_list_go(l, place);
}

void why_list_go(struct why_list *l, struct why_place place)
{
    forget_lines(l);
    if (l->n_way == WHY_STEPS_MOST)
        memmove(l->way, l->way + 1, --l->n_way * sizeof *l->way);
    l->way[l->n_way++] = place;
}

bool why_list_back(struct why_list *l)
{
    if (l->n_way < 2)
        return false;
    forget_lines(l);
    l->n_way--;
    return true;
}

struct why_place why_list_place(const struct why_list *l)
{
    return l->n_way > 0 ? l->way[l->n_way - 1] : (struct why_place){ 0 };
}

/* ---- lines ---- */

/* TEXT without control characters; of more than WHY_LINES_MOST lines the first are taken */
static void add_line(struct why_list *l, const char *text, struct why_place leads)
{
    struct dstr clean = DSTR_INIT;
    if (l->n == WHY_LINES_MOST)
        return;
    for (; *text != '\0'; text++)
        dstr_addc(&clean, (unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text);
    l->v = uti_vec_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
    l->v[l->n++] = (struct why_line){ uti_strdup(dstr_get(&clean)), leads };
    dstr_free(&clean);
}

void why_list_clear(struct why_list *l)
{
    forget_lines(l);
}

void why_list_add_heading(struct why_list *l, struct why_place place, const char *text)
{
    add_line(l, text, place);
}

void why_list_add_wait(struct why_list *l, const struct WT_Type *wait)
{
    struct dstr text = DSTR_INIT;
    const struct why_place place = { wait->WT_job_number, wait->WT_task_number };
    dstr_addf(&text, place.task > 0 ? "%u.%u" : "%u", place.job, place.task);
    dstr_addf(&text, "   %s   %s   %s", wait->WT_job_name != NULL ? wait->WT_job_name : "",
              wait->WT_state != NULL ? wait->WT_state : "",
              wait->WT_kind != NULL ? wait->WT_kind : "");
    add_line(l, dstr_get(&text), place);
    dstr_free(&text);
}

void why_list_add(struct why_list *l, const char *text)
{
    add_line(l, text, (struct why_place){ 0 });
}

uint32_t why_list_count(const struct why_list *l)
{
    return l->n;
}

const char *why_list_text(const struct why_list *l, uint32_t row)
{
    return row < l->n ? l->v[row].text : "";
}

bool why_list_leads(const struct why_list *l, uint32_t row, struct why_place *out)
{
    if (row >= l->n || l->v[row].leads.job == 0)
        return false;
    *out = l->v[row].leads;
    return true;
}
