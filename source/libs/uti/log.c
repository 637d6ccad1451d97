/* The messages file. State: one sink for the process and the name of each thread. Lines are
 * put together aside and leave in one write(2) on a descriptor opened for appending, so that
 * threads and processes need no lock. Invariant: the sink's descriptor number never changes once
 * a file is open; opening again replaces the file behind it, so that no writer sees a closed one. */
#include "libs/uti/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/msg_uti.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

static struct {
    _Atomic int fd;
    _Atomic int most;
    _Atomic(const char *) host;
} log_sink = { STDERR_FILENO, LOG_LEVEL_INFO, "" };

static _Thread_local const char *log_thread_name = "main";

int log_open(const char *path, const char *host, enum log_level most, struct answer *ans)
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

/* what a user put into a name must not look like a line of ours */
static void log_make_one_line(char *s)
{
    for (; *s != '\0'; s++)
        if ((unsigned char)*s < ' ')
            *s = ' ';
}

void log_msg(enum log_level level, const char *format, ...)
{
    if ((int)level > log_sink.most)
        return;
    static const char letters[] = "CEWID";
    int saved = errno;
    struct dstr line = DSTR_INIT;
    uti_time_us_date(uti_now_s(), &line);
    dstr_addf(&line, "|%s|%s|%c|", log_thread_name, log_sink.host, letters[level]);
    va_list args;
    va_start(args, format);
    dstr_addv(&line, format, args);
    va_end(args);
    log_make_one_line(line.s);
    dstr_addc(&line, '\n');
    (void)file_write_all(log_sink.fd, line.s, line.len);
    dstr_free(&line);
    errno = saved;
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
