#ifndef CULL_COUNTED_H
#define CULL_COUNTED_H

#include <stddef.h>
#include <stdint.h>

/* Strings of records: counted and immutable, so that records share them, across threads too. */

/* cull_string_new - a counted, NUL-terminated copy of LEN bytes; drop with cull_string_drop
 * cull_string_try_new - the same of bytes from outside: NULL if there is no memory for them */
const char *cull_string_new(const char *s, size_t len);
const char *cull_string_try_new(const char *s, size_t len);
/* cull_string_take - the same without a copy: LEN bytes from S on move to the front of MEMORY, in
 * which they lie more than CULL_STRING_HEADER behind it; MEMORY, from malloc, is taken */
const char *cull_string_take(void *memory, const char *s, size_t len);
/* what a counted string has in front of its bytes */
enum { CULL_STRING_HEADER = 4 };
/* cull_string_hold - one holder more; returns COUNTED
 * cull_string_drop - one holder less; the last one frees it. NULL is fine. Counts are atomic. */
const char *cull_string_hold(const char *counted);
void cull_string_drop(const char *counted);

/* struct cull_pool - strings with few different values are kept once; owned by one thread */
struct cull_pool;
/* cull_pool_new - an empty pool; new: cull_pool_free, which drops what the pool holds */
struct cull_pool *cull_pool_new(void);
void cull_pool_free(struct cull_pool *p);
/* cull_pool_get - the counted string of LEN bytes, held for the caller as well; one of more than
 * CULL_POOL_MOST is not shared */
const char *cull_pool_get(struct cull_pool *p, const char *s, size_t len);
enum { CULL_POOL_MOST = 512 };
/* cull_pool_sweep - look at N more strings and drop those without other holders
 * Call it once a second, so that the names of jobs that have gone do not stay. O(N)
 * cull_pool_count - how many strings it keeps */
void cull_pool_sweep(struct cull_pool *p, uint32_t n);
uint32_t cull_pool_count(const struct cull_pool *p);

#endif
