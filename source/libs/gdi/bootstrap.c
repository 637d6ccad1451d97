/* The bootstrap file: lines of `key value`. One table says which keys there are, where their values
 * go and what holds when the file leaves them out. Source: bootstrap(5) */
#include <stdlib.h>
#include <string.h>

#include "libs/gdi/cell.h"
#include "libs/gdi/msg_gdi.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

enum { BOOTSTRAP_BYTES_MAX = 64 * 1024 };

static const struct {
    const char *key;
    size_t offset;
    const char *value; /* when the file says nothing; NULL: it must */
} keys[] = {
    { "admin_user", offsetof(struct bootstrap, admin_user), "none" },
    { "default_domain", offsetof(struct bootstrap, default_domain), "none" },
    { "spooling_method", offsetof(struct bootstrap, spooling_method), "berkeleydb" },
    { "spooling_params", offsetof(struct bootstrap, spooling_params), "" },
    { "binary_path", offsetof(struct bootstrap, binary_path), NULL },
    { "qmaster_spool_dir", offsetof(struct bootstrap, qmaster_spool_dir), NULL },
    { "security_mode", offsetof(struct bootstrap, security_mode), "none" },
};
enum { KEYS = ARRAY_LEN(keys) };

static char **member(struct bootstrap *b, size_t key)
{
    return (char **)(void *)((char *)b + keys[key].offset);
}

void bootstrap_free(struct bootstrap *b)
{
    for (size_t i = 0; i < KEYS; i++)
        free(*member(b, i));
    *b = (struct bootstrap)BOOTSTRAP_INIT;
}

static void take_value(struct bootstrap *b, const char *key, const char *value)
{
    for (size_t i = 0; i < KEYS; i++) {
        if (strcmp(key, keys[i].key) != 0)
            continue;
        free(*member(b, i));
        *member(b, i) = uti_strdup(value);
    }
}

/* one line without its end: cut in place into key and value */
static int take_line(struct bootstrap *b, char *line, const char *path, unsigned number,
                     struct answer *ans)
{
    static const char blanks[] = " \t\r";
    char *key = line + strspn(line, blanks);
    if (*key == '\0' || *key == '#')
        return 0;
    char *value = key + strcspn(key, blanks);
    if (*value != '\0')
        *value++ = '\0';
    value += strspn(value, blanks);
    for (size_t len = strlen(value); len > 0 && strchr(blanks, value[len - 1]) != NULL; len--)
        value[len - 1] = '\0';
    if (*value == '\0')
        return ans_fail(ans, STATUS_ESYNTAX, MSG_BOOTSTRAP_LINE_SU, path, number);
    if (strcmp(key, "ignore_fqdn") != 0) {
        take_value(b, key, value);
        return 0;
    }
    b->ignore_fqdn = strcasecmp(value, "true") == 0;
    if (!b->ignore_fqdn && strcasecmp(value, "false") != 0)
        return ans_fail(ans, STATUS_ESYNTAX, MSG_BOOTSTRAP_BOOL_SUSS, path, number, key, value);
    return 0;
}

static int fill_in(struct bootstrap *b, const char *path, struct answer *ans)
{
    for (size_t i = 0; i < KEYS; i++) {
        if (*member(b, i) != NULL)
            continue;
        if (keys[i].value == NULL)
            return ans_fail(ans, STATUS_ESYNTAX, MSG_BOOTSTRAP_MISSING_SS, path, keys[i].key);
        *member(b, i) = uti_strdup(keys[i].value);
    }
    return 0;
}

int bootstrap_parse(const char *text, const char *path, struct bootstrap *b, struct answer *ans)
{
    int rc = 0;
    unsigned number = 0;
    b->ignore_fqdn = true;
    for (const char *at = text; rc == 0 && *at != '\0';) {
        size_t len = strcspn(at, "\n");
        char *line = uti_strndup(at, len);
        rc = take_line(b, line, path, ++number, ans);
        free(line);
        at += len + (at[len] == '\n');
    }
    if (rc == 0)
        rc = fill_in(b, path, ans);
    if (rc != 0)
        bootstrap_free(b);
    return rc;
}

int cell_bootstrap_read(struct cell *c, struct bootstrap *b, struct answer *ans)
{
    struct dstr text = DSTR_INIT;
    char *path = cell_path(c, "bootstrap");
    int rc = file_read(path, BOOTSTRAP_BYTES_MAX, &text, ans);
    if (rc == 0)
        rc = bootstrap_parse(dstr_get(&text), path, b, ans);
    if (rc == 0) {
        free(c->qmaster_spool_dir);
        c->qmaster_spool_dir = uti_strdup(b->qmaster_spool_dir);
    }
    free(path);
    dstr_free(&text);
    return rc;
}
