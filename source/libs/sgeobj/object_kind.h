#ifndef SGEOBJ_OBJECT_KIND_H
#define SGEOBJ_OBJECT_KIND_H

/* The kinds of objects that administrators keep: sge_object_kindsL.h has a row for each. */
enum object_kind {
    OBJECT_NONE = 0,
#define OBJECT_KIND(name, number, ...) OBJECT_##name = (number),
#include "libs/sgeobj/sge_object_kindsL.h"
#undef OBJECT_KIND
    OBJECT_KINDS = 64 /* more than any of them */
};

/* object_kind_name - "pe", what commands call KIND
 * object_kind_attr_word - what they call it where they change attributes (-mattr)
 * object_kind_page - its page in section 5 of the manual
 * object_kind_letters - "cal", what options of qconf end with that are about KIND (-acal)
 * NULL if KIND is unknown, or has none */
const char *object_kind_name(unsigned kind);
const char *object_kind_attr_word(unsigned kind);
const char *object_kind_page(unsigned kind);
const char *object_kind_letters(unsigned kind);

#endif
