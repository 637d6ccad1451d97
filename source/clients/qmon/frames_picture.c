/* The picture of a frame matrix. Each place is computed from the height of a line and a margin,
 * here alone; frames_under is the way back. */
#include "clients/qmon/frames_picture.h"

#include <X11/StringDefs.h>
#include <stdlib.h>

#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

enum { MARGIN = 10, STAGE_GAP = 6, LIT = 2, NAME_LETTERS = 34 };

static int stage_height(const struct paint *p)
{
    return 2 * p->row_height + STAGE_GAP;
}

static int stage_y(const struct paint *p, uint32_t below_top)
{
    return p->row_height + STAGE_GAP + (int)below_top * stage_height(p);
}

uint32_t frames_page(const struct paint *paint, int height)
{
    int n = (height - paint->row_height - STAGE_GAP) / stage_height(paint);
    return n > 1 ? (uint32_t)n : 1;
}

int frames_columns_of(int width)
{
    return width > 2 * MARGIN ? width - 2 * MARGIN : 1;
}

bool frames_under(const struct frames *f, const struct paint *paint, uint32_t top, int width, int x,
                  int y, uint32_t *stage, uint32_t *frame)
{
    int columns = frames_columns_of(width), below = y - paint->row_height - STAGE_GAP;
    if (below < 0 || x < MARGIN || x >= MARGIN + columns)
        return false;
    *stage = top + (uint32_t)(below / stage_height(paint));
    *frame = frames_at(f, x - MARGIN, columns);
    return *stage < frames_count(f);
}

static void draw_axis(const struct frames *f, struct canvas *c, int columns)
{
    struct frame_span seen = frames_seen(f);
    struct dstr text = DSTR_INIT;
    struct place at = { .x = MARGIN, .width = columns, .ink = INK_FAINT };
    dstr_addf(&text, "%u", seen.first);
    canvas_text(c, &at, dstr_get(&text));
    dstr_clear(&text);
    dstr_addf(&text, "%u", seen.last);
    at.is_right = true;
    canvas_text(c, &at, dstr_get(&text));
    dstr_free(&text);
    canvas_box(c, &c->paint->inks[INK_LINE], MARGIN, c->paint->row_height - 1, columns, 1);
}

static void draw_words(const struct frames *f, struct canvas *c, uint32_t stage, int y, int columns)
{
    const struct JB_Type *rec = &frames_job(f, stage)->rec;
    struct dstr text = DSTR_INIT;
    int names = paint_width(c->paint, "n") * NAME_LETTERS;
    struct place at = { .x = MARGIN, .y = y, .width = names, .is_bold = true };
    dstr_addf(&text, "%u  %s", rec->JB_job_number,
              rec->JB_job_name != NULL ? rec->JB_job_name : "");
    canvas_text(c, &at, dstr_get(&text));
    dstr_clear(&text);
    frames_line(f, stage, &text);
    at = (struct place){ .x = MARGIN + names, .y = y, .width = columns - names };
    canvas_text(c, &at, dstr_get(&text));
    dstr_free(&text);
}

static void draw_lit(const struct frames *f, struct canvas *c, uint32_t stage, int y, int columns)
{
    struct ja_window w;
    int first, last, height = c->paint->row_height;
    if (!frames_lit(f, stage, &w) || !frames_columns(f, stage, w, columns, &first, &last))
        return;
    const XftColor *ink = &c->paint->inks[INK_TEXT];
    int x = MARGIN + first - LIT, width = last - first + 1 + 2 * LIT;
    canvas_box(c, ink, x, y - LIT, width, LIT);
    canvas_box(c, ink, x, y + height, width, LIT);
    canvas_box(c, ink, x, y - LIT, LIT, height + 2 * LIT);
    canvas_box(c, ink, x + width - LIT, y - LIT, LIT, height + 2 * LIT);
}

static void draw_tasks(const struct frames *f, struct canvas *c, uint32_t stage, int y, int columns,
                       struct frame_run *runs)
{
    uint32_t n = frames_runs(f, stage, columns, runs);
    for (uint32_t i = 0; i < n; i++) {
        int gap = runs[i].is_task ? 1 : 0;
        canvas_look(c, runs[i].look, MARGIN + runs[i].first, y,
                    runs[i].last - runs[i].first + 1 - gap, c->paint->row_height);
    }
    draw_lit(f, c, stage, y, columns);
}

void frames_draw(const struct frames *f, const struct paint *paint, Widget widget, uint32_t top,
                 bool is_old)
{
    struct canvas c;
    canvas_begin(&c, paint, widget);
    int columns = frames_columns_of((int)c.width);
    struct frame_run *runs = uti_calloc((size_t)columns, sizeof *runs);
    if (is_old)
        canvas_box(&c, &paint->inks[INK_STRIPE], 0, 0, (int)c.width, (int)c.height);
    draw_axis(f, &c, columns);
    for (uint32_t i = top; i < frames_count(f); i++) {
        int y = stage_y(paint, i - top);
        if (y >= (int)c.height)
            break;
        draw_words(f, &c, i, y, columns);
        draw_tasks(f, &c, i, y + paint->row_height, columns, runs);
    }
    free(runs);
    canvas_end(&c);
}
