/* The files "config" and "environment" of the task. The text is kept as it was read and cut up in
 * place: one allocation for all lines. Keys are few (about sixty) but for the arguments of the job,
 * which are read in a run (command.c), so that looking one up is a walk. The environment is the
 * vector that execve takes: each entry is an allocation of its own, in the order of the file, and
 * a variable stands in it once; nothing of the shepherd's own environment gets in. Source: the
 * spooled files of "The shepherd". */
#include "daemons/shepherd/config.h"

#include <stdlib.h>
#include <string.h>

#include "daemons/shepherd/msg_shepherd.h"
#include "libs/task/task_dir.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

/* one line without its end; 0, or -1 if it has no "=" */
static int add_line(struct config *c, char *line)
{
    char *equals = strchr(line, '=');
    if (equals == NULL)
        return -1;
    *equals = '\0';
    task_text_unescape(line);
    task_text_unescape(equals + 1);
    c->v = uti_vec_grow(c->v, &c->cap, c->n + 1, sizeof *c->v);
    c->v[c->n++] = (struct config_pair){ line, equals + 1 };
    return 0;
}

int config_parse(struct config *c, char *text, const char *what, struct answer *ans)
{
    *c = (struct config){ .text = text };
    unsigned number = 1;
    for (char *line = text; *line != '\0'; number++) {
        char *end = line + strcspn(line, "\n");
        char *next = end + (*end != '\0');
        *end = '\0';
        if (*line != '\0' && add_line(c, line) != 0) {
            config_free(c);
            return ans_fail(ans, STATUS_ESYNTAX, MSG_CONFIG_LINE_SU, what, number);
        }
        line = next;
    }
    return 0;
}

int config_read(struct config *c, const char *path, struct answer *ans)
{
    struct dstr text = DSTR_INIT;
    *c = (struct config){ 0 };
    if (file_read(path, TASK_FILE_MAX_BYTES, &text, ans) != 0) {
        dstr_free(&text);
        return -1;
    }
    return config_parse(c, dstr_take(&text), path, ans);
}

void config_free(struct config *c)
{
    free(c->text);
    free(c->v);
    *c = (struct config){ 0 };
}

const char *config_get(const struct config *c, const char *key, const char *otherwise)
{
    uint32_t i = 0;
    while (i < c->n && strcmp(c->v[i].key, key) != 0)
        i++;
    return i < c->n ? c->v[i].value : otherwise;
}

/* ---- environment ---- */

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

char **environment_find(const struct environment *e, const char *variable)
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

/* how interpreters and the dynamic linker find what they run; sorted by nothing, a few */
static bool decides_how_programs_run(const char *name)
{
    static const char *const names[] = { "PATH",
                                         "ENV",
                                         "BASH_ENV",
                                         "SHELLOPTS",
                                         "BASHOPTS",
                                         "IFS",
                                         "CDPATH",
                                         "PS4",
                                         "CLASSPATH",
                                         "ZDOTDIR",
                                         "HOSTALIASES",
                                         "GCONV_PATH",
                                         "LOCPATH",
                                         "NLSPATH",
                                         "RES_OPTIONS",
                                         "TCLLIBPATH",
                                         "JAVA_TOOL_OPTIONS",
                                         "_JAVA_OPTIONS",
                                         "JDK_JAVA_OPTIONS" };
    static const char *const prefixes[] = { "LD_",   "BASH_FUNC_", "PYTHON",  "PERL",  "RUBY",
                                            "NODE_", "LUA_",       "MALLOC_", "GLIBC_" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    for (size_t i = 0; i < ARRAY_LEN(prefixes); i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static bool is_of_system(const char *name)
{
    return task_is_system_variable(name) || strncmp(name, SUBMISSION, strlen(SUBMISSION)) == 0;
}

static bool is_harmless(const char *name)
{
    return task_is_system_variable(name) || !decides_how_programs_run(name);
}

static void take_some(struct environment *e, const struct environment *job,
                      bool (*is_wanted)(const char *name))
{
    *e = (struct environment){ 0 };
    append_entry(e, entry_new("PATH", HOOK_PATH));
    for (uint32_t i = 0; i < job->n; i++) {
        char *name = uti_strndup(job->v[i], strcspn(job->v[i], "="));
        if (is_wanted(name))
            append_entry(e, uti_strdup(job->v[i]));
        free(name);
    }
}

void environment_for_hooks(struct environment *e, const struct environment *job)
{
    take_some(e, job, is_harmless);
}

void environment_for_others(struct environment *e, const struct environment *job)
{
    take_some(e, job, is_of_system);
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
    char **at = environment_find(e, variable);
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
    char **at = environment_find(e, variable);
    return at == NULL ? NULL : *at + strlen(variable) + 1;
}
