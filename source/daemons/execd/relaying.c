/* Users of this host on their way to the qmaster. They are those whom the kernel names at the other
 * end of the socket; what the qmaster makes of them is its own affair. */
#include "daemons/execd/relaying.h"

#include <stdlib.h>

#include "daemons/execd/msg_execd.h"
#include "libs/comm/link.h"
#include "libs/comm/names.h"
#include "libs/comm/relay.h"
#include "libs/gdi/message.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/log.h"
#include "libs/uti/time.h"

struct relaying {
    struct relay *relay;
    struct names *names;
    char *user; /* the last that was asked for */
};

static bool look_up(void *ctx, uid_t uid, gid_t gid, const char **user, const char **group)
{
    struct relaying *r = ctx;
    uint64_t now_s = uti_now_s();
    const char *name = names_user(r->names, uid, now_s);
    free(r->user); /* asking for the group may forget the user */
    r->user = name != NULL ? uti_strdup(name) : NULL;
    *user = r->user;
    *group = names_group(r->names, gid, now_s);
    return *user != NULL && *group != NULL;
}

static void on_names(void *ctx)
{
    struct relaying *r = ctx;
    relay_named(r->relay);
}

static const struct relay_ops ops = { .names = look_up, .refusal_kind = GDI_FRAME_REFUSED };

struct relaying *relaying_new(struct loop *l, const char *socket, struct answer *ans)
{
    struct relaying *r = uti_calloc(1, sizeof *r);
    r->names = names_new(l, on_names, r, ans);
    if (r->names == NULL) {
        free(r);
        return NULL;
    }
    r->relay = relay_new(l, socket, &ops, r);
    return r;
}

void relaying_free(struct relaying *r)
{
    if (r == NULL)
        return;
    relay_free(r->relay);
    names_free(r->names);
    free(r->user);
    free(r);
}

void relaying_up(struct relaying *r, struct link *k)
{
    struct answer ans = ANSWER_INIT;
    if (r != NULL && relay_up(r->relay, k, &ans) != 0)
        log_answer(&ans);
    ans_free(&ans);
}

void relaying_down(struct relaying *r)
{
    if (r != NULL)
        relay_down(r->relay);
}

const struct turn_counts *relaying_turns(const struct relaying *r)
{
    return relay_turns(r->relay);
}

const struct turn_counts *relaying_names_turns(const struct relaying *r)
{
    return names_turns(r->names);
}

bool relaying_take(struct relaying *r, struct link *k, struct frame *f)
{
    int rc = r != NULL ? relay_take(r->relay, f) : 0;
    if (rc < 0) {
        log_msg(LOG_LEVEL_ERROR, MSG_BAD_LINE);
        link_drop(k);
    }
    return rc != 0;
}
