/* sge_ca - make a cell's authority, have it issue certificates and tokens, list and revoke them,
 * and join its cell. For sge_cell; see sge_ca(8). */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libs/tls/authority.h"
#include "libs/tls/join.h"
#include "libs/tls/ledger.h"
#include "libs/tls/token.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/os.h"
#include "libs/uti/parse.h"
#include "libs/uti/time.h"

/* ---- certificates as a table or as JSON ---- */
/* Each text is a subject (tls/subject.h), a serial or a word of this file, so JSON need not quote
 * anything. */

static const char *side_name(enum tls_side side)
{
    static const char *const names[] = {
        [TLS_QMASTER] = "qmaster", [TLS_HOST] = "host", [TLS_USER] = "user"
    };
    return names[side];
}

static const char *state_of(const struct ledger_entry *e, uint64_t now_s)
{
    if (e->revoked_s != 0)
        return "revoked";
    return e->about.until_s <= now_s ? "expired" : "valid";
}

static void add_row(struct dstr *out, const struct ledger_entry *e, uint64_t now_s)
{
    struct dstr until = DSTR_INIT;
    uti_time_iso(e->about.until_s, &until);
    dstr_addf(out, "%-24s %-8s %-19s %-8s %s\n", e->about.name, side_name(e->about.side),
              dstr_get(&until), state_of(e, now_s), e->serial);
    dstr_free(&until);
}

/* add what L says: a line for each certificate, its state at NOW_S; times of JSON are seconds
 * since 1970 */
static void certificates_table(struct dstr *out, const struct ledger *l, uint64_t now_s)
{
    dstr_addf(out, "%-24s %-8s %-19s %-8s %s\n", "name", "kind", "until", "state", "serial");
    for (uint32_t i = 0; i < l->n; i++)
        add_row(out, &l->v[i], now_s);
}

static void certificates_json(struct dstr *out, const struct ledger *l, uint64_t now_s)
{
    dstr_add(out, "{\"certificates\": [");
    for (uint32_t i = 0; i < l->n; i++) {
        const struct ledger_entry *e = &l->v[i];
        dstr_addf(out, "%s\n  {\"name\": \"%s\", \"kind\": \"%s\", \"from\": %llu, ",
                  i > 0 ? "," : "", e->about.name, side_name(e->about.side),
                  (unsigned long long)e->about.from_s);
        dstr_addf(out, "\"until\": %llu, \"state\": \"%s\", \"serial\": \"%s\"}",
                  (unsigned long long)e->about.until_s, state_of(e, now_s), e->serial);
    }
    dstr_add(out, "]}\n");
}

enum { MINUTE_S = 60, DAY_S = 86400, DAYS_MOST = 36500, RENEW_S = 60 };

#define USAGE                                                                                      \
    "make DIR | issue DIR qmaster|host|user NAME TO_DIR [DAYS] | token DIR NAME [MINUTES] | join " \
    "HOST:PORT NAME FINGERPRINT TO_DIR | renew DIR HOST:PORT | list DIR [-json] | revoke DIR "     \
    "NAME|SERIAL"

/* ---- verbs ---- */

static int make_verb(char **argv, int n, struct answer *ans)
{
    (void)n;
    return authority_make(argv[0], ans);
}

/* TEXT is a number of days, or of seconds if an "s" follows */
static bool parse_life(char *text, uint64_t *life_s)
{
    size_t len = strlen(text);
    bool is_seconds = len > 0 && text[len - 1] == 's';
    uint32_t n, unit_s = is_seconds ? 1 : DAY_S;
    if (is_seconds)
        text[len - 1] = '\0';
    if (!parse_u32(text, &n) || n > (uint64_t)DAYS_MOST * DAY_S / unit_s)
        return false;
    *life_s = (uint64_t)n * unit_s;
    return true;
}

/* 0: none */
static enum tls_side side_of(const char *word)
{
    if (strcmp(word, "qmaster") == 0)
        return TLS_QMASTER;
    if (strcmp(word, "host") == 0)
        return TLS_HOST;
    return strcmp(word, "user") == 0 ? TLS_USER : 0;
}

/* DIR SIDE NAME TO_DIR [DAYS] */
static int issue_verb(char **argv, int n, struct answer *ans)
{
    enum tls_side side = side_of(argv[1]);
    uint64_t life_s = (uint64_t)CERTIFICATE_DAYS * DAY_S;
    uint64_t now_s = uti_now_s();
    if (side == 0)
        return ans_fail(ans, STATUS_EUSAGE, "\"%s\" is not \"qmaster\", \"host\" or \"user\"",
                        argv[1]);
    if (n > 4 && !parse_life(argv[4], &life_s))
        return ans_fail(
            ans, STATUS_EUSAGE,
            "\"%s\" is not a number of days from 0 to %d, or of seconds with an s behind", argv[4],
            (int)DAYS_MOST);
    struct certificate c = {
        .name = argv[2], .side = side, .from_s = now_s - CLOCK_SKEW_S, .until_s = now_s + life_s
    };
    return authority_issue(argv[0], &c, argv[3], ans);
}

/* DIR NAME [MINUTES]; what the host shall hear of the cell is standard input */
static int token_verb(char **argv, int n, struct answer *ans)
{
    uint32_t minutes = TOKEN_MINUTES;
    struct dstr about = DSTR_INIT, out = DSTR_INIT;
    if (n > 2 && (!parse_u32(argv[2], &minutes) || minutes > TOKEN_MINUTES_MOST))
        return ans_fail(ans, STATUS_EUSAGE, "\"%s\" is not a number of minutes from 0 to %d",
                        argv[2], (int)TOKEN_MINUTES_MOST);
    int rc = file_read_fd(STDIN_FILENO, "standard input", TOKEN_ABOUT_BYTES, &about, ans);
    struct token t = { argv[1], uti_now_s() + (uint64_t)minutes * MINUTE_S, dstr_get(&about) };
    if (rc == 0)
        rc = token_make(argv[0], &t, &out, ans);
    dstr_addc(&out, ' ');
    if (rc == 0)
        rc = authority_fingerprint(argv[0], &out, ans);
    if (rc == 0)
        (void)puts(dstr_get(&out));
    dstr_free(&about);
    dstr_free(&out);
    return rc;
}

/* HOST:PORT NAME FINGERPRINT TO_DIR; the token is standard input, which ps does not show */
static int join_verb(char **argv, int n, struct answer *ans)
{
    static const struct sigaction ignore = { .sa_handler = SIG_IGN };
    struct dstr token = DSTR_INIT;
    (void)n;
    (void)sigaction(SIGPIPE, &ignore, NULL); /* a connection that has gone is an error */
    int rc = file_read_fd(STDIN_FILENO, "standard input", TOKEN_BYTES_MOST, &token, ans);
    if (rc == 0 && token.len > 0 && token.s[token.len - 1] == '\n')
        token.s[token.len - 1] = '\0';
    struct join j = { argv[0], argv[1], dstr_get(&token), argv[2] };
    if (rc == 0)
        rc = join_cell(&j, argv[3], ans);
    dstr_free(&token);
    return rc;
}

/* DIR HOST:PORT */
static int renew_verb(char **argv, int n, struct answer *ans)
{
    static const struct sigaction ignore = { .sa_handler = SIG_IGN };
    (void)n;
    (void)sigaction(SIGPIPE, &ignore, NULL);
    (void)alarm(RENEW_S); /* our parent does not wait longer */
    return join_renew(argv[1], argv[0], ans);
}

/* DIR [-json] */
static int list_verb(char **argv, int n, struct answer *ans)
{
    struct ledger l;
    struct dstr out = DSTR_INIT;
    if (n > 1 && strcmp(argv[1], "-json") != 0)
        return ans_fail(ans, STATUS_EUSAGE, "\"%s\" is not \"-json\"", argv[1]);
    int rc = ledger_read(&l, argv[0], ans);
    if (rc == 0 && n > 1)
        certificates_json(&out, &l, uti_now_s());
    else if (rc == 0)
        certificates_table(&out, &l, uti_now_s());
    if (rc == 0 && (fputs(dstr_get(&out), stdout) == EOF || fflush(stdout) != 0))
        rc = ans_sys(ans, errno, "standard output");
    ledger_free(&l);
    dstr_free(&out);
    return rc;
}

/* DIR NAME|SERIAL; how many certificates it was is standard output */
static int revoke_verb(char **argv, int n, struct answer *ans)
{
    (void)n;
    int revoked = ledger_revoke(argv[0], argv[1], uti_now_s(), ans);
    if (revoked < 0)
        return -1;
    (void)printf("%d\n", revoked);
    return 0;
}

static const struct {
    const char *name;
    int least, most; /* words after it */
    int (*run)(char **argv, int n, struct answer *ans);
} verbs[] = { { "make", 1, 1, make_verb },    { "issue", 4, 5, issue_verb },
              { "token", 2, 3, token_verb },  { "join", 4, 4, join_verb },
              { "renew", 2, 2, renew_verb },  { "list", 1, 2, list_verb },
              { "revoke", 2, 2, revoke_verb } };

static int run_verb(int argc, char **argv, struct answer *ans)
{
    for (size_t i = 0; argc > 1 && i < ARRAY_LEN(verbs); i++) {
        int n = argc - 2;
        if (strcmp(argv[1], verbs[i].name) == 0 && n >= verbs[i].least && n <= verbs[i].most)
            return verbs[i].run(argv + 2, n, ans);
    }
    return ans_fail(ans, STATUS_EUSAGE, "usage: sge_ca %s", USAGE);
}

int main(int argc, char **argv)
{
    struct answer ans = ANSWER_INIT;
    os_fill_standard_streams();
    umask(022);
    int rc = run_verb(argc, argv, &ans);
    for (uint32_t i = 0; i < ans.n; i++)
        (void)fprintf(stderr, "sge_ca: %s\n", ans.v[i].text);
    ans_free(&ans);
    return rc == 0 ? 0 : 1;
}
