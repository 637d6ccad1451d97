#ifndef UTI_ALLOC_H
#define UTI_ALLOC_H

#include "common/basis.h"

/* Memory that is there: these never return NULL. When the system refuses, the process ends with one
 * line on stderr; the spool brings a daemon back. Inside an external program (libdrmaa)
 * the call ends instead (guard.h). */

/* uti_alloc, uti_calloc, uti_realloc - as the C library has them; new: free()
 * uti_strdup, uti_strndup - a copy of S, of at most MAX_BYTES; new: free() */
void *uti_alloc(size_t bytes);
void *uti_calloc(size_t count, size_t bytes);
void *uti_realloc(void *old, size_t bytes);
char *uti_strdup(const char *s);
char *uti_strndup(const char *s, size_t max_bytes);

/* uti_alloc_refused - what they do when the system refuses BYTES */
SGE_NORETURN void uti_alloc_refused(size_t bytes);

/* uti_try_alloc, uti_try_realloc - memory of a size that came from outside
 * Return NULL when there is none; OLD stays good then. The caller has bounded BYTES already. */
void *uti_try_alloc(size_t bytes);
void *uti_try_realloc(void *old, size_t bytes);

/* uti_vec_grow - room for at least WANT elements in a growing array
 *
 *   v           NULL or what an earlier call returned; taken
 *   cap         capacity in elements, in and out
 *   want        elements that must fit
 *   elem_bytes  size of one element
 *
 * Returns the array, maybe moved. Capacity doubles, so that appending is O(1) amortised. */
void *uti_vec_grow(void *v, uint32_t *cap, uint32_t want, size_t elem_bytes);

#endif
