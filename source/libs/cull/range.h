#ifndef CULL_RANGE_H
#define CULL_RANGE_H

#include "common/basis.h"

/* A run of members of a range set (range_set.h), both ends included. */
struct range {
    uint32_t first, last;
};

#endif
