/* What stands beside the fields of Submit Job. Whatever is the same as before stays as it was
 * scrolled and chosen, however often it is shown. */
#include "clients/qmon/forms/submit_panels.h"

#include <Xm/DrawingA.h>
#include <Xm/Form.h>
#include <Xm/Label.h>
#include <Xm/List.h>
#include <Xm/Xm.h>
#include <stdlib.h>
#include <string.h>

#include "clients/qmon/widgets/msg_qmon.h"
#include "clients/qmon/widgets/paint.h"
#include "clients/qmon/widgets/texts.h"
#include "libs/sgeobj/ja_dependency.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"
#include "libs/view/predecessors.h"

/* ---- the chunk map ---- */
/* The drawn chunk map. Each block of B is the foot of a shape that reaches up to all that it waits
 * for; a click at a block draws its shape alone, and says which tasks it is. */

enum { BLOCK_LEAST = 7, BLOCKS_MOST = 400, MARGIN = 6 };

struct chunk_panel {
    const struct paint *paint;
    Widget area;
    char *name; /* owned; NULL: nothing is shown */
    struct ja_shape a, b;
    int64_t lit; /* the task of B that was clicked at, by its ordinal; -1: none */
};

/* what one drawing needs */
struct sketch {
    const struct chunk_panel *panel;
    struct canvas *canvas;
    int width, row, top_of_b; /* pixels: of the tasks, of a line, where B begins */
};

/* ---- drawing ---- */

static uint32_t id_of(const struct ja_shape *s, uint32_t ordinal)
{
    return s->first + ordinal * s->step;
}

static void add_ids(const struct ja_shape *s, uint32_t first, uint32_t last, struct dstr *out)
{
    dstr_addf(out, "%u", id_of(s, first));
    if (last > first)
        dstr_addf(out, "-%u", id_of(s, last));
}

static void draw_line(const struct sketch *k, int x, int y, const char *text)
{
    struct place at = { .x = x, .y = y, .width = k->width - x };
    canvas_text(k->canvas, &at, text);
}

static void draw_label(const struct sketch *k, int y, const char *what, const struct ja_shape *s)
{
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, MSG_JOBS_TASKS_SUUU, what, s->first, s->last, s->step);
    draw_line(k, 0, y, text.s);
    dstr_free(&text);
}

static void draw_blocks(const struct sketch *k, const struct ja_shape *s, int y)
{
    struct chunk_block v[BLOCKS_MOST];
    uint32_t n = chunk_blocks(s, k->width, BLOCK_LEAST, v, BLOCKS_MOST);
    for (uint32_t i = 0; i < n; i++) {
        struct dstr ids = DSTR_INIT;
        canvas_box(k->canvas, &k->canvas->paint->inks[INK_FAINT], MARGIN + v[i].x, y,
                   v[i].width - 1, k->row);
        canvas_box(k->canvas, &k->canvas->paint->inks[INK_CHOSEN], MARGIN + v[i].x + 1, y + 1,
                   v[i].width - 3, k->row - 2);
        add_ids(s, v[i].first, v[i].last, &ids);
        struct place at = { .x = MARGIN + v[i].x, .y = y, .width = v[i].width };
        if (paint_width(k->canvas->paint, ids.s) + MARGIN < v[i].width)
            canvas_text(k->canvas, &at, ids.s);
        dstr_free(&ids);
    }
}

/* a shape has four corners, and comes back to the first */
enum { CORNERS = 5 };

static void find_corners(const struct sketch *k, const struct chunk_block *of_b, XPoint *out)
{
    const struct chunk_panel *p = k->panel;
    struct chunk_block up = chunk_waited(&p->a, &p->b, of_b, k->width);
    short top = (short)(2 * k->row), foot = (short)k->top_of_b;
    out[0] = out[4] = (XPoint){ (short)(MARGIN + up.x), top };
    out[1] = (XPoint){ (short)(MARGIN + up.x + up.width - 1), top };
    out[2] = (XPoint){ (short)(MARGIN + of_b->x + of_b->width - 1), foot };
    out[3] = (XPoint){ (short)(MARGIN + of_b->x), foot };
}

static void fill_shape(const struct sketch *k, const struct chunk_block *of_b, enum paint_ink ink)
{
    XPoint corners[CORNERS];
    const struct paint *paint = k->canvas->paint;
    find_corners(k, of_b, corners);
    XSetForeground(paint->display, k->canvas->gc, paint->inks[ink].pixel);
    XFillPolygon(paint->display, k->canvas->pixmap, k->canvas->gc, corners, CORNERS - 1, Convex,
                 CoordModeOrigin);
}

static void outline_shape(const struct sketch *k, const struct chunk_block *of_b,
                          enum paint_ink ink)
{
    XPoint corners[CORNERS];
    const struct paint *paint = k->canvas->paint;
    find_corners(k, of_b, corners);
    XSetForeground(paint->display, k->canvas->gc, paint->inks[ink].pixel);
    XDrawLines(paint->display, k->canvas->pixmap, k->canvas->gc, corners, CORNERS, CoordModeOrigin);
}

static void say_lit(const struct sketch *k, const struct chunk_block *block, int y)
{
    const struct chunk_panel *p = k->panel;
    struct dstr text = DSTR_INIT;
    struct chunk_block waited = chunk_waited(&p->a, &p->b, block, k->width);
    add_ids(&p->b, block->first, block->last, &text);
    dstr_add(&text, MSG_JOBS_WAIT_FOR);
    add_ids(&p->a, waited.first, waited.last, &text);
    draw_line(k, 0, y, text.s);
    dstr_free(&text);
}

/* shapes overlap where a task of A is waited for by several of B: no outline is covered */
static void draw_shapes(const struct sketch *k, int below)
{
    const struct chunk_panel *p = k->panel;
    struct chunk_block v[BLOCKS_MOST];
    uint32_t n = chunk_blocks(&p->b, k->width, BLOCK_LEAST, v, BLOCKS_MOST), lit = 0;
    for (uint32_t i = 0; i < n; i++)
        fill_shape(k, &v[i], INK_STRIPE);
    while (lit < n && (p->lit < v[lit].first || p->lit > v[lit].last))
        lit++;
    if (lit < n)
        fill_shape(k, &v[lit], INK_CHOSEN);
    for (uint32_t i = 0; i < n; i++)
        outline_shape(k, &v[i], INK_LINE);
    if (lit == n)
        return;
    outline_shape(k, &v[lit], INK_TEXT);
    say_lit(k, &v[lit], below);
}

/* lines: name of A, its tasks, shapes, tasks of B, what they are, which of them are lit */
static void draw_map(const struct chunk_panel *p, struct canvas *c)
{
    int row = p->paint->row_height, height = (int)c->height, width = (int)c->width - 2 * MARGIN;
    struct sketch k = {
        .panel = p, .canvas = c, .width = width, .row = row, .top_of_b = height - 3 * row
    };
    if (p->name == NULL || width < BLOCK_LEAST || k.top_of_b < 3 * row)
        return;
    draw_label(&k, 0, p->name, &p->a);
    draw_shapes(&k, height - row);
    draw_blocks(&k, &p->a, row);
    draw_blocks(&k, &p->b, k.top_of_b);
    draw_label(&k, k.top_of_b + row, MSG_JOBS_THIS_JOB, &p->b);
}

static void draw_panel(struct chunk_panel *p)
{
    struct canvas c;
    if (!XtIsRealized(p->area))
        return;
    canvas_begin(&c, p->paint, p->area);
    draw_map(p, &c);
    canvas_end(&c);
}

/* ---- the widget ---- */

static void on_expose(Widget w SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    draw_panel(ctx);
}

static void light_at(struct chunk_panel *p, int x)
{
    Dimension width = 1;
    struct chunk_block v[BLOCKS_MOST];
    XtVaGetValues(p->area, XmNwidth, &width, NULL);
    int inner = (int)width - 2 * MARGIN;
    if (p->name == NULL || inner < BLOCK_LEAST)
        return;
    uint32_t n = chunk_blocks(&p->b, inner, BLOCK_LEAST, v, BLOCKS_MOST);
    uint32_t at = x >= MARGIN ? chunk_at(v, n, x - MARGIN) : n;
    p->lit = at < n ? (int64_t)v[at].first : -1;
    draw_panel(p);
}

static void on_input(Widget w SGE_UNUSED, XtPointer ctx, XtPointer call)
{
    const XEvent *event = ((XmDrawingAreaCallbackStruct *)call)->event;
    if (event->type == ButtonPress && event->xbutton.button == Button1)
        light_at(ctx, event->xbutton.x);
}

static void on_destroy(Widget w SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    struct chunk_panel *p = ctx;
    free(p->name);
    free(p);
}

/* in PARENT, a form, between FROM and TO percent of its height. Lives as long as its widgets,
 * which free it. */
static struct chunk_panel *chunk_panel_new(Widget parent, const struct paint *paint, int from,
                                           int to)
{
    struct chunk_panel *p = uti_calloc(1, sizeof *p);
    p->paint = paint;
    p->lit = -1;
    p->area = XtVaCreateManagedWidget(
        "chunkMap", xmDrawingAreaWidgetClass, parent, XmNtopAttachment, XmATTACH_POSITION,
        XmNtopPosition, from, XmNbottomAttachment, XmATTACH_POSITION, XmNbottomPosition, to,
        XmNleftAttachment, XmATTACH_FORM, XmNrightAttachment, XmATTACH_FORM, NULL);
    XtAddCallback(p->area, XmNexposeCallback, on_expose, p);
    XtAddCallback(p->area, XmNresizeCallback, on_expose, p);
    XtAddCallback(p->area, XmNinputCallback, on_input, p);
    XtAddCallback(p->area, XtNdestroyCallback, on_destroy, p);
    return p;
}

static bool is_same(const struct chunk_panel *p, const char *name, const struct ja_shape *a,
                    const struct ja_shape *b)
{
    if (p->name == NULL || name == NULL)
        return p->name == name;
    return strcmp(p->name, name) == 0 && memcmp(&p->a, a, sizeof *a) == 0 &&
           memcmp(&p->b, b, sizeof *b) == 0;
}

/* tasks of B wait for those of A, which are of the same range; NAME, that of A, is copied. NULL:
 * an empty picture */
static void chunk_panel_show(struct chunk_panel *p, const char *name, const struct ja_shape *a,
                             const struct ja_shape *b)
{
    if (is_same(p, name, a, b))
        return;
    free(p->name);
    p->name = name != NULL ? uti_strdup(name) : NULL;
    p->lit = -1;
    if (name != NULL) {
        p->a = *a;
        p->b = *b;
    }
    draw_panel(p);
}

enum { CHUNK_LINES = 200, CANDIDATES = 100 };

struct submit_side {
    const struct board *board;
    const char *user;
    job_taken_fn taken;
    void *ctx;
    struct chunk_panel *map;
    Widget chunks, script, candidates;
    char *listed, *list; /* owned: what `candidates` shows, a line each, and for which list */
};

/* ---- the contents ---- */

/* LIST is one of jobs, of which the first has the tasks BEFORE; NULL: there is no map */
static void show_map(struct submit_side *side, const char *list, const struct ja_shape *before,
                     const struct ja_shape *array)
{
    struct dstr name = DSTR_INIT;
    if (list == NULL) {
        chunk_panel_show(side->map, NULL, NULL, NULL);
        return;
    }
    struct list_reader r = list_reader_over_names(list);
    (void)list_next(&r, &name);
    chunk_panel_show(side->map, dstr_get(&name), before, array);
    dstr_free(&name);
}

static void show_chunks(struct submit_side *side, const struct submit_form *form)
{
    struct ja_shape before, array;
    struct dstr text = DSTR_INIT;
    const char *list = submit_form_find(form, "-hold_jid_ad", false)->value;
    bool is_map = list != NULL && predecessors_first(side->board, list, &before) &&
                  submit_form_array(form, &array) && ja_same_range(&before, &array);
    if (is_map)
        chunks_text(&before, &array, CHUNK_LINES, &text);
    show_map(side, is_map ? list : NULL, &before, &array);
    read_text_show(side->chunks, dstr_get(&text));
    dstr_free(&text);
}

/* TEXT has a line for each of them */
static void list_candidates(struct submit_side *side, struct dstr *text)
{
    XmListDeleteAllItems(side->candidates);
    for (char *at = text->s, *line; at != NULL && (line = strsep(&at, "\n")) != NULL;) {
        XmString item = XmStringCreateLocalized(line);
        if (*line != '\0')
            XmListAddItem(side->candidates, item, 0);
        XmStringFree(item);
    }
}

static void show_candidates(struct submit_side *side)
{
    struct dstr text = DSTR_INIT;
    predecessors_complete(side->board, side->list, side->user, CANDIDATES, &text);
    if (side->listed == NULL || strcmp(side->listed, dstr_get(&text)) != 0) {
        free(side->listed);
        side->listed = uti_strdup(dstr_get(&text));
        list_candidates(side, &text);
    }
    dstr_free(&text);
}

void submit_side_show(struct submit_side *side, const struct submit_form *form,
                      const struct form_field *held)
{
    free(side->list);
    side->list = uti_strdup(held->value != NULL ? held->value : "");
    show_chunks(side, form);
    show_candidates(side);
}

void submit_side_script(struct submit_side *side, const char *text)
{
    read_text_show(side->script, text);
}

/* ---- the job taken ---- */

/* the last word of the list gives way to the number of the job */
static void on_candidate(Widget list SGE_UNUSED, XtPointer ctx, XtPointer call)
{
    struct submit_side *side = ctx;
    struct dstr value = DSTR_INIT;
    char *item = XmStringUnparse(((XmListCallbackStruct *)call)->item, NULL, XmCHARSET_TEXT,
                                 XmCHARSET_TEXT, NULL, 0, XmOUTPUT_ALL);
    const char *comma = strrchr(side->list, ',');
    dstr_addn(&value, side->list, comma != NULL ? (size_t)(comma - side->list) + 1 : 0);
    dstr_addn(&value, item, strcspn(item, " "));
    side->taken(side->ctx, dstr_get(&value));
    XtFree(item);
    dstr_free(&value);
}

/* ---- widgets ---- */

static Widget make_candidates(struct submit_side *side, Widget form, int to)
{
    Widget label =
        XtVaCreateManagedWidget("candidatesLabel", xmLabelWidgetClass, form, XmNtopAttachment,
                                XmATTACH_FORM, XmNleftAttachment, XmATTACH_FORM, NULL);
    Widget list = XmCreateScrolledList(form, (char *)"candidates", NULL, 0);
    XtVaSetValues(XtParent(list), XmNtopAttachment, XmATTACH_WIDGET, XmNtopWidget, label,
                  XmNbottomAttachment, XmATTACH_POSITION, XmNbottomPosition, to, XmNleftAttachment,
                  XmATTACH_FORM, XmNrightAttachment, XmATTACH_FORM, NULL);
    XtAddCallback(list, XmNdefaultActionCallback, on_candidate, side);
    XtManageChild(list);
    return list;
}

struct submit_side *submit_side_new(Widget parent, const struct paint *paint,
                                    const struct board *board, const char *user, job_taken_fn taken,
                                    void *ctx)
{
    struct submit_side *side = uti_calloc(1, sizeof *side);
    *side = (struct submit_side){ .board = board, .user = user, .taken = taken, .ctx = ctx };
    side->list = uti_strdup("");
    side->candidates = make_candidates(side, parent, 22);
    side->map = chunk_panel_new(parent, paint, 23, 48);
    side->chunks = read_text_new(parent, "chunksLabel", "readText", 49, 68);
    side->script = read_text_new(parent, "scriptLabel", "readText", 69, 100);
    return side;
}

void submit_side_free(struct submit_side *side)
{
    if (side == NULL)
        return;
    free(side->listed);
    free(side->list);
    free(side);
}
