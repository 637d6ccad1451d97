/* The job's environment as the vector that execve takes. Each entry is an allocation of its own, in
 * the order of the file; a variable stands in it once. Nothing of the shepherd's own environment
 * gets in. */
#include "daemons/shepherd/environment.h"

#include <stdlib.h>
#include <string.h>

#include "daemons/shepherd/config.h"
#include "libs/task/task_dir.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

#define HOOK_PATH "/usr/local/bin:/usr/bin:/bin"
#define SUBMISSION                                                                                 \
    "SGE_O_" /* the submitter's side as it was at submission; nothing acts on it by itself */

static char *entry_new(const char *variable, const char *value)
{
    struct dstr entry = DSTR_INIT;
    dstr_add(&entry, variable);
    dstr_addc(&entry, '=');
    dstr_add(&entry, value);
    return dstr_take(&entry);
}

static char **find_variable(const struct environment *e, const char *variable)
{
    size_t len = strlen(variable);
    for (uint32_t i = 0; i < e->n; i++)
        if (strncmp(e->v[i], variable, len) == 0 && e->v[i][len] == '=')
            return &e->v[i];
    return NULL;
}

static void append_entry(struct environment *e, char *entry)
{
    e->v = uti_vec_grow(e->v, &e->cap, e->n + 2, sizeof *e->v);
    e->v[e->n++] = entry;
    e->v[e->n] = NULL;
}

void environment_from(struct environment *e, const struct config *lines)
{
    *e = (struct environment){ 0 };
    e->v = uti_vec_grow(NULL, &e->cap, lines->n + 8, sizeof *e->v);
    e->v[0] = NULL;
    for (uint32_t i = 0; i < lines->n; i++) /* execd writes each variable once */
        append_entry(e, entry_new(lines->v[i].key, lines->v[i].value));
}

static bool is_for_hooks(const char *entry)
{
    size_t len = strcspn(entry, "=");
    char *name = uti_strndup(entry, len);
    bool is_fine =
        task_is_system_variable(name) || strncmp(name, SUBMISSION, strlen(SUBMISSION)) == 0;
    free(name);
    return is_fine;
}

void environment_for_hooks(struct environment *e, const struct environment *job)
{
    *e = (struct environment){ 0 };
    append_entry(e, entry_new("PATH", HOOK_PATH));
    for (uint32_t i = 0; i < job->n; i++)
        if (is_for_hooks(job->v[i]))
            append_entry(e, uti_strdup(job->v[i]));
}

void environment_free(struct environment *e)
{
    for (uint32_t i = 0; i < e->n; i++)
        free(e->v[i]);
    free(e->v);
    *e = (struct environment){ 0 };
}

void environment_set(struct environment *e, const char *variable, const char *value)
{
    char **at = find_variable(e, variable);
    char *entry = entry_new(variable, value);
    if (at == NULL) {
        append_entry(e, entry);
        return;
    }
    free(*at);
    *at = entry;
}

const char *environment_get(const struct environment *e, const char *variable)
{
    char **at = find_variable(e, variable);
    return at == NULL ? NULL : *at + strlen(variable) + 1;
}
