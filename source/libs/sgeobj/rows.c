/* The descriptors of every record type, expanded from the same row files as the structs in
 * rows.h. */
#include "libs/sgeobj/rows.h"

#include "libs/cull/pack.h"

#define CULL_EXPAND "libs/cull/define.h"
#include "libs/sgeobj/sge_typesL.h"
#undef CULL_EXPAND

#define TYPE(t) &cull_##t,
const struct cull_type *const sgeobj_types[] = { SGEOBJ_TYPES(TYPE) };
const unsigned sgeobj_types_n = ARRAY_LEN(sgeobj_types);

const struct cull_schema *sgeobj_schema(void)
{
    static const struct cull_schema schema = { sgeobj_types, ARRAY_LEN(sgeobj_types) };
    return &schema;
}
