#ifndef VIEW_RULE_WORDS_H
#define VIEW_RULE_WORDS_H

#include "libs/config/attr_syntax.h"

struct dstr;

/* rule_words - append what an attribute with RULE may hold, and its default: "a number from 0 to
 * 99; default: 0". Pure. */
void rule_words(const struct attr_rule *rule, struct dstr *out);
/* rule_hint - the same in short, with an example in place of a syntax if there is one: "for example
 * smp mpi; default: NONE"
 * rule_help - the rule, an example and its meaning, a line each */
void rule_hint(const struct attr_rule *rule, struct dstr *out);
void rule_help(const struct attr_rule *rule, struct dstr *out);
/* rule_choices - the words that are all that it may hold, with blanks between; NULL: it may hold
 * something else. Borrowed. */
const char *rule_choices(const struct attr_rule *rule);

#endif
