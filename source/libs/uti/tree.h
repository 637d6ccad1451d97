#ifndef UTI_TREE_H
#define UTI_TREE_H

#include "common/basis.h"

/* Ordered sets are the red-black trees of libbsd's sys/tree.h (header only), lists those of
 * sys/queue.h. RB_GENERATE_STATIC of libbsd needs a macro that glibc does not have; this one gives
 * a tree's functions to one file. */
#include <bsd/sys/queue.h>
#include <bsd/sys/tree.h>

#define TREE_GENERATE(name, type, field, compare)                                                  \
    RB_GENERATE_INTERNAL(name, type, field, compare, SGE_UNUSED static)

#endif
