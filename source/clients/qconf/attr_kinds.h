#ifndef CLIENTS_QCONF_ATTR_KINDS_H
#define CLIENTS_QCONF_ATTR_KINDS_H

#include "clients/qconf/qconf.h"
#include "libs/config/attr_syntax.h"

/* The kinds of objects of which single attributes are changed (-mattr and its like), all in one
 * way: an attribute has a syntax, a value as text, and is set to another. */
struct attr_kind {
    const char *word; /* in the command line: "queue" */
    enum gdi_target target;
    bool has_hosts;               /* values may be for single hosts: default,[host=value] */
    unsigned answer, request;     /* the lists of GA_Type and GR_Type that its objects are in */
    const struct cull_type *type; /* of the objects; the name is their first string */
    const char *noun, *file;      /* NULL: its rules have it */
    bool (*syntax)(const struct attr_kind *kind, const char *attr, enum attr_syntax *out);
    /* appends the value; the attribute is one of the kind's */
    void (*value)(const void *object, const char *attr, struct dstr *out);
    /* 0, or -1 with ans and the object unchanged */
    int (*set)(const struct attr_kind *kind, void *object, const char *attr, const char *value,
               struct answer *ans);
};

/* attr_kind_find - the kind that WORD means; NULL if there is none */
const struct attr_kind *attr_kind_find(const char *word);
/* attr_kind_noun, attr_kind_file - what messages call one, and a file that has one */
const char *attr_kind_noun(const struct attr_kind *kind);
const char *attr_kind_file(const struct attr_kind *kind);
/* attr_kind_name - what OBJECT is called; borrowed */
const char *attr_kind_name(const struct attr_kind *kind, const void *object);
/* attr_kind_object - the object called NAME in ALL; borrowed, NULL if it is not there */
void *attr_kind_object(const struct attr_kind *kind, const struct GA_Type *all, const char *name);
/* attr_kind_send - the object goes to the qmaster as a change; the exit status */
int attr_kind_send(const struct attr_kind *kind, struct qconf *q, const void *object);

#endif
