/* How much memory a daemon may have, and what it gives back: the calls of os.h that only the larger
 * programs make, with what is the GNU library's own. No state. */
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "libs/uti/os.h"
#include "libs/uti/parse.h"

/* the number in the file NAME of cgroup PATH below ROOT; UINT64_MAX without one ("max") */
static uint64_t cgroup_limit(const char *root, const char *path, const char *name)
{
    char file[PATH_MAX], text[32] = "";
    uint64_t limit = UINT64_MAX;
    if (snprintf(file, sizeof file, "%s%s/%s", root, path, name) >= (int)sizeof file)
        return UINT64_MAX;
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return UINT64_MAX;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? strcspn(text, "\n") : 0] = '\0';
    return parse_u64(text, &limit) ? limit : UINT64_MAX;
}

/* the least limit of cgroup PATH and those above it; PATH is cut on the way */
static uint64_t cgroup_least(const char *root, char *path, const char *name)
{
    uint64_t least = UINT64_MAX;
    for (;;) {
        uint64_t limit = cgroup_limit(root, path, name);
        least = limit < least ? limit : least;
        char *slash = strrchr(path, '/');
        if (slash == NULL)
            return least;
        *slash = '\0';
    }
}

/* of version 2 ("0::/path") or of version 1 ("4:memory:/path") */
static uint64_t memory_of_cgroups(void)
{
    FILE *f = fopen("/proc/self/cgroup", "re");
    char line[PATH_MAX];
    uint64_t least = UINT64_MAX;
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *path = strstr(line, ":memory:"),
             *unified = strncmp(line, "0::", 3) == 0 ? line : NULL;
        uint64_t limit = UINT64_MAX;
        if (unified != NULL)
            limit = cgroup_least("/sys/fs/cgroup", unified + 3, "memory.max");
        else if (path != NULL)
            limit = cgroup_least("/sys/fs/cgroup/memory", path + 8, "memory.limit_in_bytes");
        least = limit < least ? limit : least;
    }
    if (f != NULL)
        fclose(f);
    return least;
}

/* either call ends the adjustment of both figures, so both are given; the second keeps small blocks
 * from coming and going */
void os_return_large_blocks(void)
{
    mallopt(M_MMAP_THRESHOLD, 2 << 20);
    mallopt(M_TRIM_THRESHOLD, 16 << 20);
}

void os_trim_heap(void)
{
    (void)malloc_trim(0);
}

void os_drop_pages(void *memory, size_t bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = (uintptr_t)memory;
    uintptr_t first = (from + page - 1) / page * page, end = (from + bytes) / page * page;
    if (first < end)
        (void)madvise((char *)memory + (first - from), end - first, MADV_DONTNEED);
}

uint64_t os_memory_bytes(void)
{
    uint64_t bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t grouped = memory_of_cgroups();
    struct rlimit space;
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur < bytes)
        bytes = space.rlim_cur;
    return grouped < bytes ? grouped : bytes;
}
