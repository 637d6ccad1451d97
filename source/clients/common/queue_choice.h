#ifndef CLIENTS_COMMON_QUEUE_CHOICE_H
#define CLIENTS_COMMON_QUEUE_CHOICE_H

#include "clients/common/command.h"
#include "clients/common/source.h"
#include "libs/resource/availability.h"
#include "libs/sgeobj/rows.h"

/* Which queue instances a command is about: -q, -qs, -pe, -l, -U of qstat(1), qselect(1). */
struct answer;
struct queue_choice {
    struct name_list queues;    /* -q: queue, queue@host, queue@@group; patterns */
    struct name_list pes;       /* -pe */
    struct name_list resources; /* -l */
    struct name_list users;     /* -U */
    unsigned states;            /* -qs: QI_... bits */
    bool has_states;
    char *wrong_states; /* owned: letters of -qs that are no states; NULL: none */
};                      /* all zero: all of them */

/* queue_choice_states - take the letters of -qs, for a row of options (command.h) */
bool queue_choice_states(void *choice, const char *letters, unsigned value);
/* queue_choice_free - C means all queue instances afterwards */
void queue_choice_free(struct queue_choice *c);

/* queue_choice_is_all - was nothing chosen? */
bool queue_choice_is_all(const struct queue_choice *c);

/* ---- -l: requests of the form NAME=VALUE, or NAME for what must be true ---- */
/* A name may be a shortcut. */

/* resource_requests_check - is all that REQUESTS name in COMPLEX? Returns 0, or -1 with ans. */
int resource_requests_check(const struct name_list *requests, const struct CE_Type_list *complex,
                            struct answer *ans);

/* resource_requests_suit - has WHAT as much as each of them asks for? */
bool resource_requests_suit(const struct name_list *requests, const struct offering *what);

struct user_access { /* of -U: what its users are in */
    struct access_of_user {
        char *sets; /* owned: names of user sets, with blanks between; NULL: in none */
    } * v;
    uint32_t n; /* 0: no users were named */
};

/* ---- the queue instances that are chosen ---- */
/* what is requested of them, beside what chooses them */
enum {
    VIEW_LINES = 1,    /* what a listing of them shows */
    VIEW_HOSTS = 2,    /* their hosts */
    VIEW_JOBS = 4,     /* all that jobs may request */
    VIEW_RESOURCES = 8 /* all resources; also for -l */
};
struct queue_view {
    struct GA_Type *queues, *hosts; /* owned; NULL if not requested */
    struct CE_Type_list complex;    /* with VIEW_JOBS, VIEW_RESOURCES and -l */
    struct user_access access;
    const struct QU_Type **v; /* chosen, sorted by name */
    uint32_t n;
};

/* queue_view_get - what FROM has of those that C means; queue_view_free afterwards
 * Returns 0, or -1 with ans and nothing to free: the qmaster did not answer, a letter of -qs is not
 * a state, or the cell has none of the parallel environments of -pe. A -l of an unknown resource
 * chooses nothing (resource_requests_check). */
int queue_view_get(const struct source *from, const struct queue_choice *c, unsigned with,
                   struct queue_view *view, struct answer *ans);
void queue_view_free(struct queue_view *view);
/* queue_view_has - was the instance of that name chosen? O(log n) */
bool queue_view_has(const struct queue_view *view, const char *full_name);
/* queue_view_host, queue_view_cell - what is known of QUEUE's host and of "global"; NULL: nothing
 * queue_view_offering - what there is at QUEUE; borrows */
const struct EH_Type *queue_view_host(const struct queue_view *view, const struct QU_Type *queue);
const struct EH_Type *queue_view_cell(const struct queue_view *view);
struct offering queue_view_offering(const struct queue_view *view, const struct QU_Type *queue);

#endif
