#ifndef QMASTER_TEST_EVENT_ASKS_H
#define QMASTER_TEST_EVENT_ASKS_H

#include "daemons/qmaster/test/fixture.h"

struct wishes { /* what a client registers with; NULL: not said */
    const char *kinds[4], *fields[4], *objects[4];
    bool wants_all;
    uint32_t interval_ms;
};

/* S registers with W; hear: the connection of a user does */
void register_session(struct fixture *f, struct connection *s, struct wishes w);
#define hear(f, user, ...)                                                                         \
    register_session(f, fixture_connection(f, user), (struct wishes){ __VA_ARGS__ })

void acknowledge_package(struct fixture *f, struct connection *s, uint64_t package);

/* turns of the core, until nothing more is to be done */
void run_core(struct fixture *f);
/* what left for S since it was asked last; kept till the next call. The last package is
 * acknowledged if IS_PROMPT. */
const char *heard_by(struct fixture *f, struct connection *s, bool is_prompt);
/* the same for the connection of a user, who is prompt */
const char *text_heard(struct fixture *f, const char *user);
/* the words of the answer that the client got, "" for none; kept till the next call */
const char *text_answered(struct fixture *f, const struct connection *s);
/* starts are shown as "@SECONDS" after this one; 0 at first */
void starts_shown_from(uint64_t at_s);

#endif
