#ifndef CLI_SUBMITTER_H
#define CLI_SUBMITTER_H

#include <sys/types.h>

#include "common/basis.h"

/* Who runs a command, and where: read once, then passed down, so that the parsers are functions of
 * their arguments. What the user may do is decided by the qmaster from the connection, never from
 * here. */
struct submitter {
    char *const *env; /* borrowed: the process's environment */
    char *cwd;        /* owned; as the shell calls it ($PWD) where that is true */
    /* of the effective user; owned: from the environment if that is the real user's, too, else from
     * the user database */
    char *home;
    char *user;
    char *host; /* owned */
    uint64_t now_s;
};

struct answer;
/* submitter_init - read the world; -1 with ans if the working directory is gone */
int submitter_init(struct submitter *by, char *const *env, struct answer *ans);
/* submitter_find_user - name and home of the user UID, as the user database has them, for a program
 * that acts for a user whom the environment does not describe. Returns 0 with both new: free(); -1
 * with ans if no user has UID */
int submitter_find_user(uid_t uid, char **user, char **home, struct answer *ans);
/* submitter_home_of - the home of USER, new: free(), NULL: no such user (path_expand.h) */
char *submitter_home_of(const char *user);
/* submitter_free - what submitter_init made */
void submitter_free(struct submitter *by);
/* submitter_getenv - value of NAME in by->env, NULL if not set */
const char *submitter_getenv(const struct submitter *by, const char *name, size_t len);

#endif
