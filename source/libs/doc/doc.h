#ifndef DOC_DOC_H
#define DOC_DOC_H

#include <stdio.h>

#include "common/basis.h"

/* A document: records with fields, and lists of records or of single values, written as a page of
 * text, as XML or as JSON.
 *
 * A table of struct doc_field has the name of each field and its form in text, XML and JSON; values
 * are numbers, times and texts without padding. Each call writes, and no record is kept, so that a
 * million records need the memory of one. After a failed write calls do nothing, and doc_close
 * fails. Numbers look the same in every locale.
 * libxml2 and jansson are in shared objects that are loaded when a document of their form is
 * opened, so that a program which prints a plain table loads libc alone. */
struct answer;
struct doc;

enum doc_form { DOC_TEXT = 1, DOC_XML = 2, DOC_JSON = 4 };
enum { XML_AND_JSON = DOC_XML | DOC_JSON }; /* what programs read, for `only` of a field */

enum doc_time {
    DOC_SECONDS, /* since 1970; JSON always has these */
    DOC_US_DATE, /* 11/20/2026 08:34:08 */
    DOC_CTIME,   /* Fri Nov 20 08:34:08 2026 */
    DOC_ISO      /* 2026-11-20T08:34:08 */
};

/* where XML has a field */
enum doc_place {
    DOC_ELEMENT,
    DOC_ATTRIBUTE, /* of the record; these come first */
    DOC_CONTENT    /* the text of the record */
};

/* struct doc_field - a field: its names, and its form in text and XML
 *
 *   name  XML element or attribute, and JSON key; json: the key, if it is another
 *   only  the forms that have it, DOC_TEXT | ...; 0: all of them
 *   text  what comes before and after the value; its width as printf's, a negative one pads on the
 *         right; how many bytes are shown at most, 0: all; digits behind the point of a real */
struct doc_field {
    const char *name;
    const char *json;
    unsigned only;
    struct {
        const char *before;
        const char *after;
        int width;
        int most;
        int digits;
        enum doc_time time;
    } text;
    struct {
        enum doc_place place;
        int digits;
        enum doc_time time;
    } xml;
};

/* struct doc_kind - what all records of a kind, or all lists, have in common
 *
 *   name   XML element; NULL: its contents are in the element around it; json: the JSON key, if it
 *          is another
 *   label  text: width of the name of a field, which comes before its value; 0: no names
 *   end    text: written after the fields of a record, before records in it: "\n"
 *   xml    has_blank: in the start tag, where the documents users know have one
 *          is_flat: the element ends where the first record in it begins, and these follow it
 *          quote: of attributes; 0: "
 *          space: before the element; NULL: the document's indent sees to it
 *          value: fields are elements of this name, and what they are called is an attribute
 *          owner: with value: one more attribute, which repeats the record's first one */
struct doc_kind {
    const char *name;
    const char *json;
    int label;
    const char *end;
    struct {
        bool has_blank;
        bool is_flat;
        char quote;
        const char *space;
        const char *value;
        const char *owner;
    } xml;
};

/* struct doc_value - the value of a field in one record, made by the functions below; borrows its
 * texts */
struct doc_value {
    enum { DOC_NONE, DOC_STRING, DOC_NUMBER, DOC_SIGNED, DOC_REAL, DOC_MOMENT, DOC_BOOL } type;
    bool is_hidden; /* text has blanks in its place */
    union {
        const char *string;
        uint64_t number;
        int64_t signed_number;
        double real;
        bool is_true;
    } as;
    const char *shown; /* what text and XML write instead; NULL: the value */
};

/* doc_string - NULL is the empty text
 * doc_none - not known: JSON null, otherwise SHOWN; NULL: text has blanks, and XML no such field
 * doc_moment - a time in seconds since 1970 */
static inline struct doc_value doc_string(const char *s)
{
    return (struct doc_value){ .type = DOC_STRING, .as.string = s != NULL ? s : "" };
}
static inline struct doc_value doc_number(uint64_t n)
{
    return (struct doc_value){ .type = DOC_NUMBER, .as.number = n };
}
static inline struct doc_value doc_signed(int64_t n)
{
    return (struct doc_value){ .type = DOC_SIGNED, .as.signed_number = n };
}
static inline struct doc_value doc_real(double x)
{
    return (struct doc_value){ .type = DOC_REAL, .as.real = x };
}
static inline struct doc_value doc_moment(uint64_t at_s)
{
    return (struct doc_value){ .type = DOC_MOMENT, .as.number = at_s };
}
static inline struct doc_value doc_bool(bool is_true)
{
    return (struct doc_value){ .type = DOC_BOOL, .as.is_true = is_true };
}
static inline struct doc_value doc_none(const char *shown)
{
    return (struct doc_value){ .type = DOC_NONE, .shown = shown };
}
/* doc_shown - VALUE for programs, and SHOWN for people; NULL: VALUE for both */
static inline struct doc_value doc_shown(struct doc_value value, const char *shown)
{
    value.shown = shown;
    return value;
}
/* doc_hidden - VALUE, but blanks in text if IS_HIDDEN: the line above has it already */
static inline struct doc_value doc_hidden(struct doc_value value, bool is_hidden)
{
    value.is_hidden = is_hidden;
    return value;
}

/* doc_open - begin a document on OUT
 *
 *   form    0: DOC_TEXT
 *   indent  of XML: blanks for each level; NULL: its kinds say where lines begin
 *
 * Returns new: doc_close; NULL with ans if the library that writes the form cannot be loaded. */
struct doc *doc_open(enum doc_form form, FILE *out, const char *indent, struct answer *ans);
/* doc_form_of - the form of D, for what is a record in one form and a field in another */
enum doc_form doc_form_of(const struct doc *d);
/* doc_begin - begin a record; doc_list - begin a list. KIND lives until doc_end, which ends
 * either. */
void doc_begin(struct doc *d, const struct doc_kind *kind);
void doc_list(struct doc *d, const struct doc_kind *kind);
void doc_end(struct doc *d);
/* doc_field - one value of the record, or of the list */
void doc_field(struct doc *d, const struct doc_field *field, struct doc_value value);
/* doc_gather, doc_gathered - the fields between them are one write of a page of text, which makes
 * long listings several times as fast. Nothing else is written on the page between them. */
void doc_gather(struct doc *d);
void doc_gathered(struct doc *d);
/* doc_page - the stream of a page of text, for what has no place in data: headings, bars; NULL in
 * the other forms */
FILE *doc_page(struct doc *d);
/* doc_close - end what is open. Returns 0, or -1 with ans if the document could not be written; D
 * is gone. */
int doc_close(struct doc *d, struct answer *ans);
/* doc_drop - instead: what is open stays open, so that the output is not taken for a
 * complete document */
void doc_drop(struct doc *d);

#endif
