#ifndef SGEOBJ_OBJECT_KIND_H
#define SGEOBJ_OBJECT_KIND_H

/* The kinds of objects that administrators keep: sge_object_kindsL.h has a row for each. */
enum object_kind {
    OBJECT_NONE = 0,
#define OBJECT_KIND(name, number, word, attr_word, page) OBJECT_##name = (number),
#include "libs/sgeobj/sge_object_kindsL.h"
#undef OBJECT_KIND
    OBJECT_KINDS = 22 /* more than any of them */
};

/* object_kind_name - "pe", what commands call KIND
 * object_kind_attr_word - what they call it where they change attributes (-mattr)
 * object_kind_page - its page in section 5 of the manual
 * NULL if KIND is unknown, or has none */
const char *object_kind_name(unsigned kind);
const char *object_kind_attr_word(unsigned kind);
const char *object_kind_page(unsigned kind);

#endif
