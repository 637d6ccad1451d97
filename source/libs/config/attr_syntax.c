/* One checker for every value that a configuration file may hold.
 *
 * A rule names a syntax; each syntax is a function that appends the kept form of a value to OUT or returns false. What
 * is wrong is said once, at the end: attribute, value, and what would have been right. No names are looked up here:
 * whether a pe or a calendar exists is for the owner of those lists. */
#include "libs/config/attr_syntax.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "libs/config/msg_config.h"
#include "libs/config/quantity.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

enum { OBJECT_NAME_MAX = 256, HOST_NAME_MAX_BYTES = 255, GROUP_LEAST = 1000 };

/* ---- names ---- */

bool attr_is_none(const char *value)
{
    return strcasecmp(value, "NONE") == 0;
}

bool attr_is_idle(const struct attr_rule *rule, enum attr_effect effect, const char *value)
{
    return effect == ATTR_STORED && !attr_is_none(value) && strcmp(value, rule->initial) != 0;
}

static bool name_has_only_letters(const char *name)
{
    for (const char *c = name; *c != '\0'; c++) {
        if (!isalnum((unsigned char)*c) && strchr("._-+", *c) == NULL)
            return false;
    }
    return true;
}

bool object_name_is_valid(const char *name)
{
    static const char *const reserved[] = { "template", "all", "none" };
    size_t len = strlen(name);
    if (len == 0 || len > OBJECT_NAME_MAX || strchr(".-+", name[0]) != NULL ||
        !name_has_only_letters(name))
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
           strchr(bare, '+') == NULL && name_has_only_letters(bare) && !attr_is_none(bare);
}

/* ---- the case of words ---- */

/* a word of the syntax (NONE, TRUE ...), in the case that this attribute has */
static bool add_word(const struct attr_rule *rule, const char *word, struct dstr *out)
{
    for (const char *c = word; *c != '\0'; c++)
        dstr_addc(out,
                  (char)(rule->is_lower ? tolower((unsigned char)*c) : toupper((unsigned char)*c)));
    return true;
}

static bool add_none(const struct attr_rule *rule, struct dstr *out)
{
    return add_word(rule, "NONE", out);
}

/* ---- numbers ---- */

static bool check_number(const struct attr_rule *rule, const char *value, struct dstr *out)
{
    const char *digits = value[0] == '-' ? value + 1 : value;
    uint64_t size;
    if (!parse_u64(digits, &size) || size > INT64_MAX)
        return false;
    int64_t number = value[0] == '-' ? -(int64_t)size : (int64_t)size;
    if (number < rule->min || number > rule->max)
        return false;
    dstr_addf(out, "%" PRId64, number);
    return true;
}

static bool has_limits(const struct attr_rule *rule)
{
    return rule->min < rule->max;
}

static bool check_decimal(const struct attr_rule *rule, const char *value, struct dstr *out)
{
    double number;
    if (!parse_double(value, &number))
        return false;
    if (has_limits(rule) && (number < (double)rule->min || number > (double)rule->max))
        return false;
    dstr_add(out, value);
    return true;
}

static bool check_quantity(const struct attr_rule *rule, const char *value, struct dstr *out)
{
    uint64_t size;
    bool is_good = rule->syntax == ATTR_TIME ? quantity_time_parse(value, &size)
                                             : quantity_memory_parse(value, &size);
    if (!is_good)
        return false;
    if (size == QUANTITY_INFINITY)
        return add_word(rule, "INFINITY", out);
    dstr_add(out, value);
    return true;
}

static bool check_bool(const struct attr_rule *rule, const char *value, struct dstr *out)
{
    bool is_true = strcasecmp(value, "TRUE") == 0 || strcmp(value, "1") == 0;
    bool is_false = strcasecmp(value, "FALSE") == 0 || strcmp(value, "0") == 0;
    if (!is_true && !is_false)
        return false;
    return add_word(rule, is_true ? "TRUE" : "FALSE", out);
}

/* ---- paths and commands ---- */

static bool check_text(const struct attr_rule *rule, const char *value, struct dstr *out)
{
    if (value[0] == '\0')
        return false;
    if (attr_is_none(value))
        return add_none(rule, out);
    dstr_add(out, value);
    return true;
}

static bool check_path(const struct attr_rule *rule, const char *value, struct dstr *out)
{
    if (attr_is_none(value))
        return rule->initial != NULL && attr_is_none(rule->initial) && add_none(rule, out);
    if (value[0] != '/' || strpbrk(value, " \t") != NULL)
        return false;
    dstr_add(out, value);
    return true;
}

/* it is the rest of its line, so that blanks do no harm; but ",[" would begin the setting of a host */
static bool check_directory(const struct attr_rule *rule SGE_UNUSED, const char *value,
                            struct dstr *out)
{
    for (const char *comma = strchr(value, ','); comma != NULL; comma = strchr(comma + 1, ','))
        if (comma[1 + strspn(comma + 1, " \t")] == '[')
            return false;
    if (value[0] != '/')
        return false;
    dstr_add(out, value);
    return true;
}

/* /path arguments. No user@ before it: the shepherd runs hooks as the job's owner, and a queue must not learn that at its first task */
static bool check_command(const struct attr_rule *rule, const char *value, struct dstr *out)
{
    if (attr_is_none(value))
        return add_none(rule, out);
    if (value[0] != '/')
        return false;
    dstr_add(out, value);
    return true;
}

static bool check_method(const struct attr_rule *rule, const char *value, struct dstr *out)
{
    static const char *const signals[] = {
        "HUP",  "INT",  "QUIT", "ILL",  "TRAP",   "ABRT", "BUS",   "FPE",  "KILL", "USR1",
        "SEGV", "USR2", "PIPE", "ALRM", "TERM",   "CHLD", "CONT",  "STOP", "TSTP", "TTIN",
        "TTOU", "URG",  "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO",   "PWR",  "SYS",
    };
    uint32_t number = 0;
    bool is_good = attr_is_none(value) || value[0] == '/' ||
                   (parse_u32(value, &number) && number >= 1 && number <= 64);
    for (size_t i = 0; !is_good && i < ARRAY_LEN(signals); i++)
        is_good = strncmp(value, "SIG", 3) == 0 && strcmp(value + 3, signals[i]) == 0;
    if (!is_good)
        return false;
    if (attr_is_none(value))
        return add_none(rule, out);
    dstr_add(out, value);
    return true;
}

/* ---- names and lists ---- */

static bool check_name(const struct attr_rule *rule, const char *value, struct dstr *out)
{
    if (attr_is_none(value))
        return add_none(rule, out);
    if (!object_name_is_valid(value))
        return false;
    dstr_add(out, value);
    return true;
}

/* the next word of a list with SEPARATORS; false at the end. WORD is replaced. */
static bool next_word(const char **at, const char *separators, struct dstr *word)
{
    *at += strspn(*at, separators);
    size_t len = strcspn(*at, separators);
    dstr_clear(word);
    dstr_addn(word, *at, len);
    *at += len;
    return len > 0;
}

static bool is_choice(const char *choices, const char *word, struct dstr *out)
{
    struct dstr choice = DSTR_INIT;
    bool is_found = false;
    while (!is_found && next_word(&choices, " ", &choice))
        is_found = strcasecmp(choice.s, word) == 0;
    if (is_found)
        dstr_add(out, choice.s);
    dstr_free(&choice);
    return is_found;
}

static bool check_choice(const struct attr_rule *rule, const char *value, struct dstr *out)
{
    return is_choice(rule->choices, value, out);
}

static bool is_owner_or_name(const char *word)
{
    return strlen(word) <= OBJECT_NAME_MAX && word[0] != '-' && name_has_only_letters(word) &&
           !attr_is_none(word);
}

/* ATTR_NAMES and ATTR_CHOICES: words, kept with one blank between them */
static bool check_words(const struct attr_rule *rule, const char *value, struct dstr *out)
{
    struct dstr word = DSTR_INIT, kept = DSTR_INIT;
    bool is_good = true;
    const char *at = value;
    if (attr_is_none(value))
        return add_none(rule, out);
    while (is_good && next_word(&at, ", \t", &word)) {
        if (kept.len > 0)
            dstr_addc(&kept, ' ');
        if (rule->syntax == ATTR_CHOICES)
            is_good = is_choice(rule->choices, word.s, &kept);
        else if ((is_good = is_owner_or_name(word.s)))
            dstr_add(&kept, word.s);
    }
    is_good = is_good && kept.len > 0;
    if (is_good)
        dstr_add(out, kept.s);
    dstr_free(&word);
    dstr_free(&kept);
    return is_good;
}

/* one element of ATTR_SETTINGS (name=value) or ATTR_SUBORDINATES (queue[=slots]) */
static bool is_setting(const struct attr_rule *rule, const char *word)
{
    struct dstr name = DSTR_INIT;
    uint32_t slots;
    const char *equals = strchr(word, '=');
    dstr_addn(&name, word, equals != NULL ? (size_t)(equals - word) : strlen(word));
    bool is_good = object_name_is_valid(dstr_get(&name));
    if (rule->syntax == ATTR_SUBORDINATES)
        is_good = is_good && (equals == NULL || parse_u32(equals + 1, &slots));
    else
        is_good =
            is_good && equals != NULL && equals[1] != '\0' && strpbrk(equals + 1, "=[]") == NULL;
    dstr_free(&name);
    return is_good;
}

static bool check_settings(const struct attr_rule *rule, const char *value, struct dstr *out)
{
    struct dstr word = DSTR_INIT, kept = DSTR_INIT;
    bool is_good = true;
    const char *at = value;
    if (attr_is_none(value))
        return add_none(rule, out);
    while (is_good && next_word(&at, ", \t", &word)) {
        is_good = is_setting(rule, word.s);
        dstr_addf(&kept, "%s%s", kept.len > 0 ? "," : "", word.s);
    }
    is_good = is_good && kept.len > 0;
    if (is_good)
        dstr_add(out, kept.s);
    dstr_free(&word);
    dstr_free(&kept);
    return is_good;
}

/* Below GROUP_LEAST are the groups of the system, such as disk and shadow, which give rights; UINT32_MAX is not a group. */
static bool is_group(const char *text, size_t len, uint32_t *id)
{
    char *digits = uti_strndup(text, len);
    bool is_good = parse_u32(digits, id) && *id >= GROUP_LEAST && *id < UINT32_MAX;
    free(digits);
    return is_good;
}

static bool check_groups(const struct attr_rule *rule, const char *value, struct dstr *out)
{
    enum { MOST = 1000000 };
    if (attr_is_none(value))
        return add_none(rule, out);
    for (const char *at = value;;) {
        uint32_t first, last;
        size_t len = strcspn(at, ","), dash = strcspn(at, "-,");
        const char *second = dash < len ? at + dash + 1 : at;
        if (!is_group(at, dash, &first) || !is_group(second, (size_t)(at + len - second), &last) ||
            first > last || last - first >= MOST)
            return false;
        if (at[len] == '\0')
            break;
        at += len + 1;
    }
    dstr_add(out, value);
    return true;
}

/* ---- the table of syntaxes ---- */

typedef bool (*check_fn)(const struct attr_rule *rule, const char *value, struct dstr *out);
static const struct {
    check_fn check;
    const char *wants;
} syntaxes[] = {
    [ATTR_TEXT] = { check_text, "a text" },
    [ATTR_NUMBER] = { check_number, "a number" },
    [ATTR_DECIMAL] = { check_decimal, "a decimal number" },
    [ATTR_TIME] = { check_quantity, "a time (hours:minutes:seconds, seconds, or INFINITY)" },
    [ATTR_MEMORY] = { check_quantity,
                      "a memory size (a number with K, M, G, T, k, m, g or t, or INFINITY)" },
    [ATTR_BOOL] = { check_bool, "TRUE or FALSE" },
    [ATTR_PATH] = { check_path, "an absolute path" },
    [ATTR_DIRECTORY] = { check_directory, "an absolute path" },
    [ATTR_COMMAND] = { check_command,
                       "NONE or a command: /absolute/path arguments (user@ before it: "
                       "not supported yet)" },
    [ATTR_METHOD] = { check_method,
                      "NONE, a signal (1 to 64, SIGTERM ...), or an absolute path with arguments" },
    [ATTR_NAME] = { check_name, "NONE or a name" },
    [ATTR_NAMES] = { check_words, "NONE or a list of names" },
    [ATTR_SETTINGS] = { check_settings, "NONE or a list of name=value" },
    [ATTR_SUBORDINATES] = { check_settings, "NONE or a list of queue or queue=slots" },
    [ATTR_GROUPS] = { check_groups, "NONE or ids of groups from 1000 on such as 65400-65500, at "
                                    "most 1000000 of them" },
    [ATTR_CHOICE] = { check_choice, "one of:" },
    [ATTR_CHOICES] = { check_words, "NONE or a list of:" },
};

static int value_refuse(const struct attr_rule *rule, const char *value, struct answer *ans)
{
    const char *wants = syntaxes[rule->syntax].wants;
    if (rule->syntax == ATTR_NUMBER || (rule->syntax == ATTR_DECIMAL && has_limits(rule)))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_ATTR_NUMBER_SSSII, rule->name, value, wants,
                        rule->min, rule->max);
    return ans_fail(ans, STATUS_ESYNTAX, MSG_ATTR_VALUE_SSSSS, rule->name, value, wants,
                    rule->choices != NULL ? " " : "", rule->choices != NULL ? rule->choices : "");
}

int attr_value_parse(const struct attr_rule *rule, const char *value, struct dstr *out,
                     struct answer *ans)
{
    for (const char *c = value; *c != '\0'; c++) {
        if (iscntrl((unsigned char)*c) && *c != '\t')
            return ans_fail(ans, STATUS_ESYNTAX, MSG_ATTR_CONTROL_S, rule->name);
    }
    value += strspn(value, " \t");
    size_t len = strlen(value);
    while (len > 0 && (value[len - 1] == ' ' || value[len - 1] == '\t'))
        len--;
    /* a backslash at the end would swallow the line that follows in the file form */
    if (len > 0 && value[len - 1] == '\\')
        return value_refuse(rule, value, ans);
    char *trimmed = uti_strndup(value, len);
    int ret =
        syntaxes[rule->syntax].check(rule, trimmed, out) ? 0 : value_refuse(rule, trimmed, ans);
    free(trimmed);
    return ret;
}
