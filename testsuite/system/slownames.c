/* A name service that takes ten seconds for the users 70000 to 70999: preloaded into a daemon, for
 * a test of what others notice. */
#include <dlfcn.h>
#include <pwd.h>
#include <unistd.h>

enum { SLOW_FIRST = 70000, SLOW_LAST = 70999, SLOW_S = 10 };

int getpwuid_r(uid_t uid, struct passwd *entry, char *buffer, size_t bytes, struct passwd **found)
{
    int (*next)(uid_t, struct passwd *, char *, size_t, struct passwd **);
    *(void **)&next = dlsym(RTLD_NEXT, "getpwuid_r");
    if (uid >= SLOW_FIRST && uid <= SLOW_LAST)
        sleep(SLOW_S);
    return next(uid, entry, buffer, bytes, found);
}
