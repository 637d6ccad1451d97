#ifndef RESOURCE_QUOTA_BOOK_H
#define RESOURCE_QUOTA_BOOK_H

#include "libs/resource/quota.h"
#include "libs/resource/supply.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"

/* Resource quotas as members of paths. A quota is a rule with the values that its filters in braces
 * expand to: "users {*} hosts @rack" has one for each user. It is a supply: each counted limit is a
 * capacity, the least one where a resource has several. A rule with a dynamic limit expands hosts,
 * so that its quotas are each of one host: they have the amount there as of the last quota_members.
 * The scheduler and the qmaster keep a book each, by the same rules. Pure. */
struct quota_member {
    struct supply supply; /* SUPPLY_QUOTA; the first, see quota_of */
    const struct quota_rule *rule;
    const char *values[QUOTA_FILTERS]; /* NULL: not expanded; "": without project, or pe */
    bool is_short;                     /* a look found less than was needed, since the last wake */
    UT_hash_handle hh;
    size_t key_bytes;
    char *key; /* NULL: unused */
};
struct quota_book {
    struct quota_rules *rules;   /* owned */
    struct quota_member *all;    /* those of which something is booked */
    struct quota_member *unused; /* one of each rule, for all quotas of which nothing is */
    struct dstr key;             /* scratch */
    struct quota_walk *walks;
};

/* quota_book_new - nothing is booked; RULES is taken, and its resources get their numbers in NAMES
 * quota_book_clear - nothing is booked any more
 * quota_book_free - whatever is booked; NULL is fine */
struct quota_book *quota_book_new(struct quota_rules *rules, struct resource_names *names);
void quota_book_clear(struct quota_book *b);
void quota_book_free(struct quota_book *b);

/* quota_members - append to OUT the quotas AT a place of which D takes something, by sets
 * quota_members_everywhere - the same of the rules that apply in every queue instance alike; the
 * place of AT is not used
 *
 *   use   QUOTA_LOOK: for questions alone; nothing is allocated for a quota of which nothing is
 *         booked. QUOTA_BOOK: for path_book and path_release as well, and quota_settle after each
 *
 * O(sets x limits) */
enum quota_use { QUOTA_LOOK, QUOTA_BOOK };
void quota_members(struct quota_book *b, const struct quota_path *at, const struct demand *d,
                   enum quota_use use, struct growing_path *out);
void quota_members_everywhere(struct quota_book *b, const struct quota_path *at,
                              const struct demand *d, struct growing_path *out);

/* quota_of - the quota that is the member S of a path; NULL: S is something else */
const struct quota_member *quota_of(const struct supply *s);

/* quota_note_short - a look found room for less than WANTED in SPAN: the quotas of PATH that have
 * less are short from now on
 * quota_settle - D has been booked in PATH, or released: FN, if not NULL, for each quota that a
 * look found short and that has something left of D now. Those of which nothing is booked are gone
 * afterwards. */
typedef void quota_gain_fn(void *ctx, const struct quota_member *member);
void quota_note_short(struct path path, const struct demand *d, uint64_t wanted,
                      struct time_span span);
void quota_settle(struct quota_book *b, struct path path, const struct demand *d, quota_gain_fn *fn,
                  void *ctx);

/* quota_limit_of - the first limit of M of RESOURCE; M has one
 * quota_booked - how much is booked of what LIMIT of M's rule limits */
const struct quota_limit *quota_limit_of(const struct quota_member *m, uint32_t resource);
uint64_t quota_booked(const struct quota_member *m, const struct quota_limit *limit);

/* a walk over the members of which something is booked, which may come and go meanwhile; its memory
 * stays until quota_walk_end
 * quota_walk_take - the next one; NULL at the end, or when the book has been freed */
struct quota_walk {
    struct quota_book *book; /* NULL: it has been freed, or the walk has not begun */
    struct quota_member *next;
    struct quota_walk *others;
};
void quota_walk_begin(struct quota_book *b, struct quota_walk *w);
const struct quota_member *quota_walk_take(struct quota_walk *w);
void quota_walk_end(struct quota_walk *w);

/* quota_key_text - append the values of RULE on PATH as messages have them: "alice/P1///host/" */
void quota_key_text(const struct quota_rule *rule, const struct quota_path *path, struct dstr *out);

#endif
