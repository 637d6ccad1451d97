#ifndef EXECD_HOST_USER_H
#define EXECD_HOST_USER_H

#include <sys/types.h>

#include "common/basis.h"

/* Owners of jobs as this host knows them. Name services may take seconds, so that they are asked in
 * a thread of their own; what they said is kept for some minutes. All functions run on the loop's
 * thread. */
struct answer;
struct loop;
struct turn_counts;
struct users;

struct user {
    const char *name, *home, *shell;
    uid_t uid;
    gid_t gid;
    const char *groups; /* supplementary groups as "1001,27" */
    const char *error;  /* NULL, or why nothing of the above is there */
    bool is_absent;     /* error: the name service says that there is no such user */
};

struct users *users_new(struct loop *l, struct answer *ans); /* new: users_free */
void users_free(struct users *u);

/* users_turns - what the questions to the name service have cost, each a turn */
const struct turn_counts *users_turns(const struct users *u);

/* users_get - ask for NAME
 * FN is called with the answer (borrowed, good during the call), at once if it is known. */
typedef void (*user_fn)(void *ctx, const struct user *user);
void users_get(struct users *u, const char *name, user_fn fn, void *ctx);

#endif
