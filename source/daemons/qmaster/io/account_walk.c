/* Lines that are wanted out of a file to which another thread appends. Invariant: what a slice
 * finds are whole lines, each told once, in the order of the file. */
#include "daemons/qmaster/io/account_walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libs/uti/alloc.h"

enum { READ_BYTES = 128 << 10 };

struct account_walk *account_walk_new(uint64_t id, uint32_t *jobs, uint32_t n_jobs,
                                      bool reads_private)
{
    struct account_walk *w = uti_calloc(1, sizeof *w);
    w->id = id;
    w->jobs = jobs;
    w->n_jobs = n_jobs;
    w->reads_private = reads_private;
    return w;
}

void account_walk_free(struct account_walk *w)
{
    if (w == NULL)
        return;
    if (w->file != NULL)
        (void)fclose(w->file);
    dstr_free(&w->lines);
    free(w->jobs);
    free(w->line);
    free(w);
}

/* the number of the job is the sixth field */
static bool wants_line(const struct account_walk *w, const char *line)
{
    if (w->n_jobs == 0)
        return true;
    for (int i = 0; i < 5; i++) {
        line = strchr(line, ':');
        if (line == NULL)
            return false;
        line++;
    }
    unsigned long job = strtoul(line, NULL, 10);
    uint32_t low = 0, high = w->n_jobs;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (w->jobs[mid] < job)
            low = mid + 1;
        else
            high = mid;
    }
    return low < w->n_jobs && w->jobs[low] == job;
}

/* a file that its owner keeps from everybody is kept from them here, too */
static int open_file(struct account_walk *w, const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    if (fstat(fd, &st) == 0 && !w->reads_private && (st.st_mode & S_IROTH) == 0) {
        close(fd);
        return EACCES;
    }
    w->file = fdopen(fd, "re");
    (void)setvbuf(w->file, NULL, _IOFBF, READ_BYTES);
    return 0;
}

/* what has no newline yet is being written: it is not part of the walk */
static void read_lines(struct account_walk *w)
{
    size_t looked_at = 0;
    ssize_t len = 0;
    while (looked_at < ACCOUNT_SLICE_READ && w->lines.len < ACCOUNT_SLICE_FOUND) {
        len = getline(&w->line, &w->cap, w->file);
        if (len <= 0 || w->line[len - 1] != '\n')
            break;
        looked_at += (size_t)len;
        if (wants_line(w, w->line))
            dstr_add(&w->lines, w->line);
    }
    w->is_complete = len <= 0 || w->line[len - 1] != '\n';
    w->error = ferror(w->file) ? EIO : 0;
}

void account_walk_slice(struct account_walk *w, const char *path)
{
    dstr_clear(&w->lines);
    w->error = w->file == NULL ? open_file(w, path) : 0;
    if (w->error == 0)
        read_lines(w);
    w->is_complete = w->is_complete || w->error != 0;
}
