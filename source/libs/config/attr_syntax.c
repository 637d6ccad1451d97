/* One checker for every value that a configuration file may hold.
 *
 * A rule names a syntax; each syntax is a row with a function that says whether a value is
 * right, or appends the form that is kept. What is wrong is said once, at the end: attribute,
 * value, and what would have been right. No names are looked up here: whether a pe or a calendar
 * exists is for the owner of those lists. */
#include "libs/config/attr_syntax.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "libs/config/attr_names.h"
#include "libs/config/devices.h"
#include "libs/config/msg_config.h"
#include "libs/config/quantity.h"
#include "libs/config/subordinates.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

enum { GROUP_LEAST = 1000 };

bool attr_is_idle(const struct attr_rule *rule, enum attr_effect effect, const char *value)
{
    return effect == ATTR_STORED && !attr_is_none(value) && strcmp(value, rule->initial) != 0;
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

/* ---- numbers ---- */

static bool add_number(const struct attr_rule *rule, const char *value, struct dstr *out)
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

static bool is_decimal(const struct attr_rule *rule, const char *value)
{
    double number;
    if (!quantity_double_parse(value, &number))
        return false;
    return !has_limits(rule) || (number >= (double)rule->min && number <= (double)rule->max);
}

static bool add_quantity(const struct attr_rule *rule, const char *value, struct dstr *out)
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

bool attr_bool_parse(const char *value, bool *out)
{
    static const char *const words[][5] = { { "FALSE", "F", "NO", "N", "0" },
                                            { "TRUE", "T", "YES", "Y", "1" } };
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        for (size_t k = 0; k < ARRAY_LEN(words[i]); k++)
            if (strcasecmp(value, words[i][k]) == 0) {
                *out = i == 1;
                return true;
            }
    return false;
}

static bool add_bool(const struct attr_rule *rule, const char *value, struct dstr *out)
{
    bool is_true;
    return attr_bool_parse(value, &is_true) && add_word(rule, is_true ? "TRUE" : "FALSE", out);
}

/* ---- paths and commands ---- */

static bool is_text(const struct attr_rule *rule SGE_UNUSED, const char *value)
{
    return value[0] != '\0';
}

static bool is_path(const struct attr_rule *rule SGE_UNUSED, const char *value)
{
    return value[0] == '/' && strpbrk(value, " \t") == NULL;
}

/* it is the rest of its line, so that blanks do no harm; but ",[" would begin the setting of a
 * host */
static bool is_directory(const struct attr_rule *rule SGE_UNUSED, const char *value)
{
    for (const char *comma = strchr(value, ','); comma != NULL; comma = strchr(comma + 1, ','))
        if (comma[1 + strspn(comma + 1, " \t")] == '[')
            return false;
    return value[0] == '/';
}

/* /path arguments, after "user@" if it is to run as another user than the job's owner. Whether that
 * may be is each host's to say */
static bool is_command(const struct attr_rule *rule SGE_UNUSED, const char *value)
{
    size_t len = strcspn(value, "@ \t/");
    if (value[len] != '@')
        return value[0] == '/';
    char *user = uti_strndup(value, len);
    bool is_good = user_name_is_valid(user) && value[len + 1] == '/';
    free(user);
    return is_good;
}

/* the name of a signal without SIG, or its number */
static bool is_signal_word(const char *value)
{
    static const char *const signals[] = {
        "HUP",  "INT",  "QUIT", "ILL",  "TRAP",   "ABRT", "BUS",   "FPE",  "KILL", "USR1",
        "SEGV", "USR2", "PIPE", "ALRM", "TERM",   "CHLD", "CONT",  "STOP", "TSTP", "TTIN",
        "TTOU", "URG",  "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO",   "PWR",  "SYS",
    };
    for (size_t i = 0; i < ARRAY_LEN(signals); i++)
        if (strcmp(value, signals[i]) == 0)
            return true;
    return false;
}

static bool is_signal_number(const char *value)
{
    uint32_t number;
    return parse_u32(value, &number) && number >= 1 && number <= 64;
}

static bool is_method(const struct attr_rule *rule, const char *value)
{
    return is_command(rule, value) || is_signal_number(value) ||
           (strncmp(value, "SIG", 3) == 0 && is_signal_word(value + 3));
}

static bool is_signal(const struct attr_rule *rule SGE_UNUSED, const char *value)
{
    return is_signal_number(value) ||
           is_signal_word(strncmp(value, "SIG", 3) == 0 ? value + 3 : value);
}

/* ---- names and lists ---- */

static bool is_name(const struct attr_rule *rule SGE_UNUSED, const char *value)
{
    return object_name_is_valid(value);
}

static bool is_choice(const char *choices, const char *word, struct dstr *out)
{
    struct dstr choice = DSTR_INIT;
    bool is_found = false;
    while (!is_found && attr_next_word(&choices, " ", &choice))
        is_found = strcasecmp(choice.s, word) == 0;
    if (is_found)
        dstr_add(out, choice.s);
    dstr_free(&choice);
    return is_found;
}

static bool add_choice(const struct attr_rule *rule, const char *value, struct dstr *out)
{
    return is_choice(rule->choices, value, out);
}

static bool add_amount(const struct attr_rule *rule, const char *value, struct dstr *out)
{
    return is_choice(rule->choices, value, out) || add_number(rule, value, out);
}

static bool is_letters(const struct attr_rule *rule, const char *value)
{
    for (const char *c = value; *c != '\0'; c++)
        if (strchr(rule->choices, *c) == NULL || strchr(c + 1, *c) != NULL)
            return false;
    return value[0] != '\0';
}

/* elements of lists */
static bool is_user_or_object(const struct attr_rule *rule SGE_UNUSED, const char *word)
{
    return user_name_is_valid(word);
}

static bool is_userset_entry(const struct attr_rule *rule SGE_UNUSED, const char *word)
{
    return userset_entry_is_valid(word);
}

static bool is_host(const struct attr_rule *rule SGE_UNUSED, const char *word)
{
    return host_identifier_is_valid(word);
}

static bool has_object_name(const char *word, size_t len)
{
    char *name = uti_strndup(word, len);
    bool is_good = object_name_is_valid(name);
    free(name);
    return is_good;
}

static bool is_setting(const struct attr_rule *rule SGE_UNUSED, const char *word)
{
    size_t len = strcspn(word, "=");
    return word[len] == '=' && word[len + 1] != '\0' && strpbrk(word + len + 1, "=[]") == NULL &&
           has_object_name(word, len);
}

static bool add_subordinate(const struct attr_rule *rule SGE_UNUSED, const char *word,
                            struct dstr *out)
{
    return subordinate_add(word, out);
}

/* Below GROUP_LEAST are the groups of the system, such as disk and shadow, which give rights;
 * UINT32_MAX is not a group. */
static bool is_group(const char *text, size_t len, uint32_t *id)
{
    char *digits = uti_strndup(text, len);
    bool is_good = parse_u32(digits, id) && *id >= GROUP_LEAST && *id < UINT32_MAX;
    free(digits);
    return is_good;
}

static bool is_groups(const struct attr_rule *rule SGE_UNUSED, const char *value)
{
    enum { MOST = 1000000 };
    for (const char *at = value;;) {
        uint32_t first, last;
        size_t len = strcspn(at, ","), dash = strcspn(at, "-,");
        const char *second = dash < len ? at + dash + 1 : at;
        if (!is_group(at, dash, &first) || !is_group(second, (size_t)(at + len - second), &last) ||
            first > last || last - first >= MOST)
            return false;
        if (at[len] == '\0')
            return true;
        at += len + 1;
    }
}

/* "0-3,8", in the order that is written */
static bool is_processors(const struct attr_rule *rule SGE_UNUSED, const char *value)
{
    if (strcasecmp(value, "UNDEFINED") == 0)
        return true;
    for (const char *at = value;;) {
        uint32_t first, last;
        size_t len = strcspn(at, ","), dash = strcspn(at, "-,");
        const char *second = dash < len ? at + dash + 1 : at;
        char *low = uti_strndup(at, dash), *high = uti_strndup(second, (size_t)(at + len - second));
        bool is_range = parse_u32(low, &first) && parse_u32(high, &last) && first <= last &&
                        last <= ATTR_PROCESSOR_LAST;
        free(low);
        free(high);
        if (!is_range || at[len] == '\0')
            return is_range;
        at += len + 1;
    }
}

/* ---- the table of syntaxes ---- */

enum none { NONE_NEVER, NONE_IF_DEFAULT, NONE_ALWAYS };
static const struct {
    /* one of two: what is right is kept as it is, or as ADD appends it; both return false for
     * what is wrong */
    bool (*is)(const struct attr_rule *rule, const char *value);
    bool (*add)(const struct attr_rule *rule, const char *value, struct dstr *out);
    char separator; /* of a list, whose elements is and add are about */
    enum none none; /* is NONE a value? */
    const char *wants;
} syntaxes[] = {
    [ATTR_TEXT] = { is_text, NULL, 0, NONE_ALWAYS, "a text" },
    [ATTR_NUMBER] = { NULL, add_number, 0, NONE_NEVER, "a number" },
    [ATTR_DECIMAL] = { is_decimal, NULL, 0, NONE_NEVER, "a decimal number" },
    [ATTR_TIME] = { NULL, add_quantity, 0, NONE_NEVER,
                    "a time (hours:minutes:seconds, seconds, or INFINITY)" },
    [ATTR_MEMORY] = { NULL, add_quantity, 0, NONE_NEVER,
                      "a memory size (a number with K, M, G, T, k, m, g or t, or INFINITY)" },
    [ATTR_BOOL] = { NULL, add_bool, 0, NONE_NEVER, "TRUE or FALSE" },
    [ATTR_PATH] = { is_path, NULL, 0, NONE_IF_DEFAULT, "an absolute path" },
    [ATTR_PATHS] = { is_path, NULL, ',', NONE_ALWAYS, "NONE or a list of absolute paths" },
    [ATTR_DIRECTORY] = { is_directory, NULL, 0, NONE_NEVER, "an absolute path" },
    [ATTR_COMMAND] = { is_command, NULL, 0, NONE_ALWAYS,
                       "NONE or a command: /absolute/path arguments, or user@/absolute/path "
                       "arguments" },
    [ATTR_METHOD] = { is_method, NULL, 0, NONE_ALWAYS,
                      "NONE, a signal (1 to 64, SIGTERM ...), or an absolute path with arguments, "
                      "or "
                      "user@ before such a path" },
    [ATTR_NAME] = { is_name, NULL, 0, NONE_ALWAYS, "NONE or a name" },
    [ATTR_NAMES] = { is_user_or_object, NULL, ' ', NONE_ALWAYS, "NONE or a list of names" },
    [ATTR_SETTINGS] = { is_setting, NULL, ',', NONE_ALWAYS, "NONE or a list of name=value" },
    [ATTR_RESOURCES] = { is_setting, NULL, ',', NONE_ALWAYS, "NONE or a list of name=value" },
    [ATTR_SUBORDINATES] = { NULL, add_subordinate, ',', NONE_ALWAYS,
                            "NONE, a list of queue or queue=slots, or slots=N(queue:seq:sr, "
                            "queue:seq:lr)" },
    [ATTR_GROUPS] = { is_groups, NULL, 0, NONE_ALWAYS,
                      "NONE or ids of groups from 1000 on such as 65400-65500, at most 1000000 "
                      "of them" },
    [ATTR_CHOICE] = { NULL, add_choice, 0, NONE_NEVER, "one of:" },
    [ATTR_CHOICES] = { NULL, add_choice, ' ', NONE_ALWAYS, "NONE or a list of:" },
    [ATTR_AMOUNT] = { NULL, add_amount, 0, NONE_NEVER, "one of:" },
    [ATTR_SIGNAL] = { is_signal, NULL, 0, NONE_ALWAYS, "NONE or a signal (1 to 64, USR1 ...)" },
    [ATTR_LETTERS] = { is_letters, NULL, 0, NONE_ALWAYS, "NONE or some of the letters" },
    [ATTR_HOSTS] = { is_host, NULL, ' ', NONE_ALWAYS, "NONE or a list of hosts and @groups" },
    [ATTR_USERS] = { is_userset_entry, NULL, ',', NONE_ALWAYS,
                     "NONE or a list of users and @groups" },
    [ATTR_PROCESSORS] = { is_processors, NULL, 0, NONE_NEVER,
                          "UNDEFINED or processors from 0 to 1023 such as 0-3,8" },
};

char attr_list_separator(enum attr_syntax syntax)
{
    return syntaxes[syntax].separator;
}

static bool may_be_none(const struct attr_rule *rule)
{
    enum none none = syntaxes[rule->syntax].none;
    return none == NONE_ALWAYS ||
           (none == NONE_IF_DEFAULT && rule->initial != NULL && attr_is_none(rule->initial));
}

/* append the form of VALUE that is kept, a value or an element of a list; false if it is wrong */
static bool add_one(const struct attr_rule *rule, const char *value, struct dstr *out)
{
    if (syntaxes[rule->syntax].add != NULL)
        return syntaxes[rule->syntax].add(rule, value, out);
    if (!syntaxes[rule->syntax].is(rule, value))
        return false;
    dstr_add(out, value);
    return true;
}

/* elements with blanks or commas between them, kept with one separator */
static bool add_list(const struct attr_rule *rule, const char *value, struct dstr *out)
{
    bool (*next)(const char **, const char *, struct dstr *) =
        rule->syntax == ATTR_RESOURCES || rule->syntax == ATTR_SUBORDINATES ? attr_next_element
                                                                            : attr_next_word;
    struct dstr word = DSTR_INIT, kept = DSTR_INIT;
    bool is_good = true;
    for (const char *at = value; is_good && next(&at, ", \t", &word);) {
        if (kept.len > 0)
            dstr_addc(&kept, syntaxes[rule->syntax].separator);
        is_good = add_one(rule, word.s, &kept);
    }
    is_good =
        is_good && kept.len > 0 && (rule->syntax != ATTR_SUBORDINATES || subordinates_agree(value));
    if (is_good)
        dstr_add(out, kept.s);
    dstr_free(&word);
    dstr_free(&kept);
    return is_good;
}

static bool value_add(const struct attr_rule *rule, const char *value, struct dstr *out)
{
    if (attr_is_none(value) && may_be_none(rule))
        return add_word(rule, "NONE", out);
    return (syntaxes[rule->syntax].separator != 0 ? add_list : add_one)(rule, value, out);
}

static int value_refuse(const struct attr_rule *rule, const char *value, struct answer *ans)
{
    const char *wants = syntaxes[rule->syntax].wants;
    if (rule->syntax == ATTR_NUMBER || (rule->syntax == ATTR_DECIMAL && has_limits(rule)))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_ATTR_NUMBER_SSSII, rule->name, value, wants,
                        rule->min, rule->max);
    if (rule->syntax == ATTR_AMOUNT)
        return ans_fail(ans, STATUS_ESYNTAX, MSG_ATTR_AMOUNT_SSSII, rule->name, value,
                        rule->choices, rule->min, rule->max);
    return ans_fail(ans, STATUS_ESYNTAX, MSG_ATTR_VALUE_SSSSS, rule->name, value, wants,
                    rule->choices != NULL ? " " : "", rule->choices != NULL ? rule->choices : "");
}

/* the devices of VALUE: of them there is more to say than that they are wrong. It ends at the first
 * element that is no setting: then all of it is refused, and a long value costs one look. */
static int check_devices(const char *value, struct answer *ans)
{
    struct dstr word = DSTR_INIT;
    int ret = 0;
    for (const char *at = value; ret == 0 && attr_next_element(&at, ", \t", &word);) {
        char *equals = strchr(word.s, '=');
        if (equals == NULL)
            break;
        if (!devices_are_named(equals))
            continue;
        *equals = '\0';
        ret = devices_check(word.s, equals + 1, ans);
    }
    dstr_free(&word);
    return ret;
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
    if (rule->syntax == ATTR_RESOURCES && check_devices(value, ans) != 0)
        return -1;
    /* a backslash at the end would swallow the line that follows in the file form */
    if (len > 0 && value[len - 1] == '\\')
        return value_refuse(rule, value, ans);
    char *trimmed = uti_strndup(value, len);
    int ret = value_add(rule, trimmed, out) ? 0 : value_refuse(rule, trimmed, ans);
    free(trimmed);
    return ret;
}
