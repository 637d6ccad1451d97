/* Putting a qmaster together and taking it apart; main.c adds the threads. */
#include "daemons/qmaster/state.h"

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/recent.h"
#include "daemons/qmaster/change/scripts.h"
#include "daemons/qmaster/change/sessions.h"
#include "daemons/qmaster/change/shares.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/config/renewal.h"
#include "daemons/qmaster/core.h"
#include "daemons/qmaster/io/account_reader.h"
#include "daemons/qmaster/io/committer.h"
#include "daemons/qmaster/io/fetcher.h"
#include "daemons/qmaster/io/inbox.h"
#include "daemons/qmaster/io/net.h"
#include "daemons/qmaster/msg_qmaster.h"
#include "daemons/qmaster/recover.h"
#include "daemons/qmaster/requests/reads/accounting.h"
#include "daemons/qmaster/requests/reads/reads.h"
#include "daemons/qmaster/requests/steps/steps.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/sessions/ends.h"
#include "daemons/qmaster/tables/user_sets.h"
#include "libs/spool/records.h"
#include "libs/uti/time.h"

void state_init(struct qmaster *q)
{
    jobs_init(&q->jobs);
    hosts_init(&q->hosts);
    queues_init(&q->queues);
    settings_init(&q->settings);
    kept_files_init(&q->kept_files);
    q->inbox = inbox_new();
    q->work = work_new(core_on_frame);
    q->sessions = sessions_new();
    q->events = events_new();
    q->reads = reads_new();
    q->account_reads = account_reads_new();
    q->renewals = renewals_new();
    q->job_sessions = job_sessions_new();
    q->waiting = waiting_new();
    q->recent = recent_new();
    q->scripts = scripts_new();
    q->now_s = q->started_s = uti_now_s();
    q->now_us = uti_mono_us();
}

/* the disk had no room for these: the committer tries again, and nobody hears before that their
 * tasks are gone */
static void take_over_accounting(struct qmaster *q, struct recovered *found)
{
    if (found->unwritten.len > 0) {
        change_accounting(q, dstr_get(&found->unwritten));
        q->jobs.removed = change_number(q);
    }
    dstr_free(&found->unwritten);
}

int state_load(struct qmaster *q, const char *accounting_path, const char *setup_path,
               struct comm_server *server, struct answer *ans)
{
    struct recovered found = { 0 };
    shares_usual(q->spool, q->usual_shares);
    int is_new = recover(q, accounting_path, &found, ans);
    if (is_new < 0) {
        dstr_free(&found.unwritten);
        return -1;
    }
    q->change = change_new(found.last_batch + 1);
    q->fetcher = fetcher_new(q->spool, q->inbox);
    q->account_reader = account_reader_new(accounting_path, q->inbox);
    take_over_accounting(q, &found);
    q->committer = committer_new(q->spool, accounting_path, server, q->inbox);
    if (q->committer == NULL)
        return ans_fail(ans, STATUS_ESYSTEM, MSG_ACCT_OPEN_S, accounting_path);
    if (!is_new)
        change_outbox_gone(q);
    int rc = is_new ? setup_new_cell(q, setup_path, ans) : recover_finish(q, ans);
    q->queues.are_recovered = true;
    return rc;
}

void state_free(struct qmaster *q)
{
    sessions_free(q->sessions); /* first: what waits in their lanes is in the lists of others */
    work_free(q->work);
    ends_free(q->job_sessions); /* after the work that removes them */
    reads_free(q->reads);
    account_reads_free(q->account_reads);
    renewals_free(q->renewals);
    waiting_free(q->waiting);
    scripts_free(q->scripts);
    events_free(q->events);
    free(q->schedd_turns);
    recent_free(q->recent);
    change_free(q->change);
    committer_free(q->committer);
    fetcher_free(q->fetcher);
    account_reader_free(q->account_reader);
    net_free(q->net);
    spool_records_free(q->records);
    spool_close(q->spool);
    queues_clear(&q->queues);
    hosts_clear(&q->hosts); /* before the jobs, whose lists of hosts it empties */
    jobs_clear(&q->jobs);
    user_sets_forget(&q->settings);
    settings_clear(&q->settings);
    resource_names_free(&q->resources);
    inbox_free(q->inbox);
}
