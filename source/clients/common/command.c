/* What the mains of commands with options of their own have in common: -help goes to stdout, what
 * is wrong to stderr, and an exit status says whether all of it was written. */
#include "clients/common/command.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/msg_clients.h"
#include "clients/common/source.h"
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
