/* Checks of submitted and altered jobs: names, sizes, limits, references to objects. The q commands
 * have checked most of it already; nobody relies on that. */
#include "daemons/qmaster/requests/jobs/job_check.h"

#include "daemons/qmaster/config/users.h"
#include "daemons/qmaster/jobs/ar_life.h"
#include "daemons/qmaster/requests/explain/queue_known.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "daemons/qmaster/tables/rights.h"
#include "libs/config/complex.h"
#include "libs/config/job_resources.h"
#include "libs/sched/supply/resource.h"
#include "libs/sgeobj/binding.h"
#include "libs/sgeobj/checkpoint.h"
#include "libs/sgeobj/event.h"
#include "libs/sgeobj/job_attribute.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/job_select.h"
#include "libs/sgeobj/mail_address.h"
#include "libs/sgeobj/pe_match.h"
#include "libs/uti/dstr.h"
#include "libs/uti/pattern.h"
#include "libs/uti/sha256.h"
#include "libs/uti/time.h"

static int check_array(const struct qmaster *q, struct JB_Type *rec, struct answer *ans)
{
    if (!job_is_array(rec)) {
        if (rec->JB_ja_task_concurrency != 0)
            return ans_fail(ans, STATUS_ESEMANTIC, MSG_TC_NEEDS_ARRAY);
        cull_set(rec, JB_ja_first, 1u);
        cull_set(rec, JB_ja_last, 1u);
        cull_set(rec, JB_ja_step, 1u);
        return 0;
    }
    if (rec->JB_ja_first == 0)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_TASK_ID_INVALID_U, rec->JB_ja_first);
    if (rec->JB_ja_last > JOB_TASK_ID_MAX)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_TASK_ID_MAX_UU, rec->JB_ja_last,
                        (unsigned)JOB_TASK_ID_MAX);
    if (rec->JB_ja_last < rec->JB_ja_first || rec->JB_ja_step == 0)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_TASK_RANGE_UUU, rec->JB_ja_first,
                        rec->JB_ja_last, rec->JB_ja_step);
    uint32_t most = q->settings.max_aj_tasks;
    if (most != 0 && job_task_count(rec) > most)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_TOO_MANY_TASKS_U, most);
    return 0;
}

static int check_counts(struct qmaster *q, const char *user, struct answer *ans)
{
    const struct settings *s = &q->settings;
    struct owner *o = jobs_owner(&q->jobs, user);
    uint32_t mine = o != NULL ? o->n_jobs : 0;
    if (s->max_jobs != 0 && q->jobs.n >= s->max_jobs)
        return ans_fail(ans, STATUS_NOTOK_DOAGAIN, MSG_MAX_JOBS_U, s->max_jobs);
    if (s->max_u_jobs != 0 && mine >= s->max_u_jobs)
        return ans_fail(ans, STATUS_NOTOK_DOAGAIN, MSG_MAX_U_JOBS_UU, s->max_u_jobs, mine);
    return 0;
}

static int check_patterns(const struct QR_Type_list *wanted, struct answer *ans)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < wanted->n; i++)
        n += wanted->v[i].QR_name != NULL && pattern_is_wild(wanted->v[i].QR_name);
    return n <= QUEUE_PATTERNS_MOST
               ? 0
               : ans_fail(ans, STATUS_ESEMANTIC, MSG_QUEUE_PATTERNS_U, QUEUE_PATTERNS_MOST);
}

static int check_queues(struct qmaster *q, const struct QR_Type_list *wanted, struct answer *ans)
{
    uint32_t work = 0;
    if (check_patterns(wanted, ans) != 0)
        return -1;
    for (uint32_t i = 0; i < wanted->n; i++) {
        const char *name = wanted->v[i].QR_name;
        if (name == NULL || !queue_is_known(q, name, &work))
            return ans_fail(ans, STATUS_ESEMANTIC, MSG_QUEUE_UNKNOWN_S, name != NULL ? name : "");
    }
    return 0;
}

static int check_queue_lists(struct qmaster *q, const struct JB_Type *rec, struct answer *ans)
{
    if (check_queues(q, &rec->JB_hard_queue_list, ans) != 0 ||
        check_queues(q, &rec->JB_soft_queue_list, ans) != 0)
        return -1;
    return check_queues(q, &rec->JB_master_hard_queue_list, ans);
}

static bool some_pe_matches(const struct qmaster *q, const char *wc_pe)
{
    for (const struct text_object *t = q->settings.texts[GDI_PE]; t != NULL; t = t->hh.next)
        if (pattern_match(wc_pe, t->rec.TX_name))
            return true;
    return false;
}

static bool is_known(const struct qmaster *q, enum gdi_target kind, const char *name)
{
    return name == NULL || settings_text(&q->settings, kind, name) != NULL;
}

/* What a job names must be there: nobody is charged to a project that somebody invented, and a job
 * that believes in its checkpoints has them. */
static int check_objects(const struct qmaster *q, const struct JB_Type *rec, bool is_new,
                         struct answer *ans)
{
    if (rec->JB_pe != NULL && !some_pe_matches(q, rec->JB_pe))
        return is_new ? ans_fail(ans, STATUS_EUNKNOWN, MSG_PE_UNKNOWN_S, rec->JB_pe)
                      : ans_fail(ans, STATUS_EUNKNOWN, MSG_PE_UNKNOWN_ALTER_S, rec->JB_pe);
    if (rec->JB_pe != NULL && range_set_has(&rec->JB_pe_range, 0))
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_PE_RANGE_ZERO);
    if (rec->JB_pe != NULL && pe_slots_ranges(rec) > SLOT_RANGES_MOST)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_PE_RANGES_UU, pe_slots_ranges(rec),
                        (unsigned)SLOT_RANGES_MOST);
    if (!is_known(q, GDI_CKPT, rec->JB_checkpoint_name))
        return ans_fail(ans, STATUS_EUNKNOWN, MSG_CKPT_UNKNOWN_S, rec->JB_checkpoint_name);
    if (!is_known(q, GDI_PROJECT, rec->JB_project))
        return ans_fail(ans, STATUS_EUNKNOWN, MSG_PROJECT_UNKNOWN_S, rec->JB_project);
    return 0;
}

/* -c asks for WHEN, or for an interval, of a job with this environment (NULL: none) */
static int check_when(uint32_t when, uint32_t interval_s, const char *env, struct answer *ans)
{
    bool is_asked_for = (when & ~(uint32_t)CHECKPOINT_NEVER) != 0 || interval_s != 0;
    if (env == NULL && is_asked_for)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_CKPT_DENIED);
    if (env != NULL && (when & CHECKPOINT_NEVER) != 0)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_CKPT_NEVER);
    return 0;
}

/* -c and -ckpt of a submit belong together; letters that -c does not say are the environment's */
static int check_checkpoint(struct qmaster *q, struct JB_Type *rec, struct answer *ans)
{
    const char *name = rec->JB_checkpoint_name;
    const struct text_object *env =
        name != NULL ? settings_text(&q->settings, GDI_CKPT, name) : NULL;
    if (check_when(rec->JB_checkpoint_attr, rec->JB_checkpoint_interval, env != NULL ? name : NULL,
                   ans) != 0)
        return -1;
    if (env != NULL)
        cull_set(rec, JB_checkpoint_attr, checkpoint_when(rec, env->record));
    return 0;
}

/* likewise of an altered job, whose environment may be altered, too */
static int check_altered_checkpoint(const struct job *job, const struct JB_Type *want,
                                    struct answer *ans)
{
    const char *env =
        cull_has(want, JB_checkpoint_name) ? want->JB_checkpoint_name : job->rec.JB_checkpoint_name;
    return check_when(want->JB_checkpoint_attr, want->JB_checkpoint_interval, env, ans);
}

static int check_resources(struct qmaster *q, struct JB_Type *rec, struct answer *ans)
{
    if (rec->JB_hard_resource_list.n == 0 && rec->JB_soft_resource_list.n == 0)
        return 0;
    const struct CE_Type_list *complex = settings_complex(&q->settings);
    if (job_resources_check(complex, &rec->JB_hard_resource_list, ans) != 0)
        return -1;
    return job_resources_check(complex, &rec->JB_soft_resource_list, ans);
}

int job_check_lists(struct qmaster *q, struct JB_Type *want, struct answer *ans)
{
    job_lists_merge(want, false);
    return check_resources(q, want, ans);
}

static int check_binding(const struct JB_Type *rec, struct answer *ans)
{
    const char *wrong = rec->JB_binding.n > 0 ? binding_check(&rec->JB_binding.v[0]) : NULL;
    return wrong == NULL ? 0 : ans_fail(ans, STATUS_ESEMANTIC, MSG_BINDING_REFUSED_S, wrong);
}

/* what a request may hold that this cell has not, or not in a job of this kind */
static int check_words(const struct JB_Type *rec, bool is_new, struct answer *ans)
{
    if (rec->JB_account != NULL && object_name_check(rec->JB_account, ans) != 0)
        return -1;
    if (job_attributes_check(rec, ans) != 0 || check_binding(rec, ans) != 0)
        return -1;
    if (is_new && rec->JB_master_hard_queue_list.n > 0 && rec->JB_pe == NULL)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_MASTERQ_NO_PE);
    return 0;
}

/* Addresses become arguments of a mailer. That of the owner is there unasked for: where a mailer
 * could not have it, it gets no mail. */
static int check_mail(const struct JB_Type *rec, const char *owner, struct answer *ans)
{
    for (uint32_t i = 0; i < rec->JB_mail_list.n; i++) {
        const struct MR_Type *to = &rec->JB_mail_list.v[i];
        const char *user = to->MR_user != NULL ? to->MR_user : "";
        if (mail_address_is_good(user, to->MR_host) || strcmp(user, owner) == 0)
            continue;
        bool has_host = to->MR_host != NULL;
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_MAIL_ADDRESS_SSSU, user, has_host ? "@" : "",
                        has_host ? to->MR_host : "", (unsigned)MAIL_ADDRESS_MOST);
    }
    return 0;
}

static bool is_staged(const struct PN_Type_list *paths)
{
    for (uint32_t i = 0; i < paths->n; i++)
        if (paths->v[i].PN_file_staging)
            return true;
    return false;
}

/* Files are staged by the site's hooks, which are ready for it where the administrator says so. */
static int check_staging(const struct qmaster *q, const struct JB_Type *rec, struct answer *ans)
{
    bool is_wanted = is_staged(&rec->JB_stdin_path_list) || is_staged(&rec->JB_stdout_path_list) ||
                     is_staged(&rec->JB_stderr_path_list);
    return q->settings.has_file_staging || !is_wanted
               ? 0
               : ans_fail(ans, STATUS_ESEMANTIC, MSG_NO_FILE_STAGING);
}

static int check_script(const struct JB_Type *rec, struct answer *ans)
{
    if ((rec->JB_type & JOB_TYPE_BINARY) != 0)
        return 0;
    if (rec->JB_script_ptr == NULL || *rec->JB_script_ptr == '\0')
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_NO_SCRIPT);
    return 0;
}

/* holds of a submit (-h): sets of ordinals within the array; the operator's and the system's are
 * for those who may */
static int check_holds(const struct qmaster *q, const struct identity *who, struct JB_Type *rec,
                       struct answer *ans)
{
    struct range_set *sets[] = { &rec->JB_ja_u_h_ids, &rec->JB_ja_o_h_ids, &rec->JB_ja_s_h_ids };
    static const unsigned kinds[] = { MINUS_H_TGT_USER, MINUS_H_TGT_OPERATOR, MINUS_H_TGT_SYSTEM };
    uint32_t count = job_task_count(rec), last;
    for (size_t i = 0; i < ARRAY_LEN(sets); i++) {
        if (!range_set_max(sets[i], &last))
            continue;
        if (right_to_hold(q, who, kinds[i], true, ans) != 0)
            return -1;
        if (last >= count)
            range_set_remove(sets[i], count, last);
    }
    return 0;
}

/* packed, and without the script, which would be copied for nothing */
static size_t record_bytes(const struct JB_Type *rec)
{
    uint64_t all_but_script[ARRAY_LEN(rec->present)];
    struct packer p = { 0 };
    memset(all_but_script, 0xff, sizeof all_but_script);
    all_but_script[JB_script_ptr / 64] &= ~(UINT64_C(1) << JB_script_ptr % 64);
    cull_pack(&p, &cull_JB_Type, rec, all_but_script);
    size_t bytes = p.len;
    packer_free(&p);
    return bytes;
}

size_t job_check_bytes(const struct JB_Type *rec, size_t record, size_t files, struct answer *ans)
{
    size_t without_script = record_bytes(rec);
    size_t bytes =
        without_script + (rec->JB_script_ptr != NULL ? strlen(rec->JB_script_ptr) + 1 : 0);
    if (without_script + record > JOB_RECORD_MOST) {
        ans_fail(ans, STATUS_ESEMANTIC, MSG_JOB_RECORD_TOO_LARGE_ZU, without_script + record,
                 (unsigned)JOB_RECORD_MOST);
        return 0;
    }
    size_t more = record + files;
    if (bytes + more <= JOB_BYTES_MOST)
        return bytes;
    ans_fail(ans, STATUS_ESEMANTIC, MSG_JOB_TOO_LARGE_ZU, bytes + more, (unsigned)JOB_BYTES_MOST);
    return 0;
}

static int check_at_once(const struct JB_Type *rec, struct answer *ans)
{
    uint32_t tasks = job_task_count(rec);
    if (!rec->JB_is_immediate || tasks <= ORDER_PACKAGE_TASKS)
        return 0;
    return ans_fail(ans, STATUS_ESEMANTIC, MSG_AT_ONCE_TASKS_UU, tasks,
                    (unsigned)ORDER_PACKAGE_TASKS);
}

static int check_interactive(const struct JB_Type *rec, struct answer *ans)
{
    uint32_t kind = rec->JB_type & JOB_TYPE_INTERACTIVE;
    if ((kind & (kind - 1)) != 0)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_SESSION_KINDS);
    if (kind != 0 && job_is_array(rec))
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_SESSION_TASKS);
    if (!job_has_session(rec))
        return rec->JB_session_digest == NULL && !rec->JB_pty
                   ? 0
                   : ans_fail(ans, STATUS_ESEMANTIC, MSG_SESSION_NONE);
    return sha256_text_is(rec->JB_session_digest)
               ? 0
               : ans_fail(ans, STATUS_ESEMANTIC, MSG_SESSION_DIGEST);
}

/* the advance reservation that REC, of USER, is for: it must be there and last long enough */
static int check_ar(struct qmaster *q, const char *user, const struct JB_Type *rec,
                    struct answer *ans)
{
    if (rec->JB_ar == 0)
        return 0;
    const struct ar *ar = ars_find(&q->ars, rec->JB_ar);
    if (ar == NULL || ar->rec.AR_state == AR_ENDING)
        return ans_fail(ans, STATUS_EUNKNOWN, MSG_AR_UNKNOWN_U, rec->JB_ar);
    if (!ar_admits(ar, user, rec->JB_user_sets))
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_NO_SUITABLE_ERROR);
    uint64_t run_s = request_run_s(rec);
    if (run_s != 0 && run_s > ar->rec.AR_end_time - ar->rec.AR_start_time)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_AR_TOO_SHORT_U, rec->JB_ar);
    return 0;
}

static bool asks_for_slots(const struct JB_Type *rec)
{
    for (uint32_t i = 0; i < rec->JB_hard_resource_list.n; i++) {
        const char *name = rec->JB_hard_resource_list.v[i].CE_name;
        if (name != NULL && (strcmp(name, "slots") == 0 || strcmp(name, "s") == 0))
            return true;
    }
    return false;
}

int job_check_reservation(struct qmaster *q, const struct identity *who, struct JB_Type *rec,
                          struct answer *ans)
{
    struct set_user owner = { who->user, who->group, who->uid };
    (void)access_note_sets(q, rec, &owner);
    if (rec->JB_job_name != NULL && *rec->JB_job_name != '\0' &&
        job_name_check(rec->JB_job_name, ans) != 0)
        return -1;
    if (asks_for_slots(rec))
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_AR_SLOTS);
    if (check_words(rec, true, ans) != 0 || check_mail(rec, who->user, ans) != 0)
        return -1;
    job_lists_merge(rec, true);
    if (check_queue_lists(q, rec, ans) != 0 || check_resources(q, rec, ans) != 0 ||
        check_objects(q, rec, true, ans) != 0)
        return -1;
    return right_to_use_cell(q, who->user, rec, ans);
}

/* the scheduler counts the seconds that are left */
static int check_deadline(const struct qmaster *q, const struct JB_Type *rec, struct answer *ans)
{
    struct dstr deadline = DSTR_INIT, now = DSTR_INIT;
    if (rec->JB_deadline == 0 || rec->JB_deadline > q->now_s)
        return 0;
    uti_time_us_date(rec->JB_deadline, &deadline);
    uti_time_us_date(q->now_s, &now);
    ans_add(ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_DEADLINE_PAST_SS, dstr_get(&deadline),
            dstr_get(&now));
    dstr_free(&deadline);
    dstr_free(&now);
    return -1;
}

int job_check_new(struct qmaster *q, const struct identity *who, struct JB_Type *rec,
                  struct answer *ans)
{
    struct set_user owner = { who->user, who->group, who->uid };
    (void)access_note_sets(q, rec, &owner);
    if (right_to_submit(q, who, ans) != 0)
        return -1;
    if (rec->JB_job_name == NULL || *rec->JB_job_name == '\0')
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_NO_JOB_NAME);
    if (job_name_check(rec->JB_job_name, ans) != 0 || check_array(q, rec, ans) != 0 ||
        check_at_once(rec, ans) != 0 || check_interactive(rec, ans) != 0)
        return -1;
    if (check_counts(q, who->user, ans) != 0 || right_to_go_first(q, who, rec, true, ans) != 0 ||
        check_deadline(q, rec, ans) != 0)
        return -1;
    if (check_words(rec, true, ans) != 0 || check_mail(rec, who->user, ans) != 0)
        return -1;
    job_lists_merge(rec, true);
    if (check_queue_lists(q, rec, ans) != 0)
        return -1;
    if (check_resources(q, rec, ans) != 0 || users_check(q, who->user, rec, ans) != 0)
        return -1;
    if (check_objects(q, rec, true, ans) != 0 || right_to_use_cell(q, who->user, rec, ans) != 0 ||
        check_holds(q, who, rec, ans) != 0 || check_staging(q, rec, ans) != 0 ||
        check_checkpoint(q, rec, ans) != 0 || check_ar(q, who->user, rec, ans) != 0)
        return -1;
    return check_script(rec, ans);
}

/* what WANT sets must be something that such a job has */
static int check_kind_of_job(const struct job *job, const struct JB_Type *want, struct answer *ans)
{
    for (unsigned i = 0; !job_is_array(&job->rec) && i < job_attributes_n; i++) {
        const struct job_attribute *a = &job_attributes[i];
        if ((a->flags & JOB_OF_ARRAYS) != 0 && cull_is_present(want, a->field))
            return ans_fail(ans, STATUS_ESEMANTIC, MSG_OF_ARRAYS_S, a->noun);
    }
    return 0;
}

/* a job moves to a project that is its owner's, whoever moves it */
static int check_project(const struct qmaster *q, const struct job *job, const struct JB_Type *want,
                         struct answer *ans)
{
    struct JB_Type moved = { .JB_user_sets = job->rec.JB_user_sets,
                             .JB_project = want->JB_project };
    if (!cull_has(want, JB_project))
        return 0;
    if (users_check_project(q, want->JB_project, ans) != 0)
        return -1;
    return right_to_use_cell(q, job->rec.JB_owner, &moved, ans);
}

/* a job moves to a reservation, or asks for another time in its own, before any of its tasks has
 * what it takes there */
static int check_altered_ar(struct qmaster *q, const struct job *job, const struct JB_Type *want,
                            struct answer *ans)
{
    struct JB_Type view = { .JB_ar = job->rec.JB_ar,
                            .JB_user_sets = job->rec.JB_user_sets,
                            .JB_hard_resource_list = job->rec.JB_hard_resource_list };
    bool has_ar = cull_is_present(want, JB_ar), has_list = cull_has(want, JB_hard_resource_list);
    if (!has_ar && (!has_list || view.JB_ar == 0))
        return 0;
    if (has_ar && want->JB_ar != job->rec.JB_ar && job->rare->n_running > 0)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_AR_RUNNING_U, job->rec.JB_job_number);
    if (has_ar)
        view.JB_ar = want->JB_ar;
    if (has_list)
        view.JB_hard_resource_list = want->JB_hard_resource_list;
    return check_ar(q, job->rec.JB_owner, &view, ans);
}

int job_check_altered(struct qmaster *q, const struct identity *who, const struct job *job,
                      const struct JB_Type *want, struct answer *ans)
{
    if (check_kind_of_job(job, want, ans) != 0)
        return -1;
    if (cull_has(want, JB_job_name)) {
        if (want->JB_job_name == NULL || *want->JB_job_name == '\0')
            return ans_fail(ans, STATUS_ESEMANTIC, MSG_NO_JOB_NAME);
        if (job_name_check(want->JB_job_name, ans) != 0)
            return -1;
    }
    if (check_words(want, false, ans) != 0 || check_mail(want, job->rec.JB_owner, ans) != 0 ||
        right_to_go_first(q, who, want, false, ans) != 0 || check_deadline(q, want, ans) != 0)
        return -1;
    if (check_objects(q, want, false, ans) != 0 || check_project(q, job, want, ans) != 0 ||
        check_staging(q, want, ans) != 0 || check_altered_checkpoint(job, want, ans) != 0 ||
        check_altered_ar(q, job, want, ans) != 0)
        return -1;
    return check_queue_lists(q, want, ans);
}
