#ifndef UTI_FNV_H
#define UTI_FNV_H

#include "common/basis.h"

/* uti_fnv1a - the 64-bit FNV-1a hash of LEN bytes: the same on every machine and in every release.
 * For distinguishing trusted data only: it is no protection. O(LEN). */
uint64_t uti_fnv1a(const void *data, size_t len);

#endif
