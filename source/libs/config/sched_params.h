#ifndef CONFIG_SCHED_PARAMS_H
#define CONFIG_SCHED_PARAMS_H

/* Parameters of sched_conf(5) whose values have a grammar of their own: load_formula,
 * job_load_adjustments, usage_weight_list, policy_hierarchy, params. Pure. */
#include <stdbool.h>

struct answer;
struct CE_Type_list;

/* sched_param_check - is VALUE, which attr_syntax.h takes, one that PARAM can have?
 *
 *   complex  the resources of the cell; NULL: not known, any name may be that of a number
 *
 * Returns 0, also for parameters that are not among these, or -1 with one line in ans. */
int sched_param_check(const char *param, const char *value, const struct CE_Type_list *complex,
                      struct answer *ans);
/* sched_plugin_is_name - can NAME be that of a shared object with a scheduler, for `algorithm`:
 * letters, digits, "_", "-" and ".", not "." first, ".so" last, SCHED_PLUGIN_NAME_MOST bytes? */
enum { SCHED_PLUGIN_NAME_MOST = 64 };
bool sched_plugin_is_name(const char *name);

#endif
