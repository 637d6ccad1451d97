/* Building of command lines. Pure: no file is looked at; which of the paths exists is found out by
 * the job's own process, as the job's owner. Source: qsub(1), queue_conf(5), captured "execvlp"
 * lines of trace files. */
#include "daemons/shepherd/command.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "daemons/shepherd/task_config.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

#define DEFAULT_SEARCH_PATH "/usr/bin:/bin"
#define SAFE_CHARACTERS     "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:@%+,-"

static void take_text(struct strings *s, char *text)
{
    s->v = uti_vec_grow(s->v, &s->cap, s->n + 2, sizeof *s->v);
    s->v[s->n++] = text;
    s->v[s->n] = NULL;
}

static void add_copy(struct strings *s, const char *text)
{
    take_text(s, uti_strdup(text));
}

static void strings_free(struct strings *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        free(s->v[i]);
    free(s->v);
    *s = (struct strings){ 0 };
}

void command_free(struct exec_command *c)
{
    strings_free(&c->paths);
    strings_free(&c->argv);
    strings_free(&c->fallback);
    free(c->name);
    free(c->stdin_path);
    *c = (struct exec_command){ 0 };
}

void command_quote(struct dstr *out, const char *word)
{
    if (*word != '\0' && word[strspn(word, SAFE_CHARACTERS)] == '\0') {
        dstr_add(out, word);
        return;
    }
    dstr_addc(out, '"');
    for (; *word != '\0'; word++) {
        if (strchr("\\\"`!", *word) == NULL) {
            dstr_addc(out, *word);
        } else { /* outside of the quotes: csh knows no backslash within, and there it looks for its history at "!" */
            dstr_add(out, "\"\\");
            dstr_addc(out, *word);
            dstr_addc(out, '"');
        }
    }
    dstr_addc(out, '"');
}

static void add_path(struct exec_command *out, const char *path)
{
    out->name = uti_strdup(path);
    add_copy(&out->paths, path);
}

/* where NAME may be: itself if it has a "/", else in each directory of SEARCH_PATH */
static void add_paths(struct exec_command *out, const char *name, const char *search_path)
{
    struct strings *paths = &out->paths;
    if (strchr(name, '/') != NULL) {
        add_path(out, name);
        return;
    }
    out->name = uti_strdup(name);
    for (const char *dir = search_path != NULL ? search_path : DEFAULT_SEARCH_PATH;;) {
        size_t len = strcspn(dir, ":");
        struct dstr path = DSTR_INIT;
        dstr_addn(&path, len > 0 ? dir : ".", len > 0 ? len : 1);
        dstr_addc(&path, '/');
        dstr_add(&path, name);
        take_text(paths, dstr_take(&path));
        if (dir[len] == '\0')
            return;
        dir += len + 1;
    }
}

/* argv[0] of a shell: "-sh" for a login shell */
static char *shell_name(const struct task_config *conf, const char *shell)
{
    const char *slash = strrchr(shell, '/');
    struct dstr name = DSTR_INIT;
    if (!conf->is_login_shell)
        return uti_strdup(shell);
    dstr_addc(&name, '-');
    dstr_add(&name, slash != NULL ? slash + 1 : shell);
    return dstr_take(&name);
}

static void add_arguments(struct strings *argv, const struct task_config *conf)
{
    for (uint32_t i = 0; i < conf->n_args; i++)
        add_copy(argv, conf->args[i].value);
}

/* the text after "sh -c" */
static char *shell_line(const struct task_config *conf, const char *script)
{
    struct dstr line = DSTR_INIT;
    if (conf->n_args == 0) {
        dstr_add(&line, script);
        return dstr_take(&line);
    }
    command_quote(&line, script);
    for (uint32_t i = 0; i < conf->n_args; i++) {
        dstr_addc(&line, ' ');
        command_quote(&line, conf->args[i].value);
    }
    return dstr_take(&line);
}

static void through_shell(struct exec_command *out, const struct task_config *conf,
                          const char *script)
{
    const char *shell = conf->shell;
    add_path(out, shell);
    take_text(&out->argv, shell_name(conf, shell));
    if (conf->is_binary) {
        add_copy(&out->argv, "-c");
        take_text(&out->argv, shell_line(conf, script));
        return;
    }
    if (conf->mode == SCRIPT_STDIN) {
        out->stdin_path = uti_strdup(script);
        if (conf->n_args > 0)
            add_copy(&out->argv, "-s");
    } else {
        add_copy(&out->argv, script);
    }
    add_arguments(&out->argv, conf);
}

/* SCRIPT executed by itself; a script without "#!" then goes to the shell */
static void start_directly(struct exec_command *out, const struct task_config *conf,
                           const char *script, const char *search_path)
{
    add_paths(out, script, search_path);
    add_copy(&out->argv, script);
    add_arguments(&out->argv, conf);
    if (conf->is_binary)
        return;
    const char *shell = conf->shell;
    add_copy(&out->fallback, shell);
    take_text(&out->fallback, shell_name(conf, shell));
    add_copy(&out->fallback, script);
    add_arguments(&out->fallback, conf);
}

/* the words of starter_method, then the job as its arguments; without a file to name it is on
 * standard input, as for a shell */
static void through_starter(struct exec_command *out, const struct task_config *conf)
{
    const char *text = plan_program(conf->starter), *at = text;
    for (at += strspn(at, " \t"); *at != '\0'; at += strspn(at, " \t")) {
        size_t len = strcspn(at, " \t");
        take_text(&out->argv, uti_strndup(at, len));
        at += len;
    }
    if (out->argv.n > 0)
        add_path(out, out->argv.v[0]);
    if (!conf->is_binary && conf->mode == SCRIPT_STDIN) {
        out->stdin_path = uti_strdup(conf->script);
        add_copy(&out->argv, "-s");
    } else {
        add_copy(&out->argv, conf->script);
    }
    add_arguments(&out->argv, conf);
}

void command_of_job(struct exec_command *out, const struct task_config *conf,
                    const char *search_path)
{
    *out = (struct exec_command){ 0 };
    if (conf->is_login_session) {
        add_path(out, conf->shell);
        take_text(&out->argv, shell_name(conf, conf->shell));
    } else if (conf->starter != NULL) {
        through_starter(out, conf);
    } else if (conf->is_binary ? conf->has_no_shell : conf->mode == SCRIPT_UNIX) {
        start_directly(out, conf, conf->script, search_path);
    } else {
        through_shell(out, conf, conf->script);
    }
}

/* one word with its $names replaced */
static char *expand_word(const char *word, size_t len, command_lookup_fn lookup, void *ctx)
{
    struct dstr out = DSTR_INIT;
    for (size_t i = 0; i < len;) {
        size_t name_len = 0;
        while (word[i] == '$' && i + 1 + name_len < len &&
               (isalnum((unsigned char)word[i + 1 + name_len]) || word[i + 1 + name_len] == '_'))
            name_len++;
        char *name = uti_strndup(word + i + 1, name_len);
        const char *value = name_len > 0 ? lookup(ctx, name) : NULL;
        free(name);
        if (value != NULL) {
            dstr_add(&out, value);
            i += 1 + name_len;
        } else {
            dstr_addc(&out, word[i++]);
        }
    }
    return dstr_take(&out);
}

void command_through_shell(struct exec_command *c, const char *shell)
{
    struct exec_command fed = { 0 };
    if (c->argv.n == 0)
        return;
    add_path(&fed, shell);
    add_copy(&fed.argv, shell);
    add_copy(&fed.argv, "-s");
    for (uint32_t i = 1; i < c->argv.n; i++)
        add_copy(&fed.argv, c->argv.v[i]);
    fed.stdin_path = uti_strdup(c->argv.v[0]);
    command_free(c);
    *c = fed;
}

void command_of_words(struct exec_command *out, const char *text, command_lookup_fn lookup,
                      void *ctx, const char *search_path)
{
    *out = (struct exec_command){ 0 };
    for (const char *at = text + strspn(text, " \t"); *at != '\0'; at += strspn(at, " \t")) {
        size_t len = strcspn(at, " \t");
        take_text(&out->argv, expand_word(at, len, lookup, ctx));
        at += len;
    }
    if (out->argv.n > 0)
        add_paths(out, out->argv.v[0], search_path);
}
