/* After a change of a user set, or of somebody's groups: jobs of owners who came to a set or left
 * it. A walk goes by job numbers and asks each time what is so now; jobs that come meanwhile are
 * right from the start, and another change has a walk of its own. */
#include "daemons/qmaster/config/access_renewal.h"

#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/config/users.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/tables/walk.h"
#include "libs/uti/alloc.h"

struct access_walk {
    struct piece piece;
    uint32_t next; /* the lowest number that it has not seen */
};

static bool is_equal(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

bool access_note_sets(struct qmaster *q, struct JB_Type *rec, const struct set_user *who)
{
    const char *sets = user_sets_of(&q->settings, who);
    const char *department = user_department_of(&q->settings, who);
    bool is_of_others = !is_equal(sets, rec->JB_user_sets);
    bool is_elsewhere = !is_equal(department, rec->JB_department);
    if (is_of_others)
        cull_share(rec, JB_user_sets, sets);
    if (is_elsewhere)
        cull_share(rec, JB_department, department);
    return is_of_others || is_elsewhere;
}

/* what is not known yet of an owner's groups comes later, with a NOTE_GROUPS */
static bool note_owner(struct qmaster *q, struct job *job)
{
    struct set_user who = { job->rec.JB_owner, job->rec.JB_group, job->rec.JB_uid };
    (void)membership_awaits(q, who.uid, who.user);
    return access_note_sets(q, &job->rec, &who);
}

static void renew_job(struct qmaster *q, struct job *job)
{
    if (!note_owner(q, job))
        return;
    job->changed = change_number(q);
    events_job_mod(q, job);
}

/* a look at the clock after each job: another owner may be one to be sought in all sets */
static bool walk_step(struct qmaster *q, struct piece *p)
{
    struct access_walk *w = (struct access_walk *)p;
    struct job *job = jobs_at_or_after(&q->jobs, w->next);
    while (job != NULL) {
        renew_job(q, job);
        job = jobs_next(&q->jobs, job);
        w->next = job != NULL ? job->rec.JB_job_number : 0;
        if (job != NULL && slice_is_over(q))
            return false;
    }
    return true;
}

static void walk_free(struct piece *p)
{
    free(p);
}

static const struct piece_kind walk_kind = { "jobs after a change of a user set", walk_step,
                                             walk_free };

void access_renew_jobs(struct qmaster *q, uint64_t user)
{
    struct access_walk *w = uti_calloc(1, sizeof *w);
    w->piece.kind = &walk_kind;
    if (walk_step(q, &w->piece))
        walk_free(&w->piece);
    else
        work_put_piece(q->work, user, &w->piece);
}

void access_recover_jobs(struct qmaster *q)
{
    for (struct job *job = jobs_at_or_after(&q->jobs, 0); job != NULL;
         job = jobs_next(&q->jobs, job))
        (void)note_owner(q, job);
}

/* ---- jobs of one owner ---- */

struct owner_walk {
    struct piece piece;
    struct name_walk names;
};

static bool step_of_owner(struct qmaster *q, struct piece *p)
{
    struct name_walk *w = &((struct owner_walk *)p)->names;
    while (w->named != NULL && !slice_is_over(q)) {
        struct job *job = name_walk_job(w);
        if (job != NULL)
            renew_job(q, job);
        else
            name_walk_into(w);
    }
    return w->named == NULL;
}

static void free_of_owner(struct piece *p)
{
    name_walk_end(&((struct owner_walk *)p)->names);
    free(p);
}

static const struct piece_kind owner_kind = { "jobs of a user who is in other groups",
                                              step_of_owner, free_of_owner };

void access_on_groups(struct qmaster *q, const struct note *n)
{
    const char *user = membership_hear(q, n);
    if (user == NULL)
        return;
    struct owner_walk *w = uti_calloc(1, sizeof *w);
    w->piece.kind = &owner_kind;
    name_walk_begin(&w->names, &q->jobs, user, NULL);
    work_put_piece(q->work, n->number, &w->piece);
}
