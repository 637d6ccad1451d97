#ifndef CONFIG_ATTR_SYNTAX_H
#define CONFIG_ATTR_SYNTAX_H

#include "common/basis.h"

/* What an attribute of a configuration may hold, said once in a table row and checked by one
 * function. Pure. */
enum { ATTR_PROCESSOR_LAST = 1023 };
enum attr_syntax {
    ATTR_TEXT,         /* any one-line text */
    ATTR_NUMBER,       /* min..max */
    ATTR_DECIMAL,      /* a number that may have a fraction */
    ATTR_TIME,         /* a time_specifier */
    ATTR_MEMORY,       /* a memory_specifier */
    ATTR_BOOL,         /* TRUE or FALSE */
    ATTR_PATH,         /* an absolute path; NONE where the default is NONE */
    ATTR_PATHS,        /* NONE or a list of absolute paths, divided by commas */
    ATTR_DIRECTORY,    /* an absolute path, which may have blanks but no ",[" */
    ATTR_COMMAND,      /* NONE, or /path or user@/path with arguments */
    ATTR_METHOD,       /* NONE, a signal (9, SIGTERM), or /path or user@/path likewise */
    ATTR_NAME,         /* NONE or the name of an object */
    ATTR_NAMES,        /* NONE or names with blanks or commas between them */
    ATTR_SETTINGS,     /* NONE or name=value,name=value */
    ATTR_RESOURCES,    /* the same, and name=amount(devices), divided by commas */
    ATTR_SUBORDINATES, /* NONE, queue[=slots],... or slots=N(queue:seq:sr, ...) */
    ATTR_GROUPS,       /* NONE, or ids of groups from 1000 on: 65400-65500,65600 */
    ATTR_CHOICE,       /* one of `choices` */
    ATTR_CHOICES,      /* NONE or some of `choices` */
    ATTR_AMOUNT,       /* one of `choices`, or min..max */
    ATTR_SIGNAL,       /* NONE or a signal: 10, USR1, SIGUSR1 */
    ATTR_LETTERS,      /* NONE or letters of `choices`, each once */
    ATTR_HOSTS,        /* NONE or hosts and "@groups" with blanks or commas between them */
    ATTR_USERS,        /* NONE or users and "@groups" of the system, likewise */
    ATTR_PROCESSORS    /* UNDEFINED, or numbers from 0 on: 0-3,8 */
};

struct attr_rule {
    const char *name;
    enum attr_syntax syntax;
    const char *initial; /* default */
    int64_t min, max;    /* of ATTR_NUMBER, and of ATTR_DECIMAL if they differ */
    const char *choices; /* words with blanks between */
    bool is_lower;       /* none, true, infinity are kept so; else NONE, TRUE, INFINITY */
};
/* whether anything obeys an attribute yet; a column of the tables that know (cqueue.c, host.c,
 * conf.c) */
enum attr_effect {
    ATTR_IN_FORCE,
    ATTR_STORED /* kept and shown: setting it prints a warning that it has no effect */
};
/* attr_bool_parse - TRUE, T, YES, Y and 1, FALSE, F, NO, N and 0, in any case; false: VALUE is
 * another */
bool attr_bool_parse(const char *value, bool *out) SGE_MUST_USE;
/* attr_is_idle - does VALUE, kept in an attribute with this rule and effect, ask for something
 * that nothing does yet? NONE and the default ask for nothing. */
bool attr_is_idle(const struct attr_rule *rule, enum attr_effect effect, const char *value);

/* rows of such tables */
#define ATTR_ROW(name, syntax, initial)                                                            \
    {                                                                                              \
        name, syntax, initial, 0, 0, NULL, false                                                   \
    }
#define ATTR_ROW_NUMBER(name, initial, min, max)                                                   \
    {                                                                                              \
        name, ATTR_NUMBER, initial, min, max, NULL, false                                          \
    }
#define ATTR_ROW_CHOICE(name, syntax, initial, choices)                                            \
    {                                                                                              \
        name, syntax, initial, 0, 0, choices, false                                                \
    }
#define ATTR_ROW_AMOUNT(name, initial, min, max, choices)                                          \
    {                                                                                              \
        name, ATTR_AMOUNT, initial, min, max, choices, false                                       \
    }

struct answer;
struct dstr;
/* attr_value_parse - check VALUE and append the form in which it is kept; blanks around it do
 * not count
 * Returns 0, or -1 with one line in ans naming attribute, value and limit (OUT unchanged). */
int attr_value_parse(const struct attr_rule *rule, const char *value, struct dstr *out,
                     struct answer *ans);
/* attr_list_separator - what stands between the elements of a value of this syntax; 0 if it is
 * no list */
char attr_list_separator(enum attr_syntax syntax);

#endif
