/* The mails that the qmaster writes: to whom, how many of a user, and the lines that they have in
 * common. Texts of users pass through libs/sgeobj/mail_address.h. Invariant: a user of whom a mail
 * was counted within the last hour has a count, the oldest at the head of `used`.
 * Source: sge_conf(5) mailer, administrator_mail, MAIL_RATE; lines as users know them. */
#include "daemons/qmaster/jobs/letter.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/io/mailer.h"
#include "daemons/qmaster/jobs/msg_jobs.h"
#include "libs/config/attr_names.h"
#include "libs/config/conf.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/mail_address.h"
#include "libs/uti/alloc.h"
#include "libs/uti/log.h"
#include "libs/uti/time.h"

enum { HOUR_S = 3600, USERS_MOST = 100000, FORGOTTEN_A_STEP = 100 };
/* the name that the mails to the administrator are counted under: no user has it */
#define ADMINISTRATOR ""

struct mail_count {
    char *user;
    uint64_t since_s;
    uint32_t n, n_dropped;
    TAILQ_ENTRY(mail_count) in_used;
    UT_hash_handle hh;
};
struct letters {
    struct mail_count *counts; /* by user */
    TAILQ_HEAD(, mail_count) used;
};

struct letters *letters_new(void)
{
    struct letters *letters = uti_calloc(1, sizeof *letters);
    TAILQ_INIT(&letters->used);
    return letters;
}

/* ---- counts ---- */
static void count_free(struct letters *letters, struct mail_count *a)
{
    TAILQ_REMOVE(&letters->used, a, in_used);
    HASH_DEL(letters->counts, a);
    free(a->user);
    free(a);
}

void letters_free(struct letters *letters)
{
    struct mail_count *used, *next;
    if (letters == NULL)
        return;
    HASH_ITER(hh, letters->counts, used, next)
        count_free(letters, used);
    free(letters);
}

void letters_step(struct qmaster *q)
{
    struct mail_count *used;
    for (unsigned n = 0; n < FORGOTTEN_A_STEP && (used = TAILQ_FIRST(&q->letters->used)) != NULL &&
                         q->now_s >= used->since_s + HOUR_S && used->n_dropped == 0;
         n++)
        count_free(q->letters, used);
}

static struct mail_count *count_of(struct qmaster *q, const char *user)
{
    struct letters *letters = q->letters;
    struct mail_count *a;
    HASH_FIND_STR(letters->counts, user, a);
    if (a != NULL || HASH_COUNT(letters->counts) >= USERS_MOST)
        return a;
    a = uti_calloc(1, sizeof *a);
    a->user = uti_strdup(user);
    a->since_s = q->now_s;
    TAILQ_INSERT_TAIL(&letters->used, a, in_used);
    HASH_ADD_KEYPTR(hh, letters->counts, a->user, strlen(a->user), a);
    return a;
}

static void new_hour(struct qmaster *q, struct mail_count *a)
{
    a->since_s = q->now_s;
    a->n = 0;
    TAILQ_REMOVE(&q->letters->used, a, in_used);
    TAILQ_INSERT_TAIL(&q->letters->used, a, in_used);
}

/* N more mails of USER: may they be sent? *DROPPED: so many before them were not */
static bool may_cause(struct qmaster *q, const char *user, uint32_t n, uint32_t *dropped)
{
    struct mail_count *a = count_of(q, user);
    *dropped = 0;
    if (a == NULL)
        return false;
    if (q->now_s >= a->since_s + HOUR_S || q->now_s < a->since_s)
        new_hour(q, a);
    if (a->n + n > q->settings.mail_rate) {
        if (a->n_dropped++ == 0)
            log_msg(LOG_LEVEL_WARNING, MSG_MAIL_RATE_SU, *user != '\0' ? user : "the administrator",
                    q->settings.mail_rate);
        return false;
    }
    a->n += n;
    *dropped = a->n_dropped;
    a->n_dropped = 0;
    return true;
}

/* ---- a mail ---- */
static void letter_free(struct letter *l)
{
    dstr_free(&l->subject);
    dstr_free(&l->body);
}

static const struct CONF_Type *conf_of(const struct qmaster *q, const char *name)
{
    const struct conf *c = settings_conf(&q->settings, name);
    return c != NULL ? &c->rec : NULL;
}

static const char *mailer_of(const struct qmaster *q)
{
    return conf_get(conf_of(q, CONF_GLOBAL), conf_of(q, q->host), "mailer");
}

static void add_address(struct mail *m, const char *user, const char *host)
{
    struct dstr text = DSTR_INIT;
    if (user == NULL || m->n_to == MAIL_ADDRESSES_MOST || !mail_address_is_good(user, host))
        return;
    dstr_addf(&text, "%s%s%s", user, host != NULL ? "@" : "", host != NULL ? host : "");
    m->to[m->n_to++] = dstr_take(&text);
}

/* M, which is taken, has its addresses; it leaves with the batch if USER may send so many */
static void post_mail(struct qmaster *q, struct mail *m, const char *user, struct letter *l)
{
    uint32_t dropped = 0;
    if (m->n_to == 0 || !may_cause(q, user, m->n_to, &dropped)) {
        mail_free(m);
        return;
    }
    if (dropped > 0)
        dstr_addf(&l->body, MSG_MAIL_DROPPED_UU, dropped, q->settings.mail_rate);
    m->user = uti_strdup(user);
    m->subject = dstr_take(&l->subject);
    m->body = dstr_take(&l->body);
    change_mail(q, m);
}

static struct mail *new_mail(const struct qmaster *q)
{
    struct mail *m = uti_calloc(1, sizeof *m);
    m->program = uti_strdup(mailer_of(q));
    m->to = uti_calloc(MAIL_ADDRESSES_MOST, sizeof *m->to);
    return m;
}

void letter_send(struct qmaster *q, const struct job *job, struct letter *l)
{
    struct mail *m = new_mail(q);
    for (uint32_t i = 0; i < job->rec.JB_mail_list.n; i++)
        add_address(m, job->rec.JB_mail_list.v[i].MR_user, job->rec.JB_mail_list.v[i].MR_host);
    post_mail(q, m, job->rec.JB_owner, l);
    letter_free(l);
}

void letter_send_to_administrator(struct qmaster *q, struct letter *l)
{
    struct mail *m = new_mail(q);
    struct dstr word = DSTR_INIT;
    const char *at = conf_get(conf_of(q, CONF_GLOBAL), NULL, "administrator_mail");
    while (attr_next_word(&at, " ,", &word)) {
        char *user = dstr_take(&word), *host = strchr(user, '@');
        if (host != NULL)
            *host++ = '\0';
        add_address(m, user, host);
        free(user);
    }
    dstr_free(&word);
    post_mail(q, m, ADMINISTRATOR, l);
    letter_free(l);
}

/* ---- its lines ---- */
void letter_title(const struct job *job, uint32_t task, struct dstr *out)
{
    uint32_t number = job->rec.JB_job_number;
    if (!job_is_array(&job->rec))
        dstr_addf(out, "Job %" PRIu32, number);
    else if (task != 0)
        dstr_addf(out, "Job-array task %" PRIu32 ".%" PRIu32, number, task);
    else
        dstr_addf(out, "Job-array %" PRIu32, number);
    dstr_add(out, " (");
    mail_header_add(out, job->rec.JB_job_name, LETTER_NAME_MOST);
    dstr_addc(out, ')');
}

struct letter letter_begin(const struct job *job, uint32_t task, const char *what)
{
    struct letter l = { 0 };
    letter_title(job, task, &l.subject);
    dstr_addf(&l.subject, " %s", what);
    dstr_addf(&l.body, "%s\n", dstr_get(&l.subject));
    return l;
}

void letter_text(struct letter *l, int width, const char *label, const char *text)
{
    dstr_addf(&l->body, " %-*s = ", width, label);
    mail_header_add(&l->body, text != NULL ? text : "", LETTER_TEXT_MOST);
    dstr_addc(&l->body, '\n');
}

void letter_date(struct letter *l, int width, const char *label, uint64_t at_s)
{
    struct dstr text = DSTR_INIT;
    if (at_s != 0)
        uti_time_us_date(at_s, &text);
    letter_text(l, width, label, at_s != 0 ? dstr_get(&text) : "<unknown>");
    dstr_free(&text);
}

void letter_duration(struct letter *l, int width, const char *label, double duration_s)
{
    uint64_t s = (uint64_t)duration_s;
    dstr_addf(&l->body, " %-*s = %02" PRIu64 ":%02" PRIu64 ":%02" PRIu64 "\n", width, label,
              s / 3600, s / 60 % 60, s % 60);
}

void letter_memory(struct letter *l, int width, const char *label, double bytes)
{
    static const char units[] = "\0KMGTPE";
    unsigned unit = 0;
    struct dstr text = DSTR_INIT;
    for (; bytes >= 1024 && unit + 2 < sizeof units; unit++)
        bytes /= 1024;
    dstr_add_decimal(&text, bytes, 3);
    if (unit > 0)
        dstr_addc(&text, units[unit]);
    letter_text(l, width, label, bytes > 0 ? dstr_get(&text) : "NA");
    dstr_free(&text);
}

void letter_count(struct letter *l, int width, const char *label, uint64_t n)
{
    dstr_addf(&l->body, " %-*s = %" PRIu64 "\n", width, label, n);
}

void letter_queue(struct letter *l, int width, const struct task *t, bool is_whole)
{
    const char *queue = task_queue(t);
    struct dstr name = DSTR_INIT;
    dstr_addn(&name, queue, is_whole ? strlen(queue) : strcspn(queue, "@"));
    letter_text(l, width, "Queue", dstr_get(&name));
    letter_text(l, width, "Host", task_host(t));
    dstr_free(&name);
}

void letter_place(struct letter *l, int width, const struct task *t, bool is_whole)
{
    letter_text(l, width, "User", t->job->rec.JB_owner);
    letter_queue(l, width, t, is_whole);
}
