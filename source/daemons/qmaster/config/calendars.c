/* When calendars are looked at. Invariant: calendars_due_s is not later than the until_s of any
 * calendar in use. */
#include "daemons/qmaster/config/calendars.h"

#include "daemons/qmaster/config/msg_config.h"
#include "daemons/qmaster/tables/settings.h"
#include "libs/config/attr_names.h"
#include "libs/config/calendar_time.h"
#include "libs/config/qinstance.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"

static uint32_t state_bits(enum calendar_state state)
{
    switch (state) {
    case CALENDAR_ON:
        break;
    case CALENDAR_OFF:
        return QI_CAL_DISABLED;
    case CALENDAR_SUSPENDED:
        return QI_CAL_SUSPENDED;
    }
    return 0;
}

static void look_at(struct qmaster *q, struct calendar_use *use)
{
    const struct text_object *t = settings_text(&q->settings, GDI_CALENDAR, use->name);
    struct calendar_outlook look = { .until_s = CALENDAR_FOR_EVER };
    if (t != NULL && t->record != NULL)
        look = calendar_look(t->record, q->now_s);
    uint32_t state = state_bits(look.state);
    q->queues.calendars_looked_s = q->now_s;
    use->until_s = look.until_s;
    use->is_change = look.is_change;
    if (state == use->state)
        return;
    use->state = state;
    use->at = LIST_FIRST(&use->instances);
    q->queues.has_calendar_turned = true;
}

static void note_due(struct qmaster *q, const struct calendar_use *use)
{
    if (use->until_s < q->queues.calendars_due_s)
        q->queues.calendars_due_s = use->until_s;
}

/* all of them, or those whose time has come */
static void look_at_some(struct qmaster *q, bool is_all)
{
    q->queues.calendars_due_s = CALENDAR_FOR_EVER;
    for (struct calendar_use *use = q->queues.calendars; use != NULL; use = use->hh.next) {
        if (is_all || use->until_s <= q->now_s)
            look_at(q, use);
        note_due(q, use);
    }
}

static const char *calendar_of(const struct qinstance *qi)
{
    const char *name = qinstance_setting(&qi->rec, "calendar");
    return name != NULL && !attr_is_none(name) ? name : NULL;
}

void calendars_settle(struct qmaster *q, struct qinstance *qi)
{
    if (!queues_set_calendar(&q->queues, qi, calendar_of(qi)))
        return;
    struct calendar_use *use = qi->calendar;
    if (use != NULL && use->until_s == 0) {
        look_at(q, use);
        note_due(q, use);
    }
    queues_note_turned(&q->queues, qi);
}

void calendars_changed(struct qmaster *q, const char *name)
{
    for (struct calendar_use *use = q->queues.calendars; use != NULL; use = use->hh.next) {
        if (strcmp(use->name, name) == 0)
            look_at(q, use);
        note_due(q, use);
    }
}

void calendars_step(struct qmaster *q)
{
    bool is_set_back = q->now_s < q->queues.calendars_looked_s;
    if (q->now_s >= q->queues.calendars_due_s || is_set_back)
        look_at_some(q, is_set_back);
}

uint64_t calendars_wake_us(const struct qmaster *q, uint64_t latest_us)
{
    uint64_t due_s = q->queues.calendars_due_s;
    if (due_s > q->now_s + (latest_us - q->now_us) / 1000000 + 1)
        return latest_us;
    uint64_t due_ms = due_s * 1000, now_ms = uti_now_ms();
    uint64_t wake_us = uti_mono_us() + (due_ms > now_ms ? due_ms - now_ms : 0) * 1000;
    return wake_us < latest_us ? wake_us : latest_us;
}

void calendars_explain(const struct qinstance *qi, struct dstr *out)
{
    const struct calendar_use *use = qi->calendar;
    if (use == NULL || use->state == 0)
        return;
    dstr_addf(out, MSG_CALENDAR_STATE_SS, use->name,
              use->state == QI_CAL_DISABLED ? "off" : "suspended");
    if (use->until_s == CALENDAR_FOR_EVER)
        return;
    dstr_add(out, use->is_change ? MSG_CALENDAR_UNTIL : MSG_CALENDAR_AT_LEAST_UNTIL);
    uti_time_us_date(use->until_s, out);
}
