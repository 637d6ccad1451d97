#ifndef CONFIG_USAGE_PARAMS_H
#define CONFIG_USAGE_PARAMS_H

#include <stdbool.h>
#include <stddef.h>

/* Which usage counts for the share tree, how much, and for how long: usage_weight_list, halftime
 * and halflife_decay_list of sched_conf(5). Pure. */
struct UA_Type_list;

/* the most names in usage_weight_list, and in halflife_decay_list; bytes of a name */
enum { USAGE_NAMES_MOST = 8, USAGE_NAME_MOST = 64 };
/* what hosts report of every task, and is summed whether it has a weight or not */
enum { USAGE_NAMES_ALWAYS = 3 };
extern const char *const usage_names_always[USAGE_NAMES_ALWAYS];

/* the values of these three parameters, borrowed */
struct usage_params {
    const char *weights, *decays;
    double halftime_h;
};

/* usage_is_of_hosts - is NAME (LEN bytes) one that hosts report, or run time or slots of a task?
 * All others are consumables, which count as amount times seconds */
bool usage_is_of_hosts(const char *name, size_t len);
/* usage_decays_are_valid - is VALUE one for halflife_decay_list? */
bool usage_decays_are_valid(const char *value);
/* usage_weights_read - each name of the two lists once, with its weight or 0; those that are always
 * summed come first. OUT was empty, and has at most USAGE_NAMES_ALWAYS + 2 * USAGE_NAMES_MOST */
void usage_weights_read(const struct usage_params *params, struct UA_Type_list *out);
/* usage_halftime_s - after how many seconds past usage of NAME counts half; 0: it counts for ever;
 * less: that of running tasks alone counts */
double usage_halftime_s(const struct usage_params *params, const char *name);
/* usage_decayed - VALUE after SECONDS >= 0
 * usage_spread - what VALUE, used evenly over SECONDS, is worth at their end */
double usage_decayed(double value, double halftime_s, double seconds);
double usage_spread(double value, double halftime_s, double seconds);

#endif
