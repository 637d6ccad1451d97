/* Where a cell lives: SGE_ROOT and SGE_CELL turned into paths once, and its bootstrap file, lines
 * of `key value`. One table says which keys there are and where their values go, others which
 * values they may have: what has no effect is refused. Invariant of an open cell: its common
 * directory was there. Source: bootstrap(5) */
#include "libs/gdi/cell.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/gdi/msg_gdi.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/host_name.h"
#include "libs/uti/os.h"
#include "libs/uti/parse.h"

/* ---- bootstrap ---- */
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
    { "execd_port", offsetof(struct bootstrap, execd_port), "" },
    { "session_gateway", offsetof(struct bootstrap, session_gateway), "none" },
    { "hook_users", offsetof(struct bootstrap, hook_users), "none" },
    { "mailers", offsetof(struct bootstrap, mailers), "/usr/bin/mail" },
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

/* 0 stands for no port, and nobody may write it. Execution daemons have one when the qmaster has:
 * the next, unless the file says which. */
static int parse_ports(const struct bootstrap *b, const char *path, uint16_t *port,
                       uint16_t *execd_port, struct answer *ans)
{
    uint32_t n, next;
    if (!parse_u32(b->port, &n) || n > UINT16_MAX)
        return ans_fail(ans, STATUS_ESYNTAX, MSG_BOOTSTRAP_PORT_SS, path, b->port);
    next = n == UINT16_MAX ? n - 1 : n + 1;
    if (*b->execd_port != '\0' &&
        (!parse_u32(b->execd_port, &next) || next == 0 || next > UINT16_MAX || next == n))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_BOOTSTRAP_EXECD_PORT_SS, path, b->execd_port);
    *port = (uint16_t)n;
    *execd_port = n == 0 ? 0 : (uint16_t)next;
    return 0;
}

/* new: free(); NULL if the file names none */
static char *unless_none(const char *names)
{
    return strcasecmp(names, "none") != 0 ? uti_strdup(names) : NULL;
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
        rc = parse_ports(&b, path, &c->port, &c->execd_port, ans);
    if (rc == 0) {
        move_to(&c->qmaster_spool_dir, uti_strdup(b.qmaster_spool_dir));
        move_to(&c->database_dir, *b.spooling_params != '\0'
                                      ? uti_strdup(b.spooling_params)
                                      : path_join(b.qmaster_spool_dir, "spooldb"));
        move_to(&c->bin_dir, path_join(b.binary_path, os_arch()));
        move_to(&c->admin_user, bootstrap_has_admin(&b) ? uti_strdup(b.admin_user) : NULL);
        c->refuses_root = refuses_root(&b);
        move_to(&c->hook_users, unless_none(b.hook_users));
        move_to(&c->mailers, unless_none(b.mailers));
        move_to(&c->session_gateway, unless_none(b.session_gateway));
        c->keeps_newer_spool = strcasecmp(b.newer_spool, "keep") == 0;
    }
    bootstrap_free(&b);
    free(path);
    dstr_free(&text);
    return rc;
}

/* ---- paths ---- */
enum { HOST_FILE_BYTES = 4096, CLUSTER_NAME_MOST = 255, ALIASES_BYTES_MOST = 16 << 20 };

/* the text before the last N slashes of PATH, or NULL if it has not as many; new */
static char *parent_of(const char *path, int n)
{
    size_t len = strlen(path);
    for (; n > 0; n--) {
        while (len > 0 && path[len - 1] != '/')
            len--;
        if (len == 0)
            return NULL;
        len--;
    }
    return len > 0 ? uti_strndup(path, len) : uti_strdup("/");
}

/* ROOT of ROOT/KIND/ARCH/NAME, new; NULL if PATH is another */
static char *root_of_path(const char *path, const char *kind)
{
    char *dir = parent_of(path, 2), *root = parent_of(path, 3);
    bool is_ours = root != NULL && strcmp(strrchr(dir, '/') + 1, kind) == 0;
    free(dir);
    if (!is_ours) {
        free(root);
        root = NULL;
    }
    return root;
}

/* NULL if this program does not stand in ROOT/bin/ARCH */
static char *root_of_program(void)
{
    char exe[4096];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (n <= 0)
        return NULL;
    exe[n] = '\0';
    return root_of_path(exe, "bin");
}

/* NULL if this code does not lie in a library in ROOT/lib/ARCH */
static char *root_of_library(void)
{
    static const char here;
    Dl_info object;
    char *path = dladdr(&here, &object) != 0 ? realpath(object.dli_fname, NULL) : NULL;
    char *root = path != NULL ? root_of_path(path, "lib") : NULL;
    free(path);
    return root;
}

/* a program of others may stand in ANYTHING/bin/DIR, too */
static bool is_installation(const char *root)
{
    char *tool = path_join(root, "util/sge_cell");
    bool is_one = access(tool, F_OK) == 0;
    free(tool);
    return is_one;
}

static const char *env_of(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && *value != '\0' ? value : NULL;
}

/* Does SGE_QMASTER_PORT, if it is set, name the qmaster of C? Who set it means a cell, and another
 * one must not get his jobs. Returns 0, or -1 with ans. */
static int check_port(const struct cell *c, struct answer *ans)
{
    const char *wanted = env_of("SGE_QMASTER_PORT");
    uint32_t number;
    if (wanted == NULL)
        return 0;
    struct cell *own = cell_open_at(c->root, c->name, ans);
    int rc = own != NULL ? cell_bootstrap_read(own, ans) : -1;
    if (rc == 0 && own->port == 0)
        rc = ans_fail(ans, STATUS_ESEMANTIC, MSG_CELL_NO_PORT_SS, wanted, c->dir);
    else if (rc == 0 && (!parse_u32(wanted, &number) || number != own->port))
        rc = ans_fail(ans, STATUS_ESEMANTIC, MSG_CELL_OTHER_PORT_SSU, wanted, c->dir, own->port);
    cell_free(own);
    return rc;
}

/* where SGE_ROOT is, new; NULL with ans */
static char *root_of_process(struct answer *ans)
{
    const char *root = env_of("SGE_ROOT");
    if (root != NULL)
        return uti_strdup(root);
    char *program = root_of_program(), *library = root_of_library();
    bool is_clear = program == NULL || library == NULL || strcmp(program, library) == 0;
    if (!is_clear && is_installation(program)) {
        ans_fail(ans, STATUS_ESEMANTIC, MSG_CELL_TWO_ROOTS_SS, program, library);
        free(library);
        free(program);
        return NULL;
    }
    if (library == NULL && program == NULL)
        ans_add(ans, STATUS_ESEMANTIC, ANSWER_QUALITY_CRITICAL, MSG_CELL_SET_ROOT);
    if (library == NULL)
        return program;
    free(program);
    return library;
}

struct cell *cell_open(struct answer *ans)
{
    const char *name = env_of("SGE_CELL");
    char *root = root_of_process(ans);
    struct cell *c = root != NULL ? cell_open_at(root, name != NULL ? name : "default", ans) : NULL;
    free(root);
    if (c == NULL || check_port(c, ans) == 0)
        return c;
    cell_free(c);
    return NULL;
}

static char *join_three(const char *a, const char *b, const char *c)
{
    struct dstr path = DSTR_INIT;
    dstr_addf(&path, "%s/%s/%s", a, b, c);
    return dstr_take(&path);
}

struct cell *cell_open_at(const char *root, const char *name, struct answer *ans)
{
    if (strchr(name, '/') != NULL || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return ans_null(ans, STATUS_ESEMANTIC, MSG_CELL_NAME_S, name);
    struct cell *c = uti_calloc(1, sizeof *c);
    c->root = uti_strdup(root);
    c->name = uti_strdup(name);
    c->dir = path_join(root, name);
    c->common_dir = path_join(c->dir, "common");
    c->spool_dir = path_join(c->dir, "spool");
    c->qmaster_spool_dir = path_join(c->spool_dir, "qmaster");
    c->socket = path_join(c->qmaster_spool_dir, "gdi.sock");
    c->database_dir = path_join(c->qmaster_spool_dir, "spooldb");
    c->bin_dir = join_three(root, "bin", os_arch());
    if (access(c->common_dir, F_OK) == 0)
        return c;
    if (access(root, F_OK) != 0)
        ans_fail(ans, STATUS_EUNKNOWN, MSG_CELL_NO_ROOT_S, root);
    else
        ans_fail(ans, STATUS_EUNKNOWN, MSG_CELL_NO_CELL_SS, root, name);
    cell_free(c);
    return NULL;
}

void cell_free(struct cell *c)
{
    if (c == NULL)
        return;
    free(c->root);
    free(c->name);
    free(c->dir);
    free(c->common_dir);
    free(c->spool_dir);
    free(c->qmaster_spool_dir);
    free(c->socket);
    free(c->database_dir);
    free(c->bin_dir);
    free(c->admin_user);
    free(c->hook_users);
    free(c->mailers);
    free(c->session_gateway);
    free(c);
}

char *cell_qmaster_host(const struct cell *c, struct answer *ans)
{
    struct dstr text = DSTR_INIT;
    char *path = cell_path(c, "act_qmaster"), *host = NULL;
    if (file_read(path, HOST_FILE_BYTES, &text, ans) == 0) {
        const char *from = dstr_get(&text) + strspn(dstr_get(&text), " \t\r\n");
        size_t len = strcspn(from, " \t\r\n");
        if (len > 0)
            host = uti_strndup(from, len);
        else
            ans_fail(ans, STATUS_ESYNTAX, MSG_CELL_NO_QMASTER_S, path);
    }
    dstr_free(&text);
    free(path);
    return host;
}

char *cell_cluster_name(const struct cell *c)
{
    struct dstr text = DSTR_INIT;
    char *path = cell_path(c, "cluster_name"), *name = NULL;
    if (file_read(path, HOST_FILE_BYTES, &text, NULL) == 0) {
        size_t len = strcspn(dstr_get(&text), "\r\n"), good = 0;
        while (good < len && !iscntrl((unsigned char)text.s[good]))
            good++;
        if (len > 0 && len <= CLUSTER_NAME_MOST && good == len)
            name = uti_strndup(dstr_get(&text), len);
    }
    dstr_free(&text);
    free(path);
    return name != NULL ? name : uti_strdup(c->name);
}

int cell_aliases_read(const struct cell *c, struct answer *ans)
{
    struct dstr text = DSTR_INIT;
    char *path = cell_path(c, "host_aliases");
    bool is_there = access(path, F_OK) == 0 || errno != ENOENT;
    int rc = is_there ? file_read(path, ALIASES_BYTES_MOST, &text, ans) : 0;
    if (rc == 0)
        rc = host_aliases_use(dstr_get(&text), path, ans);
    free(path);
    dstr_free(&text);
    return rc;
}

char *cell_relay_socket(const struct cell *c, const char *host)
{
    return join_three(c->spool_dir, host, "relay.sock");
}

char *cell_session_socket(const struct cell *c, const char *host)
{
    return join_three(c->spool_dir, host, "session.sock");
}

char *cell_path(const struct cell *c, const char *name)
{
    return path_join(c->common_dir, name);
}
