/* Requests of sessions that keep ends (message.h): made, asked about, watched, emptied, ended; and
 * the submit that watches. Invariant: a session is found by its key for its owner alone, whoever
 * else knows the key; a manager who ends one names the owner. */
#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/request.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "daemons/qmaster/sessions/ends.h"
#include "daemons/qmaster/sessions/session_records.h"
#include "daemons/qmaster/sessions/waiting_clients.h"
#include "daemons/qmaster/tables/rights.h"
#include "libs/uti/dstr.h"
#include "libs/uti/os.h"

enum { KEY_BYTES = 16 }; /* nobody guesses 128 bits */

/* the session of R's own user that it names; NULL with R's texts */
static struct job_session *session_asked(struct qmaster *q, struct request *r)
{
    if (job_session_check(q, r->from, r->gr.GR_session, false, 0, &r->ans) != 0)
        return NULL;
    struct job_session *s = job_session_find(q, r->from->who.user, r->gr.GR_session);
    job_session_asked(q, s);
    return s;
}

static void answer_session(struct request *r, const struct job_session *s)
{
    cull_set(&r->ga, GA_session, s->rec.SN_key);
    cull_set(&r->ga, GA_session_number, s->rec.SN_number);
    cull_set(&r->ga, GA_n_ends, s->n_kept);
}

static int make_key(struct request *r)
{
    struct dstr key = DSTR_INIT;
    int rc = random_text(&key, KEY_BYTES, &r->ans);
    if (rc == 0)
        cull_set(&r->gr, GR_session, dstr_get(&key));
    dstr_free(&key);
    return rc;
}

void add_session_request(struct qmaster *q, struct request *r)
{
    if (r->gr.GR_session == NULL && make_key(r) != 0)
        return;
    if (job_session_check(q, r->from, r->gr.GR_session, true, 0, &r->ans) != 0)
        return;
    struct job_session *s = job_session_find(q, r->from->who.user, r->gr.GR_session);
    if (s == NULL)
        s = job_session_make(q, r->from, r->gr.GR_session, &r->ans);
    if (s == NULL)
        return;
    job_session_asked(q, s);
    answer_session(r, s);
}

void get_session_request(struct qmaster *q, struct request *r)
{
    struct job_session *s = session_asked(q, r);
    if (s != NULL)
        answer_session(r, s);
}

void watch_session_request(struct qmaster *q, struct request *r)
{
    struct job_session *s = session_asked(q, r);
    if (s != NULL)
        waiting_clients_add(q, r, s, r->gr.GR_job_number);
}

void act_session_request(struct qmaster *q, struct request *r)
{
    if (r->gr.GR_action != GDI_ACT_TAKE) {
        ans_add(&r->ans, STATUS_ENOTSUP, ANSWER_QUALITY_ERROR, MSG_REQUEST_UNKNOWN_UU,
                r->gr.GR_verb, r->gr.GR_target);
        return;
    }
    struct job_session *s = session_asked(q, r);
    if (s == NULL)
        return;
    struct removal *out = removal_new(s);
    for (uint32_t i = 0; i < r->gr.GR_ends.n; i++) {
        const struct EN_Type *end = &r->gr.GR_ends.v[i];
        struct range_set ran = { 0 };
        session_records_take(q, s, end->EN_job_number, &end->EN_ordinals, &ran);
        removal_add(out, end->EN_job_number, &ran);
    }
    removal_start(q, out, r);
}

void del_session_request(struct qmaster *q, struct request *r)
{
    struct job_session *s = NULL;
    bool is_others = r->gr.GR_users.n == 1 && r->gr.GR_users.v[0].ST_name != NULL;
    if (is_others && right_to_configure(q, &r->from->who, &r->ans) != 0)
        return;
    if (is_others && r->gr.GR_session != NULL)
        s = job_session_find(q, r->gr.GR_users.v[0].ST_name, r->gr.GR_session);
    else
        s = session_asked(q, r);
    if (s != NULL)
        ends_drop_session(q, s);
    else if (is_others)
        ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_NO_SUCH_SESSION);
}

void watch_submitted(struct qmaster *q, struct request *r)
{
    struct job_session *s =
        r->gr.GR_session != NULL ? job_session_find(q, r->from->who.user, r->gr.GR_session) : NULL;
    if (s != NULL) /* else it was asked again, and the session has gone meanwhile */
        waiting_clients_add(q, r, s, r->ga.GA_job_number);
}
