#ifndef CLIENTS_COMMON_DOC_PRIV_H
#define CLIENTS_COMMON_DOC_PRIV_H

#include "clients/common/doc.h"
#include "libs/uti/dstr.h"

/* What doc.c and the writers of the forms share. A form is a struct of functions; doc.c keeps the
 * stack of open records and lists. */
struct json_backend;
struct xml;
enum { DOC_DIGITS = 21 };

struct doc_frame {
    const struct doc_kind *kind;
    bool is_list;
    bool has_children; /* JSON: a comma comes before the next; XML: elements stand in it */
    bool is_ended;     /* text: its line has ended; XML: flat, and its element has ended */
    char *owner;       /* XML: value of its first attribute, owned; NULL: not needed */
};

struct doc_writer {
    int (*open)(struct doc *d, const char *indent, struct answer *ans);
    void (*begin)(struct doc *d, struct doc_frame *f); /* F is on top of the stack already */
    void (*end)(struct doc *d, struct doc_frame *f);   /* ... and still is */
    void (*field)(struct doc *d, const struct doc_field *field, const struct doc_value *value);
    void (*gathered)(struct doc *d); /* NULL: each field is written as it comes */
    int (*close)(struct doc *d, struct answer *ans);
};

struct doc {
    enum doc_form form;
    const struct doc_writer *writer;
    FILE *out;
    struct doc_frame *stack;
    uint32_t depth, cap;
    bool is_broken;
    bool gathers;     /* text: fields stay in `line` until all have come (doc_gather) */
    struct dstr line; /* text: what is not written yet */
    struct dstr scratch;
    char digits[DOC_DIGITS]; /* of the number that is written */
    struct { /* the number that was written last: those of a column are often the same */
        double value;
        int digits;
        char words[32]; /* empty: none yet */
    } last_real;
    struct { /* and of the moment */
        uint64_t at_s;
        enum doc_time time;
        char words[32]; /* empty: none yet */
    } last_moment;
    struct xml *xml;                 /* of its own form */
    const struct json_backend *json; /* of its own form */
};

extern const struct doc_writer doc_text_writer, doc_xml_writer, doc_json_writer;

/* doc_top - the innermost open record or list; NULL outside all. doc_outer - the one around it */
struct doc_frame *doc_top(struct doc *d);
struct doc_frame *doc_outer(struct doc *d);
/* doc_words - VALUE as text and XML show it; borrowed: until the next call or as long as VALUE
 * lives */
const char *doc_words(struct doc *d, const struct doc_value *value, int digits, enum doc_time time);
/* doc_digits - N in decimal, at the end of DIGITS; printf takes most of the time of a page of
 * numbers */
const char *doc_digits(uint64_t n, char digits[DOC_DIGITS]);

#endif
