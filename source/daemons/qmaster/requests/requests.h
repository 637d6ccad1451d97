#ifndef QMASTER_REQUESTS_REQUESTS_H
#define QMASTER_REQUESTS_REQUESTS_H

#include "daemons/qmaster/change/request.h"
#include "libs/gdi/message.h"

/* The names of hosts in what is asked, whatever way they are written there. */
struct qmaster;

/* spell_hosts - let GR name hosts as the cell does (tables/hosts.h): in its selection, and in
 * the objects that it brings. Host groups, wildcards and what is no host name stay. O(words of
 * hosts); nothing for requests about jobs */
void spell_hosts(struct qmaster *q, struct GR_Type *gr);

/* Requests of clients: decoded here, handed to the function for verb and target in the rooms below,
 * answered once what they changed is durable. */

/* requests_handle - a REQUEST frame of S, whose body stays the caller's
 * One that cannot be read, or that no function handles, gets an answer that says so. */
void requests_handle(struct qmaster *q, struct connection *s, struct frame *f);
/* requests_last_words - a frame of S, which has gone: carried out if it says what a client need not
 * wait for (TAKE and DEL of sessions) */
void requests_last_words(struct qmaster *q, struct connection *s, struct frame *f);

#endif
