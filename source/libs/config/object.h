#ifndef CONFIG_OBJECT_H
#define CONFIG_OBJECT_H

#include "common/basis.h"
#include "libs/config/attr_syntax.h"
#include "libs/sgeobj/object_kind.h"
#include "libs/sgeobj/rows.h"

/* Attributes whose values are names of other objects. An attribute means the same in every
 * object that has it, so that one table says it for queues, hosts, configurations and all other
 * kinds. Pure. */
struct attr_reference {
    const char *attr;
    enum object_kind kind; /* of the objects that it names */
    const char *between;   /* separators; NULL: blanks and commas */
};
/* attr_reference_find - what the names in attribute ATTR stand for; NULL if it names no objects */
const struct attr_reference *attr_reference_find(const char *attr);

/* An object that another one names. */
struct reference {
    const char *attr; /* in which it stands */
    enum object_kind kind;
    const char *name;
};
/* what is done with each; false ends the walk */
typedef bool reference_fn(void *ctx, const struct reference *to);
/* attr_references - FN for each object that VALUE of attribute ATTR names: words with blanks or
 * commas between them, perhaps with =something or *something each; NULL, NONE and numbers name
 * none
 * Returns whether FN always returned true. */
bool attr_references(const char *attr, const char *value, reference_fn *fn, void *ctx);

/* An administrator's object: parallel environment, calendar, project ...
 *
 * A kind is a record type (sge_object_typesL.h), a table of rules for its attributes
 * (object_kinds.c), and a page of the manual. An object is two things: its attributes as text in
 * the order of the table (TX_Type: what travels, what the spool keeps, what qconf shows and
 * changes), and a record, made of the text by the table: what the qmaster works with. Both are made
 * here and nowhere else, so that they cannot disagree. Pure. */
struct answer;
struct dstr;

struct object_attr {
    struct attr_rule rule;
    unsigned field; /* of the record */
    /* reads VALUE, which is right by its rule, into RECORD, where its name is already; 0, or -1
     * with ans. NULL: what the field's type says - a number, a truth, a text (NONE is NULL),
     * words (ST_Type) */
    int (*read)(void *record, const char *value, struct answer *ans);
    bool is_optional; /* may be left out: then it has its default */
    bool is_repeated; /* may stand there any number of times */
    enum attr_effect effect;
};

/* how a kind is called where users see it; as captured */
struct object_words {
    const char *noun; /* `calendar "night" already exists` */
    const char *list; /* `added "night" to calendar list` */
    const char *gone; /* `removed "night" from calendar list` */
    const char *file; /* `Calendar file "x" is not correct` */
    const char *none; /* `no calendar defined` */
    /* what qconf says before and after the name of one that does not exist: `night is not a
     * calendar` */
    const char *unknown_before, *unknown_after;
};

/* what a kind has of its own; what is NULL is as in other kinds */
struct object_own {
    /* the kind has one object, called this: adding it again changes it */
    const char *only;
    /* an attribute that no row has is an error; in the other kinds it is stored (attr_unknown.h) */
    bool is_closed;
    /* what no rule of a single attribute says. 0, or -1 with ans */
    int (*check)(const void *record, struct answer *ans);
    /* FN for each object that RECORD names besides those in the attributes of reference.h; false
     * when FN ended it */
    bool (*references)(const void *record, reference_fn *fn, void *ctx);
    /* the text form: into the entries of TX, which has its name (0, or -1 with ans); and back */
    int (*parse)(const char *text, struct TX_Type *tx, struct answer *ans);
    void (*print)(const struct TX_Type *tx, struct dstr *out);
};

struct object_rules {
    enum object_kind kind;
    const char *name_attr;        /* "pe_name"; first in the text form */
    const struct cull_type *type; /* of the record; its first field is the name */
    const struct object_attr *attrs;
    unsigned attrs_n;
    unsigned column; /* where values begin in the text form; 0: one blank after the attribute */
    enum attr_effect effect; /* of the whole kind */
    bool has_braces;         /* in the text form: a file may have several */
    bool (*name_is_valid)(const char *name);
    const struct object_own *own;
    struct object_words words;
};

/* the most bytes of a value, elements of a list, and entries of an object */
enum { OBJECT_VALUE_MOST = 1024 * 1024, OBJECT_LIST_MOST = 32768, OBJECT_ENTRIES_MOST = 10000 };

/* object_rules_of - the rules of KIND; NULL if it has none: queues, hosts and configurations
 * have rooms of their own
 * object_rules_at - the I-th of all, from 0; NULL behind the last */
const struct object_rules *object_rules_of(enum object_kind kind);
const struct object_rules *object_rules_at(unsigned i);

/* object_attr_find - the row of attribute NAME; NULL if there is none (the name of the object is
 * no attribute) */
const struct object_attr *object_attr_find(const struct object_rules *rules, const char *name);

/* object_template - an object called NAME with the defaults of its kind; TX is empty before */
void object_template(const struct object_rules *rules, const char *name, struct TX_Type *tx);
/* object_parse - read the text form into TX (empty), by the rules of each attribute; what
 * object_settle says besides is for the qmaster
 * Returns 0, or -1 with one line in ans for the first thing that is wrong, and TX empty. */
int object_parse(const struct object_rules *rules, const char *text, struct TX_Type *tx,
                 struct answer *ans);
/* object_settle - is TX, perhaps from a foreign sender, a whole and valid object of this kind?
 * Returns 0 with TX in the form that is kept: attributes in the order of the table; or -1 with
 * ans and TX unchanged.
 * object_take - the same for callers that use the record made for it: new,
 * cull_delete(rules->type, ..); NULL with ans and TX unchanged */
int object_settle(const struct object_rules *rules, struct TX_Type *tx, struct answer *ans);
void *object_take(const struct object_rules *rules, struct TX_Type *tx, struct answer *ans);
/* object_set - give an attribute another value, by its rule. Returns 0, or -1 with ans and TX
 * unchanged. */
int object_set(const struct object_rules *rules, struct TX_Type *tx, const char *attr,
               const char *value, struct answer *ans);
/* object_value - the value of an attribute; borrowed, NULL if it has none */
const char *object_value(const struct TX_Type *tx, const char *attr);
/* object_references - FN for each object that TX names
 *
 *   record  of TX
 *
 * Returns whether FN always returned true. */
bool object_references(const struct object_rules *rules, const struct TX_Type *tx,
                       const void *record, reference_fn *fn, void *ctx);
/* object_warn_unknown - a warning for each attribute of TX that no row has (attr_unknown.h)
 *
 *   before  the object until now; NULL: it is new */
void object_warn_unknown(const struct object_rules *rules, const struct TX_Type *tx,
                         const struct TX_Type *before, struct answer *ans);
/* object_record - what TX says as a record of rules->type; new: cull_delete(rules->type, ..)
 * Of a value that is wrong (an object that another release took) the default counts. */
void *object_record(const struct object_rules *rules, const struct TX_Type *tx);

/* The file form of objects: what qconf prints, reads from files and gives to editors. Pure. */

/* object_text - append the form of `qconf -sp`; IS_SINGLE: no continuation lines */
void object_text(const struct object_rules *rules, const struct TX_Type *tx, bool is_single,
                 struct dstr *out);
/* object_parse_all - read all objects of TEXT into LIST (empty): of kinds in braces each `{
 * attributes }`, of others the one
 * Returns 0, or -1 with one line in ans and LIST empty. */
int object_parse_all(const struct object_rules *rules, const char *text, struct TX_Type_list *list,
                     struct answer *ans);

#endif
