/* What the mains of commands with options of their own have in common: -help goes to stdout, errors
 * go to stderr, and the exit status says whether all of it was written. Texts of errors about
 * options are those that users know. */
#include "clients/common/command.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/msg_clients.h"
#include "clients/common/source.h"
#include "libs/doc/doc.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

/* ---- who calls ---- */
char *caller_name(void)
{
    const struct passwd *entry = getpwuid(geteuid());
    struct dstr name = DSTR_INIT;
    if (entry != NULL)
        dstr_add(&name, entry->pw_name);
    else
        dstr_addf(&name, "%u", (unsigned)geteuid());
    return dstr_take(&name);
}

/* ---- the end of the output ---- */
/* The end of what a command prints. stdio keeps an error of an earlier write in the stream. */

int output_finish(int status)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    const char *reason = errno != 0 ? strerror(errno) : MSG_STDOUT_EARLIER;
    fprintf(stderr, MSG_STDOUT_S "\n", reason);
    return status != EXIT_SUCCESS ? status : EXIT_FAILURE;
}

static void put_usage(const struct command *c, FILE *out)
{
    struct dstr usage = DSTR_INIT;
    c->usage(&usage);
    fputs(dstr_get(&usage), out);
    dstr_free(&usage);
}

int command_main(const struct command *c, int argc, char **argv, void *options,
                 const bool *wants_help)
{
    struct answer ans = ANSWER_INIT;
    bool shows_usage = false;
    int status = EXIT_FAILURE;
    bool is_good = c->parse(argc - 1, argv + 1, options, &shows_usage, &ans) == 0;
    if (is_good && !*wants_help)
        status = c->run(options, &shows_usage, &ans);
    else if (is_good)
        status = EXIT_SUCCESS;
    if (*wants_help)
        put_usage(c, stdout);
    if (shows_usage)
        put_usage(c, stderr);
    answer_print_errors(stderr, &ans, "error: ");
    ans_free(&ans);
    return output_finish(status);
}

/* ---- options: a table, read by one loop ---- */
static const struct client_option *row_find(const struct option_table *t, const char *name)
{
    for (size_t i = 0; i < t->n; i++) {
        if (strcmp(t->rows[i].name, name) == 0)
            return &t->rows[i];
    }
    return NULL;
}

/* how many of the N words at ARGS, which follow ROW, are its arguments; -1: one is missing */
static int count_arguments(const struct client_option *row, char *const *args, int n)
{
    bool is_list = row->argument == ARGUMENTS || row->argument == ARGUMENTS_MAYBE;
    bool is_needed = row->argument == ARGUMENT_NEEDED || row->argument == ARGUMENTS;
    int most = row->argument == ARGUMENT_NONE ? 0 : is_list ? n : 1, count = is_needed;
    if (count > n)
        return -1;
    while (count < most && count < n && args[count][0] != '-')
        count++;
    return count;
}

static int apply_row(const struct client_option *row, char *const *args, int n, void *options,
                     bool *shows_usage, struct answer *ans)
{
    if (row->apply == NULL)
        return ans_fail(ans, STATUS_ENOTSUP, MSG_NOT_SUPPORTED_S, row->name);
    for (int i = 0; i < n || (n == 0 && i == 0); i++) {
        if (row->apply((char *)options + row->at, n == 0 ? NULL : args[i], row->value))
            continue;
        *shows_usage = true;
        return ans_fail(ans, STATUS_ESYNTAX, MSG_OPTION_WRONG_S, row->name);
    }
    return 0;
}

int option_table_parse(const struct option_table *t, int n, char *const *args, void *options,
                       bool *shows_usage, struct answer *ans)
{
    *shows_usage = false;
    for (int i = 0; i < n; i++) {
        const struct client_option *row = row_find(t, args[i]);
        if (row == NULL && args[i][0] != '-' && t->operand != NULL && t->operand(options, args[i]))
            continue;
        if (row == NULL) {
            *shows_usage = true;
            return ans_fail(ans, STATUS_ESYNTAX, MSG_OPTION_INVALID_S, args[i]);
        }
        int count = count_arguments(row, args + i + 1, n - i - 1);
        if (count < 0)
            return ans_fail(ans, STATUS_ESYNTAX, MSG_OPTION_ARGUMENT_S, row->name);
        if (apply_row(row, args + i + 1, count, options, shows_usage, ans) < 0)
            return -1;
        i += count;
    }
    return 0;
}

void option_table_help(const struct option_table *t, struct dstr *out)
{
    for (size_t i = 0; i < t->n; i++) {
        if (t->rows[i].usage != NULL)
            dstr_addf(out, "%s%-*s %s\n", t->indent, t->width, t->rows[i].usage, t->rows[i].what);
    }
}

/* ---- members of the options ---- */

bool option_flag(void *at, const char *argument SGE_UNUSED, unsigned value SGE_UNUSED)
{
    return *(bool *)at = true;
}

bool option_bits(void *at, const char *argument SGE_UNUSED, unsigned value)
{
    *(unsigned *)at |= value;
    return true;
}

bool option_form(void *at, const char *argument SGE_UNUSED, unsigned value)
{
    *(enum doc_form *)at = (enum doc_form)value;
    return true;
}

bool option_word(void *at, const char *argument, unsigned value SGE_UNUSED)
{
    *(const char **)at = argument;
    return true;
}

bool option_text(void *at, const char *argument, unsigned value SGE_UNUSED)
{
    char **text = at;
    free(*text);
    *text = argument != NULL ? uti_strdup(argument) : NULL;
    return true;
}

bool option_names(void *at, const char *argument, unsigned value SGE_UNUSED)
{
    name_list_split(at, argument);
    return true;
}

bool option_requests(void *at, const char *argument, unsigned value SGE_UNUSED)
{
    name_list_split_requests(at, argument);
    return true;
}
