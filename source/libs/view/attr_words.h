#ifndef VIEW_ATTR_WORDS_H
#define VIEW_ATTR_WORDS_H

#include "libs/config/attr_syntax.h"

struct dstr;

/* man_words - append what PAGE of section 5 of the manual below ROOT says of attribute ATTR, as
 * plain paragraphs; nothing if the page or the attribute is not there. O(page) */
void man_words(const char *root, const char *page, const char *attr, struct dstr *out);
/* man_words_of - the same of the source of a page. Pure */
void man_words_of(const char *source, const char *attr, struct dstr *out);

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
