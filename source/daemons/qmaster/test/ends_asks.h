#ifndef QMASTER_TEST_ENDS_ASKS_H
#define QMASTER_TEST_ENDS_ASKS_H

#include "daemons/qmaster/test/fixture.h"

/* the body of GR, which is empty afterwards */
struct packer pack_request(struct GR_Type *gr);
/* VERB on the session KEY; NULL: without a key */
struct GR_Type for_session(uint32_t verb, const char *key);
void ask_session(struct fixture *f, const char *user, uint32_t serial, uint32_t verb,
                 const char *key);
/* JOB 0: all jobs of the session */
void ask_watch(struct fixture *f, const char *user, uint32_t serial, const char *key, uint32_t job);
/* the ends of the ordinals FIRST to LAST of JOB are taken */
struct GR_Type for_take(const char *key, uint32_t job, uint32_t first, uint32_t last);
void ask_take(struct fixture *f, const char *user, uint32_t serial, const char *key, uint32_t job,
              uint32_t first, uint32_t last);
/* a job with tasks 1-LAST in the session KEY; OPTIONS: GDI_WATCH_TOO is qsub -sync y */
void ask_submit(struct fixture *f, const char *user, uint32_t serial, uint32_t last,
                const char *key, uint32_t options, const char *id);

/* the parts of answers that have left for USER since the last look: "SERIAL:what", with a bar
 * behind the last end that was kept, and a full stop behind the last part */
const char *text_told(struct fixture *f, const char *user);
/* the same after a sync */
const char *told_after_sync(struct fixture *f, const char *user);
/* what a look at KEY from a new connection finds */
const char *kept_of(struct fixture *f, const char *user, const char *key);
/* a session "s" of alice with job 1 of LAST tasks */
void begin_session(struct fixture *f, uint32_t last);

#endif
