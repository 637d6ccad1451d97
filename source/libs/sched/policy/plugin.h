#ifndef SCHED_POLICY_PLUGIN_H
#define SCHED_POLICY_PLUGIN_H

#include "libs/cull/pack.h"
#include "libs/sched/policy/policy.h"

/* The policy that a scheduler in a shared object decides (`algorithm` NAME.so). It runs in a
 * process of its own, which is the caller's business (daemons/schedd): here is what is sent to
 * that process, and what becomes of its decisions. Until it is there, and when it has failed, the
 * default decides.
 *
 * A run is three steps: sched_plugin_request, until it has all changes; the answer, to
 * sched_plugin_take; sched_run. Events may come between; decisions that no longer fit because of
 * them are left out. */
struct answer;
struct sched;

/* sched_plugin_name - the file that `algorithm` names, borrowed until the next event; NULL: it
 * names none */
const char *sched_plugin_name(const struct sched *s);
/* sched_plugin_begin - the process is there, and what it DOES (sge_scheduler.h): it takes over
 * sched_plugin_end - it is not, the default takes over; nothing if it was not there
 * sched_plugin_is_on - is it there? */
void sched_plugin_begin(struct sched *s, unsigned does);
void sched_plugin_end(struct sched *s);
bool sched_plugin_is_on(const struct sched *s);
/* sched_plugin_request - append the next request (libs/plugin/wire.h): what has changed since the
 * last one, PLUGIN_CHANGES_MOST objects at most. Returns whether it asks for decisions; else more
 * changes follow. O(changes) */
bool sched_plugin_request(struct sched *s, uint64_t now_s, uint32_t most, struct packer *out);
/* sched_plugin_take - the decisions of an answer, for the next runs
 *
 *   ans  lines of the plug-in, as information; the fault
 *
 * Returns 0, or -1 if they cannot be: nothing of them counts. O(decisions) */
int sched_plugin_take(struct sched *s, struct unpacker *answer, struct answer *ans);
/* sched_plugin_fault - what became clear in a run: a decision could never be carried out; NULL:
 * nothing. Borrowed until the next call of any of these */
const char *sched_plugin_fault(const struct sched *s);
/* sched_plugin_is_behind - has something changed that the plug-in does not know yet? O(1) */
bool sched_plugin_is_behind(const struct sched *s);

#endif
