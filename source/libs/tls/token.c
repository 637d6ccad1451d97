/* Tokens: ID-SECRET, both random. DIR/tokens/WHOM.token has the id and a hash of the secret.
 * Invariants: a subject has one token at most; the file goes, durably, before anybody has any good
 * of the token; whoever does not know the id can neither use up a token nor make it void. */
#include "libs/tls/token.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/tls/joining.h"
#include "libs/tls/msg_tls.h"
#include "libs/tls/subject.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"
#include "libs/uti/os.h"
#include "libs/uti/parse.h"

enum { ID_BYTES = 8, SECRET_BYTES = 16, ID_DIGITS = 2 * ID_BYTES, FILE_BYTES = 8192 };

struct record { /* what the file of a token says; borrowed from its text */
    uint64_t until_s;
    uint32_t wrong; /* secrets so far */
    const char *id, *hash, *about;
};

static char *token_path(const char *dir, const char *whom)
{
    struct dstr path = DSTR_INIT;
    dstr_addf(&path, "%s/tokens/%s.token", dir, whom);
    return dstr_take(&path);
}

static void add_hash(struct dstr *out, const char *secret)
{
    unsigned char hash[SHA256_DIGEST_LENGTH];
    SHA256((const unsigned char *)secret, strlen(secret), hash);
    for (size_t i = 0; i < sizeof hash; i++)
        dstr_addf(out, "%02x", hash[i]);
}

static int write_record(const char *path, const struct record *r, struct answer *ans)
{
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, "%llu\n%u\n%s\n%s\n%s", (unsigned long long)r->until_s, r->wrong, r->id,
              r->hash, r->about);
    int rc = file_replace(path, dstr_get(&text), text.len, 0600, ans);
    dstr_free(&text);
    return rc;
}

static bool parse_record(char *text, struct record *r)
{
    const char *until = joining_line(&text), *wrong = joining_line(&text);
    r->id = joining_line(&text);
    r->hash = joining_line(&text);
    r->about = text;
    return r->hash != NULL && parse_u64(until, &r->until_s) && parse_u32(wrong, &r->wrong);
}

static int make_dir(const char *dir, struct answer *ans)
{
    char *path = path_join(dir, "tokens");
    int rc = file_mkdirs(path, 0700, ans);
    free(path);
    return rc;
}

int token_make(const char *dir, const struct token *t, struct dstr *out, struct answer *ans)
{
    struct dstr id = DSTR_INIT, secret = DSTR_INIT, hash = DSTR_INIT;
    int rc = -1;
    if (subject_side(t->whom) == 0)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_TLS_NAME_S, t->whom);
    if (strlen(t->about) > TOKEN_ABOUT_BYTES)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_TOKEN_ABOUT_D, (int)TOKEN_ABOUT_BYTES);
    if (make_dir(dir, ans) == 0 && random_text(&id, ID_BYTES, ans) == 0 &&
        random_text(&secret, SECRET_BYTES, ans) == 0) {
        char *path = token_path(dir, t->whom);
        add_hash(&hash, dstr_get(&secret));
        struct record r = { t->until_s, 0, dstr_get(&id), dstr_get(&hash), t->about };
        rc = write_record(path, &r, ans);
        free(path);
    }
    if (rc == 0)
        dstr_addf(out, "%s-%s", dstr_get(&id), dstr_get(&secret));
    dstr_free(&id);
    dstr_free(&secret);
    dstr_free(&hash);
    return rc;
}

/* ---- use ---- */

static int take_away(const char *path, struct answer *ans)
{
    if (unlink(path) != 0 || file_sync_parent(path) != 0)
        return ans_sys(ans, errno, "%s", path);
    return 0;
}

static bool is_equal(const char *a, const char *b)
{
    size_t len = strlen(a);
    return len == strlen(b) && CRYPTO_memcmp(a, b, len) == 0;
}

static bool has_secret(const struct record *r, const char *secret)
{
    struct dstr hash = DSTR_INIT;
    add_hash(&hash, secret);
    bool is_right = is_equal(dstr_get(&hash), r->hash);
    dstr_free(&hash);
    return is_right;
}

static int count_guess(const char *path, struct record *r, struct answer *ans)
{
    if (++r->wrong >= TOKEN_GUESSES) {
        ans_fail(ans, STATUS_DENIED, MSG_TOKEN_GUESSED_D, (int)TOKEN_GUESSES);
        return take_away(path, ans);
    }
    ans_fail(ans, STATUS_DENIED, MSG_TOKEN_UNKNOWN);
    return write_record(path, r, ans);
}

/* the file at PATH says R: use it up if TEXT is the token; 0 or -1 with ans */
static int use_record(const char *path, struct record *r, const char *text, uint64_t now_s,
                      struct answer *ans)
{
    if (strlen(text) <= ID_DIGITS || strlen(r->id) != ID_DIGITS || text[ID_DIGITS] != '-' ||
        CRYPTO_memcmp(text, r->id, ID_DIGITS) != 0)
        return ans_fail(ans, STATUS_DENIED, MSG_TOKEN_UNKNOWN);
    if (!has_secret(r, text + ID_DIGITS + 1)) {
        (void)count_guess(path, r, ans);
        return -1;
    }
    if (take_away(path, ans) != 0)
        return -1;
    return now_s < r->until_s ? 0 : ans_fail(ans, STATUS_DENIED, MSG_TOKEN_EXPIRED);
}

int token_use(const char *dir, const char *whom, const char *text, uint64_t now_s,
              struct dstr *about, struct answer *ans)
{
    struct dstr content = DSTR_INIT;
    struct record r;
    if (subject_side(whom) == 0)
        return ans_fail(ans, STATUS_DENIED, MSG_TOKEN_UNKNOWN);
    char *path = token_path(dir, whom);
    int rc = -1;
    if (access(path, F_OK) != 0)
        ans_fail(ans, STATUS_DENIED, MSG_TOKEN_UNKNOWN);
    else if (file_read(path, FILE_BYTES, &content, ans) == 0) {
        if (!parse_record(content.s, &r))
            ans_fail(ans, STATUS_ESYSTEM, MSG_TOKEN_FILE_S, path);
        else if ((rc = use_record(path, &r, text, now_s, ans)) == 0)
            dstr_add(about, r.about);
    }
    dstr_free(&content);
    free(path);
    return rc;
}
