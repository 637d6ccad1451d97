/* Names of hosts. Owns the table of aliases of this process, which is set before there are
 * threads; it maps plain names (small letters, no domain), a host's own name to itself. */
#include "libs/uti/host_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"
#include "libs/uti/msg_uti.h"
#include "libs/uti/pattern.h"

enum { NAME_MOST = 253 };

static const char digits_of_addresses[] = "0123456789.";

struct alias {
    char *name, *host;
    UT_hash_handle hh; /* by name */
};
static struct alias *aliases;

bool host_name_is_valid(const char *name)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    static const char others[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    size_t len = strlen(name);
    return len > 0 && len <= NAME_MOST && strchr(first, *name) != NULL &&
           strspn(name, others) == len;
}

/* ---- comparing ---- */
/* how much of NAME counts */
static size_t significant_bytes(const char *name)
{
    size_t len = strcspn(name, ".");
    return name[len] == '.' && name[strspn(name, digits_of_addresses)] == '\0' ? strlen(name) : len;
}

/* the first LEN bytes of TEXT in small letters, cut to BYTES */
static void lower_copy(char *out, size_t bytes, const char *text, size_t len)
{
    size_t n = len < bytes ? len : bytes - 1;
    for (size_t i = 0; i < n; i++)
        out[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] - 'A' + 'a' : text[i]);
    out[n] = '\0';
}

static const struct alias *alias_find(const struct alias *table, const char *plain)
{
    const struct alias *found;
    HASH_FIND_STR(table, plain, found);
    return found;
}

void host_name_unique(const char *name, char *out)
{
    lower_copy(out, HOST_NAME_BYTES, name, significant_bytes(name));
    const struct alias *known = aliases != NULL ? alias_find(aliases, out) : NULL;
    if (known != NULL)
        (void)snprintf(out, HOST_NAME_BYTES, "%s", known->host);
}

bool host_name_equal(const char *a, const char *b)
{
    char one[HOST_NAME_BYTES], other[HOST_NAME_BYTES];
    size_t len = significant_bytes(a);
    if (len == significant_bytes(b) && strncasecmp(a, b, len) == 0)
        return true;
    if (aliases == NULL)
        return false;
    host_name_unique(a, one);
    host_name_unique(b, other);
    return strcmp(one, other) == 0;
}

bool host_name_word_matches(const char *word, size_t len, const char *name)
{
    char small_word[PATTERN_MOST + 1], small_name[PATTERN_MOST + 1];
    if (len > PATTERN_MOST || strlen(name) > PATTERN_MOST)
        return false;
    lower_copy(small_word, sizeof small_word, word, len);
    if (!pattern_word_is_wild(word, len))
        return host_name_equal(small_word, name);
    lower_copy(small_name, sizeof small_name, name, strlen(name));
    return pattern_word_match(small_word, len, small_name);
}

static bool is_host(const void *name, const char *word, size_t len)
{
    return host_name_word_matches(word, len, name);
}

bool host_name_matches(const char *pattern, const char *name)
{
    if (!pattern_is_wild(pattern))
        return host_name_equal(pattern, name);
    return pattern_match_words(pattern, is_host, name);
}

/* ---- aliases ---- */
static void free_aliases(struct alias *table)
{
    struct alias *a, *next;
    HASH_ITER(hh, table, a, next) {
        HASH_DEL(table, a);
        free(a->name);
        free(a->host);
        free(a);
    }
}

struct alias_reader {
    struct alias *table;
    const char *path;
    unsigned line;
    struct dstr host; /* whose line it is; empty: its first word is to come */
};

static int take_word(struct alias_reader *r, const char *word, struct answer *ans)
{
    char plain[HOST_NAME_BYTES];
    if (!host_name_is_valid(word))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_ALIAS_NAME_SUS, r->path, r->line, word);
    lower_copy(plain, sizeof plain, word, significant_bytes(word));
    if (r->host.len == 0)
        dstr_add(&r->host, plain);
    const struct alias *known = alias_find(r->table, plain);
    if (known != NULL && strcmp(known->host, dstr_get(&r->host)) == 0)
        return 0;
    if (known != NULL)
        return ans_fail(ans, STATUS_ESYNTAX, MSG_ALIAS_TWICE_SUSSS, r->path, r->line, plain,
                        known->host, dstr_get(&r->host));
    struct alias *a = uti_calloc(1, sizeof *a);
    a->name = uti_strdup(plain);
    a->host = uti_strdup(dstr_get(&r->host));
    HASH_ADD_KEYPTR(hh, r->table, a->name, strlen(a->name), a);
    return 0;
}

/* the words of one line */
static int take_line(struct alias_reader *r, const char *text, size_t len, struct answer *ans)
{
    static const char blanks[] = " \t\r,";
    char *line = uti_strndup(text, len), *place = NULL;
    int rc = 0;
    dstr_clear(&r->host);
    r->line++;
    if (line[strspn(line, blanks)] != '#')
        for (char *word = strtok_r(line, blanks, &place); rc == 0 && word != NULL;
             word = strtok_r(NULL, blanks, &place))
            rc = take_word(r, word, ans);
    free(line);
    return rc;
}

int host_aliases_use(const char *text, const char *path, struct answer *ans)
{
    struct alias_reader r = { .path = path };
    int rc = 0;
    for (const char *at = text; rc == 0 && *at != '\0';) {
        size_t len = strcspn(at, "\n");
        rc = take_line(&r, at, len, ans);
        at += len + (at[len] == '\n');
    }
    dstr_free(&r.host);
    struct alias *old = rc == 0 ? aliases : r.table;
    if (rc == 0)
        aliases = r.table;
    free_aliases(old);
    return rc;
}
