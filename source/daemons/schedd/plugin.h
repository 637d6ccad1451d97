#ifndef SCHEDD_PLUGIN_H
#define SCHEDD_PLUGIN_H

#include "common/basis.h"

/* The scheduler plug-in that `algorithm` of sched_conf(5) names: its process follows the
 * configuration, and is asked before each run. One that has failed is not started again until the
 * configuration of the scheduler changes. */
struct loop;
struct plugin;
struct sched;

/* plugin_new - none runs; strings are copied
 *
 *   runner   sge_sched_runner
 *   dir      where shared objects may come from
 *   on_ready called from the loop when a run that plugin_may_run put off may go on
 *
 * New: plugin_free; NULL is fine */
struct plugin *plugin_new(struct loop *l, const char *runner, const char *dir,
                          void (*on_ready)(void *ctx), void *ctx);
void plugin_free(struct plugin *p);

/* For all that follow P may be NULL: there are no plug-ins.
 *
 * plugin_follow - S is complete and has taken events: the process is that of its configuration
 * plugin_retry - the configuration has changed: one that failed is started again
 * plugin_drop - S is about to go */
void plugin_follow(struct plugin *p, struct sched *s);
void plugin_retry(struct plugin *p);
void plugin_drop(struct plugin *p);
/* plugin_may_run - is no plug-in in force, or has it decided about what is known? Else it is asked,
 * and on_ready is called
 * plugin_ran - a run of S has followed. Returns whether another is to follow: something has changed
 * since the plug-in was asked, or it has failed */
bool plugin_may_run(struct plugin *p, struct sched *s, uint64_t now_s, uint32_t most);
bool plugin_ran(struct plugin *p, struct sched *s);

#endif
