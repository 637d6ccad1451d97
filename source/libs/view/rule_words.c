/* The rules of attributes, in words. */
#include "libs/view/rule_words.h"

#include <inttypes.h>

#include "libs/config/attr_example.h"
#include "libs/uti/dstr.h"

static const char *const words[] = {
    [ATTR_TEXT] = "a text",
    [ATTR_TIME] = "a time: h:m:s, seconds, or INFINITY",
    [ATTR_MEMORY] = "memory: a number with K, M, G or T, or INFINITY",
    [ATTR_PATH] = "an absolute path",
    [ATTR_PATHS] = "NONE, or absolute paths separated by commas",
    [ATTR_DIRECTORY] = "the absolute path of a directory",
    [ATTR_COMMAND] = "NONE, or the absolute path of a program, and arguments",
    [ATTR_METHOD] = "NONE, a signal, or the absolute path of a program, and arguments",
    [ATTR_NAME] = "NONE, or a name",
    [ATTR_NAMES] = "NONE, or names separated by blanks or commas",
    [ATTR_SETTINGS] = "NONE, or name=value separated by commas",
    [ATTR_RESOURCES] = "NONE, or name=amount or name=amount(devices) separated by commas",
    [ATTR_SUBORDINATES] = "NONE, or queue=slots separated by commas",
    [ATTR_GROUPS] = "NONE, or group ids from 1000 on: 65400-65500,65600",
    [ATTR_SIGNAL] = "NONE, or a signal: 10, USR1, SIGUSR1",
    [ATTR_HOSTS] = "NONE, or hosts and @groups separated by blanks or commas",
    [ATTR_USERS] = "NONE, or users and @groups separated by blanks or commas",
};

static void add_range(const struct attr_rule *rule, struct dstr *out)
{
    dstr_addf(out, "a number from %" PRId64 " to %" PRId64, rule->min, rule->max);
}

static void add_decimal(const struct attr_rule *rule, struct dstr *out)
{
    dstr_add(out, "a decimal number");
    if (rule->min != rule->max)
        dstr_addf(out, ", from %" PRId64 " to %" PRId64, rule->min, rule->max);
}

static void add_choices(const struct attr_rule *rule, struct dstr *out)
{
    dstr_addf(out, "%s: %s",
              rule->syntax == ATTR_CHOICES   ? "NONE, or one or more of"
              : rule->syntax == ATTR_LETTERS ? "NONE, or letters of"
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

void rule_hint(const struct attr_rule *rule, struct dstr *out)
{
    const struct attr_example *example = attr_example_of(rule);
    if (example == NULL) {
        rule_words(rule, out);
        return;
    }
    dstr_addf(out, "for example %s", example->value);
    if (rule->initial != NULL && rule->initial[0] != '\0')
        dstr_addf(out, "; default: %s", rule->initial);
}

void rule_help(const struct attr_rule *rule, struct dstr *out)
{
    const struct attr_example *example = attr_example_of(rule);
    dstr_addf(out, "%s: ", rule->name);
    rule_words(rule, out);
    if (example != NULL)
        dstr_addf(out, "\nExample: %s\n    %s", example->value, example->meaning);
    dstr_addc(out, '\n');
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
