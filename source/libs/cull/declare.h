/* Declares a record type from its rows. Before including: #define CULL_TYPE JB_Type, #define
 * CULL_ROWS "libs/sgeobj/sge_jobL.h", or CULL_HERE as the rows themselves. Gives enum constants, struct CULL_TYPE, struct
 * CULL_TYPE_list and extern const struct cull_type cull_CULL_TYPE. No guard on purpose. */
#ifdef CULL_HERE
#define CULL_ROWS "libs/cull/here.h"
#endif
#define CULL_CAT_(a, b)   a##b
#define CULL_CAT(a, b)    CULL_CAT_(a, b)
#define SGE_ULONG(n, f)   n,
#define SGE_ULONG64(n, f) n,
#define SGE_DOUBLE(n, f)  n,
#define SGE_BOOL(n, f)    n,
#define SGE_STRING(n, f)  n,
#define SGE_LIST(n, t, f) n,
enum CULL_CAT(CULL_TYPE, _fields) {
#include CULL_ROWS
    CULL_CAT(CULL_TYPE, _FIELDS)
};
#undef SGE_ULONG
#undef SGE_ULONG64
#undef SGE_DOUBLE
#undef SGE_BOOL
#undef SGE_STRING
#undef SGE_LIST
#define CULL_LIST_HEAD(t)       CULL_CAT(CULL_HEAD_OF_, CULL_FORM(t))(t)
#define CULL_FORM(t)            CULL_SECOND(CULL_CAT(CULL_PROBE_, t), LIST, 0)
#define CULL_SECOND(...)        CULL_SECOND_(__VA_ARGS__)
#define CULL_SECOND_(a, b, ...) b
#define CULL_PROBE_RN_Type      ~, RANGES
#define CULL_HEAD_OF_RANGES(t)  struct range_set
#define CULL_HEAD_OF_LIST(t)    struct CULL_CAT(t, _list)
/* the widest fields first, so that none leaves a gap */
struct CULL_TYPE {
    uint64_t present[(CULL_CAT(CULL_TYPE, _FIELDS) + 63) / 64];
#define SGE_ULONG(n, f)
#define SGE_ULONG64(n, f) uint64_t n;
#define SGE_DOUBLE(n, f)  double n;
#define SGE_BOOL(n, f)
#define SGE_STRING(n, f)  const char *n;
#define SGE_LIST(n, t, f) CULL_LIST_HEAD(t) n;
#include CULL_ROWS
#undef SGE_ULONG
#undef SGE_ULONG64
#undef SGE_DOUBLE
#undef SGE_STRING
#undef SGE_LIST
#define SGE_ULONG(n, f) uint32_t n;
#define SGE_ULONG64(n, f)
#define SGE_DOUBLE(n, f)
#define SGE_STRING(n, f)
#define SGE_LIST(n, t, f)
#include CULL_ROWS
#undef SGE_ULONG
#undef SGE_BOOL
#define SGE_ULONG(n, f)
#define SGE_BOOL(n, f) bool n;
#include CULL_ROWS
};
struct CULL_CAT(CULL_TYPE, _list) {
    struct CULL_TYPE *v;
    uint32_t n, cap;
};
extern const struct cull_type CULL_CAT(cull_, CULL_TYPE);
#undef SGE_ULONG
#undef SGE_ULONG64
#undef SGE_DOUBLE
#undef SGE_BOOL
#undef SGE_STRING
#undef SGE_LIST
#undef CULL_LIST_HEAD
#undef CULL_FORM
#undef CULL_SECOND
#undef CULL_SECOND_
#undef CULL_PROBE_RN_Type
#undef CULL_HEAD_OF_RANGES
#undef CULL_HEAD_OF_LIST
#undef CULL_CAT_
#undef CULL_CAT
#undef CULL_TYPE
#undef CULL_ROWS
#undef CULL_HERE
