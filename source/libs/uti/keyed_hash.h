#ifndef UTI_KEYED_HASH_H
#define UTI_KEYED_HASH_H

#include "common/basis.h"

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

#endif
