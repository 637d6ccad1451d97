/* The name service as getent(1) asks it (name_service.h): a child for each of the rare questions.
 * Its output counts, not how it ended: who ignores SIGCHLD does not learn that. */
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libs/uti/name_service.h"

#define GETENT "/usr/bin/getent"

/* the child, with OUT as its standard output; -1 without one */
static pid_t start_getent(char *const *argv, int out)
{
    posix_spawn_file_actions_t files;
    pid_t pid;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    int err = posix_spawn(&pid, GETENT, &files, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    return err == 0 ? pid : -1;
}

/* what getent says of KEY; NULL if it cannot be asked. getent_close ends it */
static FILE *getent_open(const char *database, const char *key, pid_t *pid)
{
    char *argv[] = { (char *)(uintptr_t) "getent", (char *)(uintptr_t)database,
                     (char *)(uintptr_t)key, NULL };
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return NULL;
    *pid = start_getent(argv, ends[1]);
    close(ends[1]);
    FILE *f = *pid > 0 ? fdopen(ends[0], "r") : NULL;
    if (f == NULL)
        close(ends[0]);
    return f;
}

static void getent_close(FILE *f, pid_t pid)
{
    fclose(f);
    (void)waitpid(pid, NULL, 0);
}

int name_service_user(uid_t uid, char **name, char **home)
{
    char key[16];
    pid_t pid;
    snprintf(key, sizeof key, "%u", (unsigned)uid);
    FILE *f = getent_open("passwd", key, &pid);
    if (f == NULL)
        return -1;
    int rc = passwd_find(f, uid, name, home);
    getent_close(f, pid);
    return rc;
}

int name_service_home(const char *name, char **home)
{
    pid_t pid;
    FILE *f = name[0] != '-' ? getent_open("passwd", name, &pid) : NULL;
    if (f == NULL)
        return -1;
    int rc = passwd_find_home(f, name, home);
    getent_close(f, pid);
    return rc;
}

bool name_service_has_host(const char *host)
{
    pid_t pid;
    FILE *f = host[0] != '-' ? getent_open("ahosts", host, &pid) : NULL;
    if (f == NULL)
        return false;
    bool has = getc(f) != EOF;
    getent_close(f, pid);
    return has;
}
