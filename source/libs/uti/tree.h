#ifndef UTI_TREE_H
#define UTI_TREE_H

/* Ordered sets are the red-black trees of libbsd's sys/tree.h (header only), lists those of sys/queue.h. */
#include <bsd/sys/queue.h>
#include <bsd/sys/tree.h>

#endif
