/* A round over all hosts. Invariant: there is one at most; a change meanwhile begins it anew, so
 * that every host hears of the latest last. A host that connects meanwhile got the latest when it
 * registered. */
#include "daemons/qmaster/hosts/conf_notifications.h"

#include <stdlib.h>

#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/hosts/notifications.h"
#include "daemons/qmaster/tables/slice.h"
#include "libs/config/conf.h"
#include "libs/uti/alloc.h"

struct conf_round {
    struct piece piece;
    struct qmaster *q;
    struct walk walk; /* over all hosts */
};

static void tell_host(struct qmaster *q, struct host *h)
{
    if (h->conn != 0)
        exec_send_conf(q, h);
}

static bool round_step(struct qmaster *q, struct piece *piece)
{
    struct conf_round *round = (struct conf_round *)piece;
    for (uint32_t n = 0; round->walk.next != NULL; n++) {
        if (n > 0 && slice_is_over(q))
            return false;
        tell_host(q, walk_take(&round->walk, offsetof(struct host, hh)));
    }
    return true;
}

static void round_free(struct piece *piece)
{
    struct conf_round *round = (struct conf_round *)piece;
    round->q->conf_round = NULL;
    walk_end(&round->walk);
    free(round);
}

static const struct piece_kind round_kind = { "a configuration for all hosts", round_step,
                                              round_free };

static void round_begin(struct qmaster *q, uint64_t user)
{
    struct conf_round *round = uti_calloc(1, sizeof *round);
    round->piece.kind = &round_kind;
    round->q = q;
    q->conf_round = round;
    walk_begin(&q->hosts.walks, &round->walk, q->hosts.all);
    if (round_step(q, &round->piece))
        round_free(&round->piece);
    else
        work_put_piece(q->work, user, &round->piece);
}

void conf_changed(struct qmaster *q, uint64_t user, const char *name)
{
    struct host *h = hosts_find(&q->hosts, name);
    if (strcmp(name, CONF_GLOBAL) != 0) {
        if (h != NULL)
            tell_host(q, h);
    } else if (q->conf_round != NULL) {
        walk_begin(&q->hosts.walks, &q->conf_round->walk, q->hosts.all);
    } else {
        round_begin(q, user);
    }
}
