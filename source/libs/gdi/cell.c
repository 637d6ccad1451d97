/* Where a cell lives: SGE_ROOT and SGE_CELL turned into paths once, so that nobody puts them
 * together by hand. Invariant of an open cell: its common directory was there. */
#include "libs/gdi/cell.h"

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

enum { HOST_FILE_BYTES = 4096, ALIASES_BYTES_MOST = 16 << 20 };

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

char *cell_path(const struct cell *c, const char *name)
{
    return path_join(c->common_dir, name);
}
