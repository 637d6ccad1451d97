#ifndef KINDS_KINDS_H
#define KINDS_KINDS_H

#include "libs/config/attr_syntax.h"
#include "libs/gdi/message.h"

/* The kinds of objects that administrators keep, in one table: all of them are shown, added and
 * changed in one way, as wholes and by attribute, with qconf or in a window. What a kind has of its
 * own is in its row, or a small function that its row names. Pure. */
struct answer;
struct dstr;
struct kind;

/* how a kind is written; files and editors have the same form */
struct kind_form {
    /* reads all objects of TEXT into OUT (a list of kind_type, empty). NAME: of the one object, for
     * a kind whose text has no name. 0, or -1 with ans and OUT empty */
    int (*parse)(const struct kind *kind, const char *text, const char *name, struct cull_list *out,
                 struct answer *ans);
    /* appends the text of OBJECT. IS_EDITED: without read-only attributes */
    void (*print)(const struct kind *kind, const void *object, bool is_edited, bool is_single,
                  struct dstr *out);
    /* an object called NAME with the defaults; new: cull_delete */
    void *(*blank)(const struct kind *kind, const char *name);
};

/* what an attribute is in it */
struct kind_attrs {
    /* NULL: there is no such attribute, or it may be there several times */
    const struct attr_rule *(*rule)(const struct kind *kind, const char *attr);
    /* appends the value; the attribute is one of the kind's */
    void (*value)(const void *object, const char *attr, struct dstr *out);
    /* 0, or -1 with ans and the object unchanged */
    int (*set)(const struct kind *kind, void *object, const char *attr, const char *value,
               struct answer *ans);
};

enum {
    KIND_HOST_VALUES = 1,    /* values may be for single hosts: default,[host=value] */
    KIND_NEW_AS_IT_IS = 2,   /* a new one may be what its template is */
    KIND_LIKE_ANOTHER = 4,   /* the name given with -a is that of the template */
    KIND_NAMED_BY_FILE = 8,  /* its text has no name: the file is called as the object */
    KIND_MAY_STAY = 16,      /* that an editor changes nothing is no failure */
    KIND_ADDS_ON_STDOUT = 32 /* where scripts look for what was added */
};
struct kind {
    enum gdi_target target;
    unsigned answer, request, seen; /* the lists of GA_Type and GR_Type that its objects are in */
    const struct kind_form *form;
    const struct kind_attrs *attrs;
    unsigned traits;
    /* NULL: as its rules (libs/config/object.h) have it */
    const char *noun, *file;
    const char *unknown_before, *unknown_after; /* round the name of one that is not there */
    const char *only;                           /* the name of the one object there is */
    const char *name_attr;
    const char *title;   /* what that one is called when it is shown; NULL: its name */
    const char *unnamed; /* the object that no name means; NULL: all of them */
};

/* kind_of - the kind of TARGET; kind_find - the one that WORD means in -mattr and its like;
 * kind_at - the I-th of all, from 0. NULL if there is none */
const struct kind *kind_of(enum gdi_target target);
const struct kind *kind_at(unsigned i);
const struct kind *kind_find(const char *word);

/* kind_type - of its objects
 * kind_rules - those of libs/config/object.h; NULL: it has a room of its own
 * kind_noun, kind_file - what messages call one, and a file that has one
 * kind_only - the name of the one object there is, or NULL */
const struct cull_type *kind_type(const struct kind *kind);
const struct object_rules *kind_rules(const struct kind *kind);
const char *kind_noun(const struct kind *kind);
const char *kind_file(const struct kind *kind);
const char *kind_only(const struct kind *kind);
/* kind_add_unknown - append that there is no object NAME */
void kind_add_unknown(const struct kind *kind, const char *name, struct dstr *out);

/* kind_name_attr - what the attribute is called that has the name of an object; NULL: its text has
 * none
 * kind_has_lines - does each attribute have a line of its own, with its name in front?
 * kind_name - what OBJECT is called; borrowed
 * kind_rename - OBJECT is called NAME from now on
 * kind_objects - the list of them in ALL
 * kind_object - the one called NAME in ALL; borrowed, NULL if it is not there: the qmaster takes
 * patterns, and what is changed is named
 * kind_find_object - the same in a list of objects */
const char *kind_name_attr(const struct kind *kind);
bool kind_has_lines(const struct kind *kind);
const char *kind_name(const struct kind *kind, const void *object);
void kind_rename(const struct kind *kind, void *object, const char *name);
const struct cull_list *kind_objects(const struct kind *kind, const struct GA_Type *all);
void *kind_object(const struct kind *kind, const struct GA_Type *all, const char *name);
void *kind_find_object(const struct kind *kind, const struct cull_list *l, const char *name);
/* kind_builtin - the host NAME that every cell has, though the qmaster may know nothing of it; new:
 * cull_delete; NULL: there is none of that name and kind */
void *kind_builtin(const struct kind *kind, const char *name);
/* kind_put - OBJECT becomes one more of the list FIELD of REQUEST */
void kind_put(const struct kind *kind, struct GR_Type *request, unsigned field, const void *object);

#endif
