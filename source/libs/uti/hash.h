#ifndef UTI_HASH_H
#define UTI_HASH_H

/* Hash tables are uthash's (Debian uthash-dev): intrusive, O(1), no copy of the element. Included
 * through here so that running out of memory ends the process as everywhere else, and so that
 * users cannot choose keys that collide: each process has a seed of its own. */
#include "libs/uti/alloc.h"

/* uti_table_hash - of LEN bytes of KEY, for the tables of this process alone. O(LEN) */
unsigned uti_table_hash(const void *key, size_t len);

#define uthash_malloc(bytes)           uti_alloc(bytes)
#define uthash_free(p, bytes)          free(p)
#define HASH_FUNCTION(key, len, hashv) ((hashv) = uti_table_hash((key), (len)))
#include <uthash.h>

#define HASH_FIND_U32(head, key_ptr, out) HASH_FIND(hh, head, key_ptr, sizeof(uint32_t), out)
#define HASH_ADD_U32(head, field, add)    HASH_ADD(hh, head, field, sizeof(uint32_t), add)
#define HASH_FIND_U64(head, key_ptr, out) HASH_FIND(hh, head, key_ptr, sizeof(uint64_t), out)
#define HASH_ADD_U64(head, field, add)    HASH_ADD(hh, head, field, sizeof(uint64_t), add)

#endif
