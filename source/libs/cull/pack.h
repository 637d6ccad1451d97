#ifndef CULL_PACK_H
#define CULL_PACK_H

#include "common/basis.h"
#include "libs/cull/cull.h"

/* Packed records: what goes over the wire and into the spool.
 *
 * record   varint n_presence_bytes, presence bits (field 0 is bit 0 of byte 0), then each present
 *          field in row order
 * ulong, ulong64, bool   varint
 * double   8 bytes, big-endian IEEE
 * string   varint (length + 1; 0: NULL), bytes
 * list     varint n, n records
 * ranges   varint n, n times (varint gap from the previous end, varint length - 1); or, where that
 *          is shorter, varint PACKED_AS_BITS, varint first member / 64, varint n, n times 8 bytes
 *          with 64 members each, the least first; or, where every step-th number is a member,
 *          varint PACKED_AS_STRIDE, varint first member, varint step (2 or more), varint number of
 *          members - 1
 *
 * The order of fields is the sender's. Two programs of the same build have the same tables (equal
 * cull_schema_id) and need nothing more. Otherwise the sender's table (cull_schema_pack) is read
 * once into a cull_map, which skips fields we do not know and leaves out those the sender does not
 * have. */

/* all zero is empty; owns data: packer_free */
struct packer {
    uint8_t *data;
    size_t len, cap;
};
/* packer_free - P is empty afterwards */
void packer_free(struct packer *p);
/* pack_u8, pack_u32be - append a number of fixed width, for keys and greetings
 * pack_varint - append a number in as few bytes as it needs */
void pack_u8(struct packer *p, uint8_t v);
void pack_u32be(struct packer *p, uint32_t v);
void pack_varint(struct packer *p, uint64_t v);
/* pack_bytes - append the bytes alone
 * pack_blob - append their number and the bytes */
void pack_bytes(struct packer *p, const void *data, size_t len);
void pack_blob(struct packer *p, const void *data, size_t len);
/* pack_string, pack_ranges - append a text (NULL is kept) and a set, in the form above */
void pack_string(struct packer *p, const char *s);
void pack_ranges(struct packer *p, const struct range_set *s);
/* no message has room for so many runs */
enum { PACKED_AS_BITS = 0x7fffffff, PACKED_AS_STRIDE = 0x7ffffffe };
/* pack_bits - the same bytes for a set given as N words, see range_set_bits */
void pack_bits(struct packer *p, uint32_t first, const uint64_t *words, uint32_t n);
/* pack_runs - the same bytes for a set given as N ranges, which ascend and neither overlap nor
 * touch */
void pack_runs(struct packer *p, const struct range *v, uint32_t n);

/* cull_pack - append record O
 *   only   NULL: every present field; else a bit set of n_fields bits: present fields that are in
 *          it */
void cull_pack(struct packer *p, const struct cull_type *t, const void *o, const uint64_t *only);
/* cull_pack_spool - append O with only its CULL_SPOOL fields (in all levels) */
void cull_pack_spool(struct packer *p, const struct cull_type *t, const void *o);

/* which limit of a window ended the reading */
enum unpack_excess {
    UNPACK_WITHIN,
    UNPACK_COSTLY,
    UNPACK_CROWDED,
    UNPACK_LONG_TEXT,
    UNPACK_LONG_TEXTS
};

/* struct unpacker - a view of bytes; borrowed. Every read is bounds-checked; after the
 * first error all reads fail and give zero values, so that callers may check once at the end. */
struct unpacker {
    const uint8_t *at, *end;
    size_t budget_bytes; /* memory that what is left may still ask for */
    /* The next four have no limit, unless the caller sets one because its time is dear. */
    uint32_t elements_left; /* of lists, still to be read; large ones count by their size */
    size_t text_most;       /* bytes of one text */
    size_t texts_left;      /* bytes that all texts may still have */
    size_t long_text_most;  /* bytes of a text of CULL_LONG, which counts for itself alone */
    /* NULL, or the memory that the window is the whole of, and the caller's: a text that is most of
     * it keeps it instead of a copy; then it is NULL. Not with a map. */
    void *memory;
    enum unpack_excess excess;
    bool is_bad, is_own;
    bool has_skipped; /* a record had fields that are not ours (cull_map) */
};
/* Memory follows bytes: LEN bytes of a peer become at most UNPACK_BASE_BYTES + UNPACK_FACTOR * LEN
 * bytes of memory, and of a long message UNPACK_LARGE_BYTES + UNPACK_LARGE_FACTOR * LEN, whichever
 * is less. The densest honest lists (names of one letter, numbers of jobs) need a factor of 12. */
enum {
    UNPACK_BASE_BYTES = 64 * 1024,
    UNPACK_FACTOR = 16,
    UNPACK_LARGE_BYTES = 64 * 1024 * 1024,
    UNPACK_LARGE_FACTOR = 2
};
/* unpack_budget - what LEN bytes may ask for */
size_t unpack_budget(size_t len);
/* unpacker_over - a view of LEN bytes of a peer
 * unpacker_over_own - a view of bytes of the cell itself: a record from the spool, or the
 * qmaster's answer to a command. It has no budget, and numbers that are keys may be missing, since
 * earlier releases left them out: a restart must never refuse what was accepted once. */
struct unpacker unpacker_over(const void *data, size_t len);
struct unpacker unpacker_over_own(const void *data, size_t len);
/* unpack_u8, unpack_u32be, unpack_varint, unpack_varint32 - read a number; one over 32 bits is an
 * error for the last */
uint8_t unpack_u8(struct unpacker *u);
uint32_t unpack_u32be(struct unpacker *u);
uint64_t unpack_varint(struct unpacker *u);
uint32_t unpack_varint32(struct unpacker *u);
/* unpack_bytes - the next LEN bytes; unpack_blob - what pack_blob wrote
 * Both borrowed; NULL on error. */
const uint8_t *unpack_bytes(struct unpacker *u, size_t len);
const uint8_t *unpack_blob(struct unpacker *u, size_t *len);
/* unpack_string - what pack_string wrote; new: free(). NULL if NULL was packed, or on error */
char *unpack_string(struct unpacker *u);
/* unpack_ranges - read a set; S is replaced, by the empty one on error */
void unpack_ranges(struct unpacker *u, struct range_set *s);
/* unpack_left - how many bytes have not been read */
size_t unpack_left(const struct unpacker *u);

struct answer;
struct cull_map;
/* cull_unpack - read one record into O (an empty record)
 *   map    NULL if the sender's tables equal ours
 *   pool   NULL, or where strings of CULL_INTERN fields are shared
 * Returns 0, or -1 with ans (STATUS_EPROTO, naming type and field, and the limit if the budget is
 * used up) and O empty. Depth and counts are bounded by the bytes that are there, memory by the
 * budget of U; memory that the system refuses is an error like any other. An element of a list
 * without its keys (CULL_PRIMARY_KEY) is malformed: code that compares names need not expect
 * NULL. */
int cull_unpack(struct unpacker *u, const struct cull_type *t, const struct cull_map *map,
                struct cull_pool *pool, void *o, struct answer *ans);

/* ---- tables of descriptors ---- */
/* a static table, such as gdi_schema() */
struct cull_schema {
    const struct cull_type *const *types;
    unsigned n;
};
/* cull_schema_id - FNV-1a over names and kinds: equal ids mean equal tables. O(fields) */
uint64_t cull_schema_id(const struct cull_schema *s);
/* cull_schema_pack - append the tables, for cull_map_new at the other end */
void cull_schema_pack(struct packer *p, const struct cull_schema *s);
/* cull_map_new - how a foreign table reads onto ours; new: cull_map_free; NULL with ans if
 * malformed */
struct cull_map *cull_map_new(struct unpacker *foreign, const struct cull_schema *ours,
                              struct answer *ans);
/* cull_map_free - NULL is fine */
void cull_map_free(struct cull_map *m);
/* cull_fill_gaps - TO was read through MAP: what its sender has no fields for, in elements of lists
 * too, comes from FROM, an earlier state of the same record. An element is looked for by all that
 * the sender knows of it, then by its keys. O(fields); O(n * n) for lists of n elements whose order
 * has changed. */
void cull_fill_gaps(const struct cull_map *map, const struct cull_type *t, void *to,
                    const void *from);

#endif
