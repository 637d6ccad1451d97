#ifndef CLIENTS_COMMON_USER_ACCESS_H
#define CLIENTS_COMMON_USER_ACCESS_H

#include "clients/common/option_table.h"
#include "clients/common/source.h"
#include "libs/sgeobj/rows.h"

/* Which queue instances some users may use: -U of qstat(1), qselect(1). By the user sets of the
 * cell, and by the groups that the name service of this host names for them. */
struct user_access {
    struct access_of_user { /* one for each name of the option */
        char *sets;         /* owned: that he is in, with blanks between; NULL: in none */
    } * v;
    uint32_t n; /* 0: no users were named */
};

/* user_access_get - what USERS are in; "@set" is a user who is in that set alone
 * Without users nothing is asked. user_access_free afterwards. Returns 0, or -1 with ans. */
int user_access_get(const struct source *from, const struct name_list *users, struct user_access *a,
                    struct answer *ans);
/* user_access_admits - may all of the users use QUEUE, which has QU_access? True if no users
 * were named. O(users x names) */
bool user_access_admits(const struct user_access *a, const struct QU_Type *queue);
void user_access_free(struct user_access *a);

#endif
