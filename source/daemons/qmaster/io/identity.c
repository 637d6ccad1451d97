/* Who is at the other end. Invariant: user, group and host are all set in an identity that the core
 * gets. */
#include "daemons/qmaster/io/identity.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/comm/server.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

enum role identity_role(const struct comm_peer *peer)
{
    if (peer->relay != 0 || peer->user != NULL)
        return ROLE_CLIENT;
    if (peer->host != NULL)
        return ROLE_HOST;
    if (peer->is_child)
        return ROLE_SCHEDULER;
    return peer->uid == 0 || peer->uid == geteuid() ? ROLE_EXECD : ROLE_CLIENT;
}

static struct identity host_identity(const struct comm_peer *peer)
{
    struct dstr name = DSTR_INIT;
    dstr_addf(&name, "host %s", peer->host);
    return (struct identity){
        .user = dstr_take(&name),
        .group = uti_strdup(""),
        .host = uti_strdup(peer->host),
        .role = ROLE_HOST,
        .proof = PROOF_CERTIFICATE,
        .uid = COMM_NO_UID,
        .gid = COMM_NO_GID,
    };
}

static struct identity relayed_identity(const struct comm_peer *peer)
{
    return (struct identity){
        .user = uti_strdup(peer->user),
        .group = uti_strdup(peer->group),
        .host = uti_strdup(peer->host),
        .role = ROLE_CLIENT,
        .proof = PROOF_RELAYED,
        .uid = peer->uid,
        .gid = peer->gid,
        .pid = peer->pid,
        .host_conn = peer->relay,
    };
}

static struct identity certified_identity(const struct comm_peer *peer)
{
    return (struct identity){
        .user = uti_strdup(peer->user),
        .host = uti_strndup(peer->from, strcspn(peer->from, " ")),
        .role = ROLE_CLIENT,
        .proof = PROOF_USER,
        .uid = peer->uid,
        .gid = peer->gid,
    };
}

struct identity identity_new(const struct comm_peer *peer, const char *host)
{
    if (peer->relay != 0)
        return relayed_identity(peer);
    if (peer->user != NULL)
        return certified_identity(peer);
    if (peer->host != NULL)
        return host_identity(peer);
    return (struct identity){
        .host = uti_strdup(host),
        .role = identity_role(peer),
        .proof = peer->is_child ? PROOF_CHILD : PROOF_SOCKET,
        .uid = peer->uid,
        .gid = peer->gid,
        .pid = peer->pid,
    };
}

void identity_of_conn(struct identity *who, uint64_t conn)
{
    if (who->role == ROLE_HOST)
        who->host_conn = conn;
}

void identity_set_names(struct identity *who, const char *user, const char *group)
{
    char *old_user = who->user, *old_group = who->group;
    who->user = uti_strdup(user);
    who->group = uti_strdup(group);
    free(old_user);
    free(old_group);
}

bool identity_is_named(const struct identity *who)
{
    return who->group != NULL;
}

struct identity identity_owner(uid_t uid, gid_t gid, const char *host)
{
    return (struct identity){
        .host = uti_strdup(host),
        .role = ROLE_CLIENT,
        .proof = PROOF_ROOT,
        .uid = uid,
        .gid = gid,
    };
}

struct identity identity_copy(const struct identity *who)
{
    struct identity copy = *who;
    copy.user = uti_strdup(who->user);
    copy.group = uti_strdup(who->group);
    copy.host = uti_strdup(who->host);
    return copy;
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
