/* What the name service said. Owners of jobs are told apart by their names: a service that is down
 * for a moment must not turn bob into 1001, who owns none of bob's jobs.
 *
 * The loop's thread owns the tables. Between it and the threads that ask stand two queues under one
 * lock: questions, the newest first, and answers. A thread is started for a question when none is
 * free, takes questions while there are any, and ends. Invariant: an entry that is asked for
 * belongs to the queues, and is not freed.
 *
 * A user may have thousands of subordinate ids, to which nobody gave names, and a socket tells the
 * id alone. But they lie side by side: so questions wait by range of ids, a range has few of the
 * threads, and the one that has the fewest is next. And who has no name takes no place in the
 * tables from those who have one. */
#include "libs/comm/names.h"

#include <errno.h>
#include <grp.h>
#include <pthread.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>

#include "libs/comm/loop.h"
#include "libs/comm/member_of.h"
#include "libs/comm/msg_comm.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"
#include "libs/uti/log.h"
#include "libs/uti/time.h"
#include "libs/uti/tree.h"
#include "libs/uti/turns.h"

enum { KEEP_FAILURE_S = 5, BUFFER_BYTES = 4096, BUFFER_MOST = 4 << 20, STACK_BYTES = 512 * 1024 };

/* who has ID: the name lies in BUF, NULL if it has none; an error number if that cannot be told */
typedef int (*ask_fn)(uint32_t id, char *buf, size_t bytes, struct names_user *out);

TAILQ_HEAD(known_list, known);
struct known { /* a number and its name */
    uint32_t id;
    char *name; /* owned; NULL: not known yet */
    enum names_found found;
    gid_t gid; /* of a user that was found */
    uint64_t until_s;
    ask_fn ask; /* NULL: for the groups of a user */
    struct known **table;
    struct known_list *by_use_list;
    bool is_asked;       /* a thread has it: it writes the three below */
    struct range *range; /* of the question */
    char *answer;        /* owned; NULL: no name, or it is not known */
    gid_t answer_gid;
    bool has_failed;
    UT_hash_handle hh;
    TAILQ_ENTRY(known) by_use;
    TAILQ_ENTRY(known) in_queue;
};

struct
    range { /* ids that are asked for and share their upper bits; there while it has one of the two */
    uint32_t number;
    struct known_list questions; /* the newest first */
    uint32_t n_running;
    TAILQ_ENTRY(range) next;
};

struct names {
    struct known *users, *groups, *members; /* the last: users' groups, by the user's id */
    struct known_list named, nameless;      /* the last is used last */
    uint32_t n_known;
    struct loop_watch *wake;
    void (*arrived)(void *ctx);
    void *ctx;
    uint64_t now_s;       /* of the last question */
    pthread_mutex_t lock; /* of what follows */
    TAILQ_HEAD(, range) ranges;
    struct known_list answers;
    uint32_t n_questions;
    /* those that run, and those of them that are about to take a question */
    uint32_t n_threads, n_free;
    uint32_t keep_s;
    bool is_ending;
    struct turn_counts turns;
};

static int ask_user(uint32_t id, char *buf, size_t bytes, struct names_user *out)
{
    struct passwd entry, *found = NULL;
    int err = getpwuid_r((uid_t)id, &entry, buf, bytes, &found);
    if (found != NULL)
        *out = (struct names_user){ found->pw_name, found->pw_gid };
    return err;
}

static int ask_group(uint32_t id, char *buf, size_t bytes, struct names_user *out)
{
    struct group entry, *found = NULL;
    int err = getgrgid_r((gid_t)id, &entry, buf, bytes, &found);
    if (found != NULL)
        *out = (struct names_user){ found->gr_name, found->gr_gid };
    return err;
}

static bool is_failure(int err)
{
    return err != 0 && err != ENOENT && err != ESRCH;
}

/* the answer to K. Groups with thousands of members need large buffers. */
static void look_up_name(struct known *k)
{
    size_t bytes = BUFFER_BYTES;
    char *buf = uti_alloc(bytes);
    struct names_user said = { NULL, 0 };
    int err;
    while ((err = k->ask(k->id, buf, bytes, &said)) == ERANGE && bytes < BUFFER_MOST)
        buf = uti_realloc(buf, bytes *= 2);
    k->answer = said.name != NULL ? uti_strdup(said.name) : NULL;
    k->answer_gid = said.gid;
    k->has_failed = said.name == NULL && is_failure(err);
    free(buf);
}

static void look_up(struct known *k, struct turn_counts *turns)
{
    const char *what = k->ask == NULL ? "the groups" : "the name";
    struct turn_part part = { .what = k->ask == ask_group ? "the name of a group" : what };
    uint64_t begin_us = uti_mono_us();
    if (k->ask != NULL)
        look_up_name(k);
    else
        k->has_failed = is_failure(member_of_read((uid_t)k->id, &k->answer));
    uint64_t now_us = uti_mono_us();
    part.us = now_us - begin_us;
    if (k->ask != ask_group)
        (void)snprintf(part.who, sizeof part.who, "%u", k->id);
    turn_count(turns, part.us, &part, now_us);
}

/* ---- the tables ---- */

static void known_free(struct names *n, struct known *k)
{
    HASH_DEL(*k->table, k);
    TAILQ_REMOVE(k->by_use_list, k, by_use);
    n->n_known--;
    free(k->name);
    free(k->answer);
    free(k);
}

static void make_room_in(struct names *n, struct known_list *list)
{
    struct known *k = TAILQ_FIRST(list), *next;
    for (; k != NULL && n->n_known >= NAMES_KEPT; k = next) {
        next = TAILQ_NEXT(k, by_use);
        if (!k->is_asked)
            known_free(n, k);
    }
}

/* those that were not used for the longest time go, first those without names; who is asked for
 * stays */
static void make_room(struct names *n)
{
    make_room_in(n, &n->nameless);
    make_room_in(n, &n->named);
}

static void put_last(struct known *k, struct known_list *list)
{
    TAILQ_REMOVE(k->by_use_list, k, by_use);
    TAILQ_INSERT_TAIL(list, k, by_use);
    k->by_use_list = list;
}

static struct known *find_known(struct names *n, struct known **table, uint32_t id, ask_fn ask)
{
    struct known *k;
    HASH_FIND_U32(*table, &id, k);
    if (k != NULL) {
        put_last(k, k->by_use_list);
        return k;
    }
    make_room(n);
    k = uti_calloc(1, sizeof *k);
    k->id = id;
    k->ask = ask;
    k->table = table;
    HASH_ADD_U32(*table, id, k);
    k->by_use_list = &n->nameless;
    TAILQ_INSERT_TAIL(k->by_use_list, k, by_use);
    n->n_known++;
    return k;
}

static void names_drop(struct names *n)
{
    struct known *k;
    struct range *r;
    while ((k = TAILQ_FIRST(&n->nameless)) != NULL || (k = TAILQ_FIRST(&n->named)) != NULL)
        known_free(n, k);
    while ((r = TAILQ_FIRST(&n->ranges)) != NULL) {
        TAILQ_REMOVE(&n->ranges, r, next);
        free(r);
    }
    pthread_mutex_destroy(&n->lock);
    free(n);
}

/* ---- ranges, under the lock ---- */

static struct range *range_of(struct names *n, uint32_t id)
{
    struct range *r;
    TAILQ_FOREACH(r, &n->ranges, next)
        if (r->number == id / NAMES_RANGE)
            return r;
    r = uti_calloc(1, sizeof *r);
    r->number = id / NAMES_RANGE;
    TAILQ_INIT(&r->questions);
    TAILQ_INSERT_TAIL(&n->ranges, r, next);
    return r;
}

static void range_drop_idle(struct names *n, struct range *r)
{
    if (r->n_running > 0 || !TAILQ_EMPTY(&r->questions))
        return;
    TAILQ_REMOVE(&n->ranges, r, next);
    free(r);
}

/* which has a question and the fewest threads; NULL: all that have one have their share */
static struct range *range_next(struct names *n)
{
    struct range *r, *best = NULL;
    TAILQ_FOREACH(r, &n->ranges, next)
        if (!TAILQ_EMPTY(&r->questions) && r->n_running < NAMES_SHARE &&
            (best == NULL || r->n_running < best->n_running))
            best = r;
    return best;
}

static struct known *range_take(struct names *n, struct range *r)
{
    struct known *k = TAILQ_FIRST(&r->questions);
    TAILQ_REMOVE(&r->questions, k, in_queue);
    n->n_questions--;
    return k;
}

/* ---- the threads that ask ---- */

/* the next question; NULL: the thread ends. Under the lock. */
static struct known *next_question(struct names *n)
{
    struct range *r = n->is_ending ? NULL : range_next(n);
    n->n_free--;
    if (r == NULL) {
        n->n_threads--;
        return NULL;
    }
    r->n_running++;
    return range_take(n, r);
}

static void give_answer(struct names *n, struct known *k)
{
    TAILQ_INSERT_TAIL(&n->answers, k, in_queue);
    if (!n->is_ending)
        loop_wake(n->wake);
}

static void *run_thread(void *arg)
{
    struct names *n = arg;
    struct known *k;
    log_thread("names");
    pthread_mutex_lock(&n->lock);
    while ((k = next_question(n)) != NULL) {
        pthread_mutex_unlock(&n->lock);
        look_up(k, &n->turns);
        pthread_mutex_lock(&n->lock);
        n->n_free++;
        k->range->n_running--;
        range_drop_idle(n, k->range);
        give_answer(n, k);
    }
    bool is_last = n->is_ending && n->n_threads == 0;
    pthread_mutex_unlock(&n->lock);
    if (is_last)
        names_drop(n);
    return NULL;
}

/* under the lock, which the thread waits for */
static bool start_thread(struct names *n)
{
    pthread_attr_t attr;
    pthread_t thread;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    bool is_started = pthread_create(&thread, &attr, run_thread, n) == 0;
    pthread_attr_destroy(&attr);
    n->n_threads += is_started;
    n->n_free += is_started;
    return is_started;
}

/* no lookup is possible now: what waits gets a number, and asks again soon */
static void fail_questions(struct names *n)
{
    struct range *r;
    while ((r = TAILQ_FIRST(&n->ranges)) != NULL) {
        while (!TAILQ_EMPTY(&r->questions)) {
            struct known *k = range_take(n, r);
            k->has_failed = true;
            give_answer(n, k);
        }
        range_drop_idle(n, r);
    }
}

/* The newest of its range goes first: many that hang keep it waiting for as long as one of them,
 * not for all. What is known already can wait for the others. */
static void put_question(struct names *n, struct known *k)
{
    k->is_asked = true;
    pthread_mutex_lock(&n->lock);
    k->range = range_of(n, k->id);
    if (k->name == NULL)
        TAILQ_INSERT_HEAD(&k->range->questions, k, in_queue);
    else
        TAILQ_INSERT_TAIL(&k->range->questions, k, in_queue);
    n->n_questions++;
    if (k->range->n_running < NAMES_SHARE && n->n_questions > n->n_free &&
        n->n_threads < NAMES_THREADS && !start_thread(n) && n->n_threads == 0)
        fail_questions(n);
    pthread_mutex_unlock(&n->lock);
}

/* ---- the loop's thread ---- */

static char *number_as_name(uint32_t id)
{
    struct dstr d = DSTR_INIT;
    dstr_addf(&d, "%u", id);
    return dstr_take(&d);
}

static void take_answer(struct names *n, struct known *k, uint32_t keep_s)
{
    k->is_asked = false;
    k->until_s = n->now_s + (k->has_failed ? KEEP_FAILURE_S : keep_s);
    if (!k->has_failed || k->name == NULL) {
        put_last(k, k->answer != NULL ? &n->named : &n->nameless);
        k->found = k->answer != NULL ? NAMES_FOUND : k->has_failed ? NAMES_UNSURE : NAMES_NOBODY;
        k->gid = k->answer_gid;
        free(k->name);
        k->name = k->answer != NULL ? k->answer : number_as_name(k->id);
        k->answer = NULL;
    }
}

static void on_answers(void *ctx)
{
    struct names *n = ctx;
    struct known_list done = TAILQ_HEAD_INITIALIZER(done);
    struct known *k;
    pthread_mutex_lock(&n->lock);
    TAILQ_CONCAT(&done, &n->answers, in_queue);
    uint32_t keep_s = n->keep_s;
    pthread_mutex_unlock(&n->lock);
    while ((k = TAILQ_FIRST(&done)) != NULL) {
        TAILQ_REMOVE(&done, k, in_queue);
        take_answer(n, k, keep_s);
    }
    n->arrived(n->ctx);
}

static const char *name_of(struct names *n, struct known **table, uint32_t id, ask_fn ask,
                           uint64_t now_s)
{
    struct known *k = find_known(n, table, id, ask);
    n->now_s = now_s;
    if (!k->is_asked && (k->name == NULL || now_s >= k->until_s))
        put_question(n, k);
    return k->name;
}

const char *names_user(struct names *n, uid_t uid, uint64_t now_s)
{
    return name_of(n, &n->users, uid, ask_user, now_s);
}

const char *names_group(struct names *n, gid_t gid, uint64_t now_s)
{
    return name_of(n, &n->groups, gid, ask_group, now_s);
}

enum names_found names_find_user(struct names *n, uid_t uid, uint64_t now_s, struct names_user *out)
{
    const char *name = names_user(n, uid, now_s);
    const struct known *k = find_known(n, &n->users, uid, ask_user);
    *out = (struct names_user){ name, k->gid };
    /* who has a name keeps it meanwhile; whoever has none waits for the new answer */
    return k->found == NAMES_FOUND || !k->is_asked ? k->found : NAMES_ASKED;
}

enum names_found names_find_groups(struct names *n, uid_t uid, uint64_t now_s, const char **text)
{
    *text = name_of(n, &n->members, uid, NULL, now_s);
    const struct known *k = find_known(n, &n->members, uid, NULL);
    return k->is_asked ? NAMES_ASKED : k->found;
}

void names_set_time(struct names *n, uint32_t keep_s)
{
    pthread_mutex_lock(&n->lock);
    n->keep_s = keep_s;
    pthread_mutex_unlock(&n->lock);
}

const struct turn_counts *names_turns(const struct names *n)
{
    return &n->turns;
}

const char *names_known_user(struct names *n, uid_t uid)
{
    struct known *k;
    HASH_FIND_U32(n->users, &uid, k);
    return k != NULL ? k->name : NULL;
}

struct names *names_new(struct loop *l, void (*arrived)(void *ctx), void *ctx, struct answer *ans)
{
    struct names *n = uti_calloc(1, sizeof *n);
    TAILQ_INIT(&n->named);
    TAILQ_INIT(&n->nameless);
    TAILQ_INIT(&n->ranges);
    TAILQ_INIT(&n->answers);
    pthread_mutex_init(&n->lock, NULL);
    n->keep_s = NAMES_TIME_S;
    n->turns.thread = "a name thread";
    n->arrived = arrived;
    n->ctx = ctx;
    n->wake = loop_wake_new(l, on_answers, n);
    if (n->wake != NULL)
        return n;
    ans_sys(ans, errno, MSG_NAMES_WAKE);
    names_drop(n);
    return NULL;
}

void names_free(struct names *n)
{
    if (n == NULL)
        return;
    pthread_mutex_lock(&n->lock);
    /* a thread that hangs must not keep us: the last of them takes the rest along */
    n->is_ending = true;
    bool is_alone = n->n_threads == 0;
    loop_watch_free(n->wake);
    pthread_mutex_unlock(&n->lock);
    if (is_alone)
        names_drop(n);
}
