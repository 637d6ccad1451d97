/* What the kinds of objects are called. */
#include "libs/sgeobj/object_kind.h"

#include <stddef.h>

static const struct words {
    const char *name, *attr_word, *page, *letters;
} words_of[OBJECT_KINDS] = {
#define OBJECT_KIND(name, number, word, attr_word, page, letters, ...)                             \
    [number] = { word, attr_word, page, letters },
#include "libs/sgeobj/sge_object_kindsL.h"
#undef OBJECT_KIND
};

const char *object_kind_name(unsigned kind)
{
    return kind < OBJECT_KINDS ? words_of[kind].name : NULL;
}

const char *object_kind_attr_word(unsigned kind)
{
    return kind < OBJECT_KINDS ? words_of[kind].attr_word : NULL;
}

const char *object_kind_page(unsigned kind)
{
    return kind < OBJECT_KINDS ? words_of[kind].page : NULL;
}

const char *object_kind_letters(unsigned kind)
{
    return kind < OBJECT_KINDS ? words_of[kind].letters : NULL;
}
