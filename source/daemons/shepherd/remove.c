/* Removing a tree for the execd, which must not wait for it. What users put into a directory has no
 * bounds, so time has. */
#include "daemons/shepherd/remove.h"

#include "daemons/shepherd/privilege.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

enum { NICE = 10 };

int remove_run(const char *path)
{
    privilege_nice(NICE);
    (void)os_oom_adjust(0);
    return privilege_remove_tree(path, uti_mono_us() + REMOVE_S * 1000000ULL) == 0 ? 0 : 1;
}
