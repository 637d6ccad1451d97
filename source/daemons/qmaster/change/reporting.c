/* Lines for the reporting file. Values come from hosts, which may be anybody's by now: whatever
 * could end a field or a line is an underscore there. Source: reporting(5) */
#include "daemons/qmaster/change/reporting.h"

#include <inttypes.h>

#include "daemons/qmaster/change/change.h"
#include "libs/config/attr_names.h"
#include "libs/config/host.h"
#include "libs/uti/dstr.h"

void reporting_end(struct qmaster *q, const char *line)
{
    if (!q->settings.has_reporting)
        return;
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, "%" PRIu64 ":acct:%s", q->now_s, line);
    change_reporting(q, dstr_get(&text));
    dstr_free(&text);
}

static void add_value(const char *value, struct dstr *out)
{
    for (; *value != '\0'; value++) {
        bool is_plain = (unsigned char)*value > ' ' && *value != ':' && *value != ',';
        dstr_addc(out, is_plain ? *value : '_');
    }
}

/* does LIST, which may be NULL, have NAME? */
static bool has_name(const char *list, const char *name)
{
    struct dstr word = DSTR_INIT;
    bool has = false;
    for (const char *at = list; list != NULL && !has && attr_next_word(&at, " ,", &word);)
        has = strcmp(dstr_get(&word), name) == 0;
    dstr_free(&word);
    return has;
}

/* "name=value" of those of NAMES, a list or NULL, that H has reported and BUT does not have, with
 * commas between */
static void add_values(const struct host *h, const char *names, const char *but, struct dstr *out)
{
    struct dstr name = DSTR_INIT;
    for (const char *at = names; names != NULL && attr_next_word(&at, " ,", &name);) {
        const char *value = host_load_value(&h->rec, dstr_get(&name));
        if (value == NULL || has_name(but, dstr_get(&name)))
            continue;
        dstr_addf(out, "%s%s=", out->len > 0 ? "," : "", dstr_get(&name));
        add_value(value, out);
    }
    dstr_free(&name);
}

void reporting_host(struct qmaster *q, struct host *h)
{
    if (!q->settings.has_reporting || h->reported_s == q->now_s)
        return;
    const struct host *cell = hosts_find(&q->hosts, HOST_OF_CELL);
    const char *of_all = cell != NULL ? cell->rec.EH_text_report_variables : NULL;
    struct dstr values = DSTR_INIT, line = DSTR_INIT;
    h->reported_s = q->now_s;
    add_values(h, of_all, NULL, &values);
    add_values(h, h->rec.EH_text_report_variables, of_all, &values);
    if (values.len > 0) {
        dstr_addf(&line, "%" PRIu64 ":host:%s:%" PRIu64 ":X:%s\n", q->now_s, h->rec.EH_name,
                  q->now_s, dstr_get(&values));
        change_reporting(q, dstr_get(&line));
    }
    dstr_free(&values);
    dstr_free(&line);
}
