#ifndef CLIENTS_QMON_OBJECTS_WINDOW_PRIV_H
#define CLIENTS_QMON_OBJECTS_WINDOW_PRIV_H

#include "clients/qmon/objects_window.h"
#include "clients/qmon/table.h"
#include "clients/qmon/window.h"
#include "libs/view/object_form.h"
#include "libs/view/object_list.h"

/* A window of objects: objects_window.c shows, objects_table.c has its table, objects_acts.c does
 * what its buttons say. */
struct objects_window {
    struct qmon *q;
    enum object_group group;
    const struct group_kind *shown; /* the kind whose list is seen */
    struct object_list *list;
    struct table *table;
    Widget shell, said, text;
    bool is_open;
    bool is_asking, is_behind; /* names are on their way; they are old already */
    bool is_timed;             /* the next question will come by itself */
    enum object_deed deed;     /* of the object that was asked for to be edited */
    char *asked;               /* the name that the open question is about */
    struct GA_Type *whole;     /* the objects of a table that shows all of them; else NULL */
};

/* kind_shown - the kind whose list is seen; NULL: names and nothing else
 * chosen_name - the name of the one that is selected; NULL: none, or several
 * wanted_object - that object in ALL, an answer; NULL: it is about what was left since */
const struct kind *kind_shown(const struct objects_window *w);
const char *chosen_name(const struct objects_window *w);
void *wanted_object(const struct objects_window *w, const struct GA_Type *all);

/* objects_show_chosen - beside the list stands the object that is selected now */
void objects_show_chosen(struct objects_window *w);

/* objects_table_new - the table, in FORM
 * objects_table_is_wide - does it show whole objects?
 * objects_table_take - ALL, an answer, is what they are now */
struct table *objects_table_new(struct objects_window *w, Widget form);
bool objects_table_is_wide(const struct objects_window *w);
void objects_table_take(struct objects_window *w, const struct GA_Type *all);

/* objects_acts - the rows of its buttons
 *   n  out: how many
 * modify_chosen - what a double click does */
const struct window_button *objects_acts(size_t *n);
void modify_chosen(void *window);

#endif
