/* The bootstrap file: lines of `key value`. One table says which keys there are and where their
 * values go, others which values they may have: what nothing would obey is refused, so that no
 * setting is without effect unseen. Source: bootstrap(5) */
#include <stdlib.h>
#include <string.h>

#include "libs/gdi/cell.h"
#include "libs/gdi/msg_gdi.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/os.h"
#include "libs/uti/parse.h"

enum { BOOTSTRAP_BYTES_MAX = 64 * 1024 };

/* settings: where they go, and what holds when the file says nothing; NULL: it must */
static const struct place {
    const char *key;
    size_t offset;
    const char *value;
} places[] = {
    { "binary_path", offsetof(struct bootstrap, binary_path), NULL },
    { "qmaster_spool_dir", offsetof(struct bootstrap, qmaster_spool_dir), NULL },
    { "spooling_params", offsetof(struct bootstrap, spooling_params), "" },
    { "admin_user", offsetof(struct bootstrap, admin_user), "none" },
    { "root_jobs", offsetof(struct bootstrap, root_jobs), "" },
    { "newer_spool", offsetof(struct bootstrap, newer_spool), "refuse" },
    { "qmaster_port", offsetof(struct bootstrap, port), "0" },
};

static const struct {
    const char *key, *either, * or ;
} choices[] = {
    { "root_jobs", "true", "false" },
    { "newer_spool", "keep", "refuse" },
};

static const struct {
    const char *key, *only;
} fixed[] = {
    { "default_domain", "none" },
    { "ignore_fqdn", "true" },
    { "spooling_method", "berkeleydb" },
    { "security_mode", "none" },
};

/* where a line stands, for messages */
struct line {
    const char *path;
    unsigned number;
    char *key, *value;
};

static char **member_of(struct bootstrap *b, const struct place *p)
{
    return (char **)(void *)((char *)b + p->offset);
}

void bootstrap_free(struct bootstrap *b)
{
    for (size_t i = 0; i < ARRAY_LEN(places); i++)
        free(*member_of(b, &places[i]));
    *b = (struct bootstrap)BOOTSTRAP_INIT;
}

static int take_setting(struct bootstrap *b, const struct line *l, struct answer *ans)
{
    for (size_t i = 0; i < ARRAY_LEN(places); i++)
        if (strcmp(l->key, places[i].key) == 0) {
            free(*member_of(b, &places[i]));
            *member_of(b, &places[i]) = uti_strdup(l->value);
        }
    for (size_t i = 0; i < ARRAY_LEN(choices); i++)
        if (strcmp(l->key, choices[i].key) == 0 && strcasecmp(l->value, choices[i].either) != 0 &&
            strcasecmp(l->value, choices[i].or) != 0)
            return ans_fail(ans, STATUS_ESYNTAX, MSG_BOOTSTRAP_CHOICE_SUSSSS, l->path, l->number,
                            l->key, l->value, choices[i].either, choices[i].or);
    for (size_t i = 0; i < ARRAY_LEN(fixed); i++)
        if (strcmp(l->key, fixed[i].key) == 0 && strcasecmp(l->value, fixed[i].only) != 0)
            return ans_fail(ans, STATUS_ENOTSUP, MSG_BOOTSTRAP_ONLY_SUSSS, l->path, l->number,
                            l->key, l->value, fixed[i].only);
    return 0;
}

/* TEXT is one line without its end: cut in place into key and value */
static int take_line(struct bootstrap *b, char *text, struct line *l, struct answer *ans)
{
    static const char blanks[] = " \t\r";
    l->key = text + strspn(text, blanks);
    if (*l->key == '\0' || *l->key == '#')
        return 0;
    l->value = l->key + strcspn(l->key, blanks);
    if (*l->value != '\0')
        *l->value++ = '\0';
    l->value += strspn(l->value, blanks);
    for (size_t len = strlen(l->value); len > 0 && strchr(blanks, l->value[len - 1]) != NULL; len--)
        l->value[len - 1] = '\0';
    if (*l->value == '\0')
        return ans_fail(ans, STATUS_ESYNTAX, MSG_BOOTSTRAP_LINE_SU, l->path, l->number);
    return take_setting(b, l, ans);
}

static int fill_in(struct bootstrap *b, const char *path, struct answer *ans)
{
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        const struct place *p = &places[i];
        if (*member_of(b, p) != NULL)
            continue;
        if (p->value == NULL)
            return ans_fail(ans, STATUS_ESYNTAX, MSG_BOOTSTRAP_MISSING_SS, path, p->key);
        *member_of(b, p) = uti_strdup(p->value);
    }
    return 0;
}

int bootstrap_parse(const char *text, const char *path, struct bootstrap *b, struct answer *ans)
{
    int rc = 0;
    struct line l = { .path = path };
    for (const char *at = text; rc == 0 && *at != '\0';) {
        size_t len = strcspn(at, "\n");
        char *line = uti_strndup(at, len);
        l.number++;
        rc = take_line(b, line, &l, ans);
        free(line);
        at += len + (at[len] == '\n');
    }
    if (rc == 0)
        rc = fill_in(b, path, ans);
    if (rc != 0)
        bootstrap_free(b);
    return rc;
}

bool bootstrap_has_admin(const struct bootstrap *b)
{
    return strcasecmp(b->admin_user, "none") != 0 && strcmp(b->admin_user, "root") != 0;
}

/* a qmaster that is root need not be kept from running something as root */
static bool refuses_root(const struct bootstrap *b)
{
    return *b->root_jobs != '\0' ? strcasecmp(b->root_jobs, "true") != 0 : bootstrap_has_admin(b);
}

static void move_to(char **place, char *path)
{
    free(*place);
    *place = path;
}

/* 0 stands for no port, and nobody may write it */
static int parse_port(const struct bootstrap *b, const char *path, uint16_t *port,
                      struct answer *ans)
{
    uint32_t n;
    if (!parse_u32(b->port, &n) || n > UINT16_MAX)
        return ans_fail(ans, STATUS_ESYNTAX, MSG_BOOTSTRAP_PORT_SS, path, b->port);
    *port = (uint16_t)n;
    return 0;
}

int cell_bootstrap_read(struct cell *c, struct answer *ans)
{
    struct dstr text = DSTR_INIT;
    struct bootstrap b = BOOTSTRAP_INIT;
    char *path = cell_path(c, "bootstrap");
    int rc = file_read(path, BOOTSTRAP_BYTES_MAX, &text, ans);
    if (rc == 0)
        rc = bootstrap_parse(dstr_get(&text), path, &b, ans);
    if (rc == 0)
        rc = parse_port(&b, path, &c->port, ans);
    if (rc == 0) {
        move_to(&c->qmaster_spool_dir, uti_strdup(b.qmaster_spool_dir));
        move_to(&c->database_dir, *b.spooling_params != '\0'
                                      ? uti_strdup(b.spooling_params)
                                      : path_join(b.qmaster_spool_dir, "spooldb"));
        move_to(&c->bin_dir, path_join(b.binary_path, os_arch()));
        move_to(&c->admin_user, bootstrap_has_admin(&b) ? uti_strdup(b.admin_user) : NULL);
        c->refuses_root = refuses_root(&b);
        c->keeps_newer_spool = strcasecmp(b.newer_spool, "keep") == 0;
    }
    bootstrap_free(&b);
    free(path);
    dstr_free(&text);
    return rc;
}
