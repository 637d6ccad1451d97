/* Load formulas: sums of resources and numbers, each with a factor. Owns struct load_formula.
 * Source: sched_conf(5) */
#include "libs/config/load_formula.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "libs/config/attr_names.h"
#include "libs/config/complex.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

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

double load_formula_step(const struct load_formula *f, const char *adjustments,
                         const struct load_source *load)
{
    struct dstr word = DSTR_INIT;
    double step = 0, amount;
    const char *at = adjustments != NULL && !attr_is_none(adjustments) ? adjustments : "";
    while (attr_next_word(&at, ", ", &word)) {
        char *equals = strchr(word.s, '=');
        if (equals == NULL)
            continue;
        *equals = '\0';
        const struct CE_Type *ce = complex_find(load->complex, word.s);
        if (ce != NULL && complex_value_parse(ce, equals + 1, &amount, NULL) == 0)
            step += factor_of(f, load->complex, ce) * amount / divisor_of(load, ce);
    }
    dstr_free(&word);
    return isfinite(step) ? step : 0;
}
