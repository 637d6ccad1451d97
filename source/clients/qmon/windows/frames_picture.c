/* The picture of a frame matrix. Each place is computed from the height of a line and a margin,
 * here alone; frames_under and frames_near are the way back. */
#include "clients/qmon/windows/frames_picture.h"

#include <stdlib.h>

#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/view/frames.h"

enum {
    MARGIN = 10,
    STAGE_GAP = 10,
    TASK_DROP = 2,
    LIT = 2,
    MARK = 4,
    MARK_LINE = 1,
    NAME_LETTERS = 34
};

enum { HEIGHT_MOST = 32000 }; /* pixels; X has 16 bits, with a sign, for a place */

/* ---- places ---- */

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

int frames_height(const struct frames *f, const struct paint *paint)
{
    int height = stage_y(paint, frames_count(f));
    return height < HEIGHT_MOST ? height : HEIGHT_MOST;
}

static int columns_of(const struct frames_view *v)
{
    return v->width > 2 * MARGIN ? v->width - 2 * MARGIN : 1;
}

bool frames_under(const struct frames_view *v, int x, int y, struct frame_place *out)
{
    int columns = columns_of(v), below = y - stage_y(v->paint, 0);
    if (below < 0 || x < MARGIN || x >= MARGIN + columns)
        return false;
    out->stage = v->top + (uint32_t)(below / stage_height(v->paint));
    out->frame = frames_at(v->frames, x - MARGIN, columns);
    return out->stage < frames_count(v->frames);
}

static int keep_within(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

struct frame_place frames_near(const struct frames_view *v, int x, int y)
{
    int columns = columns_of(v), below = (int)(frames_count(v->frames) - v->top);
    int page = (int)frames_page(v->paint, v->height);
    int stage = (y - stage_y(v->paint, 0)) / stage_height(v->paint);
    stage = keep_within(stage, 0, (page < below ? page : below) - 1);
    int column = keep_within(x - MARGIN, 0, columns - 1);
    return (struct frame_place){ v->top + (uint32_t)stage, frames_at(v->frames, column, columns) };
}

/* ---- a stage ---- */

/* where a stage is drawn */
struct strip {
    const struct frames *frames;
    struct canvas *c;
    uint32_t stage;
    int y, columns;
};

static int tasks_y(const struct strip *s)
{
    return s->y + s->c->paint->row_height + TASK_DROP;
}

static void draw_words(const struct strip *s)
{
    const struct JB_Type *rec = &frames_job(s->frames, s->stage)->rec;
    struct dstr text = DSTR_INIT;
    int names = paint_width(s->c->paint, "n") * NAME_LETTERS;
    struct place at = { .x = MARGIN, .y = s->y, .width = names, .is_bold = true };
    dstr_addf(&text, "%u  %s", rec->JB_job_number,
              rec->JB_job_name != NULL ? rec->JB_job_name : "");
    canvas_text(s->c, &at, dstr_get(&text));
    dstr_clear(&text);
    frames_line(s->frames, s->stage, &text);
    at = (struct place){ .x = MARGIN + names, .y = s->y, .width = s->columns - names };
    canvas_text(s->c, &at, dstr_get(&text));
    dstr_free(&text);
}

/* a frame round TASKS, GAP pixels away from them; its lines have LINE */
static void draw_round(const struct strip *s, struct ja_window tasks, int gap, int line)
{
    const XftColor *ink = &s->c->paint->inks[INK_TEXT];
    int first, last, y = tasks_y(s) - gap;
    if (!frames_columns(s->frames, s->stage, tasks, s->columns, &first, &last))
        return;
    int x = MARGIN + first - gap, width = last - first + 1 + 2 * gap;
    int height = s->c->paint->row_height + 2 * gap;
    canvas_box(s->c, ink, x, y, width, line);
    canvas_box(s->c, ink, x, y + height - line, width, line);
    canvas_box(s->c, ink, x, y, line, height);
    canvas_box(s->c, ink, x + width - line, y, line, height);
}

/* below the tasks: what is marked has paper of another colour, too */
static void draw_marked(const struct strip *s)
{
    struct ja_window tasks;
    int first, last, height = s->c->paint->row_height;
    if (!frames_marked(s->frames, s->stage, &tasks) ||
        !frames_columns(s->frames, s->stage, tasks, s->columns, &first, &last))
        return;
    canvas_box(s->c, &s->c->paint->inks[INK_CHOSEN], MARGIN + first - MARK, tasks_y(s) - MARK,
               last - first + 1 + 2 * MARK, height + 2 * MARK);
    draw_round(s, tasks, MARK, MARK_LINE);
}

/* RUNS has room for as many as there are columns */
static void draw_tasks(const struct strip *s, struct frame_run *runs)
{
    int height = s->c->paint->row_height;
    uint32_t n = frames_runs(s->frames, s->stage, s->columns, runs);
    for (uint32_t i = 0; i < n; i++) {
        int gap = runs[i].is_task ? 1 : 0;
        canvas_look(s->c, runs[i].look, MARGIN + runs[i].first, tasks_y(s),
                    runs[i].last - runs[i].first + 1 - gap, height);
    }
}

static void draw_stage(const struct strip *s, struct frame_run *runs)
{
    struct ja_window lit;
    draw_words(s);
    draw_marked(s);
    draw_tasks(s, runs);
    if (frames_lit(s->frames, s->stage, &lit))
        draw_round(s, lit, LIT, LIT);
}

/* ---- all of it ---- */

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

void frames_draw(const struct frames_view *v, struct canvas *canvas)
{
    struct strip s = { .frames = v->frames, .c = canvas, .columns = columns_of(v) };
    struct frame_run *runs = uti_calloc((size_t)s.columns, sizeof *runs);
    if (v->is_old)
        canvas_box(canvas, &v->paint->inks[INK_STRIPE], 0, 0, v->width, v->height);
    draw_axis(v->frames, canvas, s.columns);
    for (s.stage = v->top; s.stage < frames_count(v->frames); s.stage++) {
        s.y = stage_y(v->paint, s.stage - v->top);
        if (s.y >= v->height)
            break;
        draw_stage(&s, runs);
    }
    free(runs);
}

void frames_legend(struct canvas *canvas)
{
    static const enum task_look looks[] = { LOOK_HELD,  LOOK_READY,  LOOK_RUNNING, LOOK_SUSPENDED,
                                            LOOK_ERROR, LOOK_FAILED, LOOK_UNKNOWN, LOOK_DONE };
    const struct paint *p = canvas->paint;
    int x = MARGIN, size = p->font->ascent;
    for (size_t i = 0; i < ARRAY_LEN(looks); i++) {
        const char *name = look_name(looks[i]);
        struct place at = { .x = x + 2 * size, .width = paint_width(p, name) + MARGIN };
        canvas_look(canvas, looks[i], x, (p->row_height - size) / 2, 2 * size, size);
        canvas_text(canvas, &at, name);
        x = at.x + at.width + 2 * MARGIN;
    }
}
