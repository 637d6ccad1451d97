#ifndef DOC_DOC_PRIV_H
#define DOC_DOC_PRIV_H

#include "libs/doc/doc.h"
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
    void (*drop)(struct doc *d); /* NULL: nothing to free */
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

/* library_load - the table of functions of a shared object, which begins with its version
 *
 *   file    "libsgexml.so"; looked for in lib/<arch> beside the program's bin/<arch>, and where a
 *           build tree has it
 *   symbol  the name of the table
 *
 * Returns it, valid permanently; NULL with ans. */
const void *library_load(const char *file, const char *symbol, int version, struct answer *ans);

/* Elements, attributes and text of XML. Text of any bytes gives a well-formed document: what XML
 * cannot hold is replaced by '?'. */

/* xml_open - begin a document on OUT with the declaration line
 *   indent  blanks for each level; NULL: white space is the caller's (xml_space)
 * Returns new: xml_close; NULL with ans if the writer cannot be loaded. */
struct xml *xml_open(FILE *out, const char *indent, struct answer *ans);
/* xml_start - begin an element; xml_end ends it */
void xml_start(struct xml *x, const char *name);
/* xml_attribute - right after xml_start; QUOTE is ' or " */
void xml_attribute(struct xml *x, const char *name, const char *value, char quote);
/* xml_tag_blank - one more blank inside the start tag, where the documents users know have one */
void xml_tag_blank(struct xml *x);
/* xml_text, xml_space - text of the element, and white space around elements */
void xml_text(struct xml *x, const char *text);
void xml_space(struct xml *x, const char *white);
/* xml_end - an element without content keeps a start and an end tag, on lines of their own */
void xml_end(struct xml *x);
/* xml_close - ends what is open. Returns 0, or -1 with ans if the document could not be written; X
 * is gone. */
int xml_close(struct xml *x, struct answer *ans);
/* xml_drop - instead: what is open stays open */
void xml_drop(struct xml *x);

/* xml_element - <name>value</name>; NULL is the empty text */
void xml_element(struct xml *x, const char *name, const char *value);

#endif
