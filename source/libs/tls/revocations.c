/* The serials of the ledger's revocations. Invariants: what has been revoked stays so for the life
 * of the process, whatever becomes of the file; `at` is behind a whole line. */
#include "libs/tls/revocations.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libs/tls/joining.h"
#include "libs/tls/ledger.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"
#include "libs/uti/msg_uti.h"
#include "libs/uti/name_set.h"

struct revocations {
    char *path;
    struct name_set serials; /* their texts are in `texts` */
    char **texts;
    size_t n, cap;
    ino_t inode; /* of the file that was read last */
    off_t at;    /* up to where */
};

static void note_serial(struct revocations *r, const char *serial)
{
    if (name_set_has(&r->serials, serial))
        return;
    if (r->n == r->cap) {
        r->cap = r->cap > 0 ? 2 * r->cap : 16;
        r->texts = uti_realloc(r->texts, r->cap * sizeof *r->texts);
    }
    r->texts[r->n] = uti_strdup(serial);
    (void)name_set_add(&r->serials, r->texts[r->n++]);
}

static void take_lines(struct revocations *r, char *text)
{
    struct ledger_line line;
    char *at = text, *one;
    while ((one = joining_line(&at)) != NULL)
        if (ledger_parse_line(one, &line) && line.is_revocation)
            note_serial(r, line.serial);
    r->at += at - text;
}

static int read_on(struct revocations *r, int fd, struct answer *ans)
{
    struct dstr text = DSTR_INIT;
    if (lseek(fd, r->at, SEEK_SET) < 0)
        return ans_sys(ans, errno, MSG_FILE_READ_S, r->path);
    int rc = file_read_fd(fd, r->path, LEDGER_BYTES, &text, ans);
    ledger_mend(&text);
    if (rc == 0 && text.len > 0)
        take_lines(r, text.s);
    dstr_free(&text);
    return rc;
}

int revocations_refresh(struct revocations *r, struct answer *ans)
{
    struct stat st;
    if (stat(r->path, &st) != 0)
        return errno == ENOENT ? 0 : ans_sys(ans, errno, MSG_FILE_OPEN_S, r->path);
    if (st.st_ino != r->inode || st.st_size < r->at)
        r->at = 0;
    if (st.st_size == r->at)
        return 0;
    int fd = open(r->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return ans_sys(ans, errno, MSG_FILE_OPEN_S, r->path);
    r->inode = st.st_ino;
    int rc = read_on(r, fd, ans);
    close(fd);
    return rc;
}

struct revocations *revocations_new(const char *dir, struct answer *ans)
{
    struct revocations *r = uti_calloc(1, sizeof *r);
    r->path = path_join(dir, LEDGER_FILE);
    if (revocations_refresh(r, ans) == 0)
        return r;
    revocations_free(r);
    return NULL;
}

void revocations_free(struct revocations *r)
{
    if (r == NULL)
        return;
    name_set_free(&r->serials);
    for (size_t i = 0; i < r->n; i++)
        free(r->texts[i]);
    free(r->texts);
    free(r->path);
    free(r);
}

bool revocations_has(const struct revocations *r, const char *serial)
{
    return name_set_has(&r->serials, serial);
}

size_t revocations_count(const struct revocations *r)
{
    return r->n;
}
