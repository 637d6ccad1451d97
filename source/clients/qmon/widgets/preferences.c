/* What users have chosen, by name, and the file of it. That is read when something is asked for,
 * and written as a whole: a reader or a crash sees the old or the new one. Invariant: each name is
 * there once, and neither names nor values have control characters. */
#include "clients/qmon/widgets/preferences.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clients/qmon/widgets/msg_qmon.h"
#include "libs/cli/submitter.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

#define PREFERENCES_FILE ".qmon_preferences"
#define NAME_LETTERS     "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"
enum { PREFERENCES_MODE = 0600 };

/* ---- the text ---- */

struct preferences {
    struct {
        char *name, *value; /* owned */
    } v[PREFERENCES_MOST];
    unsigned n;
};

struct preferences *preferences_new(void)
{
    return uti_calloc(1, sizeof(struct preferences));
}

void preferences_free(struct preferences *p)
{
    for (unsigned i = 0; p != NULL && i < p->n; i++) {
        free(p->v[i].name);
        free(p->v[i].value);
    }
    free(p);
}

static unsigned find_name(const struct preferences *p, const char *name, size_t length)
{
    unsigned i = 0;
    while (i < p->n && (strlen(p->v[i].name) != length || strncmp(p->v[i].name, name, length) != 0))
        i++;
    return i;
}

/* false: there is no room */
static bool set_value(struct preferences *p, const char *name, size_t name_length,
                      const char *value, size_t length)
{
    unsigned i = find_name(p, name, name_length);
    if (i == PREFERENCES_MOST)
        return false;
    if (i == p->n)
        p->v[p->n++].name = uti_strndup(name, name_length);
    free(p->v[i].value);
    p->v[i].value = uti_strndup(value, length);
    return true;
}

static bool is_clean(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
            return false;
    return true;
}

static bool take_line(struct preferences *p, const char *line, size_t length)
{
    size_t name = strspn(line, NAME_LETTERS);
    if (length == 0 || line[0] == '#')
        return true;
    if (name == 0 || name >= length || line[name] != ':' || !is_clean(line, length))
        return false;
    const char *value = line + name + 1;
    value += strspn(value, " ");
    return set_value(p, line, name, value,
                     value < line + length ? (size_t)(line + length - value) : 0);
}

void preferences_read(struct preferences *p, const char *text, struct dstr *wrong)
{
    for (unsigned number = 1; *text != '\0'; number++) {
        size_t length = strcspn(text, "\n");
        if (!take_line(p, text, length))
            dstr_addf(wrong, "%s%u", wrong->len > 0 ? ", " : "", number);
        text += length + (text[length] == '\n');
    }
}

const char *preferences_get(const struct preferences *p, const char *name)
{
    unsigned i = find_name(p, name, strlen(name));
    return i < p->n ? p->v[i].value : NULL;
}

void preferences_set(struct preferences *p, const char *name, const char *value)
{
    (void)set_value(p, name, strlen(name), value, strlen(value));
}

void preferences_text(const struct preferences *p, struct dstr *out)
{
    for (unsigned i = 0; i < p->n; i++)
        dstr_addf(out, "%s: %s\n", p->v[i].name, p->v[i].value);
}

/* ---- the file ---- */

int regular_read(const char *path, size_t most_bytes, struct dstr *out, struct answer *ans)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return ans_sys(ans, errno, MSG_JOBS_OPEN_S, path);
    int result = fstat(fd, &st) == 0 && S_ISREG(st.st_mode)
                     ? file_read_fd(fd, path, most_bytes, out, ans)
                     : ans_fail(ans, STATUS_ESEMANTIC, MSG_JOBS_NO_FILE_S, path);
    close(fd);
    return result;
}

/* its path, new: free(); NULL with ans: the user has no home */
static char *find_path(struct answer *ans)
{
    char *user = NULL, *home = NULL;
    const char *said = getenv("HOME");
    char *path = NULL;
    if (said != NULL && said[0] == '/')
        return path_join(said, PREFERENCES_FILE);
    if (submitter_find_user(geteuid(), &user, &home, ans) == 0)
        path = path_join(home, PREFERENCES_FILE);
    free(user);
    free(home);
    return path;
}

/* a file that is not there says nothing; 0, or -1 with ans */
static int read_preferences(const char *path, struct preferences *p, struct dstr *wrong,
                            struct answer *ans)
{
    struct dstr text = DSTR_INIT;
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return 0;
    int result = regular_read(path, PREFERENCES_BYTES_MOST, &text, ans);
    if (result == 0)
        preferences_read(p, dstr_get(&text), wrong);
    dstr_free(&text);
    return result;
}

bool preference_get(const char *name, struct dstr *value, struct answer *ans)
{
    struct dstr wrong = DSTR_INIT;
    struct preferences *p = preferences_new();
    char *path = find_path(ans);
    if (path != NULL && read_preferences(path, p, &wrong, ans) == 0 && wrong.len > 0)
        ans_add(ans, STATUS_OK, ANSWER_QUALITY_WARNING, MSG_JOBS_KEPT_SS, path, dstr_get(&wrong));
    const char *said = preferences_get(p, name);
    if (said != NULL)
        dstr_add(value, said);
    preferences_free(p);
    dstr_free(&wrong);
    free(path);
    return said != NULL;
}

int preference_set(const char *name, const char *value, struct answer *ans)
{
    struct dstr unused = DSTR_INIT, text = DSTR_INIT;
    struct preferences *p = preferences_new();
    char *path = find_path(ans);
    int result = path != NULL ? read_preferences(path, p, &unused, ans) : -1;
    preferences_set(p, name, value);
    preferences_text(p, &text);
    if (result == 0)
        result = file_replace(path, dstr_get(&text), text.len, PREFERENCES_MODE, ans);
    preferences_free(p);
    dstr_free(&unused);
    dstr_free(&text);
    free(path);
    return result;
}
