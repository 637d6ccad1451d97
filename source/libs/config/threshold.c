/* Thresholds of queues. Owns no data. A value that a host reports counts before one that is for all
 * hosts. Source: queue_conf(5) */
#include "libs/config/threshold.h"

#include <string.h>

#include "libs/config/attr_names.h"
#include "libs/config/complex.h"
#include "libs/config/complex_match.h"
#include "libs/config/host.h"
#include "libs/config/msg_config.h"
#include "libs/uti/dstr.h"

/* false if nobody reports it, or what is reported is not of the type of CE */
static bool find_value(const struct load_source *load, const struct CE_Type *ce,
                       struct threshold_alarm *alarm)
{
    const struct EH_Type *from[] = { load->host, load->global };
    for (size_t i = 0; i < ARRAY_LEN(from); i++) {
        double number;
        const char *value = from[i] != NULL ? host_load_value(from[i], ce->CE_name) : NULL;
        if (value == NULL || complex_value_parse(ce, value, &number, NULL) != 0)
            continue;
        alarm->value = value;
        alarm->is_global = i == 1;
        return true;
    }
    return false;
}

static bool is_exceeded(const struct load_source *load, struct threshold_alarm *alarm)
{
    const struct CE_Type *ce = complex_find(load->complex, alarm->name);
    if (ce == NULL)
        return true;
    alarm->resource = ce;
    alarm->name = ce->CE_name;
    return !find_value(load, ce, alarm) || complex_meets(ce, alarm->value, alarm->limit);
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

/* ---- in words ---- */
struct words {
    const struct load_source *load;
    struct dstr *out;
    size_t before; /* bytes in `out` */
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
    if (alarm->value == NULL)
        explain_missing(w, alarm);
    else
        dstr_addf(w->out, MSG_THRESHOLD_ALARM_SSSS, alarm->is_global ? "gl" : "hl", alarm->name,
                  alarm->value, alarm->limit);
}

void load_thresholds_explain(const char *thresholds, const struct load_source *load,
                             struct dstr *out)
{
    struct words w = { load, out, out->len };
    (void)thresholds_exceeded(thresholds, load, explain_one, &w);
}

static void why_one(void *ctx, const struct threshold_alarm *alarm)
{
    const struct words *w = ctx;
    if (w->out->len > w->before)
        return;
    if (alarm->value == NULL)
        explain_missing(w, alarm);
    else
        dstr_addf(w->out, MSG_THRESHOLD_WHY_SSSS, alarm->name, alarm->value,
                  complex_value(alarm->resource, "relop"), alarm->limit);
}

void load_thresholds_why(const char *thresholds, const struct load_source *load, struct dstr *out)
{
    struct words w = { load, out, out->len };
    (void)thresholds_exceeded(thresholds, load, why_one, &w);
}
