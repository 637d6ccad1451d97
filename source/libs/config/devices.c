/* AMOUNT(NAMES), read. Owns no data.
 *
 * Names are divided by blanks. FIRST-LAST, both numbers, is a range; everything else is a name as
 * it stands, so that GPU-4f1c and 0000:3b:00.0 are names. */
#include "libs/config/devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libs/config/attr_names.h"
#include "libs/config/msg_config.h"
#include "libs/sgeobj/rows.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"
#include "libs/uti/parse.h"

#define BLANKS " \t"

bool devices_are_named(const char *value)
{
    return strchr(value, '(') != NULL;
}

/* ---- words ---- */
static bool is_name(const char *word)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789._-+:/@";
    size_t len = strspn(word, letters);
    return len > 0 && len <= DEVICE_NAME_MOST && word[len] == '\0';
}

/* FIRST-LAST; false if WORD is none */
static bool is_range(const char *word)
{
    const char *const digits = "0123456789";
    size_t first = strspn(word, digits),
           last = word[first] == '-' ? strspn(word + first + 1, digits) : 0;
    return first > 0 && last > 0 && word[first + 1 + last] == '\0';
}

static bool range_parse(const char *word, uint32_t *first, uint32_t *last)
{
    size_t len = strcspn(word, "-");
    char *digits = uti_strndup(word, len);
    bool is_good = parse_u32(digits, first) && parse_u32(word + len + 1, last) && *first <= *last;
    free(digits);
    return is_good;
}

/* FN for the names that WORD means, as long as N, which counts them, is at most DEVICES_MOST */
static void word_each(const char *word, uint32_t *n, device_fn *fn, void *ctx)
{
    uint32_t first, last;
    char number[12];
    if (!is_range(word) || !range_parse(word, &first, &last)) {
        if ((*n)++ < DEVICES_MOST)
            fn(ctx, word);
        return;
    }
    for (uint64_t i = first; i <= last && *n < DEVICES_MOST; i++, (*n)++) {
        (void)snprintf(number, sizeof number, "%u", (unsigned)i);
        fn(ctx, number);
    }
}

/* the names between the parentheses; NULL: there are none, or something is behind them. New:
 * free() */
static char *names_of(const char *value)
{
    const char *open = strchr(value, '('), *close = open != NULL ? strchr(open, ')') : NULL;
    if (close == NULL || close[1] != '\0')
        return NULL;
    return uti_strndup(open + 1, (size_t)(close - open - 1));
}

void devices_each(const char *value, device_fn *fn, void *ctx)
{
    char *names = names_of(value);
    struct dstr word = DSTR_INIT;
    uint32_t n = 0;
    for (const char *at = names;
         names != NULL && n < DEVICES_MOST && attr_next_word(&at, BLANKS, &word);)
        word_each(dstr_get(&word), &n, fn, ctx);
    dstr_free(&word);
    free(names);
}

/* ---- checking ---- */
static int word_check(const char *resource, const char *word, uint64_t *n, struct answer *ans)
{
    uint32_t first, last;
    if (is_range(word)) {
        if (!range_parse(word, &first, &last))
            return ans_fail(ans, STATUS_ESYNTAX, MSG_DEVICES_RANGE_SS, resource, word);
        *n += (uint64_t)last - first + 1;
    } else {
        if (!is_name(word))
            return ans_fail(ans, STATUS_ESYNTAX, MSG_DEVICES_NAME_SSI, resource, word,
                            DEVICE_NAME_MOST);
        ++*n;
    }
    if (*n > DEVICES_MOST)
        return ans_fail(ans, STATUS_ESYNTAX, MSG_DEVICES_MOST_SI, resource, DEVICES_MOST);
    return 0;
}

/* all names by themselves; N becomes how many there are */
static int names_check(const char *resource, const char *names, uint64_t *n, struct answer *ans)
{
    struct dstr word = DSTR_INIT;
    int ret = 0;
    for (const char *at = names; ret == 0 && attr_next_word(&at, BLANKS, &word);)
        ret = word_check(resource, dstr_get(&word), n, ans);
    dstr_free(&word);
    return ret;
}

struct seen {
    struct name_set names; /* its names are TWICE's, once it has all */
    char *twice;           /* the first that is there twice */
};

static void see_device(void *ctx, const char *name)
{
    struct seen *seen = ctx;
    char *copy = uti_strdup(name);
    if (name_set_add(&seen->names, copy))
        return;
    if (seen->twice == NULL)
        seen->twice = copy;
    else
        free(copy);
}

static void seen_free(struct seen *seen)
{
    for (size_t i = 0; i < seen->names.room; i++)
        free((char *)(uintptr_t)seen->names.slots[i]);
    name_set_free(&seen->names);
    free(seen->twice);
}

static int check_unique(const char *resource, const char *value, struct answer *ans)
{
    struct seen seen = { 0 };
    devices_each(value, see_device, &seen);
    int ret = seen.twice == NULL
                  ? 0
                  : ans_fail(ans, STATUS_ESYNTAX, MSG_DEVICES_TWICE_SS, resource, seen.twice);
    seen_free(&seen);
    return ret;
}

int devices_check(const char *resource, const char *value, struct answer *ans)
{
    char *names = names_of(value), *amount = uti_strndup(value, strcspn(value, "("));
    uint32_t said = 0;
    uint64_t n = 0;
    int ret = 0;
    if (names == NULL || !parse_u32(amount, &said))
        ret = ans_fail(ans, STATUS_ESYNTAX, MSG_DEVICES_FORM_SS, resource, value);
    if (ret == 0)
        ret = names_check(resource, names, &n, ans);
    if (ret == 0 && n != said)
        ret = ans_fail(ans, STATUS_ESYNTAX, MSG_DEVICES_AMOUNT_SUU, resource, said, (unsigned)n);
    if (ret == 0)
        ret = check_unique(resource, value, ans);
    free(names);
    free(amount);
    return ret;
}

/* ---- which are free ---- */
struct free_names {
    struct name_set taken; /* its names are the caller's */
    struct dstr *out;
    uint32_t n;
};

static void add_if_free(void *ctx, const char *name)
{
    struct free_names *names = ctx;
    if (!name_set_has(&names->taken, name))
        dstr_addf(names->out, "%c%s", names->n++ == 0 ? '(' : ' ', name);
}

void devices_add_free(const char *value, const struct ST_Type_list *taken, struct dstr *out)
{
    struct free_names names = { .out = out };
    for (uint32_t i = 0; i < taken->n; i++)
        if (taken->v[i].ST_name != NULL)
            (void)name_set_add(&names.taken, taken->v[i].ST_name);
    devices_each(value, add_if_free, &names);
    if (names.n > 0)
        dstr_addc(out, ')');
    name_set_free(&names.taken);
}
