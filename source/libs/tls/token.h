#ifndef TLS_TOKEN_H
#define TLS_TOKEN_H

#include "common/basis.h"
#include "libs/uti/dstr.h"

/* Tokens, by which hosts and users that have no certificate yet prove that an administrator expects
 * them. A token is for one of them and for one use, and expires. Its file in DIR/tokens, where DIR
 * is the authority's, has a hash of it, so that neither the file nor a backup can be used to
 * join. */
struct answer;

enum {
    TOKEN_BYTES_MOST = 64,    /* of its text, with the end */
    TOKEN_GUESSES = 10,       /* wrong secrets; then it is void */
    TOKEN_ABOUT_BYTES = 4096, /* of what the administrator says of the cell */
    TOKEN_MINUTES = 60,       /* default validity */
    TOKEN_MINUTES_MOST = 7 * 24 * 60
};

struct token {        /* borrowed */
    const char *whom; /* a subject (subject.h) */
    uint64_t until_s;
    const char *about; /* sent to a peer that has joined: lines */
};
/* token_make - make a token for T->whom; an older one is void from then on
 *
 *   out  the token is added
 *
 * Durable when it returns. Returns 0, or -1 with ans. */
int token_make(const char *dir, const struct token *t, struct dstr *out, struct answer *ans);

/* token_use - use up the token TEXT
 *
 *   whom   who shows it: anything at all
 *   about  gets what token_make was given
 *
 * Wrong secrets of a token count; an unknown token costs one look for a file. Durable when
 * it returns: no second use succeeds, whatever happens. Returns 0, or -1 with ans: STATUS_DENIED
 * says why it does not hold. Reads and writes files. */
int token_use(const char *dir, const char *whom, const char *text, uint64_t now_s,
              struct dstr *about, struct answer *ans);

#endif
