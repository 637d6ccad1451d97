#ifndef FEED_WORKERS_H
#define FEED_WORKERS_H

#include "common/basis.h"

/* Work that may block, for a program whose main thread may not: a file on a host that does not
 * answer, a name service. Each piece runs in a thread of its own, and its end is announced by a
 * descriptor. */
struct answer;
struct workers;
enum { WORKERS_MOST = 16 }; /* threads at a time, those that hang included */

/* workers_new - no thread yet. Returns new: workers_free; NULL with ans: no descriptor. */
struct workers *workers_new(struct answer *ans);
/* workers_free - no `done` is called any more; threads that hang are left behind, and free what
 * they have when they return. NULL is fine. Returns whether there are such threads: what their work
 * borrows must stay until the process ends. */
bool workers_free(struct workers *w);

/* struct work - one piece
 *
 *   run   in its thread, which alone has DATA meanwhile
 *   done  in the main thread, within workers_take
 *   free  frees DATA at last, in either thread */
struct work {
    void (*run)(void *data);
    void (*done)(void *ctx, void *data);
    void (*free)(void *data);
    void *data;
    void *ctx;
};
/* workers_run - start WORK; its data is taken, also after a failure
 * Returns 0, or -1 with ans: WORKERS_MOST threads run, or no thread can be started. */
int workers_run(struct workers *w, const struct work *work, struct answer *ans);
/* workers_forget - `done` is not called for any work with CTX that runs now */
void workers_forget(struct workers *w, const void *ctx);

/* workers_fd - readable when workers_take has something to do */
int workers_fd(const struct workers *w);
void workers_take(struct workers *w);

#endif
