/* The picture of a table: a line of titles, and below it the rows that are seen. Invariant: `top`
 * is a row that is there, or 0; the scroll bar says what `top` and the number of rows are. */
#include "clients/qmon/widgets/table_picture.h"

#include <Xm/ScrollBar.h>
#include <stdio.h>
#include <stdlib.h>

#include "libs/uti/dstr.h"

enum { USUAL_WIDTH = 10, WIDTH_MOST = 200, NARROWEST = 6, PERCENT_LETTERS = 6 };

uint32_t table_page(const struct table *t)
{
    Dimension height = 0;
    XtVaGetValues(t->area, XtNheight, &height, NULL);
    int rows = (int)height / t->paint->row_height - 1;
    return rows > 1 ? (uint32_t)rows : 1;
}

/* ---- widths of columns ---- */

static int look_size(const struct table *t)
{
    return t->paint->font->ascent;
}

static void need_width(struct table *t, unsigned column, int pixels)
{
    if (pixels <= t->needed[column])
        return;
    t->needed[column] = pixels;
    t->is_grown = true;
}

static int sum_widths(const struct table *t)
{
    int sum = 0;
    for (unsigned i = 0; i < t->n_shown; i++)
        sum += t->widths[t->shown[i]];
    return sum;
}

/* the shown column that is the widest */
static unsigned widest_column(const struct table *t)
{
    unsigned widest = t->shown[0];
    for (unsigned i = 1; i < t->n_shown; i++)
        if (t->widths[t->shown[i]] > t->widths[widest])
            widest = t->shown[i];
    return widest;
}

/* SPACE pixels too few: the widest columns become narrower, a letter at a time */
static void narrow_columns(struct table *t, int space, int letter)
{
    for (; space > 0; space -= letter) {
        unsigned i = widest_column(t);
        if (t->widths[i] <= NARROWEST * letter)
            return;
        t->widths[i] -= letter;
    }
}

/* SPACE pixels more than what is set: for those that need it, from the left */
static void widen_columns(struct table *t, int space)
{
    for (unsigned i = 0; i < t->n_shown && space > 0; i++) {
        unsigned column = t->shown[i];
        int more = t->needed[column] - t->widths[column];
        more = more < space ? more : space;
        if (more > 0) {
            t->widths[column] += more;
            space -= more;
        }
    }
}

void table_set_widths(struct table *t)
{
    Dimension width = 0;
    XtVaGetValues(t->area, XtNwidth, &width, NULL);
    int room = (int)width - look_size(t) - TABLE_CELL_GAP;
    for (unsigned i = 0; i < t->model->n_columns; i++)
        t->widths[i] = t->needed[i] < t->usual[i] ? t->needed[i] : t->usual[i];
    int sum = sum_widths(t);
    if (sum > room)
        narrow_columns(t, sum - room, paint_width(t->paint, "n"));
    else
        widen_columns(t, room - sum);
    t->is_grown = false;
}

void table_read_widths(struct table *t, const char *text)
{
    int letter = paint_width(t->paint, "n");
    t->widths = uti_calloc(t->model->n_columns, sizeof(int));
    t->usual = uti_calloc(t->model->n_columns, sizeof(int));
    t->needed = uti_calloc(t->model->n_columns, sizeof(int));
    for (unsigned i = 0; i < t->model->n_columns; i++) {
        char *end;
        long n = strtol(text, &end, 10);
        text = end;
        int title = paint_bold_width(t->paint, t->model->title(i)) + 2 * TABLE_CELL_GAP;
        int usual = (int)(n > 0 && n <= WIDTH_MOST ? n : USUAL_WIDTH) * letter;
        t->usual[i] = usual > title ? usual : title;
        t->widths[i] = t->needed[i] = title;
    }
}

/* ---- drawing ---- */

static bool is_number(const struct table *t, unsigned column)
{
    return t->model->is_number != NULL && t->model->is_number(column);
}

static unsigned sorted_by(const struct table *t)
{
    return t->model->sorted_by != NULL ? t->model->sorted_by(t->ctx) : 0;
}

static void draw_titles(struct table *t, struct canvas *c)
{
    int x = look_size(t) + TABLE_CELL_GAP;
    canvas_box(c, &t->paint->inks[INK_STRIPE], 0, 0, (int)c->width, t->paint->row_height);
    for (unsigned place = 0; place < t->n_shown; x += t->widths[t->shown[place++]]) {
        unsigned i = t->shown[place];
        struct place at = {
            .x = x, .width = t->widths[i], .is_right = is_number(t, i), .is_bold = sorted_by(t) == i
        };
        canvas_text(c, &at, t->model->title(i));
    }
    canvas_box(c, &t->paint->inks[INK_LINE], 0, t->paint->row_height - 1, (int)c->width, 1);
}

/* a bar, and how much of it has ended */
static void draw_bar(struct table *t, struct canvas *c, const struct place *at,
                     const uint64_t counts[LOOKS])
{
    int size = look_size(t), number = paint_width(t->paint, "n") * PERCENT_LETTERS;
    uint64_t all = 0, ended = 0;
    char text[16];
    for (enum task_look look = 0; look < LOOKS; look++) {
        all += counts[look];
        ended += look_is_ended(look) ? counts[look] : 0;
    }
    canvas_bar(c, counts, at->x + TABLE_CELL_GAP / 2, at->y + (t->paint->row_height - size) / 2,
               at->width - number - TABLE_CELL_GAP, size);
    snprintf(text, sizeof text, "%u %%", (unsigned)(all > 0 ? 100 * ended / all : 0));
    struct place right = *at;
    right.x += at->width - number - TABLE_CELL_GAP;
    right.width = number + TABLE_CELL_GAP;
    right.is_right = true;
    canvas_text(c, &right, text);
}

static void draw_cell(struct table *t, struct canvas *c, uint32_t row, const struct place *at,
                      unsigned column)
{
    struct dstr text = DSTR_INIT;
    uint64_t counts[LOOKS];
    if (t->model->bar != NULL && t->model->bar(t->ctx, row, column, counts)) {
        need_width(t, column, t->usual[column]);
        draw_bar(t, c, at, counts);
        return;
    }
    t->model->cell(t->ctx, row, column, &text);
    need_width(t, column, paint_width(t->paint, dstr_get(&text)) + 2 * TABLE_CELL_GAP);
    canvas_text(c, at, dstr_get(&text));
    dstr_free(&text);
}

static void draw_cells(struct table *t, struct canvas *c, uint32_t row, int y)
{
    int x = look_size(t) + TABLE_CELL_GAP;
    for (unsigned place = 0; place < t->n_shown && x < (int)c->width;
         x += t->widths[t->shown[place++]]) {
        unsigned i = t->shown[place];
        struct place at = { .x = x,
                            .y = y,
                            .width = t->widths[i],
                            .is_right = is_number(t, i),
                            .ink = t->is_faint ? INK_FAINT : INK_TEXT };
        draw_cell(t, c, row, &at, i);
    }
}

static void draw_row(struct table *t, struct canvas *c, uint32_t row, int y)
{
    bool is_chosen = range_set_has(&t->chosen, t->model->key(t->ctx, row));
    int size = look_size(t), height = t->paint->row_height;
    if (is_chosen || row % 2 == 1)
        canvas_box(c, &t->paint->inks[is_chosen ? INK_CHOSEN : INK_STRIPE], 0, y, (int)c->width,
                   height);
    if (t->model->look != NULL)
        canvas_look(c, t->model->look(t->ctx, row), TABLE_CELL_GAP / 2, y + (height - size) / 2,
                    size, size);
    draw_cells(t, c, row, y);
    if (row == t->cursor) {
        canvas_box(c, &t->paint->inks[INK_TEXT], 0, y, (int)c->width, 1);
        canvas_box(c, &t->paint->inks[INK_TEXT], 0, y + height - 1, (int)c->width, 1);
    }
}

static void draw_all(struct table *t, struct canvas *c)
{
    uint32_t n = t->model->count(t->ctx);
    int y = t->paint->row_height;
    canvas_box(c, &t->paint->inks[INK_PAPER], 0, 0, (int)c->width, (int)c->height);
    draw_titles(t, c);
    for (uint32_t row = t->top; row < n && y < (int)c->height; row++, y += t->paint->row_height)
        draw_row(t, c, row, y);
}

/* once more if rows turn out to need wider columns */
void table_show(struct table *t)
{
    struct canvas c;
    if (!XtIsRealized(t->area))
        return;
    canvas_begin(&c, t->paint, t->area);
    draw_all(t, &c);
    if (t->is_grown) {
        table_set_widths(t);
        draw_all(t, &c);
    }
    canvas_end(&c);
}

/* ---- scrolling ---- */

static void set_bar(struct table *t)
{
    uint32_t n = (t->model->count(t->ctx)), page = table_page(t);
    int most = n > page ? (int)n : (int)page;
    XtVaSetValues(t->bar, XmNminimum, 0, XmNmaximum, most, XmNsliderSize, (int)page, XmNvalue,
                  (int)t->top, XmNpageIncrement, (int)page, NULL);
}

void table_scroll(struct table *t, uint32_t top)
{
    uint32_t n = (t->model->count(t->ctx)), page = table_page(t);
    uint32_t last = n > page ? n - page : 0;
    t->top = top < last ? top : last;
    set_bar(t);
    table_show(t);
}

void table_see(struct table *t, uint32_t row)
{
    uint32_t page = table_page(t);
    if (row < t->top)
        table_scroll(t, row);
    else if (row >= t->top + page)
        table_scroll(t, row - page + 1);
    else
        table_show(t);
}
