#ifndef CLIENTS_QMON_OBJECTS_WINDOW_PRIV_H
#define CLIENTS_QMON_OBJECTS_WINDOW_PRIV_H

#include "clients/qmon/objects_window.h"
#include "clients/qmon/table.h"
#include "clients/qmon/window.h"
#include "libs/view/object_form.h"
#include "libs/view/object_list.h"

/* A window of objects: objects_window.c shows, objects_acts.c does what its buttons say. */
struct objects_window {
    struct qmon *q;
    enum object_group group;
    const struct group_kind *shown; /* the kind whose list is seen */
    struct object_list *list;
    struct table *table;
    Widget shell, said, text;
    bool is_open;
    bool is_asking, is_behind; /* names are on their way; they are old already */
    enum object_deed deed;     /* of the object that was asked for to be edited */
    char *asked;               /* the name that the open question is about */
};

/* kind_shown - the kind whose list is seen; NULL: names and nothing else
 * chosen_name - the name of the one that is selected; NULL: none, or several
 * wanted_object - that object in ALL, an answer; NULL: it is about what was left since */
const struct kind *kind_shown(const struct objects_window *w);
const char *chosen_name(const struct objects_window *w);
void *wanted_object(const struct objects_window *w, const struct GA_Type *all);

/* objects_acts - the rows of its buttons
 *   n  out: how many
 * modify_chosen - what a double click does */
const struct window_button *objects_acts(size_t *n);
void modify_chosen(void *window);

#endif
