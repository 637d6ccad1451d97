/* How much of what the shown priority is, as sched_conf(5) has it. */
#include "libs/config/prior_weights.h"

#include "libs/config/conf.h"
#include "libs/uti/parse.h"

static void read_weight(const struct CONF_Type *scheduler, const char *name, double *weight)
{
    double value;
    if (parse_double(conf_get(scheduler, NULL, name), &value))
        *weight = value;
}

struct prior_weights prior_weights_of(const struct CONF_Type *scheduler)
{
    struct prior_weights w = PRIOR_WEIGHTS_DEFAULT;
    read_weight(scheduler, "weight_ticket", &w.ticket);
    read_weight(scheduler, "weight_urgency", &w.urgency);
    read_weight(scheduler, "weight_priority", &w.priority);
    read_weight(scheduler, "weight_waiting_time", &w.waiting_time);
    return w;
}
