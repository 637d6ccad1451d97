/* A ring of lines: line N is at N modulo EVENT_LINES. */
#include "libs/view/event_log.h"

#include <stdlib.h>

#include "libs/sgeobj/event.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/view/record_words.h"

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
