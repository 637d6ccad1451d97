#ifndef UTI_HASH_H
#define UTI_HASH_H

#include "common/basis.h"
#include "libs/uti/alloc.h"

/* Hash tables are uthash's (Debian uthash-dev): intrusive, O(1), no copy of the element. Included
 * through here so that running out of memory ends the process as everywhere else, and so that
 * users cannot choose keys that collide: each process has a seed of its own. */

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

/* uti_fnv1a - the 64-bit FNV-1a hash of LEN bytes: the same on every machine and in every release.
 * For distinguishing trusted data only: it is no protection. O(LEN). */
uint64_t uti_fnv1a(const void *data, size_t len);

/* A hash for tables whose keys strangers choose: who does not know the key of the table cannot make
 * texts that collide. SipHash-1-3 (Aumasson, Bernstein). */
struct hash_key {
    uint64_t a, b;
};
/* hash_key_new - a random one, for as long as the table lives; where the system has no random
 * bytes all zero, with which a table still finds everything */
struct hash_key hash_key_new(void);
/* uti_keyed_hash - 64 bits of LEN bytes of DATA. O(LEN) */
uint64_t uti_keyed_hash(struct hash_key key, const void *data, size_t len);

/* A set of names that are owned elsewhere: is one there twice? An empty set is all zero and has no
 * memory. */
struct name_set {
    const char **slots; /* a power of two of them; NULL: free */
    size_t n, room;
};

/* name_set_add - NAME, borrowed as long as S is in use; false if it is there already
 * name_set_has - is it? O(1)
 * name_set_free - S is empty afterwards */
bool name_set_add(struct name_set *s, const char *name);
bool name_set_has(const struct name_set *s, const char *name);
void name_set_free(struct name_set *s);

#endif
