/* The messages file. State: one sink for the process and the name of each thread. Lines are put
 * together aside and leave in one write(2) on a descriptor opened for appending, so that threads
 * and processes need no lock for that. Invariant: the sink's descriptor number never changes once a
 * file is open; opening again replaces the file behind it, so that no writer sees a closed one.
 *
 * A daemon starts a writer: lines go into a queue, under a lock that is held for a copy in memory,
 * and the writer's thread writes them. What is fatal passes the queue. */
#include "libs/uti/log.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/assert.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/msg_uti.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

enum { TALKERS = 64, LOOK_S = 1 };

/* what a user causes again and again: one line a second, and how many more there were */
struct talker {
    uint32_t who;
    const char *format; /* NULL: free */
    enum log_level level;
    uint64_t at_s; /* of the last line */
    uint32_t n_more;
};

static struct {
    _Atomic int fd;
    _Atomic int most;
    _Atomic(const char *) host;
    char *path;           /* NULL: stderr */
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t filled;
    pthread_t writer;
    struct dstr queue;
    uint32_t n_dropped;
    bool has_writer, is_ending, is_reopen_wanted;
    struct talker talkers[TALKERS];
} log_sink = { .fd = STDERR_FILENO,
               .most = LOG_LEVEL_INFO,
               .host = "",
               .lock = PTHREAD_MUTEX_INITIALIZER,
               .filled = PTHREAD_COND_INITIALIZER };

static _Thread_local const char *log_thread_name = "main";

/* the file at PATH takes the place of what is open */
static int sink_open(const char *path, struct answer *ans)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0)
        return ans_sys(ans, errno, MSG_FILE_OPEN_S, path);
    int now = log_sink.fd;
    if (now == STDERR_FILENO) {
        log_sink.fd = fd;
    } else {
        int moved = dup3(fd, now, O_CLOEXEC);
        int err = errno;
        close(fd);
        if (moved < 0)
            return ans_sys(ans, err, MSG_FILE_OPEN_S, path);
    }
    return 0;
}

static void say_failed_claim(const char *claim, const char *file, int line, const char *func)
{
    log_msg(LOG_LEVEL_CRITICAL, MSG_ASSERT_FAILED_SSIS, claim, func, file, line);
}

int log_open(const char *path, const char *host, enum log_level most, struct answer *ans)
{
    if (sink_open(path, ans) != 0)
        return -1;
    uti_assert_on_failure(say_failed_claim);
    pthread_mutex_lock(&log_sink.lock);
    free(log_sink.path);
    log_sink.path = uti_strdup(path);
    pthread_mutex_unlock(&log_sink.lock);
    /* an older name may be in use by another thread just now: it is left for ever */
    if (strcmp(log_sink.host, host) != 0)
        log_sink.host = uti_strdup(host);
    log_sink.most = (int)most;
    return 0;
}

void log_set_level(enum log_level most)
{
    log_sink.most = (int)most;
}

void log_thread(const char *name)
{
    log_thread_name = name;
    os_thread_name(name);
}

/* LEN as of utf8_bytes; those of one byte and of UTF-8 (C1), and bytes that a terminal of eight
 * bits takes for them */
static bool is_control(const unsigned char *s, size_t len)
{
    if (len == 0)
        return *s < 0xA0;
    return *s == 0x7F || (s[0] == 0xC2 && s[1] < 0xA0);
}

/* A name that a user chose must not look like a line of the log, nor command the terminal that
 * shows it. */
static void add_shown(struct dstr *line, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    for (size_t len; *s != '\0'; s += len > 0 ? len : 1) {
        len = utf8_bytes((const char *)s);
        if (*s < ' ')
            dstr_addc(line, ' ');
        else if (is_control(s, len))
            dstr_addf(line, len == 2 ? "\\x%02x\\x%02x" : "\\x%02x", s[0], s[1]);
        else
            dstr_addn(line, (const char *)s, len > 0 ? len : 1);
    }
}

static void write_line(const struct dstr *line)
{
    (void)file_write_all(log_sink.fd, line->s, line->len);
}

/* put LINE into the queue, or drop it; under the lock */
static void queue_line(const struct dstr *line)
{
    if (log_sink.queue.len + line->len > LOG_QUEUE_BYTES) {
        log_sink.n_dropped++;
        return;
    }
    dstr_addn(&log_sink.queue, line->s, line->len);
    pthread_cond_signal(&log_sink.filled);
}

/* what waits is written before what comes next; under the lock */
static void write_queue(void)
{
    if (log_sink.queue.len > 0)
        write_line(&log_sink.queue);
    dstr_clear(&log_sink.queue);
}

static void emit_line(enum log_level level, const struct dstr *line)
{
    pthread_mutex_lock(&log_sink.lock);
    if (log_sink.has_writer && level != LOG_LEVEL_CRITICAL) {
        queue_line(line);
    } else {
        write_queue();
        write_line(line);
    }
    pthread_mutex_unlock(&log_sink.lock);
}

static void line_begin(struct dstr *line, enum log_level level)
{
    static const char letters[] = "CEWID";
    uti_time_us_date(uti_now_s(), line);
    dstr_addf(line, "|%s|%s|%c|", log_thread_name, log_sink.host, letters[level]);
}

static void log_args(enum log_level level, const char *format, va_list args) SGE_PRINTF(2, 0);
static void log_args(enum log_level level, const char *format, va_list args)
{
    if ((int)level > log_sink.most)
        return;
    int saved = errno;
    struct dstr line = DSTR_INIT, text = DSTR_INIT;
    line_begin(&line, level);
    dstr_addv(&text, format, args);
    add_shown(&line, dstr_get(&text));
    dstr_addc(&line, '\n');
    emit_line(level, &line);
    dstr_free(&text);
    dstr_free(&line);
    errno = saved;
}

void log_msg(enum log_level level, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    log_args(level, format, args);
    va_end(args);
}

/* ---- those who talk much ---- */

static struct talker *talker_of(uint32_t who, const char *format)
{
    struct talker *oldest = &log_sink.talkers[0];
    for (int i = 0; i < TALKERS; i++) {
        struct talker *t = &log_sink.talkers[i];
        if (t->format == format && t->who == who)
            return t;
        if (t->at_s < oldest->at_s)
            oldest = t;
    }
    return oldest;
}

static void say_repeated(const struct talker *t)
{
    if (t->n_more > 0)
        log_msg(t->level, MSG_LOG_REPEATED_U, t->n_more);
}

/* may a line of T be written at NOW_S? Else it is counted. Takes what was counted before into
 * BEFORE. */
static bool talker_may(uint32_t who, const char *format, enum log_level level, uint64_t now_s,
                       struct talker *before)
{
    pthread_mutex_lock(&log_sink.lock);
    struct talker *t = talker_of(who, format);
    bool is_same = t->format == format && t->who == who;
    bool may = !is_same || t->at_s != now_s;
    *before = *t;
    if (may)
        *t = (struct talker){ who, format, level, now_s, 0 };
    else
        t->n_more++;
    pthread_mutex_unlock(&log_sink.lock);
    return may;
}

void log_msg_of(uint32_t who, enum log_level level, const char *format, ...)
{
    struct talker before;
    va_list args;
    if ((int)level > log_sink.most || !talker_may(who, format, level, uti_now_s(), &before))
        return;
    say_repeated(&before);
    va_start(args, format);
    log_args(level, format, args);
    va_end(args);
}

/* those who have fallen silent are counted out */
static void say_all_repeated(uint64_t now_s)
{
    for (int i = 0; i < TALKERS; i++) {
        pthread_mutex_lock(&log_sink.lock);
        struct talker t = log_sink.talkers[i];
        if (t.at_s < now_s)
            log_sink.talkers[i].n_more = 0;
        pthread_mutex_unlock(&log_sink.lock);
        if (t.at_s < now_s)
            say_repeated(&t);
    }
}

/* ---- the writer ---- */

/* is the file at the path another one than the one that is open, or none? */
static bool is_moved(const char *path)
{
    struct stat now, open_now;
    if (fstat(log_sink.fd, &open_now) != 0)
        return false;
    return stat(path, &now) != 0 || now.st_ino != open_now.st_ino || now.st_dev != open_now.st_dev;
}

/* Not under the lock: a disk may take long. Only the writer, or without one whoever asked for it,
 * comes here. */
static void reopen_sink(bool is_wanted)
{
    pthread_mutex_lock(&log_sink.lock);
    char *path = log_sink.path != NULL ? uti_strdup(log_sink.path) : NULL;
    pthread_mutex_unlock(&log_sink.lock);
    if (path != NULL && (is_wanted || is_moved(path)))
        (void)sink_open(path, NULL); /* else it goes on where it was */
    free(path);
}

static void write_and_count(struct dstr *lines, uint32_t n_dropped)
{
    if (lines->len > 0)
        write_line(lines);
    dstr_clear(lines);
    if (n_dropped > 0)
        log_msg(LOG_LEVEL_WARNING, MSG_LOG_DROPPED_U, n_dropped);
}

/* wait for lines, for a second at most; under the lock */
static void wait_filled(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += LOOK_S;
    while (log_sink.queue.len == 0 && !log_sink.is_ending && !log_sink.is_reopen_wanted)
        if (pthread_cond_timedwait(&log_sink.filled, &log_sink.lock, &until) != 0)
            break;
}

static void *run_writer(void *ctx)
{
    struct dstr lines = DSTR_INIT;
    uint64_t looked_s = 0;
    bool is_ending = false;
    (void)ctx;
    log_thread("log");
    while (!is_ending) {
        pthread_mutex_lock(&log_sink.lock);
        wait_filled();
        struct dstr empty = lines;
        lines = log_sink.queue;
        log_sink.queue = empty;
        uint32_t n_dropped = log_sink.n_dropped;
        bool is_wanted = log_sink.is_reopen_wanted;
        log_sink.n_dropped = 0;
        log_sink.is_reopen_wanted = false;
        is_ending = log_sink.is_ending;
        pthread_mutex_unlock(&log_sink.lock);
        uint64_t now_s = uti_now_s();
        if (is_wanted || now_s != looked_s)
            reopen_sink(is_wanted);
        write_and_count(&lines, n_dropped);
        if (now_s != looked_s)
            say_all_repeated(now_s);
        looked_s = now_s;
    }
    dstr_free(&lines);
    return NULL;
}

int log_start(struct answer *ans)
{
    int err = pthread_create(&log_sink.writer, NULL, run_writer, NULL);
    if (err != 0)
        return ans_sys(ans, err, MSG_LOG_THREAD);
    pthread_mutex_lock(&log_sink.lock);
    log_sink.has_writer = true;
    pthread_mutex_unlock(&log_sink.lock);
    return 0;
}

void log_stop(void)
{
    pthread_mutex_lock(&log_sink.lock);
    bool had_writer = log_sink.has_writer;
    log_sink.has_writer = false;
    log_sink.is_ending = true;
    pthread_cond_signal(&log_sink.filled);
    pthread_mutex_unlock(&log_sink.lock);
    if (had_writer)
        pthread_join(log_sink.writer, NULL);
    pthread_mutex_lock(&log_sink.lock);
    log_sink.is_ending = false;
    write_queue();
    dstr_free(&log_sink.queue);
    pthread_mutex_unlock(&log_sink.lock);
    say_all_repeated(UINT64_MAX);
}

void log_reopen(void)
{
    pthread_mutex_lock(&log_sink.lock);
    bool has_writer = log_sink.has_writer;
    log_sink.is_reopen_wanted = has_writer;
    pthread_cond_signal(&log_sink.filled);
    pthread_mutex_unlock(&log_sink.lock);
    if (!has_writer)
        reopen_sink(true);
}

void log_answer(const struct answer *ans)
{
    static const enum log_level levels[] = {
        [ANSWER_QUALITY_CRITICAL] = LOG_LEVEL_CRITICAL,
        [ANSWER_QUALITY_ERROR] = LOG_LEVEL_ERROR,
        [ANSWER_QUALITY_WARNING] = LOG_LEVEL_WARNING,
        [ANSWER_QUALITY_INFO] = LOG_LEVEL_INFO,
    };
    for (uint32_t i = 0; ans != NULL && i < ans->n; i++)
        log_msg(levels[ans->v[i].quality], "%s", ans->v[i].text);
}
