/* The file "qrsh_start": texts, each with its end; in front of each list stands how many of them it
 * has. The job may do to the directory what it wants, so that what is read is a plain file, of
 * bounded size, and not a link. Source: qrsh(1). */
#include "libs/task/start_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

#define START_NAME  "/qrsh_start"
#define STATUS_NAME "/qrsh_exit_code"
enum { LISTS = 4, STATUS_DIGITS = 12, LIST_MOST = 1 << 20 };

static int open_in(const char *dir, const char *name, int flags)
{
    struct dstr path = DSTR_INIT;
    dstr_add(&path, dir);
    dstr_add(&path, name);
    int fd = open(dstr_get(&path), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    dstr_free(&path);
    return fd;
}

/* ---- out ---- */

static int write_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0)
            return errno;
        bytes += n;
        len -= (size_t)n;
    }
    return 0;
}

static int write_new(const char *dir, const char *name, const char *bytes, size_t len)
{
    int fd = open_in(dir, name, O_WRONLY | O_CREAT | O_EXCL);
    if (fd < 0)
        return errno;
    int err = write_all(fd, bytes, len);
    return close(fd) != 0 && err == 0 ? errno : err;
}

static void add_text(struct dstr *out, const char *text)
{
    dstr_addn(out, text, strlen(text) + 1);
}

static void add_list(struct dstr *out, char *const *list)
{
    unsigned n = 0;
    while (list != NULL && list[n] != NULL)
        n++;
    dstr_addf(out, "%u", n);
    dstr_addn(out, "", 1);
    for (unsigned i = 0; i < n; i++)
        add_text(out, list[i]);
}

int start_file_write(const char *dir, const struct start_file *f)
{
    struct dstr text = DSTR_INIT;
    add_text(&text, f->cwd != NULL ? f->cwd : "/");
    add_list(&text, f->paths);
    add_list(&text, f->argv);
    add_list(&text, f->fallback);
    add_list(&text, f->envp);
    int err =
        text.len > START_FILE_MOST ? EFBIG : write_new(dir, START_NAME, dstr_get(&text), text.len);
    dstr_free(&text);
    return err;
}

int start_status_write(const char *dir, int status)
{
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, "%d\n", status);
    int err = write_new(dir, STATUS_NAME, dstr_get(&text), text.len);
    dstr_free(&text);
    return err;
}

/* ---- in ---- */

/* the first MOST bytes of a plain file; more than that is EFBIG. *BYTES is new, and ends with 0 */
static int read_file(const char *dir, const char *name, size_t most, char **bytes, size_t *len)
{
    struct stat st;
    int fd = open_in(dir, name, O_RDONLY), err = 0;
    if (fd < 0)
        return errno;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        err = EBADMSG;
    else if ((uint64_t)st.st_size > most)
        err = EFBIG;
    *len = 0;
    *bytes = err == 0 ? uti_alloc((size_t)st.st_size + 1) : NULL;
    while (err == 0 && *len < (size_t)st.st_size) {
        ssize_t n = read(fd, *bytes + *len, (size_t)st.st_size - *len);
        if (n <= 0)
            break;
        *len += (size_t)n;
    }
    if (err == 0)
        (*bytes)[*len] = '\0';
    close(fd);
    return err;
}

/* the text at *AT, which moves behind its end; NULL: there is none before END */
static char *take_text(char **at, const char *end)
{
    char *text = *at;
    if (text >= end)
        return NULL;
    *at += strlen(text) + 1;
    return *at <= end ? text : NULL;
}

static char **take_list(char **at, const char *end)
{
    uint32_t n;
    const char *count = take_text(at, end);
    if (count == NULL || !parse_u32(count, &n) || n > LIST_MOST)
        return NULL;
    char **list = uti_calloc((size_t)n + 1, sizeof *list);
    for (uint32_t i = 0; i < n; i++) {
        list[i] = take_text(at, end);
        if (list[i] == NULL) {
            free(list);
            return NULL;
        }
    }
    return list;
}

int start_file_read(const char *dir, struct start_file *out, char **bytes)
{
    size_t len;
    *out = (struct start_file){ 0 };
    *bytes = NULL;
    int err = read_file(dir, START_NAME, START_FILE_MOST, bytes, &len);
    if (err != 0)
        return err;
    char *at = *bytes;
    out->cwd = take_text(&at, *bytes + len);
    char *const **const lists[LISTS] = { &out->paths, &out->argv, &out->fallback, &out->envp };
    bool is_whole = out->cwd != NULL;
    for (int i = 0; is_whole && i < LISTS; i++)
        is_whole = (*lists[i] = take_list(&at, *bytes + len)) != NULL;
    if (is_whole && at == *bytes + len && out->argv[0] != NULL)
        return 0;
    start_file_free(out, *bytes);
    *bytes = NULL;
    return EBADMSG;
}

void start_file_free(struct start_file *f, char *bytes)
{
    free((void *)(uintptr_t)f->paths);
    free((void *)(uintptr_t)f->argv);
    free((void *)(uintptr_t)f->fallback);
    free((void *)(uintptr_t)f->envp);
    free(bytes);
    *f = (struct start_file){ 0 };
}

int start_status_read(const char *dir)
{
    char *text;
    size_t len;
    uint32_t status;
    if (read_file(dir, STATUS_NAME, STATUS_DIGITS, &text, &len) != 0)
        return -1;
    if (len > 0 && text[len - 1] == '\n')
        text[len - 1] = '\0';
    int found = parse_u32(text, &status) && status <= 255 ? (int)status : -1;
    free(text);
    return found;
}
