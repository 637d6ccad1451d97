/* The lines of an answer of qstat -why, and the way to it. Invariant: `way` has the places that
 * lead to where it is, which is the last of them; it is empty only before the first
 * why_list_begin.
 * Source: qstat(1), -why. */
#include "libs/view/why_list.h"

#include <stdio.h>
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

/* "31.3" or "31" at the beginning of TEXT, up to one of ENDS */
static bool read_place(const char *text, const char *ends, struct why_place *out)
{
    int length = 0;
    if (*text < '1' || *text > '9')
        return false;
    if (sscanf(text, "%10u.%10u%n", &out->job, &out->task, &length) != 2) {
        out->task = 0;
        (void)sscanf(text, "%10u%n", &out->job, &length);
    }
    return text[length] != '\0' && strchr(ends, text[length]) != NULL;
}

/* "31.3  A  hqw  hold_jid_ad" */
static bool is_wait(const char *line, struct why_place *out)
{
    const char *last = strrchr(line, ' ');
    return last != NULL && strncmp(last + 1, "hold_jid", strlen("hold_jid")) == 0 &&
           read_place(line, " ", out);
}

/* "tasks 1-3:1 of job 40 (r), such as 40.1:", "task 40.4 (hqw):", "job 40 (hqw):" */
static bool is_heading(const char *line, struct why_place *out)
{
    static const char *const before[] = { "such as ", "task ", "job " };
    if (line[0] == '\0' || line[strlen(line) - 1] != ':')
        return false;
    for (size_t i = 0; i < ARRAY_LEN(before); i++) {
        const char *at = strstr(line, before[i]);
        bool is_first = at == line || i == 0;
        if (at != NULL && is_first)
            return read_place(at + strlen(before[i]), " :", out);
    }
    return false;
}

static bool is_title(const char *line)
{
    return strncmp(line, "waits for ", strlen("waits for ")) == 0 ||
           (line[0] == '-' && line[strspn(line, "-")] == '\0');
}

/* without control characters; several blanks are columns of a table */
static char *clean_line(const char *line)
{
    struct dstr out = DSTR_INIT;
    for (; *line != '\0'; line++)
        if (line[0] == ' ' && line[1] == ' ') {
            line += strspn(line, " ") - 1;
            dstr_add(&out, *(line + 1) != '\0' ? "   " : "");
        } else {
            dstr_addc(&out, (unsigned char)*line < ' ' || *line == 0x7f ? '?' : *line);
        }
    char *text = uti_strdup(dstr_get(&out));
    dstr_free(&out);
    return text;
}

static void add_line(struct why_list *l, const char *line)
{
    struct why_line added = { 0 };
    if (is_title(line))
        return;
    if (!is_wait(line, &added.leads) && !is_heading(line, &added.leads))
        added.leads = (struct why_place){ 0 };
    added.text = clean_line(line);
    l->v = uti_vec_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
    l->v[l->n++] = added;
}

void why_list_take(struct why_list *l, const char *said)
{
    forget_lines(l);
    while (*said != '\0' && l->n < WHY_LINES_MOST) {
        size_t length = strcspn(said, "\n");
        char *line = uti_strndup(said, length);
        add_line(l, line);
        free(line);
        said += length + (said[length] == '\n');
    }
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
