/* The life of a task: every cell of the table, what records say of each state, and the letters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/sgeobj/task_state.h"
#include "libs/uti/dstr.h"

/* what is to happen, cell by cell; an event that has no row here must be refused */
struct row {
    enum task_state state;
    enum task_event event;
    enum task_state next;
    enum task_action action;
};
#define ROW(state, event, next, action)                                                            \
    {                                                                                              \
        TASK_STATE_##state, TASK_EVENT_##event, TASK_STATE_##next, TASK_ACTION_##action            \
    }
/* clang-format off */
static const struct row wanted[] = {
    ROW(PENDING, ORDERED, SENT, START),
    ROW(PENDING, CLEAN, DELETING, CLEAN),
    ROW(PENDING, DELETE, ENDED, END_UNRUN),
    ROW(SENT, STARTED, RUNNING, RECORD_START),
    ROW(SENT, STOPPED, SENT, STOP),
    ROW(SENT, STOPPED_AGAIN, SENT, NOTE),
    ROW(SENT, REASON_GONE, SENT, NOTE),
    ROW(SENT, RESUMED, SENT, CONTINUE),
    ROW(SENT, RESCHEDULE, RESCHEDULING, KILL),
    ROW(SENT, DELETE, DELETING, KILL),
    ROW(SENT, END_FINAL, ENDED, END),
    ROW(SENT, END_AGAIN, PENDING, PUT_BACK),
    ROW(SENT, END_ERROR, ERROR, PARK),
    ROW(SENT, END_QUEUE_ERROR, PENDING, PUT_BACK_QUEUE_ERROR),
    ROW(SENT, END_FINAL_QUEUE_ERROR, ENDED, END_QUEUE_ERROR),
    ROW(RUNNING, STOPPED, SUSPENDED, STOP),
    ROW(RUNNING, RESUMED, RUNNING, CONTINUE),
    ROW(RUNNING, CHECKPOINT, CHECKPOINTING, NOTE),
    ROW(RUNNING, MIGRATE, MIGRATING, MIGRATE),
    ROW(RUNNING, HOST_LOST, LOST, NOTE),
    ROW(RUNNING, RESCHEDULE, RESCHEDULING, KILL),
    ROW(RUNNING, DELETE, DELETING, KILL),
    ROW(RUNNING, END_FINAL, ENDED, END),
    ROW(RUNNING, END_AGAIN, PENDING, PUT_BACK),
    ROW(RUNNING, END_ERROR, ERROR, PARK),
    ROW(RUNNING, END_QUEUE_ERROR, PENDING, PUT_BACK_QUEUE_ERROR),
    ROW(RUNNING, END_FINAL_QUEUE_ERROR, ENDED, END_QUEUE_ERROR),
    ROW(SUSPENDED, STOPPED, SUSPENDED, STOP),
    ROW(SUSPENDED, STOPPED_AGAIN, SUSPENDED, NOTE),
    ROW(SUSPENDED, REASON_GONE, SUSPENDED, NOTE),
    ROW(SUSPENDED, RESUMED, RUNNING, CONTINUE),
    ROW(SUSPENDED, MIGRATE, MIGRATING, MIGRATE),
    ROW(SUSPENDED, HOST_LOST, LOST, NOTE),
    ROW(SUSPENDED, RESCHEDULE, RESCHEDULING, KILL),
    ROW(SUSPENDED, DELETE, DELETING, KILL),
    ROW(SUSPENDED, END_FINAL, ENDED, END),
    ROW(SUSPENDED, END_AGAIN, PENDING, PUT_BACK),
    ROW(SUSPENDED, END_ERROR, ERROR, PARK),
    ROW(SUSPENDED, END_QUEUE_ERROR, PENDING, PUT_BACK_QUEUE_ERROR),
    ROW(SUSPENDED, END_FINAL_QUEUE_ERROR, ENDED, END_QUEUE_ERROR),
    ROW(CHECKPOINTING, STOPPED, CHECKPOINTING, NOTE),
    ROW(CHECKPOINTING, STOPPED_AGAIN, CHECKPOINTING, NOTE),
    ROW(CHECKPOINTING, REASON_GONE, CHECKPOINTING, NOTE),
    ROW(CHECKPOINTING, RESUMED, CHECKPOINTING, NOTE),
    ROW(CHECKPOINTING, CHECKPOINTED, RUNNING, REPEAT),
    ROW(CHECKPOINTING, MIGRATE, MIGRATING, MIGRATE),
    ROW(CHECKPOINTING, HOST_LOST, LOST, NOTE),
    ROW(CHECKPOINTING, RESCHEDULE, RESCHEDULING, KILL),
    ROW(CHECKPOINTING, DELETE, DELETING, KILL),
    ROW(CHECKPOINTING, END_FINAL, ENDED, END),
    ROW(CHECKPOINTING, END_AGAIN, PENDING, PUT_BACK),
    ROW(CHECKPOINTING, END_ERROR, ERROR, PARK),
    ROW(CHECKPOINTING, END_QUEUE_ERROR, PENDING, PUT_BACK_QUEUE_ERROR),
    ROW(CHECKPOINTING, END_FINAL_QUEUE_ERROR, ENDED, END_QUEUE_ERROR),
    ROW(MIGRATING, STOPPED, MIGRATING, NOTE),
    ROW(MIGRATING, STOPPED_AGAIN, MIGRATING, NOTE),
    ROW(MIGRATING, REASON_GONE, MIGRATING, NOTE),
    ROW(MIGRATING, RESUMED, MIGRATING, NOTE),
    ROW(MIGRATING, NOT_MIGRATED, RUNNING, REPEAT),
    ROW(MIGRATING, HOST_LOST, LOST, NOTE),
    ROW(MIGRATING, RESCHEDULE, RESCHEDULING, KILL),
    ROW(MIGRATING, DELETE, DELETING, KILL),
    ROW(MIGRATING, END_FINAL, ENDED, END),
    ROW(MIGRATING, END_AGAIN, PENDING, PUT_BACK),
    ROW(MIGRATING, END_ERROR, ERROR, PARK),
    ROW(MIGRATING, END_QUEUE_ERROR, PENDING, PUT_BACK_QUEUE_ERROR),
    ROW(MIGRATING, END_FINAL_QUEUE_ERROR, ENDED, END_QUEUE_ERROR),
    ROW(RESCHEDULING, STARTED, RESCHEDULING, RECORD_START),
    ROW(RESCHEDULING, STOPPED, RESCHEDULING, STOP),
    ROW(RESCHEDULING, STOPPED_AGAIN, RESCHEDULING, NOTE),
    ROW(RESCHEDULING, REASON_GONE, RESCHEDULING, NOTE),
    ROW(RESCHEDULING, RESUMED, RESCHEDULING, CONTINUE),
    ROW(RESCHEDULING, RESCHEDULE, RESCHEDULING, KILL),
    ROW(RESCHEDULING, DELETE, DELETING, KILL),
    ROW(RESCHEDULING, END_FINAL, PENDING, PUT_BACK),
    ROW(RESCHEDULING, END_AGAIN, PENDING, PUT_BACK),
    ROW(RESCHEDULING, END_ERROR, PENDING, PUT_BACK),
    ROW(RESCHEDULING, END_QUEUE_ERROR, PENDING, PUT_BACK),
    ROW(RESCHEDULING, END_FINAL_QUEUE_ERROR, PENDING, PUT_BACK),
    ROW(DELETING, STARTED, DELETING, RECORD_START),
    ROW(DELETING, STOPPED, DELETING, STOP),
    ROW(DELETING, STOPPED_AGAIN, DELETING, NOTE),
    ROW(DELETING, REASON_GONE, DELETING, NOTE),
    ROW(DELETING, RESUMED, DELETING, CONTINUE),
    ROW(DELETING, RESCHEDULE, DELETING, KILL),
    ROW(DELETING, DELETE, DELETING, KILL),
    ROW(DELETING, END_FINAL, ENDED, END),
    ROW(DELETING, END_AGAIN, ENDED, END),
    ROW(DELETING, END_ERROR, ENDED, END),
    ROW(DELETING, END_QUEUE_ERROR, ENDED, END),
    ROW(DELETING, END_FINAL_QUEUE_ERROR, ENDED, END),
    ROW(LOST, STOPPED, LOST, NOTE),
    ROW(LOST, STOPPED_AGAIN, LOST, NOTE),
    ROW(LOST, REASON_GONE, LOST, NOTE),
    ROW(LOST, RESUMED, LOST, NOTE),
    ROW(LOST, HOST_FOUND, RUNNING, REPEAT),
    ROW(LOST, RESCHEDULE, RESCHEDULING, KILL),
    ROW(LOST, DELETE, DELETING, KILL),
    ROW(LOST, END_FINAL, ENDED, END),
    ROW(LOST, END_AGAIN, PENDING, PUT_BACK),
    ROW(LOST, END_ERROR, ERROR, PARK),
    ROW(LOST, END_QUEUE_ERROR, PENDING, PUT_BACK_QUEUE_ERROR),
    ROW(LOST, END_FINAL_QUEUE_ERROR, ENDED, END_QUEUE_ERROR),
    ROW(ERROR, CLEARED, PENDING, CLEAR),
    ROW(ERROR, CLEAN, DELETING, CLEAN),
    ROW(ERROR, DELETE, ENDED, END_UNRUN),
};
/* clang-format on */

static const struct row *row_of(enum task_state state, enum task_event event)
{
    for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
        if (wanted[i].state == state && wanted[i].event == event)
            return &wanted[i];
    return NULL;
}

static void every_cell_is_visited_and_every_other_event_refused(void **ctx)
{
    (void)ctx;
    unsigned visited = 0;
    for (enum task_state s = 0; s < TASK_STATES; s++)
        for (enum task_event e = 0; e < TASK_EVENTS; e++) {
            const struct task_cell *cell = task_cell(s, e);
            const struct row *row = row_of(s, e);
            if ((cell != NULL) != (row != NULL))
                fail_msg("%s in state %s: the table %s a cell", task_event_name(e),
                         task_state_name(s), cell != NULL ? "has" : "lacks");
            if (cell == NULL)
                continue;
            assert_int_equal(cell->next, row->next);
            assert_int_equal(cell->action, row->action);
            visited++;
        }
    assert_int_equal(visited, ARRAY_LEN(wanted));
}

static void every_state_event_and_action_is_in_use(void **ctx)
{
    (void)ctx;
    bool states[TASK_STATES] = { false }, events[TASK_EVENTS] = { false },
         actions[TASK_ACTIONS] = { false };
    for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
        states[wanted[i].next] = events[wanted[i].event] = actions[wanted[i].action] = true;
        assert_non_null(task_state_name(wanted[i].next));
        assert_non_null(task_event_name(wanted[i].event));
    }
    for (unsigned i = 0; i < TASK_STATES; i++)
        assert_true(states[i]);
    for (unsigned i = 0; i < TASK_EVENTS; i++)
        assert_true(events[i]);
    for (unsigned i = 0; i < TASK_ACTIONS; i++)
        assert_true(actions[i]);
}

enum { BITS_END = TASK_WAS_SUSPENDED * 2 };

static bool is_suspension(enum task_event e)
{
    return e >= TASK_EVENT_STOPPED && e <= TASK_EVENT_RESUMED;
}

/* a suspension event belongs to what the reasons of the record are */
static bool may_happen(const struct JAT_Type *task, enum task_event e, uint32_t reason)
{
    return !is_suspension(e) ||
           e == task_suspension_event(task->JAT_state, reason, e <= TASK_EVENT_STOPPED_AGAIN);
}

static void enter_and_compare(const struct JAT_Type *before, enum task_event e, uint32_t reason)
{
    struct JAT_Type task = *before;
    const struct task_cell *cell = task_cell(task_state_of(&task), e);
    if (cell == NULL || !may_happen(&task, e, reason))
        return;
    task_state_enter(&task, e, cell, is_suspension(e) ? reason : 0);
    if (cell->next == TASK_STATE_ENDED) {
        assert_int_equal(task.JAT_status, before->JAT_status);
        assert_int_equal(task.JAT_state, before->JAT_state);
        return;
    }
    bool is_suspended = (task.JAT_state & (uint32_t)TASK_SUSPENSIONS) != 0;
    enum task_state next =
        cell->next == TASK_STATE_RUNNING && is_suspended ? TASK_STATE_SUSPENDED : cell->next;
    if (task_state_of(&task) != next)
        fail_msg("status %u, bits %u: %s leads to %s, not to %s", before->JAT_status,
                 before->JAT_state, task_event_name(e), task_state_name(task_state_of(&task)),
                 task_state_name(next));
}

static void a_record_is_in_the_state_that_its_cell_names(void **ctx)
{
    static const uint32_t reasons[] = { TASK_IS_SUSPENDED,          TASK_IS_QUEUE_SUSPENDED,
                                        TASK_IS_LOAD_SUSPENDED,     TASK_IS_SUBORDINATE_SUSPENDED,
                                        TASK_IS_CALENDAR_SUSPENDED, TASK_IS_CHECKPOINT_SUSPENDED };
    (void)ctx;
    for (uint32_t status = 0; status < TASK_STATUSES; status++)
        for (uint32_t bits = 0; bits < BITS_END; bits++)
            for (enum task_event e = 0; e < TASK_EVENTS; e++)
                for (size_t i = 0; i < ARRAY_LEN(reasons); i++) {
                    struct JAT_Type task = { .JAT_status = status, .JAT_state = bits };
                    enter_and_compare(&task, e, reasons[i]);
                }
}

static void enter_event(struct JAT_Type *task, enum task_event e)
{
    const struct task_cell *cell = task_cell(task_state_of(task), e);
    assert_non_null(cell);
    task_state_enter(task, e, cell, 0);
}

static void set_reason(struct JAT_Type *task, uint32_t reason, bool is_on)
{
    enum task_event e = task_suspension_event(task->JAT_state, reason, is_on);
    const struct task_cell *cell = task_cell(task_state_of(task), e);
    assert_non_null(cell);
    task_state_enter(task, e, cell, reason);
}

static void a_task_continues_when_the_last_of_its_reasons_is_gone(void **ctx)
{
    struct JAT_Type task = { .JAT_status = TASK_RUNNING };
    (void)ctx;
    assert_int_equal(task_suspension_event(task.JAT_state, TASK_IS_SUSPENDED, true),
                     TASK_EVENT_STOPPED);
    set_reason(&task, TASK_IS_SUSPENDED, true);
    assert_int_equal(task_suspension_event(task.JAT_state, TASK_IS_CALENDAR_SUSPENDED, true),
                     TASK_EVENT_STOPPED_AGAIN);
    set_reason(&task, TASK_IS_CALENDAR_SUSPENDED, true);
    assert_int_equal(task_suspension_event(task.JAT_state, TASK_IS_SUSPENDED, false),
                     TASK_EVENT_REASON_GONE);
    set_reason(&task, TASK_IS_SUSPENDED, false);
    assert_int_equal(task_state_of(&task), TASK_STATE_SUSPENDED);
    assert_int_equal(task_suspension_event(task.JAT_state, TASK_IS_CALENDAR_SUSPENDED, false),
                     TASK_EVENT_RESUMED);
    set_reason(&task, TASK_IS_CALENDAR_SUSPENDED, false);
    assert_int_equal(task_state_of(&task), TASK_STATE_RUNNING);
}

static void a_reason_that_comes_during_a_checkpoint_waits_for_its_end(void **ctx)
{
    struct JAT_Type task = { .JAT_status = TASK_RUNNING };
    (void)ctx;
    enter_event(&task, TASK_EVENT_CHECKPOINT);
    set_reason(&task, TASK_IS_SUBORDINATE_SUSPENDED, true);
    assert_int_equal(task_state_of(&task), TASK_STATE_CHECKPOINTING);
    enter_event(&task, TASK_EVENT_CHECKPOINTED);
    assert_int_equal(task_state_of(&task), TASK_STATE_SUSPENDED);
}

static void a_migrated_task_starts_again_as_restarted(void **ctx)
{
    struct JAT_Type task = { .JAT_status = TASK_RUNNING };
    (void)ctx;
    set_reason(&task, TASK_IS_SUSPENDED, true);
    set_reason(&task, TASK_IS_SUSPENDED, false);
    assert_int_equal(task.JAT_state, TASK_WAS_SUSPENDED);
    set_reason(&task, TASK_IS_SUSPENDED, true);
    enter_event(&task, TASK_EVENT_MIGRATE);
    enter_event(&task, TASK_EVENT_END_AGAIN);
    assert_int_equal(task.JAT_status, TASK_WAITING);
    assert_int_equal(task.JAT_state, TASK_IS_RESTARTED);
    enter_event(&task, TASK_EVENT_ORDERED);
    assert_int_equal(task.JAT_status, TASK_TRANSFERRING);
    assert_int_equal(task.JAT_state, TASK_IS_RESTARTED);
}

static void what_its_queue_is_to_blame_for_counts_no_restart(void **ctx)
{
    struct JAT_Type task = { .JAT_status = TASK_RUNNING, .JAT_state = TASK_IS_SUSPENDED };
    (void)ctx;
    enter_event(&task, TASK_EVENT_END_QUEUE_ERROR);
    assert_int_equal(task.JAT_status, TASK_WAITING);
    assert_int_equal(task.JAT_state, 0);
}

static void a_lost_task_that_is_found_is_what_it_was(void **ctx)
{
    struct JAT_Type task = { .JAT_status = TASK_RUNNING, .JAT_state = TASK_IS_QUEUE_SUSPENDED };
    (void)ctx;
    enter_event(&task, TASK_EVENT_HOST_LOST);
    assert_int_equal(task_state_of(&task), TASK_STATE_LOST);
    enter_event(&task, TASK_EVENT_HOST_FOUND);
    assert_int_equal(task_state_of(&task), TASK_STATE_SUSPENDED);
}

static void states_have_the_known_letters(void **state)
{
    static const struct {
        uint32_t status, state;
        unsigned holds;
        const char *text;
    } rows[] = {
        { 0, 0, 0, "qw" },
        { 0, 0, MINUS_H_TGT_USER, "hqw" },
        { 0, 0, HOLD_JID, "hqw" },
        { 0, 0, MINUS_H_TGT_JA_AD, "hqw" },
        { TASK_WAITING, TASK_IS_RESTARTED, 0, "Rq" },
        { TASK_WAITING, 0, 0, "qw" },
        { TASK_WAITING, TASK_IS_RESTARTED, MINUS_H_TGT_USER, "hRq" },
        { TASK_ERROR, 0, 0, "Eqw" },
        { TASK_ERROR, 0, MINUS_H_TGT_SYSTEM, "Ehqw" },
        { TASK_TRANSFERRING, 0, 0, "t" },
        { TASK_TRANSFERRING, TASK_IS_DELETED, 0, "dt" },
        { TASK_TRANSFERRING, TASK_IS_RESTARTED, 0, "Rt" },
        { TASK_RUNNING, 0, 0, "r" },
        { TASK_RUNNING, 0, MINUS_H_TGT_USER, "hr" },
        { TASK_RUNNING, 0, HOLD_JID | MINUS_H_TGT_JA_AD, "r" }, /* these never touch what runs */
        { TASK_RUNNING, TASK_IS_DELETED, 0, "dr" },
        { TASK_RUNNING, TASK_IS_RESTARTED, 0, "Rr" },
        { TASK_RUNNING, TASK_IS_RESCHEDULED, 0, "Rr" },
        { TASK_RUNNING, TASK_IS_DELETED | TASK_IS_RESTARTED, 0, "dRr" },
        { TASK_RUNNING, TASK_IS_SUSPENDED, 0, "s" },
        { TASK_RUNNING, TASK_IS_QUEUE_SUSPENDED, 0, "S" },
        { TASK_RUNNING, TASK_IS_SUSPENDED | TASK_IS_QUEUE_SUSPENDED, 0, "Ss" },
        { TASK_RUNNING, TASK_IS_LOAD_SUSPENDED, 0, "T" },
        { TASK_RUNNING, TASK_SUSPENSIONS, 0, "SsT" },
        { TASK_RUNNING, TASK_IS_SUBORDINATE_SUSPENDED, 0, "S" },
        { TASK_RUNNING, TASK_IS_CALENDAR_SUSPENDED | TASK_IS_SUSPENDED, 0, "Ss" },
        { TASK_RUNNING, TASK_IS_CHECKPOINT_SUSPENDED, 0, "s" },
        { TASK_RUNNING, TASK_IS_CHECKPOINTING, 0, "r" },
        { TASK_RUNNING, TASK_IS_MIGRATING, 0, "Rr" },
        { TASK_RUNNING, TASK_IS_LOST, 0, "r" },
        { TASK_RUNNING, TASK_IS_DELETED | TASK_IS_SUSPENDED, 0, "ds" },
    };

    (void)state;
    for (unsigned i = 0; i < ARRAY_LEN(rows); i++) {
        struct JAT_Type jat = { .JAT_status = rows[i].status, .JAT_state = rows[i].state };
        struct dstr text = DSTR_INIT;
        task_state_text(rows[i].status == 0 ? NULL : &jat, rows[i].holds, &text);
        assert_string_equal(dstr_get(&text), rows[i].text);
        dstr_free(&text);
    }
}

/* IDS is a list of task ids, as in "1,5,6" */

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cell_is_visited_and_every_other_event_refused),
        cmocka_unit_test(every_state_event_and_action_is_in_use),
        cmocka_unit_test(a_record_is_in_the_state_that_its_cell_names),
        cmocka_unit_test(a_task_continues_when_the_last_of_its_reasons_is_gone),
        cmocka_unit_test(a_reason_that_comes_during_a_checkpoint_waits_for_its_end),
        cmocka_unit_test(a_migrated_task_starts_again_as_restarted),
        cmocka_unit_test(what_its_queue_is_to_blame_for_counts_no_restart),
        cmocka_unit_test(a_lost_task_that_is_found_is_what_it_was),
        cmocka_unit_test(states_have_the_known_letters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
