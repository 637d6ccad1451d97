#ifndef CONFIG_ATTR_TEXT_H
#define CONFIG_ATTR_TEXT_H

#include "common/basis.h"

/* The file form of configurations: `attribute  value` lines, `\` at the end joins the next line,
 * `#` starts a comment line. What qconf -s.. prints, -A.. and -M.. read. */
struct dstr;
struct answer;

struct attr_reader {
    const char *at; /* borrowed text that is left */
    unsigned line;  /* number of the line read last */
};
#define ATTR_READER(text)                                                                          \
    {                                                                                              \
        (text), 0                                                                                  \
    }
/* attr_read - the next attribute; NAME and VALUE are replaced, blanks around and `\`+newline made
 * one blank
 * Returns true, or false at the end of the text. A name without a value has the value "". */
bool attr_read(struct attr_reader *r, struct dstr *name, struct dstr *value);

/* attr_print - append one line, the value starting in column WIDTH
 * Long values go on in further lines after ` \`, broken after commas and blanks outside of [..], at
 * 79 columns, unless IS_SINGLE. */
void attr_print(struct dstr *out, unsigned width, const char *name, const char *value,
                bool is_single);

#endif
