/* The command lines of qalter, qresub, qhold, qrls, qdel and qmod: options and the jobs they speak
 * of, in any order. qsub's own reading is in submit.c. Source: submit(1), qdel(1), qmod(1). */
#include <string.h>

#include "libs/cli/job_command.h"
#include "libs/cli/msg_cli.h"
#include "libs/cli/option_uses.h"
#include "libs/cli/selection.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/answer.h"

/* One operand at word AT, with the `-t range` that may follow it. Returns the words taken, or
 * -1. */
static long take_operand(struct job_command *c, const struct words *w, uint32_t at,
                         struct answer *ans)
{
    bool has_tasks = at + 2 < w->n && strcmp(w->v[at + 1], "-t") == 0;
    if (selection_add(&c->select, w->v[at], has_tasks ? w->v[at + 2] : NULL,
                      option_speaker(c->program), ans) < 0)
        return -1;
    return has_tasks ? 3 : 1;
}

/* qdel takes for a job's name what is not an option of its own */
static bool is_option(const struct job_command *c, const char *word)
{
    return *word == '-' && (c->program != QDEL || option_find(word, c->program) != NULL);
}

static int scan_line(struct job_command *c, const struct words *w, struct option_uses *uses,
                     struct answer *ans)
{
    struct option_source source = { .program = c->program };
    for (uint32_t at = 1; at < w->n;) {
        long took;
        if (is_option(c, w->v[at])) {
            long next = option_uses_scan_one(uses, w, at, &source, ans);
            took = next < 0 ? -1 : next - at;
        } else {
            took = c->program == QMOD ? ans_fail(ans, STATUS_EUSAGE, MSG_OPTION_BARE_S, w->v[at])
                                      : take_operand(c, w, at, ans);
        }
        if (took < 0)
            return -1;
        at += (uint32_t)took;
    }
    return 0;
}

/* qhold and qrls are qalter -h with a sign; without -h they speak of user holds */
static void complete_holds(struct job_command *c)
{
    if ((c->program == QHOLD || c->program == QRLS) && c->add_holds == 0)
        c->add_holds = MINUS_H_TGT_USER;
    if (c->program == QRLS) {
        c->remove_holds = c->add_holds;
        c->add_holds = 0;
    }
}

/* Alone such a word can only be a name. Beside jobs it is more likely a mistake, and what is
 * deleted does not come back. */
static int check_names(const struct job_command *c, struct answer *ans)
{
    for (uint32_t i = 0; i < c->select.n; i++) {
        const char *name = c->select.v[i].ID_str;
        if (*name != '-')
            continue;
        if (c->select.n > 1 || c->users.n > 0)
            return ans_fail(ans, STATUS_EUSAGE, MSG_OPTION_UNKNOWN_SS, option_speaker(c->program),
                            name);
        ans_add(ans, STATUS_OK, ANSWER_QUALITY_WARNING, MSG_OPTION_AS_NAME_S, name);
    }
    return 0;
}

/* qdel -u narrows what the operands mean; to the others it is another way to say which jobs */
static int check_operands(const struct job_command *c, struct answer *ans)
{
    if (c->program == QDEL)
        return check_names(c, ans);
    if (c->users.n == 0 || c->select.n == 0)
        return 0;
    return ans_fail(ans, STATUS_EUSAGE, MSG_USERS_AND_JOBS_S, option_speaker(c->program));
}

int job_command_read(struct job_command *c, int argc, char *const *argv, struct answer *ans)
{
    struct words w = WORDS_INIT;
    struct option_uses uses = OPTION_USES_INIT;
    words_add_args(&w, argc, argv);
    int result = scan_line(c, &w, &uses, ans);
    if (result == 0)
        result = option_uses_obey(&uses, c, ans);
    if (result == 0)
        result = check_operands(c, ans);
    complete_holds(c);
    option_uses_free(&uses);
    words_free(&w);
    return result;
}
