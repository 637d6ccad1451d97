#ifndef SCHEDD_PLUGIN_PROCESS_H
#define SCHEDD_PLUGIN_PROCESS_H

#include "libs/cull/pack.h"

/* The process of a scheduler plug-in (sge_sched_runner): started, asked, and ended when it fails.
 * Nothing here blocks. */
struct answer;
struct loop;
struct plugin_process;

/* how long the process may take to load, and to answer */
enum { PLUGIN_LOAD_MS = 10000, PLUGIN_ANSWER_MS = 5000 };

/* What happens to it, called from the loop alone; after on_end nothing more. The process may be
 * freed in any of them. */
struct plugin_calls {
    /* it is there, and what it DOES (sge_scheduler.h) */
    void (*on_loaded)(void *ctx, unsigned does);
    /* its answer to the last request: WHAT (enum plugin_answer), and what is behind that */
    void (*on_answer)(void *ctx, unsigned what, struct unpacker *body);
    /* it has failed, as WHY says */
    void (*on_end)(void *ctx, const char *why);
};
/* plugin_process_new - start PROGRAM with the shared object PATH; new: plugin_process_free; NULL
 * with ans
 * plugin_process_ask - REQUEST is next, and the answer to the last one has come
 * plugin_process_free - it is killed; what is left of it goes when it has ended; NULL is fine
 * plugin_process_end - the same, and waits for the end: the loop is about to go */
struct plugin_process *plugin_process_new(struct loop *l, const char *program, const char *path,
                                          const struct plugin_calls *calls, void *ctx,
                                          struct answer *ans);
void plugin_process_ask(struct plugin_process *p, const struct packer *request);
void plugin_process_free(struct plugin_process *p);
void plugin_process_end(struct plugin_process *p);

#endif
