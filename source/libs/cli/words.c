/* Splits options written in files into words. Owns the quoting and comment rules; knows no option.
 * Invariant: on failure the list of words is what it was. Source: submit(1), sge_request(5). */
#include "libs/cli/words.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/cli/msg_cli.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

void words_free(struct words *w)
{
    if (w == NULL)
        return;
    for (uint32_t i = 0; i < w->n; i++)
        free(w->v[i]);
    free(w->v);
    free(w->line);
    *w = (struct words)WORDS_INIT;
}

void words_add(struct words *w, const char *text, size_t len, unsigned line)
{
    w->v = uti_vec_grow(w->v, &w->cap, w->n + 1, sizeof *w->v);
    w->line = uti_vec_grow(w->line, &w->line_cap, w->n + 1, sizeof *w->line);
    w->v[w->n] = uti_strndup(text, len);
    w->line[w->n++] = line;
}

void words_add_args(struct words *w, int n, char *const *args)
{
    for (int i = 0; i < n; i++)
        words_add(w, args[i], strlen(args[i]), 0);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* One word from *AT, which is not a blank; quotes are removed. False if a quote stays open. */
static bool take_word(const char **at, const char *end, struct dstr *out)
{
    char quote = '\0';
    for (; *at < end; ++*at) {
        char c = **at;
        if (quote != '\0' && c == quote)
            quote = '\0';
        else if (quote == '\0' && (c == '"' || c == '\''))
            quote = c;
        else if (quote == '\0' && is_blank(c))
            return true;
        else
            dstr_addc(out, c);
    }
    return quote == '\0';
}

static int words_of_line(const char *at, const char *end, const char *name, unsigned line,
                         struct words *w, struct answer *ans)
{
    struct dstr word = DSTR_INIT;
    int result = 0;
    while (result == 0) {
        while (at < end && is_blank(*at))
            at++;
        if (at == end || *at == '#')
            break;
        dstr_clear(&word);
        if (!take_word(&at, end, &word))
            result = ans_fail(ans, STATUS_ESYNTAX, MSG_WORDS_QUOTE_SU, name, line);
        else if (w->n >= WORDS_MAX)
            result = ans_fail(ans, STATUS_ESYNTAX, MSG_WORDS_MANY_SUI, name, line, WORDS_MAX);
        else
            words_add(w, dstr_get(&word), word.len, line);
    }
    dstr_free(&word);
    return result;
}

/* Lines of TEXT that start with PREFIX (all lines if NULL, but for those that start with `#`). */
static int words_of_lines(const char *text, size_t len, const char *prefix, const char *name,
                          struct words *w, struct answer *ans)
{
    const char *end = text + len;
    size_t skip = prefix == NULL ? 0 : strlen(prefix);
    uint32_t keep = w->n;
    unsigned line = 1;
    for (const char *at = text, *next; at < end; at = next, line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        next = stop == NULL ? end : stop + 1;
        if (stop == NULL)
            stop = end;
        if (prefix == NULL ? *at == '#'
                           : (size_t)(stop - at) < skip || memcmp(at, prefix, skip) != 0)
            continue;
        if (words_of_line(at + skip, stop, name, line, w, ans) < 0) {
            while (w->n > keep)
                free(w->v[--w->n]);
            return -1;
        }
    }
    return 0;
}

int words_of_text(const char *text, size_t len, const char *name, struct words *w,
                  struct answer *ans)
{
    return words_of_lines(text, len, NULL, name, w, ans);
}

int words_of_script(const char *text, size_t len, const char *prefix, const char *name,
                    struct words *w, struct answer *ans)
{
    return *prefix == '\0' ? 0 : words_of_lines(text, len, prefix, name, w, ans);
}

int words_of_file(const char *path, bool is_optional, struct words *w, struct answer *ans)
{
    if (access(path, R_OK) < 0) {
        if (is_optional && (errno == ENOENT || errno == ENOTDIR))
            return 0;
        return ans_fail(ans, STATUS_ENOFILE, MSG_FILE_OPEN_SS, path, strerror(errno));
    }
    struct dstr text = DSTR_INIT;
    int result = file_read(path, WORDS_FILE_MAX, &text, ans);
    if (result == 0)
        result = words_of_text(dstr_get(&text), text.len, path, w, ans);
    dstr_free(&text);
    return result;
}
