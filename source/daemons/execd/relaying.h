#ifndef EXECD_RELAYING_H
#define EXECD_RELAYING_H

#include "common/basis.h"

/* The users of this host on their way to the qmaster on another one: comm/relay.h with names. NULL
 * on the qmaster's host, where it is not needed; each function but relaying_new takes that. */
struct answer;
struct frame;
struct link;
struct loop;
struct relaying;
struct turn_counts;

/* relaying_new - for users who connect to SOCKET. New: relaying_free; NULL with ans. */
struct relaying *relaying_new(struct loop *l, const char *socket, struct answer *ans);
void relaying_free(struct relaying *r);
/* relaying_up, relaying_down - the connection K to the qmaster stands, is lost. The log has it if
 * it is not possible to listen. */
void relaying_up(struct relaying *r, struct link *k);
void relaying_down(struct relaying *r);
/* relaying_turns, relaying_names_turns - what the relay's part of the loop's turns has cost, and
 * its questions for names; not of NULL */
const struct turn_counts *relaying_turns(const struct relaying *r);
const struct turn_counts *relaying_names_turns(const struct relaying *r);
/* relaying_take - a frame came over K; true: it was one for a user, and its body is taken. One that
 * breaks the rules drops K. */
bool relaying_take(struct relaying *r, struct link *k, struct frame *f);

#endif
