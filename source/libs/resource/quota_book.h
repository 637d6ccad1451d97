#ifndef RESOURCE_QUOTA_BOOK_H
#define RESOURCE_QUOTA_BOOK_H

#include "libs/resource/quota.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"

/* What tasks have taken of quotas. A quota is a rule with the values that its filters in braces
 * expand to: "users {*} hosts @rack" has one for each user. The scheduler and the qmaster keep a
 * book each, by the same rules. Pure. */
struct quota_member {
    const struct quota_rule *rule;
    const char *values[QUOTA_FILTERS]; /* NULL: not expanded; "": without project, or pe */
    bool is_short;                     /* a look found less than was needed, since the last give */
    uint64_t *taken, *reserved;        /* of each limit of the rule */
    bool is_reserved;
    struct quota_member *next_reserved;
    UT_hash_handle hh;
    size_t key_bytes;
    char *key;
};
struct quota_book {
    struct quota_rules *rules; /* owned */
    struct quota_member *all;  /* those of which something is taken or reserved */
    struct dstr key;           /* scratch */
    struct quota_walk *walks;
    struct quota_member *reserved; /* those of which something is reserved */
};

/* quota_amount_fn - how much a task (or one slot) with DEMAND takes of the resource of LIMIT */
typedef uint64_t quota_amount_fn(const void *demand, const struct quota_limit *limit);
struct quota_demand {
    quota_amount_fn *amount;
    const void *of;
};

/* quota_book_new - nothing is taken; RULES is taken. quota_book_free - NULL is fine */
struct quota_book *quota_book_new(struct quota_rules *rules);
void quota_book_free(struct quota_book *b);

/* quota_room - how many times DEMAND can be taken on PATH; UINT64_MAX: no rule limits it. A quota
 * that leaves less than WANTED is short from now on (quota_give)
 * quota_room_everywhere - the same of the rules that apply in every queue instance alike: no
 * instance has room for more. O(sets x limits) */
uint64_t quota_room(struct quota_book *b, const struct quota_path *path,
                    const struct quota_demand *demand, uint64_t wanted);
uint64_t quota_room_everywhere(struct quota_book *b, const struct quota_class *who,
                               const struct quota_pe *pe, const struct quota_demand *demand,
                               uint64_t wanted);

/* quota_take - DEMAND is taken TIMES times, whether there is room or not
 * quota_give - undo exactly that; FN, if not NULL, for each quota that a look found short and
 * that has something left now. It may be gone afterwards */
typedef void quota_given_fn(void *ctx, const struct quota_member *member);
void quota_take(struct quota_book *b, const struct quota_path *path,
                const struct quota_demand *demand, uint64_t times);
void quota_give(struct quota_book *b, const struct quota_path *path,
                const struct quota_demand *demand, uint64_t times, quota_given_fn *fn, void *ctx);

/* quota_reserve - how many of MOST times DEMAND there is room for besides what was reserved since
 * quota_release; so many are reserved. Rules that apply everywhere alike do not count
 * (quota_room_everywhere). quota_release - nothing is reserved */
uint64_t quota_reserve(struct quota_book *b, const struct quota_path *path,
                       const struct quota_demand *demand, uint64_t most);
void quota_release(struct quota_book *b);

/* quota_lacks - is there less than TIMES of DEMAND on PATH? If so OUT is the first limit that is
 * short
 *   as_if_unused  as if nothing were taken */
struct quota_lack {
    const struct quota_rule *rule;
    const struct quota_limit *limit;
    uint64_t amount, taken, wanted;
};
bool quota_lacks(struct quota_book *b, const struct quota_path *path,
                 const struct quota_demand *demand, uint64_t times, bool as_if_unused,
                 struct quota_lack *out);
/* a walk over the members, which may come and go meanwhile; its memory stays until quota_walk_end
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
