/* Starting a terminal. The child is started twice, so that nobody has to wait for the terminal; a
 * pipe that closes at exec says whether there was one. Source: qmon(1). */
#include "clients/qmon/widgets/terminal.h"

#include <X11/StringDefs.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clients/qmon/widgets/msg_qmon.h"
#include "libs/cli/words.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

#define STAY "\"$@\" || { printf '\\n[Return]'; read -r line; }"

/* the program that stands beside this one */
static void add_program(struct dstr *out, const char *name)
{
    char path[4096];
    ssize_t len = readlink("/proc/self/exe", path, sizeof path);
    while (len > 0 && path[len - 1] != '/')
        len--;
    dstr_addn(out, path, len > 0 ? (size_t)len : 0);
    dstr_add(out, name);
}

static char *configured_terminal(struct qmon *q)
{
    char *text = NULL;
    XtResource resource = { (char *)"terminal",
                            (char *)"Terminal",
                            XtRString,
                            sizeof text,
                            0,
                            XtRString,
                            (XtPointer)(uintptr_t) "xterm -e" };
    XtGetApplicationResources(q->top, &text, &resource, 1, NULL, 0);
    return text;
}

/* what is executed: the terminal's words, and a shell that runs the program */
static void add_words(struct words *out, const char *terminal, const char *program,
                      const struct words *words)
{
    const char *at = terminal + strspn(terminal, " \t");
    for (; *at != '\0'; at += strspn(at, " \t")) {
        size_t len = strcspn(at, " \t");
        words_add(out, at, len, 0);
        at += len;
    }
    const char *const shell[] = { "/bin/sh", "-c", STAY, "sh", program };
    for (size_t i = 0; i < ARRAY_LEN(shell); i++)
        words_add(out, shell[i], strlen(shell[i]), 0);
    for (uint32_t i = 1; i < words->n; i++)
        words_add(out, words->v[i], strlen(words->v[i]), 0);
}

static SGE_NORETURN void execute_words(char **argv, int said)
{
    pid_t pid = fork();
    if (pid != 0)
        _exit(pid > 0 ? EXIT_SUCCESS : EXIT_FAILURE);
    (void)setsid();
    (void)execvp(argv[0], argv);
    int err = errno;
    (void)!write(said, &err, sizeof err);
    _exit(EXIT_FAILURE);
}

/* Returns 0, or an errno */
static int start_words(char **argv)
{
    int said[2], err = 0, status = 0;
    if (pipe2(said, O_CLOEXEC) != 0)
        return errno;
    pid_t pid = fork();
    if (pid == 0)
        execute_words(argv, said[1]);
    close(said[1]);
    if (pid < 0)
        err = errno;
    else if (read(said[0], &err, sizeof err) != sizeof err)
        err = 0;
    close(said[0]);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return err == 0 && status != 0 ? EAGAIN : err;
}

int terminal_start(struct qmon *q, const char *program, const struct words *words,
                   struct answer *ans)
{
    struct words all = WORDS_INIT;
    struct dstr path = DSTR_INIT;
    const char *terminal = configured_terminal(q);
    add_program(&path, program);
    add_words(&all, terminal, dstr_get(&path), words);
    char **argv = uti_calloc((size_t)all.n + 1, sizeof *argv);
    memcpy(argv, all.v, all.n * sizeof *argv);
    int err = start_words(argv);
    free(argv);
    words_free(&all);
    dstr_free(&path);
    return err == 0 ? 0 : ans_sys(ans, err, MSG_QMON_TERMINAL_S, terminal);
}
