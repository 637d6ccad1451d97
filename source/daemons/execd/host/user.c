/* The name service's thread, and what it said. The loop's thread owns the table; between the two
 * stands one queue in each direction, under one lock. An entry is asked for once, however many
 * tasks wait for it. */
#include "daemons/execd/host/user.h"

#include <errno.h>
#include <grp.h>
#include <pthread.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemons/execd/host/msg_host.h"
#include "libs/comm/loop.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"
#include "libs/uti/log.h"
#include "libs/uti/time.h"
#include "libs/uti/tree.h"
#include "libs/uti/turns.h"

enum {
    KEEP_US = 600 * 1000000,
    KEEP_FAILURE_US = 5 * 1000000,
    GROUPS_MAX = 65536,
    BUFFER_MAX = 1 << 20
};

struct waiter {
    user_fn fn;
    void *ctx;
};
struct entry {
    char *name, *home, *shell, *groups, *error; /* owned */
    uid_t uid;
    gid_t gid;
    bool is_absent;
    bool is_asked;     /* the thread has it: only `name` may be read */
    uint64_t until_us; /* monotonic; 0 = never known */
    struct waiter *waiters;
    uint32_t n_waiters, cap_waiters;
    STAILQ_ENTRY(entry) next;
    UT_hash_handle hh;
};
STAILQ_HEAD(entry_queue, entry);

struct users {
    struct entry *entries; /* by name; the loop's thread alone */
    struct loop_watch *wake;
    pthread_t thread;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t has_question;
    struct entry_queue questions, answers;
    bool is_ending, is_busy;
    struct turn_counts turns; /* each user is one */
};

/* ---- the name service's thread ---- */

static void groups_text(const char *name, gid_t gid, struct dstr *out)
{
    int n = 64;
    gid_t *groups = uti_alloc((size_t)n * sizeof *groups);
    while (getgrouplist(name, gid, groups, &n) < 0 && n <= GROUPS_MAX)
        groups = uti_realloc(groups, (size_t)n * sizeof *groups);
    for (int i = 0; i < n && n <= GROUPS_MAX; i++)
        dstr_addf(out, "%s%u", i > 0 ? "," : "", (unsigned)groups[i]);
    free(groups);
}

static void fill_entry(struct entry *e, const struct passwd *pw)
{
    struct dstr groups = DSTR_INIT;
    groups_text(e->name, pw->pw_gid, &groups);
    e->uid = pw->pw_uid;
    e->gid = pw->pw_gid;
    e->home = uti_strdup(pw->pw_dir != NULL && *pw->pw_dir != '\0' ? pw->pw_dir : "/");
    e->shell = uti_strdup(pw->pw_shell != NULL && *pw->pw_shell != '\0' ? pw->pw_shell : "/bin/sh");
    e->groups = dstr_take(&groups);
}

static void resolve_user(struct entry *e)
{
    struct passwd pw, *found = NULL;
    struct dstr error = DSTR_INIT;
    size_t bytes = 4096;
    char *buf = uti_alloc(bytes);
    int err;
    while ((err = getpwnam_r(e->name, &pw, buf, bytes, &found)) == ERANGE && bytes < BUFFER_MAX)
        buf = uti_realloc(buf, bytes *= 2);
    if (found != NULL) {
        fill_entry(e, found);
    } else {
        e->is_absent = err == 0 || err == ENOENT;
        if (e->is_absent)
            dstr_addf(&error, MSG_NO_USER_S, e->name);
        else
            dstr_addf(&error, MSG_USER_LOOKUP_S ": %s", e->name, strerror(err));
        e->error = dstr_take(&error);
    }
    free(buf);
}

static void measure_question(struct users *u, const struct entry *e, uint64_t begin_us)
{
    uint64_t now_us = uti_mono_us();
    struct turn_part part = { .what = "what the name service says", .us = now_us - begin_us };
    (void)snprintf(part.who, sizeof part.who, "%s", e->name);
    turn_count(&u->turns, part.us, &part, now_us);
}

static void *run_thread(void *arg)
{
    struct users *u = arg;
    log_thread("users");
    pthread_mutex_lock(&u->lock);
    while (!u->is_ending) {
        struct entry *e = STAILQ_FIRST(&u->questions);
        if (e == NULL) {
            pthread_cond_wait(&u->has_question, &u->lock);
            continue;
        }
        STAILQ_REMOVE_HEAD(&u->questions, next);
        u->is_busy = true;
        pthread_mutex_unlock(&u->lock);
        uint64_t begin_us = uti_mono_us();
        resolve_user(e);
        measure_question(u, e, begin_us);
        pthread_mutex_lock(&u->lock);
        u->is_busy = false;
        STAILQ_INSERT_TAIL(&u->answers, e, next);
        loop_wake(u->wake);
    }
    pthread_mutex_unlock(&u->lock);
    return NULL;
}

/* ---- the loop's thread ---- */

static void forget_entry(struct entry *e)
{
    free(e->home);
    free(e->shell);
    free(e->groups);
    free(e->error);
    e->home = e->shell = e->groups = e->error = NULL;
    e->is_absent = false;
}

static void answer_asker(const struct entry *e, user_fn fn, void *ctx)
{
    struct user user = { .name = e->name,
                         .home = e->home,
                         .shell = e->shell,
                         .uid = e->uid,
                         .gid = e->gid,
                         .groups = e->groups,
                         .error = e->error,
                         .is_absent = e->is_absent };
    fn(ctx, &user);
}

static void answer_all(struct entry *e)
{
    struct waiter *waiters = e->waiters;
    uint32_t n = e->n_waiters;
    e->is_asked = false;
    e->until_us = uti_mono_us() + (e->error != NULL ? KEEP_FAILURE_US : KEEP_US);
    e->waiters = NULL; /* they may ask again */
    e->n_waiters = e->cap_waiters = 0;
    for (uint32_t i = 0; i < n; i++)
        answer_asker(e, waiters[i].fn, waiters[i].ctx);
    free(waiters);
}

static void on_answers(void *ctx)
{
    struct users *u = ctx;
    struct entry_queue done = STAILQ_HEAD_INITIALIZER(done);
    struct entry *e;
    pthread_mutex_lock(&u->lock);
    STAILQ_CONCAT(&done, &u->answers);
    pthread_mutex_unlock(&u->lock);
    while ((e = STAILQ_FIRST(&done)) != NULL) {
        STAILQ_REMOVE_HEAD(&done, next);
        answer_all(e);
    }
}

struct users *users_new(struct loop *l, struct answer *ans)
{
    struct users *u = uti_calloc(1, sizeof *u);
    u->turns.thread = "the thread for users";
    STAILQ_INIT(&u->questions);
    STAILQ_INIT(&u->answers);
    pthread_mutex_init(&u->lock, NULL);
    pthread_cond_init(&u->has_question, NULL);
    u->wake = loop_wake_new(l, on_answers, u);
    int err = u->wake == NULL ? errno : pthread_create(&u->thread, NULL, run_thread, u);
    if (err == 0)
        return u;
    loop_watch_free(u->wake);
    free(u);
    return ans_sys_null(ans, err, MSG_THREAD);
}

void users_free(struct users *u)
{
    struct entry *e, *next;
    if (u == NULL)
        return;
    pthread_mutex_lock(&u->lock);
    u->is_ending = true;
    bool is_busy = u->is_busy;
    pthread_cond_signal(&u->has_question);
    pthread_mutex_unlock(&u->lock);
    if (is_busy) { /* a name service that hangs must not keep us: the process is about to end */
        pthread_detach(u->thread);
        return;
    }
    pthread_join(u->thread, NULL);
    loop_watch_free(u->wake);
    HASH_ITER(hh, u->entries, e, next) {
        HASH_DEL(u->entries, e);
        forget_entry(e);
        free(e->waiters);
        free(e->name);
        free(e);
    }
    pthread_mutex_destroy(&u->lock);
    pthread_cond_destroy(&u->has_question);
    free(u);
}

const struct turn_counts *users_turns(const struct users *u)
{
    return &u->turns;
}

static struct entry *get_entry(struct users *u, const char *name)
{
    struct entry *e;
    HASH_FIND_STR(u->entries, name, e);
    if (e != NULL)
        return e;
    e = uti_calloc(1, sizeof *e);
    e->name = uti_strdup(name);
    HASH_ADD_KEYPTR(hh, u->entries, e->name, strlen(e->name), e);
    return e;
}

void users_get(struct users *u, const char *name, user_fn fn, void *ctx)
{
    struct entry *e = get_entry(u, name);
    if (!e->is_asked && e->until_us > uti_mono_us()) {
        answer_asker(e, fn, ctx);
        return;
    }
    e->waiters = uti_vec_grow(e->waiters, &e->cap_waiters, e->n_waiters + 1, sizeof *e->waiters);
    e->waiters[e->n_waiters++] = (struct waiter){ fn, ctx };
    if (e->is_asked)
        return;
    forget_entry(e);
    e->is_asked = true;
    pthread_mutex_lock(&u->lock);
    STAILQ_INSERT_TAIL(&u->questions, e, next);
    pthread_cond_signal(&u->has_question);
    pthread_mutex_unlock(&u->lock);
}
