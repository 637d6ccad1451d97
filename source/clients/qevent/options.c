/* The options of qevent, one row each. Source: qevent(1). */
#include <string.h>

#include "clients/qevent/qevent.h"
#include "common/version.h"
#include "libs/sgeobj/event.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static bool o_help(void *options, const char *a)
{
    (void)a;
    return ((struct qevent_options *)options)->wants_help = true;
}

static bool o_subscribe(void *options, const char *a)
{
    (void)a;
    return ((struct qevent_options *)options)->shows_events = true;
}

static bool o_json(void *options, const char *a)
{
    (void)a;
    ((struct qevent_options *)options)->form = DOC_JSON;
    return true;
}

static bool o_all(void *options, const char *a)
{
    (void)a;
    return ((struct qevent_options *)options)->wants_all = true;
}

static bool o_kinds(void *options, const char *a)
{
    name_list_split(&((struct qevent_options *)options)->kinds, a);
    return true;
}

static bool o_trigger(void *options, const char *a)
{
    static const char *const names[TRIGGERS] = { "JB_TASK_END", "JB_END" };
    struct qevent_options *o = options;
    for (int i = 0; i < TRIGGERS; i++)
        if (strcmp(names[i], a) == 0)
            o->awaits_script = i + 1;
    return o->awaits_script != 0;
}

/* the script of the -trigger before it; a comma may divide them */
static bool take_operand(void *options, const char *word)
{
    struct qevent_options *o = options;
    if (o->awaits_script == 0)
        return strcmp(word, ",") == 0;
    o->scripts[o->awaits_script - 1] = word;
    o->awaits_script = 0;
    return true;
}

static const struct client_option rows[] = {
    { "-h", ARGUMENT_NONE, o_help, NULL, NULL },
    { "-help", ARGUMENT_NONE, o_help, "[-h|-help]", "show usage" },
    { "-sm", ARGUMENT_NONE, o_subscribe, "[-sm|-subscribe]",
      "show events as they come, a line each" },
    { "-subscribe", ARGUMENT_NONE, o_subscribe, NULL, NULL },
    { "-json", ARGUMENT_NONE, o_json, "[-json]", "the same as JSON, a line each" },
    { "-kinds", ARGUMENT_NEEDED, o_kinds, "[-kinds kind,...]", "events of these kinds only" },
    { "-all", ARGUMENT_NONE, o_all, "[-all]", "jobs of all users (operators)" },
    { "-trigger", ARGUMENT_NEEDED, o_trigger, "[-trigger EVENT SCRIPT]",
      "start SCRIPT when EVENT (JB_END, JB_TASK_END) occurs" },
    { "-ts", ARGUMENT_NONE, NULL, NULL, NULL },
    { "-testsuite", ARGUMENT_NONE, NULL, NULL, NULL },
};
static const struct option_table table = {
    .rows = rows, .n = ARRAY_LEN(rows), .indent = "  ", .width = 26, .operand = take_operand
};

void qevent_usage(struct dstr *out)
{
    dstr_add(out, SGE_VERSION_LINE "\nusage: qevent [options]\n");
    option_table_help(&table, out);
}

static int check_kinds(const struct name_list *kinds, struct answer *ans)
{
    for (uint32_t i = 0; i < kinds->n; i++)
        if (event_kind_find(kinds->v[i]) == 0)
            return ans_fail(ans, STATUS_ESYNTAX, "\"%s\" is no kind of event: see qevent(1)",
                            kinds->v[i]);
    return 0;
}

static int check_sense(const struct qevent_options *o, bool *shows_usage, struct answer *ans)
{
    if (o->awaits_script != 0) {
        *shows_usage = true;
        return ans_fail(ans, STATUS_ESYNTAX, "option \"-trigger\" needs a script");
    }
    if (o->wants_help || o->shows_events || o->scripts[TRIGGER_TASK] != NULL ||
        o->scripts[TRIGGER_JOB] != NULL)
        return 0;
    *shows_usage = true;
    return ans_fail(ans, STATUS_ESYNTAX, "nothing to do: give \"-sm\" or \"-trigger\"");
}

int qevent_parse(int n, char *const *args, struct qevent_options *o, bool *shows_usage,
                 struct answer *ans)
{
    if (option_table_parse(&table, n, args, o, shows_usage, ans) != 0)
        return -1;
    if (check_kinds(&o->kinds, ans) != 0)
        return -1;
    o->shows_events |= o->form == DOC_JSON;
    return check_sense(o, shows_usage, ans);
}

void qevent_options_free(struct qevent_options *o)
{
    name_list_free(&o->kinds);
}
