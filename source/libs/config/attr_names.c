/* Names of objects, hosts and users, and the words of lists. ASCII letters only, whatever the
 * locale: a name that one program takes must not be refused by another. */
#include "libs/config/attr_names.h"

#include <string.h>
#include <strings.h>

#include "libs/uti/dstr.h"

bool attr_is_none(const char *value)
{
    return strcasecmp(value, "NONE") == 0;
}

static bool has_only_letters(const char *name)
{
    return name[strspn(name, "abcdefghijklmnopqrstuvwxyz"
                             "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "0123456789._-+")] == '\0';
}

bool object_name_is_valid(const char *name)
{
    static const char *const reserved[] = { "template", "all", "none" };
    size_t len = strlen(name);
    if (len == 0 || len > OBJECT_NAME_MAX || strchr(".-+", name[0]) != NULL ||
        !has_only_letters(name))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(reserved); i++) {
        if (strcasecmp(name, reserved[i]) == 0)
            return false;
    }
    return true;
}

bool host_identifier_is_valid(const char *name)
{
    const char *bare = name[0] == '@' ? name + 1 : name;
    size_t len = strlen(bare);
    return len > 0 && len <= HOST_NAME_MAX_BYTES && bare[0] != '-' && bare[0] != '.' &&
           strchr(bare, '+') == NULL && has_only_letters(bare) && !attr_is_none(bare);
}

bool user_name_is_valid(const char *word)
{
    return word[0] != '\0' && strlen(word) <= OBJECT_NAME_MAX && word[0] != '-' &&
           has_only_letters(word) && !attr_is_none(word);
}

bool userset_entry_is_valid(const char *word)
{
    return user_name_is_valid(word[0] == '@' ? word + 1 : word);
}

bool attr_next_word(const char **at, const char *separators, struct dstr *word)
{
    *at += strspn(*at, separators);
    size_t len = strcspn(*at, separators);
    dstr_clear(word);
    dstr_addn(word, *at, len);
    *at += len;
    return len > 0;
}

/* append the LEN bytes at FROM, their blanks as one */
static void add_squeezed(const char *from, size_t len, struct dstr *out)
{
    for (size_t i = 0; i < len; i++) {
        bool is_blank = from[i] == ' ' || from[i] == '\t';
        bool is_needed = !is_blank || (out->s[out->len - 1] != ' ' && out->s[out->len - 1] != '(');
        if (from[i] == ')' && out->s[out->len - 1] == ' ')
            out->s[--out->len] = '\0';
        if (is_needed)
            dstr_addc(out, is_blank ? ' ' : from[i]);
    }
}

bool attr_next_element(const char **at, const char *separators, struct dstr *word)
{
    if (!attr_next_word(at, separators, word))
        return false;
    const char *open = strchr(word->s, '(');
    size_t len = strcspn(*at, ")");
    if (open == NULL || strchr(open, ')') != NULL || (*at)[len] == '\0')
        return true;
    add_squeezed(*at, len + 1, word);
    *at += len + 1;
    len = strcspn(*at, separators); /* what is behind it belongs to it, and makes it wrong */
    dstr_addn(word, *at, len);
    *at += len;
    return true;
}
