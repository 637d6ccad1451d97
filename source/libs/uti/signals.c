/* The names of signals, in a table of our own since not every C library has one, and their
 * defaults. No state. */
#include "libs/uti/signals.h"
#include "common/basis.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>

#include "libs/uti/parse.h"

static const struct signal_row {
    const char *name;
    int number;
} signal_rows[] = {
    { "HUP", SIGHUP },   { "INT", SIGINT },       { "QUIT", SIGQUIT }, { "ILL", SIGILL },
    { "TRAP", SIGTRAP }, { "ABRT", SIGABRT },     { "BUS", SIGBUS },   { "FPE", SIGFPE },
    { "KILL", SIGKILL }, { "USR1", SIGUSR1 },     { "SEGV", SIGSEGV }, { "USR2", SIGUSR2 },
    { "PIPE", SIGPIPE }, { "ALRM", SIGALRM },     { "TERM", SIGTERM }, { "STKFLT", SIGSTKFLT },
    { "CHLD", SIGCHLD }, { "CONT", SIGCONT },     { "STOP", SIGSTOP }, { "TSTP", SIGTSTP },
    { "TTIN", SIGTTIN }, { "TTOU", SIGTTOU },     { "URG", SIGURG },   { "XCPU", SIGXCPU },
    { "XFSZ", SIGXFSZ }, { "VTALRM", SIGVTALRM }, { "PROF", SIGPROF }, { "WINCH", SIGWINCH },
    { "POLL", SIGPOLL }, { "PWR", SIGPWR },       { "SYS", SIGSYS },
};

int signal_of_name(const char *name)
{
    if (strncmp(name, "SIG", 3) == 0)
        name += 3;
    for (size_t i = 0; i < ARRAY_LEN(signal_rows); i++)
        if (strcmp(signal_rows[i].name, name) == 0)
            return signal_rows[i].number;
    return 0;
}

int signal_of_text(const char *text)
{
    uint32_t number;
    if (parse_u32(text, &number))
        return number < NSIG ? (int)number : 0;
    return signal_of_name(text);
}

const char *signal_name(int sig)
{
    for (size_t i = 0; i < ARRAY_LEN(signal_rows); i++)
        if (signal_rows[i].number == sig)
            return signal_rows[i].name;
    return NULL;
}

/* ---- defaults: for programs alone; a library leaves the signals of its host alone ---- */
void signal_default_all(void)
{
    struct sigaction usual = { .sa_handler = SIG_DFL };
    for (int sig = 1; sig < NSIG; sig++)
        (void)sigaction(sig, &usual, NULL); /* some cannot be set, and so were not */
}

void signal_unblock_all(void)
{
    sigset_t none;
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}
