/* Attributes that no table has: storing, printing and naming them. */
#include "libs/config/attr_unknown.h"

#include <ctype.h>
#include <string.h>

#include "libs/config/attr_syntax.h"
#include "libs/config/attr_text.h"
#include "libs/config/msg_config.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

enum { NAMED_MOST = 8 };

/* ---- storing ---- */

bool attr_unknown_is_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    size_t len = strspn(name, letters);
    return name[len] == '\0' && len > 0 && len <= ATTR_UNKNOWN_NAME_MOST &&
           !isdigit((unsigned char)name[0]);
}

int attr_unknown_parse(const char *name, const char *value, uint32_t count, struct dstr *kept,
                       struct answer *ans)
{
    const struct attr_rule any = { .name = name, .syntax = ATTR_TEXT, .initial = "" };
    if (!attr_unknown_is_name(name))
        return ans_fail(ans, STATUS_EUNKNOWN, MSG_ATTR_UNKNOWN_S, name);
    if (count >= ATTR_UNKNOWN_MOST)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_CONF_UNKNOWN_MOST_U,
                        (unsigned)ATTR_UNKNOWN_MOST);
    return attr_value_parse(&any, value, kept, ans);
}

static const struct VA_Type *entry_find(const struct VA_Type_list *l, const char *name)
{
    for (uint32_t i = 0; l != NULL && i < l->n; i++)
        if (l->v[i].VA_variable != NULL && strcmp(l->v[i].VA_variable, name) == 0)
            return &l->v[i];
    return NULL;
}

int attr_unknown_add(struct VA_Type_list *l, const char *name, const char *value,
                     struct answer *ans)
{
    struct dstr kept = DSTR_INIT;
    if (entry_find(l, name) != NULL)
        return ans_fail(ans, STATUS_ESYNTAX, MSG_ATTR_TWICE_S, name);
    if (attr_unknown_parse(name, value, l->n, &kept, ans) < 0) {
        dstr_free(&kept);
        return -1;
    }
    struct VA_Type *va = cull_push(l);
    cull_set(va, VA_variable, name);
    cull_set(va, VA_value, dstr_get(&kept));
    dstr_free(&kept);
    return 0;
}

static bool is_known(const char *name, attr_name_at_fn *name_at, const void *of)
{
    const char *known;
    for (size_t i = 0; (known = name_at(of, i)) != NULL; i++)
        if (strcmp(known, name) == 0)
            return true;
    return false;
}

int attr_unknown_check(const struct VA_Type_list *l, attr_name_at_fn *name_at, const void *of,
                       struct answer *ans)
{
    struct VA_Type_list again = { 0 };
    int ret = 0;
    for (uint32_t i = 0; ret == 0 && i < l->n; i++) {
        const char *name = l->v[i].VA_variable, *value = l->v[i].VA_value;
        if (name == NULL || value == NULL || is_known(name, name_at, of))
            ret = ans_fail(ans, STATUS_EUNKNOWN, MSG_ATTR_UNKNOWN_S, name != NULL ? name : "");
        else
            ret = attr_unknown_add(&again, name, value, ans);
    }
    cull_list_clear(&cull_VA_Type, &again);
    return ret;
}

void attr_unknown_print(const struct VA_Type_list *l, unsigned width, bool is_single,
                        struct dstr *out)
{
    for (uint32_t i = 0; i < l->n; i++)
        attr_print(out, width, l->v[i].VA_variable, l->v[i].VA_value, is_single);
}

/* ---- naming ---- */

/* how many letters differ, case aside, at most ATTR_UNKNOWN_NAME_MOST letters each */
static size_t name_distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
    size_t row[ATTR_UNKNOWN_NAME_MOST + 1];
    for (size_t k = 0; k <= b_len; k++)
        row[k] = k;
    for (size_t i = 1; i <= a_len; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t k = 1; k <= b_len; k++) {
            bool is_same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[k - 1]);
            size_t least = corner + !is_same;
            least = row[k] + 1 < least ? row[k] + 1 : least;
            least = row[k - 1] + 1 < least ? row[k - 1] + 1 : least;
            corner = row[k];
            row[k] = least;
        }
    }
    return row[b_len];
}

const char *attr_nearest(const char *text, size_t len, attr_name_at_fn *name_at, const void *of)
{
    const char *found = NULL, *name;
    size_t least = len / 3 + 1;
    for (size_t i = 0; len <= ATTR_UNKNOWN_NAME_MOST && (name = name_at(of, i)) != NULL; i++) {
        size_t name_len = strlen(name), d;
        if (name_len <= ATTR_UNKNOWN_NAME_MOST &&
            (d = name_distance(text, len, name, name_len)) < least) {
            least = d;
            found = name;
        }
    }
    return found;
}

void attr_warn_near(struct answer *ans, const char *what, const char *near)
{
    if (near != NULL)
        ans_add(ans, STATUS_OK, ANSWER_QUALITY_WARNING, MSG_CONF_UNKNOWN_NEAR_SS, what, near);
    else
        ans_add(ans, STATUS_OK, ANSWER_QUALITY_WARNING, MSG_CONF_UNKNOWN_S, what);
}

void attr_unknown_warn(const struct VA_Type_list *l, const struct VA_Type_list *before,
                       attr_name_at_fn *name_at, const void *of, struct answer *ans)
{
    uint32_t named = 0;
    for (uint32_t i = 0; i < l->n && named < NAMED_MOST; i++) {
        const char *name = l->v[i].VA_variable;
        if (is_known(name, name_at, of))
            continue;
        const struct VA_Type *old = entry_find(before, name);
        if (old != NULL && strcmp(old->VA_value, l->v[i].VA_value) == 0)
            continue;
        struct dstr what = DSTR_INIT;
        dstr_addf(&what, "attribute \"%s\"", name);
        attr_warn_near(ans, dstr_get(&what), attr_nearest(name, strlen(name), name_at, of));
        dstr_free(&what);
        named++;
    }
}
