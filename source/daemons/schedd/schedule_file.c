/* The file "schedule". Owns the texts that wait for the disk, under a lock that is held for a copy
 * of pointers at most; the file itself is the thread's alone. */
#include "daemons/schedd/schedule_file.h"

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

struct schedule_file {
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
    bool is_ending, is_late; /* the latter: texts were left out, and the log says so */
};

struct schedule_file *schedule_file_new(const char *path)
{
    struct schedule_file *f = uti_calloc(1, sizeof *f);
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
static void close_file(struct schedule_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    f->fd = -1;
}

/* is it open, the one of that name, and not full? */
static bool is_good(const struct schedule_file *f)
{
    struct stat ours, named;
    return f->fd >= 0 && fstat(f->fd, &ours) == 0 && ours.st_size < SCHEDULE_FILE_MOST &&
           lstat(f->path, &named) == 0 && named.st_ino == ours.st_ino &&
           named.st_dev == ours.st_dev;
}

/* 0, or -1 with errno */
static int open_file(struct schedule_file *f)
{
    struct stat st;
    if (is_good(f))
        return 0;
    close_file(f);
    if (lstat(f->path, &st) == 0 && st.st_size >= SCHEDULE_FILE_MOST &&
        rename(f->path, f->path_before) != 0)
        return -1;
    f->fd =
        open(f->path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0644);
    if (f->fd < 0 || fstat(f->fd, &st) != 0)
        return -1;
    if (S_ISREG(st.st_mode))
        return 0;
    close_file(f);
    errno = EINVAL;
    return -1;
}

static void write_text(struct schedule_file *f, const struct dstr *text)
{
    bool is_written = open_file(f) == 0 && file_write_all(f->fd, dstr_get(text), text->len) == 0;
    if (!is_written) {
        int err = errno;
        close_file(f);
        if (!f->has_failed)
            log_msg(LOG_LEVEL_ERROR, MSG_SCHEDULE_WRITE_SS, f->path, strerror(err));
    }
    f->has_failed = !is_written;
}

/* TEXT, empty, gets what waits; false: there is nothing, and nothing comes */
static bool take_waiting(struct schedule_file *f, struct dstr *text)
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
    struct schedule_file *f = ctx;
    struct dstr text = DSTR_INIT;
    log_thread("schedule");
    while (take_waiting(f, &text)) {
        write_text(f, &text);
        dstr_clear(&text);
    }
    dstr_free(&text);
    return NULL;
}

/* ---- texts ---- */
static bool has_thread(struct schedule_file *f)
{
    if (f->has_thread || f->is_without)
        return f->has_thread;
    int err = pthread_create(&f->thread, NULL, run_thread, f);
    f->has_thread = err == 0;
    f->is_without = err != 0;
    if (f->is_without)
        log_msg(LOG_LEVEL_ERROR, MSG_SCHEDULE_WRITE_SS, f->path, strerror(err));
    return f->has_thread;
}

void schedule_file_add(struct schedule_file *f, struct dstr *text)
{
    if (has_thread(f)) {
        pthread_mutex_lock(&f->lock);
        bool was_late = f->is_late;
        f->is_late = f->waiting.len + text->len > SCHEDULE_WAITING_MOST;
        if (!f->is_late) {
            dstr_addn(&f->waiting, dstr_get(text), text->len);
            pthread_cond_signal(&f->filled);
        }
        bool is_news = f->is_late && !was_late;
        pthread_mutex_unlock(&f->lock);
        if (is_news)
            log_msg(LOG_LEVEL_WARNING, MSG_SCHEDULE_LATE_SI, f->path, SCHEDULE_WAITING_MOST >> 20);
    }
    dstr_clear(text);
}

void schedule_file_free(struct schedule_file *f)
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
