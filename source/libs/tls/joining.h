#ifndef TLS_JOINING_H
#define TLS_JOINING_H

#include "common/basis.h"
#include "libs/uti/dstr.h"

/* What the qmaster and a host or a user who joins, or renews a certificate, say to each other, over
 * TLS with the protocol JOINING_ALPN in place of frames: one text each, which ends with a null
 * byte. No file, no network. */
#define JOINING_ALPN "sge-join"

/* of a text, with its end; the limit for reading */
enum { JOINING_ASK_BYTES = 2048, JOINING_REPLY_BYTES = 16 * 1024 };

struct joining {              /* what is asked; borrowed from the text */
    const char *whom, *token; /* both NULL: there is a certificate that is to be renewed */
    const char *request;      /* for a certificate: PEM */
};
/* joining_ask - add the text of J, with its end */
void joining_ask(struct dstr *out, const struct joining *j);
/* joining_parse - what TEXT asks, which is changed for it
 * Returns false if it asks nothing that we know. */
bool joining_parse(char *text, struct joining *j);

/* joining_line - the line at *AT, which is cut off there; *AT is the next
 * Returns NULL, and leaves *AT, if no line ends there; an *AT of NULL is fine. */
char *joining_line(char **at);

/* A reply is "ok", lines about the cell, and the certificate; or "denied" and why. */
void joining_reply(struct dstr *out, const char *about, const char *certificate);
void joining_deny(struct dstr *out, const char *why);
struct joined { /* borrowed from the text */
    const char *about, *certificate;
    const char *denied; /* why; NULL: the other two are there */
};
/* joining_parse_reply - what TEXT says, which is changed for it; false: nothing that we know */
bool joining_parse_reply(char *text, struct joined *r);

#endif
