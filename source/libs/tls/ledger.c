/* Lines "issued SERIAL SIDE NAME FROM UNTIL" and "revoked SERIAL AT", times in seconds since 1970.
 * Invariants: the file belongs to the owner of its directory, whichever user writes it, and is that
 * user's alone; one process at a time adds lines, whole ones, behind whatever a crash has left. */
#include "libs/tls/ledger.h"
#include "libs/tls/joining.h"
#include "libs/tls/msg_tls.h"
#include "libs/tls/subject.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"
#include "libs/uti/hash.h"
#include "libs/uti/host_name.h"
#include "libs/uti/msg_uti.h"
#include "libs/uti/parse.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- lines ---- */

static const struct {
    const char *word;
    enum tls_side side;
} sides[] = { { "qmaster", TLS_QMASTER }, { "host", TLS_HOST }, { "user", TLS_USER } };

static const char *side_word(enum tls_side side)
{
    for (size_t i = 0; i < ARRAY_LEN(sides); i++)
        if (sides[i].side == side)
            return sides[i].word;
    return "?";
}

static bool parse_side(const char *word, enum tls_side *side)
{
    for (size_t i = 0; i < ARRAY_LEN(sides); i++)
        if (strcmp(word, sides[i].word) == 0) {
            *side = sides[i].side;
            return true;
        }
    return false;
}

enum { WORDS_ISSUED = 6, WORDS_REVOKED = 3 };

/* cut LINE at its blanks; how many words it has, one more than fit if there are more */
static int split_line(char *line, char *words[WORDS_ISSUED])
{
    int n = 0;
    for (char *word = line; word != NULL; n++) {
        char *blank = strchr(word, ' ');
        if (n == WORDS_ISSUED)
            return n + 1;
        if (blank != NULL)
            *blank++ = '\0';
        words[n] = word;
        word = blank;
    }
    return n;
}

bool ledger_parse_line(char *line, struct ledger_line *out)
{
    char *w[WORDS_ISSUED];
    int n = split_line(line, w);
    *out = (struct ledger_line){ .serial = n > 1 ? w[1] : NULL };
    if (n == WORDS_REVOKED && strcmp(w[0], "revoked") == 0) {
        out->is_revocation = true;
        return parse_u64(w[2], &out->at_s);
    }
    if (n != WORDS_ISSUED || strcmp(w[0], "issued") != 0)
        return false;
    out->about.name = w[3];
    return parse_side(w[2], &out->about.side) && subject_is_valid(out->about.side, w[3]) &&
           parse_u64(w[4], &out->about.from_s) && parse_u64(w[5], &out->about.until_s);
}

void ledger_mend(struct dstr *text)
{
    for (size_t i = 0; i < text->len; i++)
        if (text->s[i] == '\0')
            text->s[i] = '?';
}

/* ---- reading ---- */

void ledger_free(struct ledger *l)
{
    free(l->text);
    free(l->v);
    *l = (struct ledger){ NULL, NULL, 0, 0 };
}

/* where a serial is in the ledger that is being read: what was issued under it last */
struct serial_at {
    const char *serial;
    uint32_t at;
    UT_hash_handle hh;
};

static void take_revocation(struct ledger *l, struct serial_at *serials,
                            const struct ledger_line *line)
{
    struct serial_at *found;
    HASH_FIND_STR(serials, line->serial, found);
    if (found != NULL)
        l->v[found->at].revoked_s = line->at_s;
}

static void take_issue(struct ledger *l, struct serial_at **serials, const struct ledger_line *line)
{
    struct serial_at *one;
    l->v = uti_vec_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
    HASH_FIND_STR(*serials, line->serial, one);
    if (one == NULL) {
        one = uti_calloc(1, sizeof *one);
        one->serial = line->serial;
        HASH_ADD_KEYPTR(hh, *serials, one->serial, strlen(one->serial), one);
    }
    one->at = l->n;
    l->v[l->n++] = (struct ledger_entry){ .serial = line->serial, .about = line->about };
}

static void forget_serials(struct serial_at *serials)
{
    struct serial_at *one, *next;
    HASH_ITER(hh, serials, one, next) {
        HASH_DEL(serials, one);
        free(one);
    }
}

static void take_lines(struct ledger *l)
{
    struct serial_at *serials = NULL;
    struct ledger_line line;
    char *at = l->text, *one;
    while ((one = joining_line(&at)) != NULL) {
        if (!ledger_parse_line(one, &line))
            continue;
        if (line.is_revocation)
            take_revocation(l, serials, &line);
        else
            take_issue(l, &serials, &line);
    }
    forget_serials(serials);
}

static int read_open(struct ledger *l, int fd, const char *path, struct answer *ans)
{
    struct dstr text = DSTR_INIT;
    if (file_read_fd(fd, path, LEDGER_BYTES, &text, ans) != 0) {
        dstr_free(&text);
        return -1;
    }
    ledger_mend(&text);
    l->text = dstr_take(&text);
    take_lines(l);
    return 0;
}

int ledger_read(struct ledger *l, const char *dir, struct answer *ans)
{
    char *path = path_join(dir, LEDGER_FILE);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW), rc = 0;
    *l = (struct ledger){ NULL, NULL, 0, 0 };
    if (fd >= 0) {
        rc = read_open(l, fd, path, ans);
        close(fd);
    } else if (errno != ENOENT) {
        rc = ans_sys(ans, errno, MSG_FILE_OPEN_S, path);
    }
    free(path);
    return rc;
}

/* ---- writing ---- */

/* root keeps the ledger of the qmaster's user as well */
static int give_to_owner(int fd, const char *dir)
{
    struct stat st;
    if (geteuid() != 0)
        return 0;
    return stat(dir, &st) == 0 ? fchown(fd, st.st_uid, st.st_gid) : -1;
}

/* the ledger, locked and about to be read from its beginning; -1 with ans */
static int open_locked(const char *dir, const char *path, struct answer *ans)
{
    int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600), rc;
    if (fd < 0)
        return ans_sys(ans, errno, MSG_FILE_OPEN_S, path);
    do
        rc = flock(fd, LOCK_EX);
    while (rc != 0 && errno == EINTR);
    if (rc == 0)
        rc = give_to_owner(fd, dir);
    if (rc == 0 && lseek(fd, 0, SEEK_END) == 0)
        rc = file_sync_parent(path);
    if (rc == 0 && lseek(fd, 0, SEEK_SET) == 0)
        return fd;
    (void)ans_sys(ans, errno, MSG_FILE_OPEN_S, path);
    close(fd);
    return -1;
}

/* add LINES, behind a line that a crash has torn if there is one */
static int append_lines(int fd, const char *path, const struct dstr *lines, struct answer *ans)
{
    struct dstr text = DSTR_INIT;
    off_t end = lseek(fd, 0, SEEK_END);
    char last = '\n';
    if (end > 0 && pread(fd, &last, 1, end - 1) != 1)
        return ans_sys(ans, errno, MSG_FILE_READ_S, path);
    if (last != '\n')
        dstr_addc(&text, '\n');
    dstr_addn(&text, lines->s, lines->len);
    int rc = 0;
    if ((size_t)end + text.len > LEDGER_BYTES)
        rc = ans_fail(ans, STATUS_EDISK, MSG_LEDGER_FULL_SD, path, (int)LEDGER_BYTES);
    else if (file_write_all(fd, text.s, text.len) != 0 || fdatasync(fd) != 0)
        rc = ans_sys(ans, errno, MSG_LEDGER_WRITE_S, path);
    dstr_free(&text);
    return rc;
}

int ledger_add_issued(const char *dir, const char *serial, const struct certificate *c,
                      struct answer *ans)
{
    struct dstr line = DSTR_INIT;
    char *path = path_join(dir, LEDGER_FILE);
    int fd = open_locked(dir, path, ans), rc = -1;
    if (fd >= 0) {
        dstr_addf(&line, "issued %s %s %s %llu %llu\n", serial, side_word(c->side), c->name,
                  (unsigned long long)c->from_s, (unsigned long long)c->until_s);
        rc = append_lines(fd, path, &line, ans);
        close(fd);
    }
    dstr_free(&line);
    free(path);
    return rc;
}

/* ---- revoking ---- */

/* is C about WHAT: a host by any of its names, a user as NAME: or with both ids? */
static bool is_subject(const struct certificate *c, const char *what)
{
    if (c->side != TLS_USER)
        return host_name_equal(c->name, what);
    size_t name = strcspn(c->name, ":") + 1;
    return strcmp(c->name, what) == 0 ||
           (strlen(what) == name && strncmp(c->name, what, name) == 0);
}

static bool is_meant(const struct ledger_entry *e, const char *what, uint64_t now_s)
{
    if (strcmp(e->serial, what) == 0)
        return true;
    return e->about.side != TLS_QMASTER && e->about.until_s > now_s && is_subject(&e->about, what);
}

/* LINES get what revokes WHAT; the number of lines, or -1 with ans */
static int add_revocations(struct dstr *lines, const struct ledger *l, const char *what,
                           uint64_t now_s, struct answer *ans)
{
    int n = 0;
    bool is_known = false;
    for (uint32_t i = 0; i < l->n; i++) {
        const struct ledger_entry *e = &l->v[i];
        if (!is_meant(e, what, now_s))
            continue;
        if (e->about.side == TLS_QMASTER)
            return ans_fail(ans, STATUS_DENIED, MSG_LEDGER_QMASTERS_S, what);
        is_known = true;
        if (e->revoked_s != 0)
            continue;
        dstr_addf(lines, "revoked %s %llu\n", e->serial, (unsigned long long)now_s);
        n++;
    }
    return is_known ? n : ans_fail(ans, STATUS_EUNKNOWN, MSG_LEDGER_UNKNOWN_S, what);
}

int ledger_revoke(const char *dir, const char *what, uint64_t now_s, struct answer *ans)
{
    struct ledger l = { NULL, NULL, 0, 0 };
    struct dstr lines = DSTR_INIT;
    char *path = path_join(dir, LEDGER_FILE);
    int fd = open_locked(dir, path, ans), n = -1;
    if (fd >= 0) {
        if (read_open(&l, fd, path, ans) == 0)
            n = add_revocations(&lines, &l, what, now_s, ans);
        if (n > 0 && append_lines(fd, path, &lines, ans) != 0)
            n = -1;
        close(fd);
    }
    ledger_free(&l);
    dstr_free(&lines);
    free(path);
    return n;
}

/* ---- revocations ----
 *
 * The serials of the ledger's revocations. Invariants: what has been revoked stays so for the life
 * of the process, whatever becomes of the file; `at` is behind a whole line. */

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

static void take_revoked(struct revocations *r, char *text)
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
        take_revoked(r, text.s);
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

void revocations_add_lines(const struct revocations *r, size_t most, struct dstr *out)
{
    for (size_t i = r->n > most ? r->n - most : 0; i < r->n; i++)
        dstr_addf(out, "revoked %s 1\n", r->texts[i]);
}
