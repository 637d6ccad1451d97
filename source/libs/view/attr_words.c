/* What a form says of an attribute: sentences of the manual, and its rule in words. Of mdoc(7) it
 * knows what our pages of section 5 use: an attribute is an item whose head has its name (`.It Sy
 * a , b`), and ends with the next item of its list, or the list. */
#include "libs/view/attr_words.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "common/basis.h"
#include "libs/config/attr_example.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

enum { PAGE_MOST = 1024 * 1024, BEFORE_MOST = 3 };

/* is ATTR one of the words of HEAD, the rest of a line? */
static bool head_has(const char *head, size_t len, const char *attr)
{
    size_t wanted = strlen(attr);
    for (size_t at = 0; at < len;) {
        size_t word = strcspn(head + at, " \n");
        if (word == wanted && memcmp(head + at, attr, wanted) == 0)
            return true;
        at += word + 1;
    }
    return false;
}

static bool is_macro(const char *line, const char *name)
{
    return line[0] == '.' && strncmp(line + 1, name, 2) == 0 && strchr(" \n", line[3]) != NULL;
}

/* ---- a line as words ---- */

static bool is_mark(const char *word, size_t len)
{
    return len == 1 && strchr(".,;:)", *word) != NULL;
}

static void add_word(const char *word, size_t len, const char *before, struct dstr *out)
{
    bool is_glued = is_mark(word, len) || out->len == 0 || strchr("\n(", out->s[out->len - 1]);
    if (!is_glued)
        dstr_addc(out, ' ');
    if (!is_mark(word, len))
        dstr_add(out, before);
    for (size_t i = 0; i < len; i++)
        if (word[i] == '\\' && i + 1 < len && (word[i + 1] == '&' || word[i + 1] == 'e'))
            i++; /* \& is nothing, \e a backslash */
        else
            dstr_addc(out, word[i]);
}

/* names of macros within a line mean nothing here, but for what they put round their words */
static bool is_inner_macro(const char *word, size_t len)
{
    static const char *const names[] = {
        "Sy", "Cm", "Li", "Xr", "Pa", "Ar", "Ev", "Nm", "No", "Ns"
    };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (len == 2 && memcmp(word, names[i], 2) == 0)
            return true;
    return false;
}

static const char *opening_of(const char *word, size_t len)
{
    return len != 2                     ? NULL
           : memcmp(word, "Fl", 2) == 0 ? "-"
           : memcmp(word, "Pq", 2) == 0 ? "("
           : memcmp(word, "Op", 2) == 0 ? "["
           : memcmp(word, "Dq", 2) == 0 ? "\""
           : memcmp(word, "Ql", 2) == 0 ? "\""
                                        : NULL;
}

/* a line on its way: what comes before the next word, what ends the line */
struct man_line {
    struct dstr *out;
    char before[BEFORE_MOST + 1]; /* "(-" */
    const char *closing;
    bool has_macro; /* words may be macros */
    bool is_page;   /* the number of a section may follow */
};

static void begin_quote(struct man_line *l, const char *open)
{
    size_t len = strlen(l->before);
    if (len < BEFORE_MOST)
        memcpy(l->before + len, open, 2);
    if (open[0] != '-')
        l->closing = open[0] == '(' ? ")" : open[0] == '[' ? "]" : "\"";
}

static void put_word(struct man_line *l, const char *word, size_t len)
{
    if (is_mark(word, len)) {
        dstr_add(l->out, l->closing);
        l->closing = "";
    }
    add_word(word, len, l->before, l->out);
    l->before[0] = '\0';
}

static void take_word(struct man_line *l, const char *word, size_t len)
{
    const char *open = l->has_macro ? opening_of(word, len) : NULL;
    if (open != NULL)
        begin_quote(l, open);
    else if (l->has_macro && is_inner_macro(word, len))
        l->is_page = memcmp(word, "Xr", 2) == 0;
    else if (l->is_page && isdigit((unsigned char)*word))
        dstr_addf(l->out, "(%.*s)", (int)len, word);
    else if (len > 0)
        put_word(l, word, len);
}

static void add_words(const char *line, size_t len, bool has_macro, struct dstr *out)
{
    struct man_line l = { .out = out, .closing = "", .has_macro = has_macro };
    for (size_t at = 0; at < len;) {
        size_t word = strcspn(line + at, " \n");
        take_word(&l, line + at, word);
        at += word + 1;
    }
    dstr_add(out, l.closing);
}

static bool has_no_words(const char *line)
{
    static const char *const names[] = { "Pp", "Bl", "El", "Bd", "Ed", "Sm" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (is_macro(line, names[i]))
            return true;
    return false;
}

static void begin_line(struct dstr *out)
{
    if (out->len > 0 && out->s[out->len - 1] != '\n')
        dstr_addc(out, '\n');
}

static void add_line(const char *line, size_t len, struct dstr *out)
{
    bool is_item = is_macro(line, "It");
    if (is_item || is_macro(line, "Pp") || is_macro(line, "Bd"))
        begin_line(out);
    if (line[0] != '.')
        add_words(line, len, false, out);
    else if (!has_no_words(line))
        add_words(line + (is_item ? 4 : 1), len > 4 && is_item ? len - 4 : len - 1, true, out);
    if (is_item)
        dstr_addc(out, ':');
}

void man_words_of(const char *source, const char *attr, struct dstr *out)
{
    int depth = 0, found = 0; /* of lists; of the one with the item, 0: not yet */
    struct dstr text = DSTR_INIT;
    for (const char *line = source; *line != '\0';) {
        size_t len = strcspn(line, "\n");
        bool is_item = is_macro(line, "It");
        depth += is_macro(line, "Bl") - is_macro(line, "El");
        if (found > 0 && (depth < found || (is_item && depth == found)))
            break;
        if (found > 0)
            add_line(line, len, &text);
        else if (is_item && head_has(line, len, attr))
            found = depth;
        line += len + (line[len] == '\n');
    }
    dstr_add(out, dstr_get(&text));
    dstr_free(&text);
}

void man_words(const char *root, const char *page, const char *attr, struct dstr *out)
{
    struct dstr path = DSTR_INIT, source = DSTR_INIT;
    dstr_addf(&path, "%s/man/man5/%s.5", root, page);
    if (file_read(dstr_get(&path), PAGE_MOST, &source, NULL) == 0)
        man_words_of(dstr_get(&source), attr, out);
    dstr_free(&path);
    dstr_free(&source);
}

/* ---- rules of attributes ---- */

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
    [ATTR_SUBORDINATES] = "NONE, queue=slots separated by commas, or slots=N(queue:seq:sr)",
    [ATTR_GROUPS] = "NONE, or group ids from 1000 on: 65400-65500,65600",
    [ATTR_SIGNAL] = "NONE, or a signal: 10, USR1, SIGUSR1",
    [ATTR_HOSTS] = "NONE, or hosts and @groups separated by blanks or commas",
    [ATTR_USERS] = "NONE, or users and @groups separated by blanks or commas",
    [ATTR_PROCESSORS] = "UNDEFINED, or numbers of processors from 0 on: 0-3,8",
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
