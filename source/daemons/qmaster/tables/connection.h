#ifndef QMASTER_TABLES_CONNECTION_H
#define QMASTER_TABLES_CONNECTION_H

#include "daemons/qmaster/io/inbox.h"
#include "daemons/qmaster/tables/qmaster.h"

struct gdi_peer;
struct lane;
struct waiting_client;

/* A connection as the core sees it: who is at the other end, and what it said in HELLO. The table
 * of all is in connections.h. */
struct connection {
    uint64_t conn;
    struct identity who;
    struct gdi_peer *greeting;            /* what it said in HELLO: claims, good for texts only */
    struct lane *lane;                    /* where its requests wait for their turns */
    LIST_HEAD(, waiting_client) watchers; /* what it watches (sessions/waiting_clients.h) */
    struct host *execd_of;                /* the host this is the execd of */
    uint64_t owes_since_s;                /* since when its tables are to come; 0: they need not */
    UT_hash_handle hh;
};

#endif
