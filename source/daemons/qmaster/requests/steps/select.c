/* Resolves job selections. First the words that say where to look: numbers, and names of few jobs.
 * Then, if there are patterns, names of many jobs or users alone, one walk over all jobs by number,
 * each held against all those words: the walk can stop after any job, and after some words of one.
 * Last the task ranges of all that was picked, one by one. Task ids that an array does not have are
 * left out of the ordinals; who wants to complain about them has them in `asked`. */
#include "daemons/qmaster/requests/steps/select.h"

#include <stdlib.h>

#include "daemons/qmaster/change/job_files.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "daemons/qmaster/tables/rights.h"
#include "libs/sgeobj/job_select.h"
#include "libs/uti/alloc.h"
#include "libs/uti/hash.h"
#include "libs/uti/number_map.h"
#include "libs/uti/parse.h"
#include "libs/uti/pattern.h"

enum {
    FEW_JOBS = 1000,    /* a name of more is left to the walk */
    WORDS_OF_A_LOOK = 8 /* patterns that a job is held against before a look at the clock */
};

struct seen_owner { /* is this owner's job meant at all? */
    char *name;
    bool is_wanted;
    uint32_t user; /* the first of GR_users that means the owner, if there are users */
    UT_hash_handle hh;
};
struct part { /* tasks that a word means of one job, to be worked out when all jobs are picked */
    uint32_t picked, entry;
};
struct select_scan {
    const char *whose; /* borrowed */
    bool has_others;   /* names and patterns mean jobs of others as well, to be denied */
    unmatched_fn unmatched;
    uint64_t n_added; /* jobs with this serial and later ones came after the request */
    uint32_t entry;   /* of GR_select, the next to be looked at */
    struct part *parts;
    uint32_t n_parts, cap_parts;
    uint32_t part, range; /* the next to be worked out */
    bool is_worked_at;    /* in this slice: each works out one range at least */
    uint32_t *wide;       /* entries that are left to the walk */
    uint32_t n_wide, cap_wide;
    uint32_t under_way; /* the job that the first N_HELD of `wide` have been held against ... */
    uint32_t n_held;
    bool is_whole;   /* ... and one of them means all of it */
    uint32_t number; /* the walk goes on at this job */
    struct seen_owner *owners;
    struct number_map whole, in_part; /* of picked jobs: the place of each in the selection, + 1 */
};

/* ---- who and what has been seen ---- */
static bool is_user(const struct GR_Type *gr, uint32_t i, const char *owner)
{
    const char *user = gr->GR_users.v[i].ST_name;
    return user != NULL && pattern_match(user, owner);
}

static struct seen_owner *owner_seen(const struct GR_Type *gr, struct selection *s,
                                     const char *owner)
{
    struct seen_owner *seen;
    HASH_FIND_STR(s->scan->owners, owner, seen);
    if (seen != NULL)
        return seen;
    seen = uti_calloc(1, sizeof *seen);
    seen->name = uti_strdup(owner);
    if (gr->GR_users.n == 0)
        seen->is_wanted = s->scan->whose == NULL || strcmp(s->scan->whose, owner) == 0;
    for (uint32_t i = 0; i < gr->GR_users.n; i++) {
        if (!is_user(gr, i, owner))
            continue;
        if (!seen->is_wanted)
            seen->user = i;
        seen->is_wanted = true;
        if (gr->GR_select.n > 0)
            break;
        s->is_matched[i] = true;
    }
    HASH_ADD_KEYPTR(hh, s->scan->owners, seen->name, strlen(seen->name), seen);
    return seen;
}

static void scan_free(struct select_scan *scan)
{
    struct seen_owner *o, *next_owner;
    if (scan == NULL)
        return;
    HASH_ITER(hh, scan->owners, o, next_owner) {
        HASH_DEL(scan->owners, o);
        free(o->name);
        free(o);
    }
    number_map_free(&scan->whole);
    number_map_free(&scan->in_part);
    free(scan->parts);
    free(scan->wide);
    free(scan);
}

/* ---- picking ---- */
static int by_entry(const void *a, const void *b)
{
    const struct picked *x = a, *y = b;
    if (x->entry != y->entry)
        return x->entry < y->entry ? -1 : 1;
    return x->job < y->job ? -1 : x->job > y->job;
}

/* One word or user, numbers that ascend, all jobs: what is picked comes in order. To sort a million
 * would take 0.3 s, and the core may stand still for 50 ms; to look takes a few. */
static bool is_sorted(const struct selection *s)
{
    for (uint32_t i = 1; i < s->n; i++)
        if (by_entry(&s->v[i - 1], &s->v[i]) > 0)
            return false;
    return true;
}

static void sort_picked(struct selection *s)
{
    if (!is_sorted(s))
        qsort(s->v, s->n, sizeof *s->v, by_entry);
}

static struct picked *add_picked(struct selection *s, const struct job *job, uint32_t entry)
{
    s->v = uti_vec_grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
    struct picked *p = &s->v[s->n++];
    *p = (struct picked){ .job = job->rec.JB_job_number, .entry = entry };
    return p;
}

/* ... whose place, + 1, is known in PLACES from now on */
static struct picked *add_known(struct selection *s, struct number_map *places,
                                const struct job *job, uint32_t entry)
{
    struct picked *p = add_picked(s, job, entry);
    number_map_add(places, p->job, (void *)(uintptr_t)s->n);
    return p;
}

/* 0: it is not in there */
static uint32_t place_in(const struct number_map *places, const struct job *job)
{
    return (uint32_t)(uintptr_t)number_map_get(places, job->rec.JB_job_number);
}

static void pick_whole(struct selection *s, const struct job *job, uint32_t entry)
{
    struct number_map *places = &s->scan->whole;
    if (place_in(places, job) != 0)
        return;
    struct picked *p = add_known(s, places, job, entry);
    p->is_whole = true;
    range_set_add(&p->ordinals, 0, job_task_count(&job->rec) - 1);
}

static void add_part(struct selection *s, uint32_t picked, uint32_t entry)
{
    struct select_scan *scan = s->scan;
    scan->parts =
        uti_vec_grow(scan->parts, &scan->cap_parts, scan->n_parts + 1, sizeof *scan->parts);
    scan->parts[scan->n_parts++] = (struct part){ .picked = picked, .entry = entry };
}

/* the tasks that ENTRY, a name or a pattern, means of one of its jobs */
static void pick_tasks(struct selection *s, const struct job *job, uint32_t entry,
                       const struct TR_Type_list *tasks)
{
    struct number_map *places = &s->scan->in_part;
    if (place_in(places, job) == 0)
        add_known(s, places, job, entry)->asked = *tasks;
    add_part(s, place_in(places, job) - 1, entry);
}

static void pick_from_job(struct selection *s, const struct GR_Type *gr, const struct job *job,
                          uint32_t entry)
{
    const struct ID_Type *id = &gr->GR_select.v[entry];
    s->is_matched[entry] = true;
    if (id->ID_tasks.n == 0)
        pick_whole(s, job, entry);
    else
        pick_tasks(s, job, entry, &id->ID_tasks);
}

static bool is_meant(const struct selection *s, const struct seen_owner *owner)
{
    return owner->is_wanted || s->scan->has_others;
}

/* What jobs of other users cost is bounded, however many there are. */
static void pick_of(struct selection *s, const struct GR_Type *gr, const struct seen_owner *owner,
                    const struct job *job, uint32_t entry)
{
    uint32_t before = s->n;
    if (owner->is_wanted || s->n_others < SELECT_OTHERS_MOST) {
        pick_from_job(s, gr, job, entry);
    } else {
        s->is_matched[entry] = true;
        s->has_more_others = true;
    }
    if (!owner->is_wanted)
        s->n_others += s->n - before;
}

static bool came_before(const struct selection *s, const struct job *job)
{
    return job->serial < s->scan->n_added;
}

/* ---- words that say where to look ---- */
static void pick_number(struct qmaster *q, const struct GR_Type *gr, struct selection *s,
                        uint32_t number)
{
    struct select_scan *scan = s->scan;
    const struct TR_Type_list *tasks = &gr->GR_select.v[scan->entry].ID_tasks;
    struct job *job = jobs_find(&q->jobs, number);
    if (job == NULL || !came_before(s, job) ||
        (gr->GR_users.n > 0 && !owner_seen(gr, s, job->rec.JB_owner)->is_wanted))
        return;
    s->is_matched[scan->entry] = true;
    if (tasks->n == 0) {
        pick_whole(s, job, scan->entry);
    } else {
        add_picked(s, job, scan->entry)->asked = *tasks;
        add_part(s, s->n - 1, scan->entry);
    }
}

/* the jobs called NAME, if they are few; else ENTRY is left to the walk */
static bool pick_name(struct qmaster *q, const struct GR_Type *gr, struct selection *s,
                      const char *name)
{
    uint32_t n = 0;
    for (struct owner *o = q->jobs.owners; o != NULL; o = o->hh.next) {
        struct named_jobs *named;
        struct job *job;
        const struct seen_owner *owner = owner_seen(gr, s, o->name);
        if (!is_meant(s, owner))
            continue;
        HASH_FIND_STR(o->names, name, named);
        if (named == NULL)
            continue;
        n += named->n;
        if (n > FEW_JOBS)
            return false; /* those that are picked already are picked once */
        TAILQ_FOREACH(job, &named->jobs, in_named) {
            if (came_before(s, job))
                pick_of(s, gr, owner, job, s->scan->entry);
        }
    }
    return true;
}

static void leave_to_the_walk(struct selection *s, uint32_t entry)
{
    struct select_scan *scan = s->scan;
    scan->wide = uti_vec_grow(scan->wide, &scan->cap_wide, scan->n_wide + 1, sizeof *scan->wide);
    scan->wide[scan->n_wide++] = entry;
}

/* true when all entries are done with */
static bool look_at_entries(struct qmaster *q, const struct GR_Type *gr, struct selection *s)
{
    struct select_scan *scan = s->scan;
    while (scan->entry < gr->GR_select.n) {
        const char *what = gr->GR_select.v[scan->entry].ID_str;
        uint32_t number;
        if (what != NULL && parse_u32(what, &number)) {
            pick_number(q, gr, s, number);
        } else if (what != NULL && (pattern_is_wild(what) || !pick_name(q, gr, s, what))) {
            leave_to_the_walk(s, scan->entry);
        }
        scan->entry++;
        if (slice_is_over(q))
            return false;
    }
    return true;
}

/* ---- the walk ---- */
static void hold_against_word(const struct GR_Type *gr, struct selection *s,
                              const struct seen_owner *owner, const struct job *job, uint32_t entry)
{
    const struct ID_Type *id = &gr->GR_select.v[entry];
    bool is_whole = s->scan->is_whole;
    if ((is_whole && s->is_matched[entry]) || !pattern_match(id->ID_str, job->rec.JB_job_name))
        return;
    if (!is_whole)
        pick_of(s, gr, owner, job, entry);
    s->is_matched[entry] = true;
    s->scan->is_whole = is_whole || id->ID_tasks.n == 0;
}

/* Each word that has not meant a job yet is held against this one, too, although it may be picked
 * already. There may be many, and a pattern takes up to 0.3 ms: true when all have been, false: the
 * rest in another slice. */
static bool hold_against_words(struct qmaster *q, const struct GR_Type *gr, struct selection *s,
                               const struct seen_owner *owner, const struct job *job)
{
    struct select_scan *scan = s->scan;
    if (scan->under_way != job->rec.JB_job_number) {
        scan->under_way = job->rec.JB_job_number;
        scan->n_held = 0;
        scan->is_whole = false;
    }
    while (scan->n_held < scan->n_wide) {
        hold_against_word(gr, s, owner, job, scan->wide[scan->n_held++]);
        if (scan->n_held % WORDS_OF_A_LOOK == 0 && slice_is_over(q))
            return scan->n_held == scan->n_wide;
    }
    return true;
}

/* true when JOB is done with */
static bool look_at_job(struct qmaster *q, const struct GR_Type *gr, struct selection *s,
                        const struct job *job)
{
    if (!came_before(s, job))
        return true;
    const struct seen_owner *owner = owner_seen(gr, s, job->rec.JB_owner);
    if (owner->is_wanted && gr->GR_select.n == 0)
        pick_whole(s, job, owner->user);
    else if (is_meant(s, owner))
        return hold_against_words(q, gr, s, owner, job);
    return true;
}

static bool walk_jobs(struct qmaster *q, const struct GR_Type *gr, struct selection *s)
{
    struct select_scan *scan = s->scan;
    if (scan->n_wide == 0 && (gr->GR_select.n > 0 || gr->GR_users.n == 0))
        return true;
    struct job *job = jobs_at_or_after(&q->jobs, scan->number);
    for (; job != NULL; job = jobs_next(&q->jobs, job)) {
        if (!look_at_job(q, gr, s, job))
            return false;
        scan->number = job->rec.JB_job_number + 1;
        if (slice_is_over(q))
            return false;
    }
    return true;
}

/* ---- the tasks ---- */
/* A range over many tasks takes a millisecond or two, and there may be many, so this may stop
 * between any two. True when all are done with. A job that has ended meanwhile has no tasks. */
static bool work_out_tasks(struct qmaster *q, const struct GR_Type *gr, struct selection *s)
{
    struct select_scan *scan = s->scan;
    for (; scan->part < scan->n_parts; scan->part++, scan->range = 0) {
        const struct part *part = &scan->parts[scan->part];
        const struct TR_Type_list *tasks = &gr->GR_select.v[part->entry].ID_tasks;
        struct picked *p = &s->v[part->picked];
        struct job *job = jobs_find(&q->jobs, p->job);
        while (job != NULL && came_before(s, job) && scan->range < tasks->n) {
            if (scan->is_worked_at && slice_is_over(q))
                return false;
            task_ids_add(&job->rec, &tasks->v[scan->range++], &p->ordinals);
            scan->is_worked_at = true;
        }
    }
    return true;
}

/* ---- all of it ---- */
static void tell_unmatched(struct request *r, const struct selection *s)
{
    const struct GR_Type *gr = &r->gr;
    for (uint32_t i = 0; i < gr->GR_select.n; i++)
        if (!s->is_matched[i])
            s->scan->unmatched(r, request_selected(r, i));
    for (uint32_t i = 0; gr->GR_select.n == 0 && i < gr->GR_users.n; i++)
        if (!s->is_matched[i] && gr->GR_users.v[i].ST_name != NULL)
            s->scan->unmatched(r, gr->GR_users.v[i].ST_name);
}

void select_add_unmatched(struct request *r)
{
    struct selection *s = &r->chosen;
    uint32_t n_entries = r->gr.GR_select.n > 0 ? r->gr.GR_select.n : r->gr.GR_users.n;
    for (uint32_t i = 0; i < n_entries; i++) {
        if (s->is_matched != NULL && s->is_matched[i])
            continue;
        s->v = uti_vec_grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
        s->v[s->n++] = (struct picked){ .entry = i };
    }
    sort_picked(s);
}

enum step_result select_jobs(struct qmaster *q, struct request *r)
{
    struct selection *s = &r->chosen;
    if (s->scan == NULL)
        return STEP_NEXT;
    s->scan->is_worked_at = false;
    if (!look_at_entries(q, &r->gr, s) || !walk_jobs(q, &r->gr, s) || !work_out_tasks(q, &r->gr, s))
        return STEP_WAIT_SLICE;
    sort_picked(s);
    s->n_jobs = s->n;
    if (s->scan->unmatched != NULL)
        tell_unmatched(r, s);
    else
        select_add_unmatched(r);
    scan_free(s->scan);
    s->scan = NULL;
    return slice_is_over(q) ? STEP_WAIT_SLICE : STEP_NEXT; /* what it means has its own slice */
}

bool select_has_owner(const struct ST_Type_list *users, const char *owner)
{
    for (uint32_t i = 0; i < users->n; i++)
        if (users->v[i].ST_name != NULL && pattern_match(users->v[i].ST_name, owner))
            return true;
    return users->n == 0;
}

/* Words and ranges cost time for each job, so there are limits. */
static int check_words(const struct GR_Type *gr, struct answer *ans)
{
    if (gr->GR_select.n > SELECT_WORDS_MOST)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_SELECT_WORDS_UU, gr->GR_select.n,
                        (unsigned)SELECT_WORDS_MOST);
    if (gr->GR_users.n > SELECT_WORDS_MOST)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_SELECT_USERS_UU, gr->GR_users.n,
                        (unsigned)SELECT_WORDS_MOST);
    for (uint32_t i = 0; i < gr->GR_select.n; i++) {
        const struct ID_Type *id = &gr->GR_select.v[i];
        uint32_t number;
        if (id->ID_tasks.n > SELECT_RANGES_MOST && id->ID_str != NULL &&
            !parse_u32(id->ID_str, &number))
            return ans_fail(ans, STATUS_ESEMANTIC, MSG_SELECT_RANGES_SUU, id->ID_str,
                            id->ID_tasks.n, (unsigned)SELECT_RANGES_MOST);
    }
    return 0;
}

static enum step_result begin_selection(struct qmaster *q, struct request *r,
                                        struct select_scan scan)
{
    struct selection *s = &r->chosen;
    uint32_t entries = r->gr.GR_select.n > 0 ? r->gr.GR_select.n : r->gr.GR_users.n;
    if (check_words(&r->gr, &r->ans) != 0)
        return STEP_LAST;
    *s = (struct selection){ .scan = uti_calloc(1, sizeof *s->scan), .scan_free = scan_free };
    s->is_matched = uti_calloc(entries + 1, sizeof *s->is_matched);
    *s->scan = scan;
    s->scan->n_added = q->jobs.n_added;
    return STEP_NEXT;
}

enum step_result select_begin(struct qmaster *q, struct request *r, const char *whose,
                              unmatched_fn unmatched)
{
    return begin_selection(q, r, (struct select_scan){ .whose = whose, .unmatched = unmatched });
}

enum step_result select_begin_to_change(struct qmaster *q, struct request *r)
{
    const char *user = r->from->who.user;
    bool is_operator = right_operate(q, &r->from->who);
    return begin_selection(
        q, r,
        (struct select_scan){ .whose = is_operator ? NULL : user,
                              .has_others = !is_operator && r->gr.GR_users.n == 0 });
}

enum step_result select_report_others(struct qmaster *q, struct request *r)
{
    (void)q;
    if (r->chosen.has_more_others)
        ans_add(&r->ans, STATUS_ENOTOWNER, ANSWER_QUALITY_ERROR, MSG_SELECT_OTHERS_U,
                (unsigned)SELECT_OTHERS_MOST);
    return STEP_NEXT;
}

bool picked_has_tasks(struct request *r, const struct job *job, const struct picked *p)
{
    bool has_some = p->is_whole || range_set_meets(&p->ordinals, &job->unfinished);
    for (uint32_t i = 0; !has_some && i < p->asked.n; i++)
        ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_TASK_UNKNOWN_UU, p->job,
                p->asked.v[i].TR_min);
    return has_some;
}
