/* Names of hosts. Pure. */
#include "libs/uti/host_name.h"

#include <string.h>
#include <strings.h>

enum { NAME_MOST = 253 };

bool host_name_is_valid(const char *name)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    static const char others[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    size_t len = strlen(name);
    return len > 0 && len <= NAME_MOST && strchr(first, *name) != NULL &&
           strspn(name, others) == len;
}

bool host_name_equal(const char *a, const char *b)
{
    size_t len = strcspn(a, ".");
    return len == strcspn(b, ".") && strncasecmp(a, b, len) == 0;
}
