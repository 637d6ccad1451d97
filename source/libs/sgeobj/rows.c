/* The descriptors of every record type, expanded from the same row files as the structs in rows.h. */
#include "libs/sgeobj/rows.h"

#define CULL_EXPAND "libs/cull/define.h"
#include "libs/sgeobj/sge_typesL.h"
#undef CULL_EXPAND

#define TYPE(t) &cull_##t,
const struct cull_type *const sgeobj_types[] = { SGEOBJ_TYPES(TYPE) };
const unsigned sgeobj_types_n = ARRAY_LEN(sgeobj_types);
