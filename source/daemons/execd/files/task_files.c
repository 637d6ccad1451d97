/* Task directories. A directory is made whole before its shepherd is started, and goes when the
 * qmaster has the end in its spool. The files are few and known, so that removing them needs no
 * look at the directory. */
#include "daemons/execd/files/task_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
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

/* ---- directories ---- */
/* Making, recycling and removing of task directories. A spare directory is emptied of meaning
 * before it can be taken: its files "pid" and "usage" are an empty line, "config", "environment"
 * and "addgrpid" are written anew by its next task, everything else is removed. A crash in
 * between leaves a "spare.N", which the next execd removes. */

enum { SPARES_MAX = 256, NAME_BYTES = 24, USAGE_BYTES = 1024 };
#define SPARE_PREFIX "spare."

static void spare_name(uint32_t number, char name[NAME_BYTES])
{
    (void)snprintf(name, NAME_BYTES, SPARE_PREFIX "%u", number);
}

static void remove_dir(const struct task_dirs *d, const char *name)
{
    static const char *const files[] = {
        TASK_FILE_CONFIG,   TASK_FILE_ENVIRONMENT,   TASK_FILE_PID,         TASK_FILE_USAGE,
        TASK_FILE_JOB_PID,  TASK_FILE_EXIT_STATUS,   TASK_FILE_ERROR,       TASK_FILE_TRACE,
        TASK_FILE_ADDGRPID, TASK_FILE_SAMPLE,        TASK_FILE_PE_HOSTFILE, TASK_FILE_FAILED,
        TASK_FILE_OSJOBID,  TASK_FILE_PROCESSOR_SET, TASK_FILE_PETASKS
    };
    int fd = openat(d->active_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    for (size_t i = 0; fd >= 0 && i < ARRAY_LEN(files); i++)
        (void)unlinkat(fd, files[i], 0);
    if (fd >= 0)
        close(fd);
    if (unlinkat(d->active_fd, name, AT_REMOVEDIR) == 0 || errno == ENOENT)
        return;
    char *path = path_join(d->active_path, name); /* something else was put into it */
    struct answer ans = ANSWER_INIT;
    if (file_rmtree(path, &ans) != 0)
        log_answer(&ans);
    ans_free(&ans);
    free(path);
}

/* ---- petasks stand in the directory of their task ---- */

/* the path of that directory; new: free(), NULL if NAME is not a petask's */
static char *parent_of(const char *name)
{
    const char *slash = strchr(name, '/');
    return slash != NULL ? uti_strndup(name, (size_t)(slash - name)) : NULL;
}

/* a task that runs on another host has none here */
static void make_parent(const struct task_dirs *d, const char *name)
{
    char *parent = parent_of(name);
    if (parent != NULL)
        (void)mkdirat(d->active_fd, parent, 0755); /* if it fails, so does what follows */
    free(parent);
}

/* it goes with the last petask, unless the task itself runs here */
static void drop_parent(const struct task_dirs *d, const char *name)
{
    char *parent = parent_of(name);
    if (parent != NULL)
        (void)unlinkat(d->active_fd, parent, AT_REMOVEDIR);
    free(parent);
}

void task_files_remove(const struct task_dirs *d, const char *name)
{
    remove_dir(d, name);
    drop_parent(d, name);
}

/* ---- spares ---- */

static bool is_kept(const char *file)
{
    return strcmp(file, TASK_FILE_CONFIG) == 0 || strcmp(file, TASK_FILE_ENVIRONMENT) == 0 ||
           strcmp(file, TASK_FILE_PID) == 0 || strcmp(file, TASK_FILE_USAGE) == 0 ||
           strcmp(file, TASK_FILE_ADDGRPID) == 0;
}

struct stripped {
    int dir_fd;
    uid_t user; /* who we are */
};

/* a plain file of ours that has no other name: a job of our own user may have put something else
 * there */
static bool keep_or_remove(void *ctx, const char *file)
{
    const struct stripped *s = ctx;
    struct stat st;
    if (!is_kept(file))
        return unlinkat(s->dir_fd, file, 0) == 0;
    return fstatat(s->dir_fd, file, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
           st.st_nlink == 1 && st.st_uid == s->user;
}

/* remove all but the files that are used again; false if something is there that cannot be */
static bool strip_dir(int dir_fd)
{
    struct stripped s = { dir_fd, geteuid() };
    return os_dir_each(dir_fd, keep_or_remove, &s) == 1;
}

static bool empty_dir(int dir_fd)
{
    return file_overwrite_at(dir_fd, TASK_FILE_PID, "\n", 1, 0600, NULL) == 0 &&
           file_overwrite_at(dir_fd, TASK_FILE_USAGE, "\n", 1, 0644, NULL) == 0;
}

void task_files_recycle(struct task_dirs *d, const char *name)
{
    char spare[NAME_BYTES];
    bool is_good = false;
    spare_name(d->next, spare);
    if (d->n < SPARES_MAX && renameat(d->active_fd, name, d->active_fd, spare) == 0) {
        int fd = openat(d->active_fd, spare, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        is_good = fd >= 0 && strip_dir(fd) && empty_dir(fd);
        if (fd >= 0)
            close(fd);
        drop_parent(d, name);
        name = spare;
    }
    if (!is_good) {
        task_files_remove(d, name);
        return;
    }
    d->spare = uti_vec_grow(d->spare, &d->cap, d->n + 1, sizeof *d->spare);
    d->spare[d->n++] = d->next++;
}

/* make NAME from a spare; false without a spare */
static bool take_spare(struct task_dirs *d, const char *name)
{
    char spare[NAME_BYTES];
    if (d->n == 0)
        return false;
    spare_name(d->spare[--d->n], spare);
    if (renameat(d->active_fd, spare, d->active_fd, name) == 0)
        return true;
    task_files_remove(d, spare);
    return false;
}

/* room for the shepherd's last words, should the disk be full by then */
static int keep_room(int dir_fd)
{
    int fd = openat(dir_fd, TASK_FILE_USAGE, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    int rc = fd >= 0 ? file_write_all(fd, "\n", 1) : -1;
    if (rc == 0 && fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, USAGE_BYTES) != 0)
        rc = errno == ENOSPC || errno == EDQUOT
                 ? -1
                 : 0; /* where it is not known, a block has begun all the same */
    int err = errno;
    if (fd >= 0)
        close(fd);
    errno = err;
    return rc;
}

/* with the file that must be there */
static int make_fresh(const struct task_dirs *d, const char *name)
{
    if (mkdirat(d->active_fd, name, 0755) != 0)
        return -1;
    int fd = openat(d->active_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int rc = fd >= 0 ? keep_room(fd) : -1, err = errno;
    if (fd >= 0)
        close(fd);
    if (rc != 0)
        task_files_remove(d, name);
    errno = err;
    return rc;
}

/* 0, or -1 with errno: EEXIST if something of that name is there */
static int make_dir(struct task_dirs *d, const char *name)
{
    make_parent(d, name);
    return take_spare(d, name) ? 0 : make_fresh(d, name);
}

int task_files_make(struct task_dirs *d, const char *name, struct answer *ans)
{
    int rc = make_dir(d, name);
    if (rc != 0 && errno == EEXIST) {
        task_files_remove(d, name);
        rc = make_dir(d, name);
    }
    int fd =
        rc == 0 ? openat(d->active_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    return fd >= 0 ? fd : ans_sys(ans, errno, MSG_MAKE_DIR_SS, d->active_path, name);
}

void task_dirs_init(struct task_dirs *d, int active_fd, const char *active_path)
{
    *d = (struct task_dirs){ .active_fd = active_fd, .active_path = active_path };
    DIR *dir = opendir(active_path);
    struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL)
        if (strncmp(entry->d_name, SPARE_PREFIX, strlen(SPARE_PREFIX)) == 0)
            task_files_remove(d, entry->d_name);
    if (dir != NULL)
        closedir(dir);
}

void task_dirs_free(struct task_dirs *d)
{
    char spare[NAME_BYTES];
    for (uint32_t i = 0; i < d->n; i++) {
        spare_name(d->spare[i], spare);
        task_files_remove(d, spare);
    }
    free(d->spare);
    *d = (struct task_dirs){ .active_fd = -1 };
}

/* ---- files ---- */

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
    double counted_s = seconds_of(text, "cpu"); /* also of those that were not waited for */
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
    if (read_number(dir_fd, TASK_FILE_FAILED, &failed))
        is_whole = true; /* its last word: after the epilog, or why the job was never started */
    cull_set(report, JR_failed, failed);
    if (failed != TASK_FAILED_NOT)
        take_error(dir_fd, report);
    dstr_free(&text);
    return is_whole;
}
