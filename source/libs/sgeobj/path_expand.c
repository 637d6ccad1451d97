/* Paths with variables, as users write them behind -o, -e, -i and -S. The variables stand in one
 * table; none of their names is the beginning of another. */
#include "libs/sgeobj/path_expand.h"

#include <stdlib.h>
#include <strings.h>

#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

enum path_var { VAR_HOME, VAR_USER, VAR_HOST, VAR_JOB_NAME, VAR_JOB_ID, VAR_TASK_ID, VAR_NONE };

static const struct {
    const char *name;
    enum path_var var;
} variables[] = {
    { "HOSTNAME", VAR_HOST },       { "HOME", VAR_HOME },     { "USER", VAR_USER },
    { "JOB_NAME", VAR_JOB_NAME },   { "JOB_ID", VAR_JOB_ID }, { "TASK_ID", VAR_TASK_ID },
    { "SGE_TASK_ID", VAR_TASK_ID },
};

const struct PN_Type *path_for_host(const struct PN_Type_list *list, const char *host)
{
    const struct PN_Type *anywhere = NULL;

    for (uint32_t i = 0; i < list->n; i++) {
        const struct PN_Type *p = &list->v[i];
        if (p->PN_path == NULL)
            continue;
        if (p->PN_host == NULL || *p->PN_host == '\0')
            anywhere = anywhere != NULL ? anywhere : p;
        else if (strcasecmp(p->PN_host, host) == 0)
            return p;
    }
    return anywhere;
}

static void add_text(struct dstr *out, const char *s)
{
    if (s != NULL)
        dstr_add(out, s);
}

static void add_value(enum path_var var, const struct path_vars *v, struct dstr *out)
{
    switch (var) {
    case VAR_HOME:
        add_text(out, v->home);
        break;
    case VAR_USER:
        add_text(out, v->user);
        break;
    case VAR_HOST:
        add_text(out, v->host);
        break;
    case VAR_JOB_NAME:
        add_text(out, v->job_name);
        break;
    case VAR_JOB_ID:
        dstr_addf(out, "%u", v->job_number);
        break;
    case VAR_TASK_ID:
        dstr_addf(out, "%u", v->task_id);
        break;
    case VAR_NONE:
        break;
    }
}

/* the variable at AT, which points behind a `$`; *len: bytes of the name, with its braces */
static enum path_var variable_at(const char *at, size_t *len)
{
    bool has_brace = *at == '{';

    for (unsigned i = 0; i < ARRAY_LEN(variables); i++) {
        size_t n = strlen(variables[i].name);
        if (strncmp(at + has_brace, variables[i].name, n) != 0 || (has_brace && at[1 + n] != '}'))
            continue;
        *len = has_brace ? n + 2 : n;
        return variables[i].var;
    }
    return VAR_NONE;
}

static void add_expanded(const char *path, const struct path_vars *vars, struct dstr *out)
{
    while (*path != '\0') {
        size_t plain = strcspn(path, "$"), len = 0;
        dstr_addn(out, path, plain);
        path += plain;
        if (*path == '\0')
            return;
        enum path_var var = variable_at(path + 1, &len);
        if (var == VAR_NONE)
            dstr_addc(out, '$');
        add_value(var, vars, out);
        path += 1 + len;
    }
}

const char *path_tilde(const char *path, const char *home, home_of_fn *home_of, struct dstr *out)
{
    size_t len = strcspn(path, "/");

    if (*path != '~' || (len == 1 ? home == NULL : home_of == NULL))
        return path;
    char *user = len > 1 ? uti_strndup(path + 1, len - 1) : NULL;
    char *other = user != NULL ? home_of(user) : NULL;
    const char *found = user != NULL ? other : home;
    if (found != NULL) {
        dstr_add(out, found);
        path += len;
    }
    free(user);
    free(other);
    return path;
}

void path_expand(const char *path, const struct path_vars *vars, const char *dir, struct dstr *out)
{
    struct dstr expanded = DSTR_INIT;

    add_expanded(path_tilde(path, vars->home, NULL, &expanded), vars, &expanded);
    if (dir != NULL && dstr_get(&expanded)[0] != '/')
        dstr_addf(out, "%s/", dir);
    dstr_add(out, dstr_get(&expanded));
    dstr_free(&expanded);
}

void path_default_name(const struct path_vars *vars, const char *stream, struct dstr *out)
{
    add_text(out, vars->job_name);
    dstr_addf(out, ".%s%u", stream, vars->job_number);
    if (vars->task_id != 0)
        dstr_addf(out, ".%u", vars->task_id);
}
