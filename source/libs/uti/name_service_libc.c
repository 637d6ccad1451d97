/* The name service as the C library asks it (name_service.h). */
#include <netdb.h>
#include <pwd.h>

#include "libs/uti/alloc.h"
#include "libs/uti/name_service.h"

int name_service_user(uid_t uid, char **name, char **home)
{
    struct passwd entry, *found = NULL;
    char text[16384];
    if (getpwuid_r(uid, &entry, text, sizeof text, &found) != 0 || found == NULL)
        return -1;
    *name = uti_strdup(entry.pw_name);
    *home = uti_strdup(entry.pw_dir);
    return 0;
}

int name_service_home(const char *name, char **home)
{
    struct passwd entry, *found = NULL;
    char text[16384];
    if (getpwnam_r(name, &entry, text, sizeof text, &found) != 0 || found == NULL)
        return -1;
    *home = uti_strdup(entry.pw_dir);
    return 0;
}

bool name_service_has_host(const char *host)
{
    struct addrinfo *found = NULL;
    if (getaddrinfo(host, NULL, NULL, &found) != 0)
        return false;
    freeaddrinfo(found);
    return true;
}
