#ifndef UTI_UTF8_H
#define UTI_UTF8_H

#include "common/basis.h"

/* Characters of UTF-8 in texts that may hold any bytes. Pure. */
struct dstr;

/* utf8_bytes - how many bytes the character at S has (1 to 4), or 0 if these bytes are cut off,
 * longer than the character needs, or no character
 *   S  not at the end of its text */
size_t utf8_bytes(const char *s);
/* utf8_is_valid - are all of TEXT characters? */
bool utf8_is_valid(const char *text);
/* utf8_add_valid - append TEXT with a question mark for each byte that belongs to no character */
void utf8_add_valid(struct dstr *out, const char *text);

#endif
