#ifndef QMASTER_TABLES_USAGE_H
#define QMASTER_TABLES_USAGE_H

#include <sys/queue.h>

#include "daemons/qmaster/tables/walk.h"
#include "libs/config/usage_params.h"
#include "libs/sgeobj/rows.h"

/* What users have used in each project, and without one, for the share tree: decayed and in all.
 * State only; the core's alone. A value is kept with the number of halftimes that had passed when
 * it was last changed, so that time and changes of halftimes cost nothing. What runs counts beside
 * it, and is in memory alone. */
enum { USAGE_PAIRS_MOST = 100000, USAGE_PAIRS_OF_USER = 1000, USAGE_KINDS_MOST = 32 };

struct usage_kind { /* "cpu", or a resource */
    char *name;
    double halftime_s;
    double halves;    /* that had passed by since_s */
    uint64_t since_s; /* this halftime has been valid since then */
};
struct usage_value {
    double used, halves; /* decayed until so many halftimes of its kind had passed */
    double total;        /* without decay */
    double running;      /* of tasks that run, as far as is known */
};
struct usage_user {
    uint32_t n; /* pairs */
    UT_hash_handle hh;
    char name[];
};
TAILQ_HEAD(usage_list, usage_pair);
struct usage_pair {
    struct usage_value *values; /* owned; of the first n kinds */
    uint32_t n;
    uint32_t n_parts; /* tasks that run */
    uint64_t round;   /* it is in `sent` if that of the table is the same */
    bool is_marked, is_stored;
    struct usage_user *of;
    TAILQ_ENTRY(usage_pair) in_order, in_marked;
    UT_hash_handle hh;
    const char *user, *project; /* in the key; "": none */
    char key[];                 /* USER/PROJECT */
};
struct usage_part { /* what a running task counts for */
    struct usage_pair *pair;
    uint32_t n;
    double counted[];
};
struct usage {
    struct usage_kind kinds[USAGE_KINDS_MOST];
    uint32_t n_kinds;
    struct usage_pair *pairs;
    struct usage_user *users;
    struct usage_list unsent, sent, marked; /* for the scheduler, and for the spool */
    uint64_t round;
    uint64_t due_us; /* nothing more for the scheduler before */
    struct walks walks;
    struct walk expiring; /* over pairs (jobs/usage_count.h) */
    bool has_said_full, is_clock_marked;
};

/* usage_init - nothing has been used; usage_clear - free all */
void usage_init(struct usage *u);
void usage_clear(struct usage *u);
/* usage_configure - these names count from NOW_S on, and decay like this. Returns false if one more
 * kind has no place, of USAGE_KINDS_MOST ever used. O(names) */
bool usage_configure(struct usage *u, const struct usage_params *params, uint64_t now_s);
/* usage_pair - of USER in PROJECT, NULL or "" without one; made if it is not there. A user has
 * USAGE_PAIRS_OF_USER at most: what is used in further projects counts as without a project. NULL:
 * there are USAGE_PAIRS_MOST. O(1) */
struct usage_pair *usage_pair(struct usage *u, const char *user, const char *project);
/* usage_pair_drop - P, which has no parts, is forgotten */
void usage_pair_drop(struct usage *u, struct usage_pair *p);
/* usage_add - of kind K were used TOTAL, worth DECAYED now; the pair is to be stored */
void usage_add(struct usage *u, struct usage_pair *p, uint32_t k, double decayed, double total,
               uint64_t now_s);
/* usage_reset - what was used is forgotten, but for the total */
void usage_reset(struct usage *u, struct usage_pair *p);
/* usage_worth - of kind K: decayed, and what runs; usage_total - without decay */
double usage_worth(const struct usage *u, const struct usage_pair *p, uint32_t k, uint64_t now_s);
double usage_total(const struct usage_pair *p, uint32_t k);
/* usage_part_set - a task that runs, and has used VALUES of the N kinds; PART may be NULL
 * usage_part_free - it does not run any more; NULL is fine */
struct usage_part *usage_part_set(struct usage *u, struct usage_part *part, struct usage_pair *p,
                                  const double *values, uint32_t n);
void usage_part_free(struct usage *u, struct usage_part *part);
/* usage_send_all - the scheduler has nothing: all pairs are unsent. O(1) */
void usage_send_all(struct usage *u);
void usage_note_sent(struct usage *u, struct usage_pair *p);

/* usage_record - P as it is stored: UP_Type; usage_clock_record - the kinds, P is ignored
 * usage_restore - RECORD was stored, either of them; in any order */
void usage_record(const struct usage *u, const struct usage_pair *p, struct UP_Type *out);
void usage_clock_record(const struct usage *u, const struct usage_pair *p, struct UP_Type *out);
bool usage_restore(struct usage *u, const struct UP_Type *record);
#define USAGE_CLOCK_KEY "/"

#endif
