/* Task directories. A directory is made whole before its shepherd is started, and goes when the
 * qmaster has the end in its spool. The files are few and known, so that removing them needs no
 * look at the directory. */
#include "daemons/execd/files/task_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemons/execd/files/msg_files.h"
#include "libs/sgeobj/accounting.h"
#include "libs/task/task_dir.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/log.h"
#include "libs/uti/os.h"
#include "libs/uti/parse.h"

enum { ERROR_TEXT_BYTES_MAX = 4096 };

int task_files_write(int dir_fd, const char *file, const struct dstr *text, mode_t mode,
                     struct answer *ans)
{
    return file_overwrite_at(dir_fd, file, dstr_get(text), text->len, mode, ans);
}

int task_files_lock(int dir_fd, struct answer *ans)
{
    int fd = openat(dir_fd, TASK_FILE_PID, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0 && os_lock_take(fd) == 0)
        return fd;
    int err = errno;
    if (fd >= 0)
        close(fd);
    return ans_sys(ans, err, MSG_LOCK_S, TASK_FILE_PID);
}

bool task_files_read(int dir_fd, const char *file, struct dstr *out)
{
    char buf[4096];
    ssize_t n;
    int fd = openat(dir_fd, file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return false;
    do {
        n = read(fd, buf, sizeof buf);
        dstr_addn(out, buf, n > 0 ? (size_t)n : 0);
    } while (n == sizeof buf && out->len < TASK_FILE_MAX_BYTES);
    close(fd);
    return n >= 0 && n < (ssize_t)sizeof buf; /* only the end of a file makes a read short */
}

static bool read_number(int dir_fd, const char *file, uint32_t *out)
{
    struct dstr text = DSTR_INIT;
    bool is_there =
        task_files_read(dir_fd, file, &text) && text.len > 0 && text.s[text.len - 1] == '\n';
    if (is_there) {
        text.s[text.len - 1] = '\0'; /* without the newline it was not written to its end */
        is_there = parse_u32(text.s, out);
    }
    dstr_free(&text);
    return is_there;
}

enum task_life task_files_life(int dir_fd, struct process_id *shepherd)
{
    struct dstr text = DSTR_INIT;
    int fd = openat(dir_fd, TASK_FILE_PID, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    *shepherd = (struct process_id){ 0 };
    if (fd < 0)
        return TASK_LIFE_NONE;
    bool is_locked = os_lock_is_held(fd) == 1;
    close(fd);
    bool is_named = task_files_read(dir_fd, TASK_FILE_PID, &text) &&
                    process_id_parse(dstr_get(&text), shepherd);
    dstr_free(&text);
    if (is_locked)
        return TASK_LIFE_RUNNING;
    return is_named ? TASK_LIFE_ENDED : TASK_LIFE_NONE;
}

/* where the value of KEY begins; NULL if there is none */
static const char *find_value(const char *text, const char *key)
{
    size_t len = strlen(key);
    for (const char *line = text; *line != '\0';) {
        if (strncmp(line, key, len) == 0 && line[len] == '=')
            return line + len + 1;
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return NULL;
}

char *task_files_value(const char *text, const char *key)
{
    const char *at = find_value(text, key);
    if (at == NULL)
        return NULL;
    char *value = uti_strndup(at, strcspn(at, "\n"));
    task_text_unescape(value);
    return value;
}

uint64_t task_files_number(const char *text, const char *key, uint64_t otherwise)
{
    char *value = task_files_value(text, key);
    uint64_t number = otherwise;
    if (value != NULL && !parse_u64(value, &number))
        number = otherwise;
    free(value);
    return number;
}

static void add_usage(struct JR_Type *report, const char *name, double value)
{
    struct UA_Type *ua = cull_append(report, JR_usage);
    cull_set(ua, UA_name, name);
    cull_set(ua, UA_value,
             accounting_figure(name, value)); /* an older shepherd may have written it */
}

/* 0 if it is not there */
static double seconds_of(const char *text, const char *key)
{
    char *value = task_files_value(text, key);
    double number = 0;
    if (value == NULL || !parse_double(value, &number))
        number = 0;
    free(value);
    return number;
}

static void take_usage(const char *text, struct JR_Type *report)
{
    static const char *const names[] = { "ru_wallclock", "ru_utime",  "ru_stime",    "ru_maxrss",
                                         "ru_ixrss",     "ru_idrss",  "ru_isrss",    "ru_minflt",
                                         "ru_majflt",    "ru_nswap",  "ru_inblock",  "ru_oublock",
                                         "ru_msgsnd",    "ru_msgrcv", "ru_nsignals", "ru_nvcsw",
                                         "ru_nivcsw",    "maxvmem",   "mem" };
    double cpu_s = 0;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        char *value = task_files_value(text, names[i]);
        double number;
        if (value != NULL && parse_double(value, &number)) {
            add_usage(report, names[i], number);
            if (strcmp(names[i], "ru_utime") == 0 || strcmp(names[i], "ru_stime") == 0)
                cpu_s += number;
        }
        free(value);
    }
    double counted_s = seconds_of(text, "cpu"); /* also of those that nobody waited for */
    add_usage(report, "cpu", counted_s > cpu_s ? counted_s : cpu_s);
}

/* the first line of "error": what went wrong first explains the rest */
static void take_error(int dir_fd, struct JR_Type *report)
{
    struct dstr text = DSTR_INIT;
    if (task_files_read(dir_fd, TASK_FILE_ERROR, &text) && text.len > 0) {
        size_t len = strcspn(text.s, "\n");
        text.s[len < ERROR_TEXT_BYTES_MAX ? len : ERROR_TEXT_BYTES_MAX] = '\0';
        cull_set(report, JR_err_str, text.s);
    }
    dstr_free(&text);
}

bool task_files_report(int dir_fd, struct JR_Type *report)
{
    struct dstr text = DSTR_INIT;
    uint32_t failed = TASK_FAILED_NO_EXIT_STATUS;
    bool is_whole = task_files_read(dir_fd, TASK_FILE_USAGE, &text) &&
                    find_value(dstr_get(&text), "failed") != NULL && text.s[text.len - 1] == '\n';
    if (is_whole) {
        failed = (uint32_t)task_files_number(text.s, "failed", failed);
        cull_set(report, JR_exit_status, (uint32_t)task_files_number(text.s, "exit_status", 0));
        cull_set(report, JR_start_time, task_files_number(text.s, "start_time", 0));
        cull_set(report, JR_end_time, task_files_number(text.s, "end_time", 0));
        take_usage(text.s, report);
    }
    if (read_number(dir_fd, TASK_FILE_EXIT_STATUS, &failed))
        is_whole = true; /* its last word: after the epilog, or why the job was never started */
    cull_set(report, JR_failed, failed);
    if (failed != TASK_FAILED_NOT)
        take_error(dir_fd, report);
    dstr_free(&text);
    return is_whole;
}
