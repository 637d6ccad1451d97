#ifndef SCHED_RUNNER_VIEW_H
#define SCHED_RUNNER_VIEW_H

#include "libs/cull/pack.h"
#include "libs/plugin/sge_scheduler.h"

/* The cell as a plug-in sees it, kept current by requests, and what the plug-in decides. */

/* view_new - nothing is in it, and it lives as long as the process */
struct sge_scheduler_run *view_new(void);
/* view_api - the functions that plug-ins call */
const struct sge_scheduler_api *view_api(void);
/* view_take - take the changes of REQUEST, calling PLUGIN with OWN for each
 * Returns whether the plug-in is to decide now (PLUGIN_RUN), or -1 if the request is malformed. */
int view_take(struct sge_scheduler_run *view, struct unpacker *request,
              const struct sge_scheduler *plugin, void *own);
/* view_answer - the decisions since the last call, into OUT */
void view_answer(struct sge_scheduler_run *view, struct packer *out);

#endif
