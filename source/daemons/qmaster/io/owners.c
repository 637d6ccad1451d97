/* Questions of the core for users by their ids, until the names are there. Invariant: ASKED is
 * under the lock; WAITING belongs to the loop's thread alone. */
#include "daemons/qmaster/io/owners.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "daemons/qmaster/io/inbox.h"
#include "daemons/qmaster/io/msg_io.h"
#include "libs/comm/loop.h"
#include "libs/comm/names.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/time.h"

struct owners {
    struct names *names;
    const char *host; /* borrowed */
    struct inbox *core;
    struct loop_watch *wake;
    struct note_list waiting; /* answers without names */
    pthread_mutex_t lock;
    struct note_list asked; /* the same, not yet seen by the loop's thread */
};

/* the user of N into it, as far as the names are there; false: they are being asked for */
static bool fill_owner(struct owners *o, struct note *n)
{
    struct names_user u;
    uint64_t now_s = uti_now_s();
    enum names_found found = names_find_user(o->names, (uid_t)n->number, now_s, &u);
    n->is_unsure = found == NAMES_UNSURE;
    if (found != NAMES_FOUND)
        return found != NAMES_ASKED;
    char *user = uti_strdup(u.name);
    const char *group = names_group(o->names, u.gid, now_s);
    if (group != NULL) {
        n->who = identity_owner((uid_t)n->number, u.gid, o->host);
        identity_set_names(&n->who, user, group);
    }
    free(user);
    return group != NULL;
}

static bool fill_groups(struct owners *o, struct note *n)
{
    const char *text;
    enum names_found found = names_find_groups(o->names, (uid_t)n->number, uti_now_s(), &text);
    n->is_unsure = found == NAMES_UNSURE;
    if (found == NAMES_FOUND)
        n->data = uti_strdup(text);
    return found != NAMES_ASKED;
}

void owners_look(struct owners *o)
{
    struct note_list all = STAILQ_HEAD_INITIALIZER(all), ready = STAILQ_HEAD_INITIALIZER(ready);
    struct note *n;
    STAILQ_CONCAT(&all, &o->waiting);
    while ((n = STAILQ_FIRST(&all)) != NULL) {
        STAILQ_REMOVE_HEAD(&all, next);
        bool is_filled = n->kind == NOTE_GROUPS ? fill_groups(o, n) : fill_owner(o, n);
        if (is_filled)
            STAILQ_INSERT_TAIL(&ready, n, next);
        else
            STAILQ_INSERT_TAIL(&o->waiting, n, next);
    }
    inbox_put_all(o->core, &ready);
}

static void on_asked(void *ctx)
{
    struct owners *o = ctx;
    pthread_mutex_lock(&o->lock);
    STAILQ_CONCAT(&o->waiting, &o->asked);
    pthread_mutex_unlock(&o->lock);
    owners_look(o);
}

static void put_question(struct owners *o, enum note_kind kind, uid_t uid)
{
    struct note *n = note_new(kind, 0);
    n->number = uid;
    pthread_mutex_lock(&o->lock);
    STAILQ_INSERT_TAIL(&o->asked, n, next);
    pthread_mutex_unlock(&o->lock);
    loop_wake(o->wake);
}

void owners_ask(struct owners *o, uid_t uid)
{
    put_question(o, NOTE_OWNER, uid);
}

void owners_ask_groups(struct owners *o, uid_t uid)
{
    put_question(o, NOTE_GROUPS, uid);
}

struct owners *owners_new(struct loop *l, struct names *names, const char *host, struct inbox *core,
                          struct answer *ans)
{
    struct owners *o = uti_calloc(1, sizeof *o);
    *o = (struct owners){ .names = names, .host = host, .core = core };
    STAILQ_INIT(&o->waiting);
    STAILQ_INIT(&o->asked);
    pthread_mutex_init(&o->lock, NULL);
    o->wake = loop_wake_new(l, on_asked, o);
    if (o->wake != NULL)
        return o;
    ans_sys(ans, errno, MSG_OWNERS_WAKE);
    owners_free(o);
    return NULL;
}

void owners_free(struct owners *o)
{
    struct note *n;
    if (o == NULL)
        return;
    loop_watch_free(o->wake);
    STAILQ_CONCAT(&o->waiting, &o->asked);
    while ((n = STAILQ_FIRST(&o->waiting)) != NULL) {
        STAILQ_REMOVE_HEAD(&o->waiting, next);
        note_free(n);
    }
    pthread_mutex_destroy(&o->lock);
    free(o);
}
