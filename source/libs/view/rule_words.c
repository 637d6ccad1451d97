/* The rules of attributes, in words. */
#include "libs/view/rule_words.h"

#include <inttypes.h>

#include "libs/uti/dstr.h"

static const char *const words[] = {
    [ATTR_TEXT] = "a text",
    [ATTR_TIME] = "a time: h:m:s, seconds, or INFINITY",
    [ATTR_MEMORY] = "memory: bytes, with K, M, G or T, or INFINITY",
    [ATTR_PATH] = "an absolute path",
    [ATTR_PATHS] = "NONE, or absolute paths with commas between",
    [ATTR_DIRECTORY] = "the absolute path of a directory",
    [ATTR_COMMAND] = "NONE, or the absolute path of a program, and arguments",
    [ATTR_METHOD] = "NONE, a signal, or the absolute path of a program, and arguments",
    [ATTR_NAME] = "NONE, or a name",
    [ATTR_NAMES] = "NONE, or names with blanks or commas between",
    [ATTR_SETTINGS] = "NONE, or name=value with commas between",
    [ATTR_RESOURCES] = "NONE, or name=amount or name=amount(devices) with commas between",
    [ATTR_SUBORDINATES] = "NONE, or queue=slots with commas between",
    [ATTR_GROUPS] = "NONE, or group ids from 1000 on: 65400-65500,65600",
    [ATTR_SIGNAL] = "NONE, or a signal: 10, USR1, SIGUSR1",
    [ATTR_HOSTS] = "NONE, or hosts and @groups with blanks or commas between",
    [ATTR_USERS] = "NONE, or users and @groups with blanks or commas between",
};

static void add_range(const struct attr_rule *rule, struct dstr *out)
{
    dstr_addf(out, "a number from %" PRId64 " to %" PRId64, rule->min, rule->max);
}

static void add_decimal(const struct attr_rule *rule, struct dstr *out)
{
    dstr_add(out, "a number, perhaps with a fraction");
    if (rule->min != rule->max)
        dstr_addf(out, ", from %" PRId64 " to %" PRId64, rule->min, rule->max);
}

static void add_choices(const struct attr_rule *rule, struct dstr *out)
{
    dstr_addf(out, "%s: %s",
              rule->syntax == ATTR_CHOICES   ? "NONE, or some of"
              : rule->syntax == ATTR_LETTERS ? "NONE, or some letters of"
                                             : "one of",
              rule->choices);
    if (rule->syntax == ATTR_AMOUNT) {
        dstr_add(out, ", or ");
        add_range(rule, out);
    }
}

const char *rule_choices(const struct attr_rule *rule)
{
    bool is_truth = rule->syntax == ATTR_BOOL;
    if (is_truth)
        return rule->is_lower ? "true false" : "TRUE FALSE";
    return rule->syntax == ATTR_CHOICE ? rule->choices : NULL;
}

void rule_words(const struct attr_rule *rule, struct dstr *out)
{
    if (rule->syntax == ATTR_NUMBER)
        add_range(rule, out);
    else if (rule->syntax == ATTR_DECIMAL)
        add_decimal(rule, out);
    else if (rule->syntax == ATTR_BOOL)
        dstr_addf(out, "one of: %s", rule_choices(rule));
    else if (rule->choices != NULL)
        add_choices(rule, out);
    else
        dstr_add(out, words[rule->syntax]);
    if (rule->initial != NULL && rule->initial[0] != '\0')
        dstr_addf(out, "; default: %s", rule->initial);
}
