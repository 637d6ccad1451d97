#ifndef SCHED_POLICY_IN_FORCE_H
#define SCHED_POLICY_IN_FORCE_H

/* The policy in force, and how it changes. */
struct sched;

/* policy_begin - the policy that the configuration names is in force: none was
 * policy_end - none is: its state and the ranks that it gave are gone
 * policy_settle - the one that is to be in force is; nothing if it was. O(job groups) */
void policy_begin(struct sched *s);
void policy_end(struct sched *s);
void policy_settle(struct sched *s);

#endif
