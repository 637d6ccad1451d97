/* Events, and other records, as text. The log is a ring of lines: line N is at N modulo
 * EVENT_LINES. */
#include "libs/view/event_log.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

#include "libs/cull/range_set.h"
#include "libs/sgeobj/event.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

/* ---- records of all types, by their descriptors ---- */

enum { INDENT = 4, RUNS_MOST = 100 };

static void add_text(const char *text, struct dstr *out)
{
    for (; text != NULL && *text != '\0'; text++)
        dstr_addc(out, iscntrl((unsigned char)*text) ? ' ' : *text);
}

static void add_runs(const struct range_set *set, struct dstr *out)
{
    struct range run;
    unsigned n = 0;
    uint64_t at = 0;
    for (; n < RUNS_MOST && at <= UINT32_MAX && range_set_next_run(set, at, &run);
         at = (uint64_t)run.last + 1, n++)
        dstr_addf(out, run.first == run.last ? "%s%u" : "%s%u-%u", n > 0 ? "," : "", run.first,
                  run.last);
    if (n == RUNS_MOST && at <= UINT32_MAX && range_set_next_run(set, at, &run))
        dstr_add(out, ",...");
}

void record_field(const struct cull_type *type, const void *record, unsigned field,
                  struct dstr *out)
{
    const void *at = cull_member(type, record, field);
    switch (type->fields[field].kind) {
    case CULL_ULONG:
        dstr_addf(out, "%" PRIu32, *(const uint32_t *)at);
        break;
    case CULL_ULONG64:
        dstr_addf(out, "%" PRIu64, *(const uint64_t *)at);
        break;
    case CULL_DOUBLE:
        dstr_addf(out, "%g", *(const double *)at);
        break;
    case CULL_BOOL:
        dstr_add(out, *(const bool *)at ? "true" : "false");
        break;
    case CULL_STRING:
        add_text(*(const char *const *)at, out);
        break;
    case CULL_RANGES:
        add_runs(at, out);
        break;
    case CULL_LIST:
        break;
    }
}

static void add_list(const struct cull_field *field, const struct cull_list *list, unsigned depth,
                     struct dstr *out)
{
    for (uint32_t i = 0; i < list->n; i++) {
        if (i > 0)
            dstr_addf(out, "%*s-\n", (int)(depth * INDENT), "");
        record_lines(field->element, cull_list_at(field->element, list, i), depth, out);
    }
}

void record_lines(const struct cull_type *type, const void *record, unsigned depth,
                  struct dstr *out)
{
    for (unsigned f = 0; f < type->n_fields; f++) {
        if (!cull_is_present(record, f))
            continue;
        dstr_addf(out, "%*s%s ", (int)(depth * INDENT), "", type->fields[f].name);
        record_field(type, record, f, out);
        dstr_addc(out, '\n');
        if (type->fields[f].kind == CULL_LIST)
            add_list(&type->fields[f], cull_member(type, record, f), depth + 1, out);
    }
}

static void add_fields(const struct cull_type *type, const void *record, size_t most,
                       struct dstr *out);

static void add_elements(const struct cull_field *field, const struct cull_list *list, size_t most,
                         struct dstr *out)
{
    for (uint32_t i = 0; i < list->n && out->len < most; i++) {
        dstr_addc(out, '(');
        add_fields(field->element, cull_list_at(field->element, list, i), most, out);
        dstr_addc(out, ')');
    }
}

static void add_fields(const struct cull_type *type, const void *record, size_t most,
                       struct dstr *out)
{
    const char *between = "";
    for (unsigned f = 0; f < type->n_fields && out->len < most; f++) {
        if (!cull_is_present(record, f))
            continue;
        dstr_addf(out, "%s%s=", between, type->fields[f].name);
        record_field(type, record, f, out);
        if (type->fields[f].kind == CULL_LIST)
            add_elements(&type->fields[f], cull_member(type, record, f), most, out);
        between = " ";
    }
}

void record_line(const struct cull_type *type, const void *record, size_t most, struct dstr *out)
{
    struct dstr line = DSTR_INIT;
    add_fields(type, record, most, &line);
    dstr_addn(out, dstr_get(&line), line.len < most ? line.len : most);
    if (line.len > most)
        dstr_add(out, " ...");
    dstr_free(&line);
}

struct event_log {
    char *lines[EVENT_LINES];
    uint64_t n;
};

struct event_log *event_log_new(void)
{
    return uti_calloc(1, sizeof(struct event_log));
}

void event_log_free(struct event_log *l)
{
    if (l == NULL)
        return;
    for (unsigned i = 0; i < EVENT_LINES; i++)
        free(l->lines[i]);
    free(l);
}

void event_log_add(struct event_log *l, const struct EV_Type *event)
{
    struct dstr line = DSTR_INIT;
    const char *kind = event_kind_name(event->EV_kind);
    char **place = &l->lines[l->n++ % EVENT_LINES];
    dstr_addf(&line, "%s  ", kind != NULL ? kind : "?");
    record_line(&cull_EV_Type, event, EVENT_LINE_BYTES, &line);
    free(*place);
    *place = uti_strdup(dstr_get(&line));
    dstr_free(&line);
}

uint64_t event_log_count(const struct event_log *l)
{
    return l->n;
}

void event_log_text(const struct event_log *l, struct dstr *out)
{
    uint64_t first = l->n > EVENT_LINES ? l->n - EVENT_LINES : 0;
    for (uint64_t i = first; i < l->n; i++)
        dstr_addf(out, "%s\n", l->lines[i % EVENT_LINES]);
}
