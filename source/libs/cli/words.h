#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include "common/basis.h"

/* Options written in files: request files, -@ files and the `#$` lines of job scripts, split into
 * words. Blanks separate words; "..." and '...' group (also inside a word), backslash is an
 * ordinary character; a `#` at the start of a word begins a comment up to the end of the line.
 * Source: submit(1) "Options in files"; sge_request(5). */

struct answer;
struct words {
    char **v;       /* owned texts */
    unsigned *line; /* where each stands in its file, from 1; 0 = command line */
    uint32_t n, cap, line_cap;
};
#define WORDS_INIT                                                                                 \
    {                                                                                              \
        NULL, NULL, 0, 0, 0                                                                        \
    }
enum {
    WORDS_MAX = 100000,
    WORDS_FILE_MAX = 1024 * 1024
}; /* words of one source; bytes of a request file */

/* words_free - W is empty afterwards; NULL is fine */
void words_free(struct words *w);
/* words_add - append LEN bytes of TEXT as one word of LINE
 * words_add_args - append N words of a command line */
void words_add(struct words *w, const char *text, size_t len, unsigned line);
void words_add_args(struct words *w, int n, char *const *args);

/* words_of_text - append the words of a request file's text
 *   name  for messages
 * Returns 0, or -1 with ans naming file and line (an open quote, too many words), W as it was.
 * A line that starts with `#` is a comment as a whole. */
int words_of_text(const char *text, size_t len, const char *name, struct words *w,
                  struct answer *ans);

/* words_of_script - append the words of the lines of a script that start with PREFIX; an empty
 * prefix finds none
 * Returns and fails as words_of_text. */
int words_of_script(const char *text, size_t len, const char *prefix, const char *name,
                    struct words *w, struct answer *ans);

/* words_of_file - append the words of request file PATH
 *   is_optional  a file that does not exist is no error and no words
 * Returns 0, or -1 with ans (W as it was). */
int words_of_file(const char *path, bool is_optional, struct words *w, struct answer *ans);

#endif
