/* Lines for the log, made of the texts of answers, which say who did what. Owns nothing. */
#include "daemons/qmaster/change/trail.h"

#include <string.h>

#include "daemons/qmaster/tables/rights.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/log.h"

void trail_add_text(const struct request *r, const char *text, struct dstr *out)
{
    struct dstr who = DSTR_INIT;
    dstr_addf(&who, "%s@%s", r->from->who.user, r->from->who.host);
    if (strncmp(text, dstr_get(&who), who.len) != 0)
        dstr_addf(out, "%s: ", dstr_get(&who));
    dstr_add(out, text);
    dstr_free(&who);
}

static void write_line(struct qmaster *q, const struct request *r, const char *line)
{
    if (right_manage(q, &r->from->who))
        log_msg(LOG_LEVEL_INFO, "%s", line);
    else
        log_msg_of(r->from->who.uid, LOG_LEVEL_INFO, "%s", line);
}

void trail_note(struct qmaster *q, const struct request *r)
{
    struct dstr line = DSTR_INIT;
    trail_add_text(r, r->ans.v[r->ans.n - 1].text, &line);
    write_line(q, r, dstr_get(&line));
    dstr_free(&line);
}

void trail_note_task(struct qmaster *q, const struct request *r, const char *owner)
{
    struct dstr line = DSTR_INIT;
    if (owner != NULL && strcmp(owner, r->from->who.user) == 0)
        return;
    (void)q;
    trail_add_text(r, r->ans.v[r->ans.n - 1].text, &line);
    log_msg_of(r->from->who.uid, LOG_LEVEL_INFO, "%s", dstr_get(&line));
    dstr_free(&line);
}
