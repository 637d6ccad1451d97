#ifndef CULL_CULL_H
#define CULL_CULL_H

#include <stddef.h>
#include <string.h>

#include "common/basis.h"
#include "libs/cull/counted.h"
#include "libs/cull/range_set.h"
#include "libs/uti/alloc.h"

/* CULL: typed records and lists from one row per field
 *
 * A row file `sge_*L.h` holds rows only. Declared once (declare.h) it gives an enum constant and a
 * struct member of the same name for each row; defined once (define.h) the descriptor that pack,
 * unpack, XML, JSON and diff walk.
 *
 *     SGE_ULONG  (JB_job_number, CULL_PRIMARY_KEY)             uint32_t
 *     SGE_ULONG64(JB_submission_time, CULL_SPOOL)              uint64_t
 *     SGE_DOUBLE (JAT_prio, CULL_DEFAULT)                      double
 *     SGE_BOOL   (JB_notify, CULL_SPOOL)                       bool
 *     SGE_STRING (JB_job_name, CULL_SPOOL)                     const char *; counted, immutable
 *     SGE_LIST   (JB_jid_request_list, JRE_Type, CULL_SPOOL)   struct JRE_Type_list
 *     SGE_LIST   (JB_ja_a_h_ids, RN_Type, CULL_SPOOL)          struct range_set
 *
 * A string that is not there is NULL. A list is { struct X_Type *v; uint32_t n, cap; }; RN_Type is
 * the one element type with a form of its own.
 *
 * Every record starts with `uint64_t present[]`, one bit per field. A field that is not present
 * reads as zero/NULL/empty. A record of all zero bytes is a valid empty record. Reading is plain
 * member access; writing goes through cull_set, cull_append, cull_ranges, so that presence is right
 * by construction. */

/* flags of a row; those from 256 on belong to the record type */
enum {
    CULL_DEFAULT = 0,
    CULL_PRIMARY_KEY = 1, /* names the record within its list */
    CULL_SPOOL = 4,       /* goes into the spool record; a change of it needs a spool write */
    /* a string with few different values (owner, host), shared through a pool; a list that is set
     * as a whole, and shared by records that are kept (cull_adopt) */
    CULL_INTERN = 8,
    CULL_LONG = 16, /* a string that may be a whole file: messages limit it apart (pack.h) */
    CULL_OWN = 32   /* the qmaster's own: commands do not show it */
};
/* tables of descriptors, in spools and on the wire, have these numbers */
enum cull_kind {
    CULL_ULONG = 0,
    CULL_ULONG64 = 1,
    CULL_DOUBLE = 2,
    CULL_BOOL = 3,
    CULL_STRING = 4,
    CULL_LIST = 5,
    CULL_RANGES = 6
};

struct cull_type;
struct cull_field {
    const char *name;
    enum cull_kind kind;
    unsigned flags;
    size_t offset;                   /* of the member in the struct */
    const struct cull_type *element; /* of a CULL_LIST */
};
struct cull_type {
    const char *name;
    size_t bytes; /* sizeof the struct */
    unsigned n_fields;
    const struct cull_field *fields; /* in row order; the enum constant is the index */
};
/* RN_min RN_max RN_step: what a range set is on wire and in XML */
extern const struct cull_type cull_RN_Type;

/* any list head, for code that walks descriptors */
struct cull_list {
    void *v;
    uint32_t n, cap;
};

/* ---- records ---- */
/* cull_has - is field F of record *O present?
 * cull_mark - now it is */
#define cull_has(o, F)  (((o)->present[(F) / 64] >> ((F) % 64)) & 1u)
#define cull_mark(o, F) ((void)((o)->present[(F) / 64] |= UINT64_C(1) << ((F) % 64)))
/* Each of these evaluates its arguments once. O is a pointer to a record, F the field's enum
 * constant. */
/* cull_set - assign a number, bool or string (copied; NULL unsets the text but marks the field
 * present) */
#define cull_set(o, F, val)                                                                        \
    _Generic((o)->F, uint32_t: cull_set_u32, uint64_t: cull_set_u64, double: cull_set_double,      \
             bool: cull_set_bool, const char *: cull_set_string)((o), CULL_PLACE(o, F), (val))
/* cull_share - assign a string of another record without copying it (the count goes up) */
#define cull_share(o, F, counted)                                                                  \
    _Generic((o)->F, const char * : cull_share_string)((o), CULL_PLACE(o, F), (counted))
/* cull_append - a new zeroed element at the end of list F; the pointer is good until the next
 * append */
#define cull_append(o, F)                                                                          \
    ((__typeof__((o)->F.v))cull_append_element((o), CULL_PLACE(o, F), sizeof *(o)->F.v))
/* cull_ranges - the range set F for writing */
#define cull_ranges(o, F) _Generic((o)->F, struct range_set : cull_ranges_of)((o), CULL_PLACE(o, F))

/* The functions behind these macros: a field's place is its offset and its number. */
#define CULL_PLACE(o, F) offsetof(__typeof__(*(o)), F), (F)
void cull_set_u32(void *o, size_t offset, unsigned field, uint32_t v);
void cull_set_u64(void *o, size_t offset, unsigned field, uint64_t v);
void cull_set_double(void *o, size_t offset, unsigned field, double v);
void cull_set_bool(void *o, size_t offset, unsigned field, bool v);
void cull_set_string(void *o, size_t offset, unsigned field, const char *s);
void cull_share_string(void *o, size_t offset, unsigned field, const char *counted);
void *cull_append_element(void *o, size_t offset, unsigned field, size_t bytes);
struct range_set *cull_ranges_of(void *o, size_t offset, unsigned field);

/* ---- lists that stand alone: struct X_Type_list ---- */
/* cull_push - a new zeroed element at the end of list *L; the pointer is good until the next
 * push */
#define cull_push(l) ((__typeof__((l)->v))cull_push_element((l), sizeof *(l)->v))
void *cull_push_element(void *list, size_t bytes);
/* cull_room - room for N elements in all, and no more: for records that are kept, when it is known
 * how many there will be */
#define cull_room(l, n) cull_room_for((l), (n), sizeof *(l)->v)
void cull_room_for(void *list, uint32_t n, size_t bytes);
/* cull_find, cull_find_number - the element whose primary key is KEY, a string or a number; NULL if
 * there is none
 *   element  its type, with one primary key
 *   list     struct X_Type_list *
 * O(elements) */
void *cull_find(const struct cull_type *element, const void *list, const char *key);
void *cull_find_number(const struct cull_type *element, const void *list, uint32_t key);
/* cull_list_clear - free the elements and the memory of the list; all zero afterwards */
void cull_list_clear(const struct cull_type *element, void *list);

/* The functions below take the descriptor and the record; the record is `struct <type->name>`. */

/* cull_new - an empty record; new: cull_delete */
void *cull_new(const struct cull_type *t);
/* cull_delete - NULL is fine */
void cull_delete(const struct cull_type *t, void *o);
/* cull_clear - free the members; all zero afterwards
 * cull_clear_field - one of them: value gone, bit gone */
void cull_clear(const struct cull_type *t, void *o);
void cull_clear_field(const struct cull_type *t, void *o, unsigned field);
/* cull_copy - TO becomes a deep copy of FROM, with strings shared
 * cull_copy_field - the same of one field, whether it is present or not */
void cull_copy(const struct cull_type *t, void *to, const void *from);
void cull_copy_field(const struct cull_type *t, void *to, const void *from, unsigned field);
/* cull_field_equal - have both the same value (an absent field reads as zero)?
 * cull_equal - the same values and presence, in all levels? */
bool cull_field_equal(const struct cull_type *t, const void *a, const void *b, unsigned field);
bool cull_equal(const struct cull_type *t, const void *a, const void *b);
/* cull_merge - copy every present field of FROM over TO; returns true if a value changed */
bool cull_merge(const struct cull_type *t, void *to, const void *from);
/* cull_adopt - strings that stand at the same place in O and FROM, in all levels, and are equal are
 * one from now on: for records that are kept and like others. So are lists of CULL_INTERN fields,
 * whose elements do not change afterwards: such a field is cleared or replaced. O(bytes) */
void cull_adopt(const struct cull_type *t, void *o, const void *from);
/* cull_is_present - cull_has for a record whose type is not known here
 * cull_next_present - the first present field from FROM on; T's n_fields: none. O(1), for loops:
 *     for (f = cull_next_present(t, o, 0); f < t->n_fields; f = cull_next_present(t, o, f + 1)) */
bool cull_is_present(const void *o, unsigned field);
unsigned cull_next_present(const struct cull_type *t, const void *o, unsigned from);
/* cull_put_string - the string member at AT becomes a copy of S, or NULL; what it held is dropped.
 * Marks nothing. */
void cull_put_string(const char **at, const char *s);
/* cull_remove_at - free element INDEX; those behind it move up; O(n) */
void cull_remove_at(const struct cull_type *element, struct cull_list *l, uint32_t index);
/* cull_member / cull_list_at - descriptor-driven access for walkers (output, spool, tests) */
const void *cull_member(const struct cull_type *t, const void *o, unsigned field);
const void *cull_list_at(const struct cull_type *element, const struct cull_list *l,
                         uint32_t index);
/* cull_heap_bytes - what the members of O have on the heap, shared strings counted whole; O itself
 * is not counted. O(elements)
 * cull_field_heap_bytes - the same of one of them */
size_t cull_heap_bytes(const struct cull_type *t, const void *o);
size_t cull_field_heap_bytes(const struct cull_type *t, const void *o, unsigned field);
/* cull_field_index - where NAME stands in T; -1 if there is none; O(fields) */
int cull_field_index(const struct cull_type *t, const char *name);
/* cull_intern - share the CULL_INTERN strings of O, not those of its lists, through P: for records
 * that are kept, not for those that merely pass */
void cull_intern(const struct cull_type *t, void *o, struct cull_pool *p);

#endif
