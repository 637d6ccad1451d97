#ifndef UTI_SHA256_H
#define UTI_SHA256_H

#include <stddef.h>

#include "common/basis.h"

/* Digests for programs that have no OpenSSL: a secret is compared by its digest, which may be
 * known. Source: FIPS 180-4. */
enum { SHA256_TEXT_BYTES = 65 }; /* hexadecimal, with its end */

/* sha256_text - the digest of LEN bytes as hexadecimal text. Pure. */
void sha256_text(const void *data, size_t len, char out[SHA256_TEXT_BYTES]);
/* sha256_text_is - is TEXT such a text? */
bool sha256_text_is(const char *text);

#endif
