#ifndef UTI_PARSE_H
#define UTI_PARSE_H

#include "common/basis.h"

/* parse_u32, parse_u64, parse_i32, parse_double - the number that the whole of S is
 * Blanks, trailing text, a sign of an unsigned number and overflow are refused. Return true and set
 * *out, or false and leave it. Pure, the same in every locale. */
bool parse_u32(const char *s, uint32_t *out) SGE_MUST_USE;
bool parse_u64(const char *s, uint64_t *out) SGE_MUST_USE;
bool parse_i32(const char *s, int32_t *out) SGE_MUST_USE;
bool parse_double(const char *s, double *out) SGE_MUST_USE;

/* Items of a comma-separated list, as all commands, directives and request files take it:
 * `A=1,B='x, y',C`. Blanks around an item do not count, and neither do empty items: `a,,b,` has
 * two. Source: sge_types(1) Lists */
struct dstr;
struct list_reader {
    const char *at;
    bool has_quotes; /* of values */
    bool keeps_ends; /* blanks at the end of an item belong to its value */
    bool has_blanks; /* blanks separate items, too */
};
/* list_reader_over - from the beginning of TEXT, borrowed. A value that begins with a quote ("..."
 * or '...') which is closed again keeps its commas and loses its quotes, joined as a shell does;
 * any other quote, and backslash, is an ordinary character.
 * list_reader_over_values - the same for variables, whose values may end with blanks
 * list_reader_over_requests - the same for resources: blanks between items separate them like
 * commas; blanks around an `=` do not count
 * list_reader_over_names - of names, in which quotes are ordinary characters */
struct list_reader list_reader_over(const char *text);
struct list_reader list_reader_over_values(const char *text);
struct list_reader list_reader_over_requests(const char *text);
struct list_reader list_reader_over_names(const char *text);
/* list_next - the next item into OUT (replaced); false at the end. Linear over the whole list. */
bool list_next(struct list_reader *r, struct dstr *out);

/* struct name_list - such items, one after another; all zero: empty */
struct name_list {
    char **v; /* owned */
    uint32_t n, cap;
};
/* name_list_add - append LEN bytes of NAME
 * name_list_split, name_list_split_requests - append the items of a list of names, of requests */
void name_list_add(struct name_list *list, const char *name, size_t len);
void name_list_split(struct name_list *list, const char *names);
void name_list_split_requests(struct name_list *list, const char *requests);
/* name_list_has - is NAME in it, to the letter?
 * name_list_free - LIST is empty afterwards */
bool name_list_has(const struct name_list *list, const char *name);
void name_list_free(struct name_list *list);

#endif
