/* Reads who runs a command and where: environment, working directory, host name, clock. The user
 * database is asked only when the environment does not say (thousands of submits a minute must not
 * load it). */
#include "libs/cli/submitter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libs/cli/msg_cli.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/name_service.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

const char *submitter_getenv(const struct submitter *by, const char *name, size_t len)
{
    for (char *const *e = by->env; *e != NULL; e++)
        if (strncmp(*e, name, len) == 0 && (*e)[len] == '=')
            return *e + len + 1;
    return NULL;
}

static bool is_same_directory(const char *a, const char *b)
{
    struct stat sa, sb;
    return stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_ino == sb.st_ino &&
           sa.st_dev == sb.st_dev;
}

/* The working directory by the name the user gave it (through links), if $PWD tells the truth. */
static char *find_cwd(const struct submitter *by)
{
    const char *pwd = submitter_getenv(by, "PWD", 3);
    if (pwd != NULL && *pwd == '/' && is_same_directory(pwd, "."))
        return uti_strdup(pwd);
    return getcwd(NULL, 0);
}

static int find_in_file(uid_t uid, char **user, char **home)
{
    FILE *f = fopen("/etc/passwd", "re");
    if (f == NULL)
        return -1;
    int rc = passwd_find(f, uid, user, home);
    fclose(f);
    return rc;
}

/* The local file comes first: to read it costs a tenth of asking all that nsswitch.conf names. */
static int find_entry(uid_t uid, char **user, char **home)
{
    return find_in_file(uid, user, home) == 0 ? 0 : name_service_user(uid, user, home);
}

/* The environment is the real user's. A process that acts as another is known by the database. */
static void find_user(struct submitter *by)
{
    bool is_own = getuid() == geteuid();
    const char *user = is_own ? submitter_getenv(by, "LOGNAME", 7) : NULL;
    const char *home = is_own ? submitter_getenv(by, "HOME", 4) : NULL;
    char *found_user = NULL, *found_home = NULL;
    if (is_own && (user == NULL || *user == '\0'))
        user = submitter_getenv(by, "USER", 4);
    if ((user == NULL || home == NULL) && find_entry(geteuid(), &found_user, &found_home) == 0) {
        user = user == NULL ? found_user : user;
        home = home == NULL ? found_home : home;
    }
    by->user = uti_strdup(user == NULL ? "unknown" : user);
    by->home = uti_strdup(home == NULL ? "/" : home);
    free(found_user);
    free(found_home);
}

int submitter_find_user(uid_t uid, char **user, char **home, struct answer *ans)
{
    if (find_entry(uid, user, home) != 0)
        return ans_fail(ans, STATUS_EUNKNOWN, MSG_USER_UNKNOWN_U, (unsigned)uid);
    return 0;
}

char *submitter_home_of(const char *user)
{
    FILE *f = fopen("/etc/passwd", "re");
    char *home = NULL;
    int rc = f != NULL ? passwd_find_home(f, user, &home) : -1;
    if (f != NULL)
        fclose(f);
    return rc == 0 || name_service_home(user, &home) == 0 ? home : NULL;
}

int submitter_init(struct submitter *by, char *const *env, struct answer *ans)
{
    char host[256];
    *by = (struct submitter){ .env = env, .now_s = uti_now_s() };
    by->cwd = find_cwd(by);
    if (by->cwd == NULL)
        return ans_sys(ans, errno, MSG_CWD);
    find_user(by);
    by->host = uti_strdup(os_hostname(host, sizeof host) < 0 ? "unknown" : host);
    return 0;
}

void submitter_free(struct submitter *by)
{
    free(by->cwd);
    free(by->home);
    free(by->user);
    free(by->host);
    *by = (struct submitter){ 0 };
}
