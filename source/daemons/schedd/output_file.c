/* Files that a thread writes. Owns the bytes that wait for the disk, under a lock that is held for
 * a copy of pointers at most; the file itself is the thread's alone. */
#include "daemons/schedd/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemons/schedd/msg_schedd.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/log.h"

struct output_file {
    struct output_file_kind kind;
    char *path, *path_before; /* the latter: where it goes when it is full */
    pthread_t thread;
    bool has_thread, is_without; /* the latter: no thread could be started */
    /* the thread's */
    int fd; /* -1: not open */
    bool has_failed;
    /* under the lock */
    pthread_mutex_t lock;
    pthread_cond_t filled;
    struct dstr waiting;
    bool is_ending, is_late; /* the latter: something was left out, and the log says so */
    bool is_over;            /* of a whole file: nothing more is written */
};

struct output_file *output_file_new(const char *path, const struct output_file_kind *kind)
{
    struct output_file *f = uti_calloc(1, sizeof *f);
    f->kind = *kind;
    f->path = uti_strdup(path);
    struct dstr before = DSTR_INIT;
    dstr_addf(&before, "%s.1", path);
    f->path_before = dstr_take(&before);
    f->fd = -1;
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->filled, NULL);
    return f;
}

/* ---- the thread ---- */
static void close_file(struct output_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    f->fd = -1;
}

static bool is_full(const struct output_file *f, const struct stat *st)
{
    return (uint64_t)st->st_size >= f->kind.bytes_most;
}

/* is it open, the one of that name, and not full? */
static bool is_good(const struct output_file *f)
{
    struct stat ours, named;
    if (f->kind.is_whole)
        return f->fd >= 0;
    return f->fd >= 0 && fstat(f->fd, &ours) == 0 && !is_full(f, &ours) &&
           lstat(f->path, &named) == 0 && named.st_ino == ours.st_ino &&
           named.st_dev == ours.st_dev;
}

/* 0, or -1 with errno */
static int open_file(struct output_file *f)
{
    struct stat st;
    if (is_good(f))
        return 0;
    close_file(f);
    if (lstat(f->path, &st) == 0 && (f->kind.is_whole || is_full(f, &st)) &&
        rename(f->path, f->path_before) != 0)
        return -1;
    f->fd = open(f->path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
                 f->kind.mode);
    if (f->fd < 0 || fstat(f->fd, &st) != 0)
        return -1;
    if (S_ISREG(st.st_mode))
        return 0;
    close_file(f);
    errno = EINVAL;
    return -1;
}

static void end_file(struct output_file *f)
{
    pthread_mutex_lock(&f->lock);
    f->is_over = true;
    dstr_clear(&f->waiting);
    pthread_mutex_unlock(&f->lock);
}

static void write_text(struct output_file *f, const struct dstr *text)
{
    bool is_written = open_file(f) == 0 && file_write_all(f->fd, dstr_get(text), text->len) == 0;
    if (!is_written) {
        int err = errno;
        close_file(f);
        if (!f->has_failed)
            log_msg(LOG_LEVEL_ERROR, MSG_OUTPUT_WRITE_SS, f->path, strerror(err));
        if (f->kind.is_whole)
            end_file(f);
    }
    f->has_failed = !is_written;
}

/* TEXT, empty, gets what waits; false: there is nothing, and nothing comes */
static bool take_waiting(struct output_file *f, struct dstr *text)
{
    pthread_mutex_lock(&f->lock);
    while (f->waiting.len == 0 && !f->is_ending)
        pthread_cond_wait(&f->filled, &f->lock);
    struct dstr empty = *text;
    *text = f->waiting;
    f->waiting = empty;
    pthread_mutex_unlock(&f->lock);
    return text->len > 0;
}

static void *run_thread(void *ctx)
{
    struct output_file *f = ctx;
    struct dstr text = DSTR_INIT;
    log_thread(f->kind.thread);
    while (take_waiting(f, &text)) {
        write_text(f, &text);
        dstr_clear(&text);
    }
    dstr_free(&text);
    return NULL;
}

/* ---- texts ---- */
static bool has_thread(struct output_file *f)
{
    if (f->has_thread || f->is_without)
        return f->has_thread;
    int err = pthread_create(&f->thread, NULL, run_thread, f);
    f->has_thread = err == 0;
    f->is_without = err != 0;
    if (f->is_without)
        log_msg(LOG_LEVEL_ERROR, MSG_OUTPUT_WRITE_SS, f->path, strerror(err));
    return f->has_thread;
}

bool output_file_add(struct output_file *f, const void *data, size_t bytes)
{
    if (!has_thread(f))
        return false;
    pthread_mutex_lock(&f->lock);
    bool was_late = f->is_late;
    f->is_late = f->waiting.len + bytes > f->kind.waiting_most;
    f->is_over = f->is_over || (f->is_late && f->kind.is_whole);
    bool is_added = !f->is_late && !f->is_over, is_news = f->is_late && !was_late;
    if (is_added) {
        dstr_addn(&f->waiting, data, bytes);
        pthread_cond_signal(&f->filled);
    }
    pthread_mutex_unlock(&f->lock);
    if (is_news)
        log_msg(LOG_LEVEL_WARNING, MSG_OUTPUT_LATE_SUS, f->path, f->kind.waiting_most >> 20,
                f->kind.when_late);
    return is_added;
}

void output_file_free(struct output_file *f)
{
    if (f == NULL)
        return;
    if (f->has_thread) {
        pthread_mutex_lock(&f->lock);
        f->is_ending = true;
        pthread_cond_signal(&f->filled);
        pthread_mutex_unlock(&f->lock);
        pthread_join(f->thread, NULL);
    }
    close_file(f);
    pthread_cond_destroy(&f->filled);
    pthread_mutex_destroy(&f->lock);
    dstr_free(&f->waiting);
    free(f->path);
    free(f->path_before);
    free(f);
}
