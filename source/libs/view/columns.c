/* The choice of columns. Invariant: `v` has each number from 0 to n - 1 once, and at least one of
 * them is shown. */
#include "libs/view/columns.h"

#include <string.h>

#include "libs/uti/dstr.h"

void columns_init(struct columns *c, unsigned n)
{
    *c = (struct columns){ .n = n < COLUMNS_MOST ? n : COLUMNS_MOST };
    for (unsigned i = 0; i < c->n; i++)
        c->v[i] = (unsigned char)i;
}

unsigned columns_shown(const struct columns *c, unsigned *out)
{
    unsigned n = 0;
    for (unsigned i = 0; i < c->n; i++)
        if (!c->is_hidden[c->v[i]])
            out[n++] = c->v[i];
    return n;
}

bool columns_toggle(struct columns *c, unsigned place)
{
    unsigned shown[COLUMNS_MOST];
    if (place >= c->n || (!c->is_hidden[c->v[place]] && columns_shown(c, shown) == 1))
        return false;
    c->is_hidden[c->v[place]] = !c->is_hidden[c->v[place]];
    return true;
}

unsigned columns_move(struct columns *c, unsigned place, int by)
{
    while (by != 0 && place < c->n) {
        unsigned other = by < 0 ? place - 1 : place + 1; /* above 0 it is huge */
        if (other >= c->n)
            break;
        unsigned char moved = c->v[place];
        c->v[place] = c->v[other];
        c->v[other] = moved;
        place = other;
        by += by < 0 ? 1 : -1;
    }
    return place;
}

/* ---- in words ---- */

void columns_text(const struct columns *c, column_title_fn title, struct dstr *out)
{
    unsigned shown[COLUMNS_MOST], n = columns_shown(c, shown);
    for (unsigned i = 0; i < n; i++)
        dstr_addf(out, "%s%s", i > 0 ? " " : "", title(shown[i]));
}

/* the place of the column called so, from PLACE on; n: there is none */
static unsigned find_title(const struct columns *c, unsigned place, column_title_fn title,
                           const char *word, size_t length)
{
    while (place < c->n &&
           (strlen(title(c->v[place])) != length || strncmp(title(c->v[place]), word, length) != 0))
        place++;
    return place;
}

void columns_read(struct columns *c, const char *text, column_title_fn title, struct dstr *wrong)
{
    unsigned n_shown = 0;
    columns_init(c, c->n);
    memset(c->is_hidden, true, c->n);
    for (size_t length; *(text += strspn(text, " \t")) != '\0'; text += length) {
        length = strcspn(text, " \t");
        unsigned place = find_title(c, n_shown, title, text, length);
        if (place < c->n) {
            c->is_hidden[c->v[place]] = false;
            (void)columns_move(c, place, (int)n_shown - (int)place);
            n_shown++;
        } else if (wrong != NULL) {
            dstr_add(wrong, wrong->len > 0 ? " " : "");
            dstr_addn(wrong, text, length);
        }
    }
    if (n_shown == 0)
        columns_init(c, c->n);
}
