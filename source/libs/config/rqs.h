#ifndef CONFIG_RQS_H
#define CONFIG_RQS_H

/* Resource quota sets: the text of a `limit` (resource_quota(5)) as a rule. Pure. */
struct answer;

/* rqs_read_limit - append the rule that VALUE says to the record, an RQS_Type that has its name
 * Returns 0, or -1 with one line in ans for the first thing that is wrong (the record may have a
 * part of the rule). */
int rqs_read_limit(void *rqs, const char *value, struct answer *ans);

#endif
