#ifndef DRMAA_USAGE_H
#define DRMAA_USAGE_H

/* usage_add - append what a task has used, as drmaa_wait gives it: "name=value" each, values with
 * four decimals */
struct japi_ended;
struct texts;
void usage_add(const struct japi_ended *e, struct texts *to);

#endif
