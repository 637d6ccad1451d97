/* Weights and sliders. */
#include "libs/view/weight_scale.h"

#include <string.h>

#include "libs/config/conf.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

bool weight_scale_has(const struct attr_rule *rule)
{
    return rule != NULL && strncmp(rule->name, "weight_", strlen("weight_")) == 0 &&
           (rule->syntax == ATTR_DECIMAL || rule->syntax == ATTR_NUMBER);
}

static double number_of(const char *value)
{
    double number;
    return parse_double(value, &number) && number > 0 ? number : 0;
}

double weight_scale_range(const struct attr_rule *rule, const char *value)
{
    double range = rule->syntax == ATTR_NUMBER ? WEIGHT_SCALE_MOST : 1, number = number_of(value);
    while (range < number && range < CONF_WEIGHT_MOST)
        range *= 10;
    return range;
}

int weight_scale_place(const char *value, double range)
{
    double part = number_of(value) / range;
    return (int)((part > 1 ? 1 : part) * WEIGHT_SCALE_MOST + 0.5);
}

void weight_scale_value(const struct attr_rule *rule, int place, double range, struct dstr *out)
{
    double number = place * range / WEIGHT_SCALE_MOST;
    dstr_addf(out, rule->syntax == ATTR_NUMBER ? "%.0f" : "%.6f", number);
}
