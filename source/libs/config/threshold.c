/* Thresholds of queues. Owns no data. Source: queue_conf(5) */
#include "libs/config/threshold.h"

#include <string.h>

#include "libs/config/attr_names.h"
#include "libs/config/complex.h"
#include "libs/config/complex_match.h"
#include "libs/config/msg_config.h"
#include "libs/uti/dstr.h"

static bool is_exceeded(const struct load_source *load, struct threshold_alarm *alarm)
{
    const struct CE_Type *ce = complex_find(load->complex, alarm->name);
    if (ce == NULL)
        return true;
    alarm->resource = ce;
    alarm->name = ce->CE_name;
    if (load_value_find(load, ce, &alarm->value))
        return complex_meets(ce, load_value_text(&alarm->value), alarm->limit);
    return true;
}

bool thresholds_exceeded(const char *thresholds, const struct load_source *load, threshold_fn *tell,
                         void *ctx)
{
    struct dstr word = DSTR_INIT;
    bool is_any = false;
    const char *at = thresholds != NULL && !attr_is_none(thresholds) ? thresholds : "";
    while ((!is_any || tell != NULL) && attr_next_word(&at, ", ", &word)) {
        char *equals = strchr(word.s, '=');
        if (equals == NULL)
            continue;
        *equals = '\0';
        struct threshold_alarm alarm = { .name = word.s, .limit = equals + 1 };
        if (!is_exceeded(load, &alarm))
            continue;
        is_any = true;
        if (tell != NULL)
            tell(ctx, &alarm);
    }
    dstr_free(&word);
    return is_any;
}

static void note_known(void *ctx, const struct threshold_alarm *alarm)
{
    bool *is_any = ctx;
    *is_any |= alarm->value.text != NULL;
}

bool suspend_thresholds_exceeded(const char *thresholds, const struct load_source *load)
{
    bool is_any = false;
    (void)thresholds_exceeded(thresholds, load, note_known, &is_any);
    return is_any;
}

/* ---- in words ---- */
struct words {
    const struct load_source *load;
    struct dstr *out;
    size_t before;    /* bytes in `out` */
    const char *kind; /* of threshold */
};

static void explain_missing(const struct words *w, const struct threshold_alarm *alarm)
{
    if (alarm->resource == NULL)
        dstr_addf(w->out, MSG_THRESHOLD_NO_RESOURCE_S, alarm->name);
    else if (w->load->host == NULL)
        dstr_addf(w->out, MSG_THRESHOLD_UNHEARD_S, alarm->name);
    else
        dstr_addf(w->out, MSG_THRESHOLD_NO_VALUE_S, alarm->name);
}

static void explain_one(void *ctx, const struct threshold_alarm *alarm)
{
    const struct words *w = ctx;
    if (w->out->len > w->before)
        dstr_addc(w->out, '\n');
    if (alarm->value.text == NULL)
        explain_missing(w, alarm);
    else
        dstr_addf(w->out, MSG_THRESHOLD_ALARM_SSSSS, alarm->value.is_global ? "gl" : "hl",
                  alarm->name, load_value_text(&alarm->value), w->kind, alarm->limit);
}

void load_thresholds_explain(const char *thresholds, const struct load_source *load,
                             struct dstr *out)
{
    struct words w = { load, out, out->len, "load" };
    (void)thresholds_exceeded(thresholds, load, explain_one, &w);
}

static void explain_known(void *ctx, const struct threshold_alarm *alarm)
{
    if (alarm->value.text != NULL)
        explain_one(ctx, alarm);
}

void suspend_thresholds_explain(const char *thresholds, const struct load_source *load,
                                struct dstr *out)
{
    struct words w = { load, out, out->len, "suspend" };
    (void)thresholds_exceeded(thresholds, load, explain_known, &w);
}

static void why_one(void *ctx, const struct threshold_alarm *alarm)
{
    const struct words *w = ctx;
    if (w->out->len > w->before)
        return;
    if (alarm->value.text == NULL)
        explain_missing(w, alarm);
    else
        dstr_addf(w->out, MSG_THRESHOLD_WHY_SSSS, alarm->name, load_value_text(&alarm->value),
                  complex_value(alarm->resource, "relop"), alarm->limit);
}

void load_thresholds_why(const char *thresholds, const struct load_source *load, struct dstr *out)
{
    struct words w = { load, out, out->len, "load" };
    (void)thresholds_exceeded(thresholds, load, why_one, &w);
}
