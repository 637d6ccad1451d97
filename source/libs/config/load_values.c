/* The load of hosts: values by resource and their factors (host_conf(5)); formulas, sums of
 * resources and numbers, each with a factor (sched_conf(5)); thresholds of queues (queue_conf(5)).
 * Owns struct load_formula. */
#include "libs/config/load_values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libs/config/attr_names.h"
#include "libs/config/complex.h"
#include "libs/config/host.h"
#include "libs/config/msg_config.h"
#include "libs/config/offers.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

/* ---- values ---- */
/* more than this, and less than its negative, is not told apart once it is scaled */
static const double scaled_most = 1e15;

/* what load_scaling of HOST says of CE; 1 if nothing */
static double scaling_of(const struct EH_Type *host, const struct CE_Type *ce)
{
    for (uint32_t i = 0; i < host->EH_scaling_list.n; i++) {
        const struct VA_Type *va = &host->EH_scaling_list.v[i];
        double factor;
        if (va->VA_variable != NULL && va->VA_value != NULL &&
            (strcmp(va->VA_variable, ce->CE_name) == 0 ||
             strcmp(va->VA_variable, ce->CE_shortcut) == 0) &&
            parse_double(va->VA_value, &factor))
            return factor;
    }
    return 1;
}

static bool is_scalable(const struct CE_Type *ce)
{
    return ce->CE_valtype == COMPLEX_INT || ce->CE_valtype == COMPLEX_TIME ||
           ce->CE_valtype == COMPLEX_MEMORY || ce->CE_valtype == COMPLEX_DOUBLE;
}

/* All but a DOUBLE are whole numbers, and not less than 0. */
static void scale_value(struct load_value *v, const struct CE_Type *ce, double factor)
{
    bool is_double = ce->CE_valtype == COMPLEX_DOUBLE;
    double number = v->number * factor, least = is_double ? -scaled_most : 0;
    v->number = number > scaled_most ? scaled_most : number >= least ? number : least;
    struct dstr text = DSTR_INIT;
    dstr_add_decimal(&text, v->number, is_double ? 6 : 0);
    (void)snprintf(v->scaled, sizeof v->scaled, "%s", dstr_get(&text));
    dstr_free(&text);
}

bool load_value_find(const struct load_source *load, const struct CE_Type *ce,
                     struct load_value *out)
{
    const struct EH_Type *from[] = { load->host, load->global };
    *out = (struct load_value){ 0 };
    for (size_t i = 0; i < ARRAY_LEN(from); i++) {
        const char *text = from[i] != NULL ? host_load_value(from[i], ce->CE_name) : NULL;
        if (text == NULL || complex_value_parse(ce, text, &out->number, NULL) != 0)
            continue;
        out->text = text;
        out->is_global = i == 1;
        double factor = is_scalable(ce) ? scaling_of(from[i], ce) : 1;
        if (factor != 1)
            scale_value(out, ce, factor);
        return true;
    }
    return false;
}

const char *load_value_text(const struct load_value *v)
{
    return v->scaled[0] != '\0' ? v->scaled : v->text;
}

/* ---- formulas ---- */
void load_formula_clear(struct load_formula *f)
{
    for (uint32_t i = 0; i < f->n; i++)
        free(f->v[i].resource);
    free(f->v);
    *f = (struct load_formula){ 0 };
}

static double number_or(const char *text, double otherwise)
{
    double number;
    return text != NULL && parse_double(text, &number) ? number : otherwise;
}

/* WORD is "resource*factor", "number*factor", or either alone; what it says is added or SIGN -1
 * taken away */
static void add_term(struct load_formula *f, double sign, char *word)
{
    char *star = strchr(word, '*');
    double number;
    if (star != NULL)
        *star = '\0';
    bool is_number = parse_double(word, &number);
    f->v = uti_vec_grow(f->v, &f->cap, f->n + 1, sizeof *f->v);
    f->v[f->n++] = (struct load_term){
        .resource = is_number ? NULL : uti_strdup(word),
        .factor = sign * number_or(star != NULL ? star + 1 : NULL, 1) * (is_number ? number : 1),
    };
}

void load_formula_read(struct load_formula *f, const char *text)
{
    load_formula_clear(f);
    if (text == NULL || attr_is_none(text))
        return;
    double sign = 1;
    for (const char *at = text;; at++) {
        size_t len = strcspn(at, "+-");
        char *word = uti_strndup(at, len);
        if (len > 0)
            add_term(f, sign, word);
        free(word);
        at += len;
        if (*at == '\0')
            return;
        sign = *at == '-' ? -1 : 1;
    }
}

double load_formula_value(const struct load_formula *f, const struct load_source *load)
{
    double sum = 0;
    for (uint32_t i = 0; i < f->n; i++) {
        struct load_value value = { .number = 1 };
        const char *name = f->v[i].resource;
        const struct CE_Type *ce = name != NULL ? complex_find(load->complex, name) : NULL;
        if (name != NULL && (ce == NULL || !load_value_find(load, ce, &value)))
            return LOAD_UNKNOWN;
        sum += f->v[i].factor * value.number;
    }
    return isfinite(sum) && sum < LOAD_UNKNOWN ? sum : LOAD_UNKNOWN;
}

/* ---- what a slot adds ---- */
static double factor_of(const struct load_formula *f, const struct CE_Type_list *complex,
                        const struct CE_Type *ce)
{
    double factor = 0;
    for (uint32_t i = 0; i < f->n; i++)
        if (f->v[i].resource != NULL && complex_find(complex, f->v[i].resource) == ce)
            factor += f->v[i].factor;
    return factor;
}

/* by which an adjustment of CE is divided on the host */
static double divisor_of(const struct load_source *load, const struct CE_Type *ce)
{
    static const char by_processor[] = "np_";
    bool is_divided = strncmp(ce->CE_name, by_processor, sizeof by_processor - 1) == 0;
    return is_divided && load->host != NULL && load->host->EH_processors > 0
               ? load->host->EH_processors
               : 1;
}

/* the next of the adjustments at *AT: its resource and its amount; NULL: there are no more */
static const struct CE_Type *next_adjustment(const char **at, const struct CE_Type_list *complex,
                                             double *amount)
{
    struct dstr word = DSTR_INIT;
    const struct CE_Type *found = NULL;
    while (found == NULL && attr_next_word(at, ", ", &word)) {
        char *equals = strchr(word.s, '=');
        if (equals == NULL)
            continue;
        *equals = '\0';
        const struct CE_Type *ce = complex_find(complex, word.s);
        if (ce != NULL && complex_value_parse(ce, equals + 1, amount, NULL) == 0)
            found = ce;
    }
    dstr_free(&word);
    return found;
}

static const char *adjustments_of(const char *text)
{
    return text != NULL && !attr_is_none(text) ? text : "";
}

double load_formula_step(const struct load_formula *f, const char *adjustments,
                         const struct load_source *load)
{
    double step = 0, amount;
    const char *at = adjustments_of(adjustments);
    const struct CE_Type *ce;
    while ((ce = next_adjustment(&at, load->complex, &amount)) != NULL)
        step += factor_of(f, load->complex, ce) * amount / divisor_of(load, ce);
    return isfinite(step) ? step : 0;
}

/* ---- thresholds ---- */
/* what is left of the resource, if less than the load says, which may be unknown; the text that
 * counts. NULL: neither is known */
static const char *value_that_counts(const struct threshold_source *from, const struct CE_Type *ce,
                                     struct load_value *out, struct load_left *left)
{
    bool is_reported = load_value_find(&from->load, ce, out);
    bool runs_out = from->left != NULL && ce->CE_consumable != COMPLEX_CONSUMABLE_NO;
    if (!runs_out || !from->left(from->of, ce, left) ||
        (is_reported && out->number <= left->number))
        return is_reported ? load_value_text(out) : NULL;
    *out = (struct load_value){ .text = "", .number = left->number, .left_at = left->place };
    memcpy(out->scaled, left->shown, sizeof out->scaled);
    return left->exact;
}

/* the load in ALARM, whose text is not what is left, with what slots that were taken lately add to
 * it */
static void adjust_load(const struct threshold_source *from, const struct CE_Type *ce,
                        struct threshold_alarm *alarm)
{
    struct load_value *v = &alarm->value;
    double amount, sum = 0;
    const char *at = from->slots > 0 ? adjustments_of(from->adjustments) : "";
    const struct CE_Type *other;
    while ((other = next_adjustment(&at, from->load.complex, &amount)) != NULL)
        sum += other == ce ? amount : 0;
    double divisor = divisor_of(&from->load, ce), added = sum * from->slots / divisor;
    if (sum == 0 || !is_scalable(ce) || !isfinite(added))
        return;
    alarm->reported = v->number;
    alarm->adjustment = sum;
    alarm->slots = from->slots;
    alarm->divisor = strncmp(ce->CE_name, "np_", 3) == 0 ? (uint32_t)divisor : 0;
    v->number += added;
    scale_value(v, ce, 1);
}

static bool is_exceeded(const struct threshold_source *from, struct threshold_alarm *alarm)
{
    const struct CE_Type *ce = complex_find(from->load.complex, alarm->name);
    struct load_left left;
    if (ce == NULL)
        return true;
    alarm->resource = ce;
    alarm->name = ce->CE_name;
    const char *text = value_that_counts(from, ce, &alarm->value, &left);
    if (text != NULL && alarm->value.left_at == 0) {
        adjust_load(from, ce, alarm);
        text = load_value_text(&alarm->value);
    }
    return text == NULL || complex_meets(ce, text, alarm->limit);
}

bool thresholds_exceeded(const char *thresholds, const struct threshold_source *from,
                         threshold_fn *tell, void *ctx)
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
        if (!is_exceeded(from, &alarm))
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

bool suspend_thresholds_exceeded(const char *thresholds, const struct threshold_source *from)
{
    struct threshold_source reported = *from;
    bool is_any = false;
    reported.slots = 0;
    (void)thresholds_exceeded(thresholds, &reported, note_known, &is_any);
    return is_any;
}

/* ---- in words ---- */
struct words {
    const struct threshold_source *from;
    struct dstr *out;
    size_t before;    /* bytes in `out` */
    const char *kind; /* of threshold */
};

static void explain_missing(const struct words *w, const struct threshold_alarm *alarm)
{
    if (alarm->resource == NULL)
        dstr_addf(w->out, MSG_THRESHOLD_NO_RESOURCE_S, alarm->name);
    else if (w->from->load.host == NULL)
        dstr_addf(w->out, MSG_THRESHOLD_UNHEARD_S, alarm->name);
    else
        dstr_addf(w->out, MSG_THRESHOLD_NO_VALUE_S, alarm->name);
}

static void explain_one(void *ctx, const struct threshold_alarm *alarm)
{
    const struct words *w = ctx;
    if (w->out->len > w->before)
        dstr_addc(w->out, '\n');
    const struct load_value *v = &alarm->value;
    const char place[] = { v->left_at != 0 ? v->left_at
                           : v->is_global  ? 'g'
                                           : 'h',
                           v->left_at != 0 ? 'c' : 'l', '\0' };
    if (v->text == NULL)
        explain_missing(w, alarm);
    else
        dstr_addf(w->out, MSG_THRESHOLD_ALARM_SSSSS, place, alarm->name, load_value_text(v),
                  w->kind, alarm->limit);
}

void load_thresholds_explain(const char *thresholds, const struct threshold_source *from,
                             struct dstr *out)
{
    struct words w = { from, out, out->len, "load" };
    (void)thresholds_exceeded(thresholds, from, explain_one, &w);
}

static void explain_known(void *ctx, const struct threshold_alarm *alarm)
{
    if (alarm->value.text != NULL)
        explain_one(ctx, alarm);
}

void suspend_thresholds_explain(const char *thresholds, const struct threshold_source *from,
                                struct dstr *out)
{
    struct threshold_source reported = *from;
    struct words w = { &reported, out, out->len, "suspend" };
    reported.slots = 0;
    (void)thresholds_exceeded(thresholds, &reported, explain_known, &w);
}

static int digits_of(double number)
{
    return number == floor(number) ? 0 : 6;
}

/* where the value comes from: as captured */
static void add_origin(const struct threshold_alarm *alarm, struct dstr *out)
{
    if (alarm->value.left_at != 0)
        dstr_add(out, " left");
    else if (alarm->slots == 0)
        dstr_add(out, " (no load adjustment)");
    else {
        dstr_add(out, " (= ");
        dstr_add_decimal(out, alarm->reported,
                         alarm->resource->CE_valtype == COMPLEX_DOUBLE ? 6 : 0);
        dstr_add(out, " + ");
        dstr_add_decimal(out, alarm->adjustment, digits_of(alarm->adjustment));
        dstr_add(out, " * ");
        dstr_add_decimal(out, alarm->slots, 6);
        if (alarm->divisor > 0)
            dstr_addf(out, " with nproc=%u", alarm->divisor);
        dstr_addc(out, ')');
    }
}

static void why_one(void *ctx, const struct threshold_alarm *alarm)
{
    const struct words *w = ctx;
    if (w->out->len > w->before)
        return;
    if (alarm->value.text == NULL) {
        explain_missing(w, alarm);
        return;
    }
    dstr_addf(w->out, "%s=%s", alarm->name, load_value_text(&alarm->value));
    add_origin(alarm, w->out);
    dstr_addf(w->out, " %s %s", complex_value(alarm->resource, "relop"), alarm->limit);
}

void load_thresholds_why(const char *thresholds, const struct threshold_source *from,
                         struct dstr *out)
{
    struct words w = { from, out, out->len, "load" };
    (void)thresholds_exceeded(thresholds, from, why_one, &w);
}
