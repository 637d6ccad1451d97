#ifndef QMASTER_REQUESTS_SPELL_H
#define QMASTER_REQUESTS_SPELL_H

#include "libs/gdi/message.h"

/* The names of hosts in what is asked, whatever way they are written there. */
struct qmaster;

/* spell_hosts - let GR name hosts as the cell does (tables/host_names.h): in its selection, and in
 * the objects that it brings. Host groups, wildcards and what is no host name stay. O(words of
 * hosts); nothing for requests about jobs */
void spell_hosts(struct qmaster *q, struct GR_Type *gr);

#endif
