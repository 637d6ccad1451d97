/* Who somebody is. Invariant: user, group and host are all set in an identity that the core
 * gets. */
#include "daemons/qmaster/io/identity.h"

#include <stdlib.h>
#include <unistd.h>

#include "libs/comm/server.h"
#include "libs/uti/alloc.h"

enum role identity_role(const struct comm_peer *peer)
{
    if (peer->is_child)
        return ROLE_SCHEDULER;
    return peer->uid == 0 || peer->uid == geteuid() ? ROLE_EXECD : ROLE_CLIENT;
}

struct identity identity_new(const struct comm_peer *peer, const char *host)
{
    return (struct identity){
        .host = uti_strdup(host),
        .role = identity_role(peer),
        .proof = peer->is_child ? PROOF_CHILD : PROOF_SOCKET,
        .uid = peer->uid,
        .gid = peer->gid,
        .pid = peer->pid,
    };
}

void identity_name(struct identity *who, const char *user, const char *group)
{
    who->user = uti_strdup(user);
    who->group = uti_strdup(group);
}

struct identity identity_take(struct identity *from)
{
    struct identity taken = *from;
    *from = (struct identity){ 0 };
    return taken;
}

void identity_clear(struct identity *who)
{
    free(who->user);
    free(who->group);
    free(who->host);
    *who = (struct identity){ 0 };
}
