#ifndef UTI_RANDOM_H
#define UTI_RANDOM_H

#include "common/basis.h"

/* Unpredictable bytes, from the system. */
struct answer;
struct dstr;
/* random_bytes - fill OUT with N of them, 256 at most. Returns 0, or -1 with ans.
 * random_text - append N of them, 256 at most, as two hexadecimal digits each; the same */
int random_bytes(void *out, size_t n, struct answer *ans);
int random_text(struct dstr *out, size_t n, struct answer *ans);

#endif
