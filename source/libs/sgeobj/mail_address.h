#ifndef SGEOBJ_MAIL_ADDRESS_H
#define SGEOBJ_MAIL_ADDRESS_H

#include "common/basis.h"

/* Addresses to which mail about a job goes (-M), as arguments of a mailer. Pure.
 * Source: submit(1) -M; what mailers take for something else than an address. */
enum { MAIL_ADDRESS_MOST = 254, MAIL_ADDRESSES_MOST = 100 };

/* mail_address_is_good - may a mailer get USER@HOST, or USER alone if HOST is NULL? The user's part
 * begins with a letter, a digit or `_`, so that it is no option, file, folder or command of the
 * mailer; it goes on with these and . + - % = & # ~, the host has letters, digits, `.`, `-` and
 * `_`. Together they are at most MAIL_ADDRESS_MOST bytes. */
bool mail_address_is_good(const char *user, const char *host);

struct dstr;
/* mail_header_add - append TEXT as part of a header: control characters and bytes outside ASCII
 * become `?`, the begin of an encoded word (=?) is broken, and after MOST bytes "..." follows */
void mail_header_add(struct dstr *out, const char *text, size_t most);
/* mail_body_add - append TEXT as lines of a body: control characters become `?`, a line that begins
 * with `~` or `.`, which mailers obey, begins with a blank, and after MOST bytes "..." follows. The
 * last line gets its newline. */
void mail_body_add(struct dstr *out, const char *text, size_t most);

#endif
