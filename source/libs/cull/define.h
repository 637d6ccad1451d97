/* Defines the descriptor of a record type; the twin of declare.h, included in one .c file with the
 * same two macros set. */
#ifdef CULL_HERE
#define CULL_ROWS "libs/cull/here.h"
#endif
#define CULL_CAT_(a, b)         a##b
#define CULL_CAT(a, b)          CULL_CAT_(a, b)
#define CULL_KIND(t)            CULL_CAT(CULL_, CULL_SECOND(CULL_CAT(CULL_PROBE_, t), LIST, 0))
#define CULL_SECOND(...)        CULL_SECOND_(__VA_ARGS__)
#define CULL_SECOND_(a, b, ...) b
#define CULL_PROBE_RN_Type      ~, RANGES
#define CULL_ROW(n, k, f, e)    { #n, k, f, offsetof(struct CULL_TYPE, n), e },
#define SGE_ULONG(n, f)         CULL_ROW(n, CULL_ULONG, f, NULL)
#define SGE_ULONG64(n, f)       CULL_ROW(n, CULL_ULONG64, f, NULL)
#define SGE_DOUBLE(n, f)        CULL_ROW(n, CULL_DOUBLE, f, NULL)
#define SGE_BOOL(n, f)          CULL_ROW(n, CULL_BOOL, f, NULL)
#define SGE_STRING(n, f)        CULL_ROW(n, CULL_STRING, f, NULL)
#define SGE_LIST(n, t, f)       CULL_ROW(n, CULL_KIND(t), f, &cull_##t)
static const struct cull_field CULL_CAT(CULL_TYPE, _rows)[] = {
#include CULL_ROWS
};
const struct cull_type CULL_CAT(cull_, CULL_TYPE) = {
    SGE_TEXT(CULL_TYPE),
    sizeof(struct CULL_TYPE),
    CULL_CAT(CULL_TYPE, _FIELDS),
    CULL_CAT(CULL_TYPE, _rows),
};
#undef CULL_ROW
#undef CULL_KIND
#undef CULL_SECOND
#undef CULL_SECOND_
#undef CULL_PROBE_RN_Type
#undef SGE_ULONG
#undef SGE_ULONG64
#undef SGE_DOUBLE
#undef SGE_BOOL
#undef SGE_STRING
#undef SGE_LIST
#undef CULL_CAT_
#undef CULL_CAT
#undef CULL_TYPE
#undef CULL_ROWS
#undef CULL_HERE
