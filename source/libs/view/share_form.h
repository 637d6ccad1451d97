#ifndef VIEW_SHARE_FORM_H
#define VIEW_SHARE_FORM_H

#include "libs/view/object_form.h"

/* The share tree of a form (object_form.h) as rows, a node each, those below a node right behind
 * it; row 0 is the root. Changes go into the form at once. Pure. */
struct share_form;

/* share_form_new - of F, borrowed for life, which is of the kind of share trees. New:
 * share_form_free. NULL is fine for share_form_free */
struct share_form *share_form_new(struct object_form *f);
void share_form_free(struct share_form *s);
/* share_form_renew - the form was changed elsewhere. O(n log n) */
void share_form_renew(struct share_form *s);

/* share_form_count - how many nodes there are
 * share_form_key - a number that the node keeps, from 1
 * share_form_name, share_form_shares - of a row; the name is borrowed
 * share_form_depth - how far below the root it stands */
uint32_t share_form_count(const struct share_form *s);
uint32_t share_form_key(const struct share_form *s, uint32_t row);
const char *share_form_name(const struct share_form *s, uint32_t row);
uint32_t share_form_shares(const struct share_form *s, uint32_t row);
uint32_t share_form_depth(const struct share_form *s, uint32_t row);
/* share_form_percent - what part of all it is entitled to: its shares among its neighbours', and so
 * on up to the root */
double share_form_percent(const struct share_form *s, uint32_t row);

/* share_form_add - a node below ROW with NAME and SHARES
 * share_form_set - ROW gets SHARES
 * share_form_remove - ROW goes, with all below it; the root stays
 * share_form_move - ROW, with all below it, comes below TO
 * False, and nothing happens, if there is no such row, no name, or it cannot go there. Whether the
 * tree makes sense is for the qmaster. */
bool share_form_add(struct share_form *s, uint32_t row, const char *name, uint32_t shares);
bool share_form_set(struct share_form *s, uint32_t row, uint32_t shares);
bool share_form_remove(struct share_form *s, uint32_t row);
bool share_form_move(struct share_form *s, uint32_t row, uint32_t to);

#endif
