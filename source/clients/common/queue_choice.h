#ifndef CLIENTS_COMMON_QUEUE_CHOICE_H
#define CLIENTS_COMMON_QUEUE_CHOICE_H

#include "clients/common/command.h"
#include "clients/common/source.h"
#include "libs/sgeobj/rows.h"

/* Which queue instances a command is about: -q, -qs, -pe, -l, -U of qstat(1), qselect(1). */
struct answer;
struct offering;
struct source;
struct queue_choice {
    struct name_list queues;    /* -q: queue, queue@host, queue@@group; patterns */
    struct name_list pes;       /* -pe */
    struct name_list resources; /* -l */
    struct name_list users;     /* -U */
    unsigned states;            /* -qs: QI_... bits */
    bool has_states;
    const char *wrong_states; /* borrowed: letters of -qs that are no states; NULL: none */
};                            /* all zero: all of them */

/* queue_choice_states - take the letters of -qs, for a row of options (command.h) */
bool queue_choice_states(void *choice, const char *letters, unsigned value);
/* queue_choice_free - C means all queue instances afterwards */
void queue_choice_free(struct queue_choice *c);

/* queue_choice_is_all - was nothing chosen? */
bool queue_choice_is_all(const struct queue_choice *c);
/* queue_choice_takes - is QUEUE among what C means? It has QU_full_name, QU_qname, QU_hostgroups,
 * QU_state and the setting pe_list. Its resources, and who may use it,
 * are other questions:
 * queue_choice_suits - does it have those of -l? WHAT is all that is known of it */
bool queue_choice_takes(const struct queue_choice *c, const struct QU_Type *queue);
bool queue_choice_suits(const struct queue_choice *c, const struct offering *what);
/* queue_choice_check - are the letters of -qs states, and does the cell have one of the parallel
 * environments of -pe? A name that none has is a mistake, not an empty answer. Returns 0, or -1
 * with ans. */
int queue_choice_check(const struct queue_choice *c, const struct source *from, struct answer *ans);
/* queue_is_meant - does PATTERN (queue, queue@host ...) mean this instance? */
bool queue_is_meant(const struct QU_Type *queue, const char *pattern);

/* -l of the commands that show: requests of the form NAME=VALUE, or NAME for what shall be true; a
 * name may be a shortcut. Pure. */

/* resource_requests_check - is all that REQUESTS name in COMPLEX? Returns 0, or -1 with ans. */
int resource_requests_check(const struct name_list *requests, const struct CE_Type_list *complex,
                            struct answer *ans);

/* resource_requests_suit - has WHAT as much as each of them asks for? */
bool resource_requests_suit(const struct name_list *requests, const struct offering *what);

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
