#ifndef VIEW_WEIGHT_SCALE_H
#define VIEW_WEIGHT_SCALE_H

#include "libs/config/attr_syntax.h"

/* A weight of the scheduler as the place of a slider, from 0 to WEIGHT_SCALE_MOST. The range of the
 * slider grows with the weight, by tens, and begins with 0 to 1, or to 1000 for whole numbers.
 * Pure. */
enum { WEIGHT_SCALE_MOST = 1000 };
struct dstr;

/* weight_scale_has - is an attribute with RULE (NULL: none) a weight? */
bool weight_scale_has(const struct attr_rule *rule);
/* weight_scale_range - how much the right end of the slider means while the weight is VALUE
 * weight_scale_place - where on that range VALUE is; 0 if it is no number
 * weight_scale_value - append the weight that PLACE means */
double weight_scale_range(const struct attr_rule *rule, const char *value);
int weight_scale_place(const char *value, double range);
void weight_scale_value(const struct attr_rule *rule, int place, double range, struct dstr *out);

#endif
