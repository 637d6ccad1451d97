#ifndef CONFIG_OBJECT_KINDS_PRIV_H
#define CONFIG_OBJECT_KINDS_PRIV_H

#include "libs/config/object.h"

/* Kinds whose rules stand in a file of their own, NAME.c, as NAME_rules. All others are rows of
 * object_kinds.c. */
#define OBJECT_KINDS_ELSEWHERE(KIND) KIND(rqs) KIND(share_tree)

#define OBJECT_KIND_DECLARE(name)    extern const struct object_rules name##_rules;
OBJECT_KINDS_ELSEWHERE(OBJECT_KIND_DECLARE)
#undef OBJECT_KIND_DECLARE

#endif
