/* What qrstat shows: a line for each advance reservation, or all of some. The page and the XML are
 * captured behaviour. Source: qrstat(1), schemas/qrstat.*. */
#include "clients/qrstat/qrstat.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/version.h"
#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/ar.h"
#include "libs/sgeobj/job_request.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"
#include "libs/uti/time.h"

#define QRSTAT_SCHEMA                                                                              \
    "http://arc.liv.ac.uk/repos/darcs/sge/source/dist/util/resources/schemas/qrstat/qrstat.xsd"
#define MSG_NO_ID  "ERROR! invalid id, must be an unsigned integer"
#define MSG_NO_ARS "Following advance reservations do not exist:"

/* ---- options: a row each ---- */
#define AT(member) offsetof(struct qrstat_options, member)

static const struct client_option rows[] = {
    { "-help", ARGUMENT_NONE, option_flag, "[-help]", "print this help", AT(wants_help), 0 },
    { "-ar", ARGUMENT_NEEDED, option_names, "[-ar ar_id_list]", "show all of these", AT(ids), 0 },
    { "-explain", ARGUMENT_NONE, option_flag, "[-explain]", "show reason for error state",
      AT(explains), 0 },
    { "-json", ARGUMENT_NONE, option_form, "[-json]", "display the information in JSON format",
      AT(form), DOC_JSON },
    { "-u", ARGUMENT_NEEDED, option_names, "[-u user_list]",
      "all advance reservations of users specified in list", AT(users), 0 },
    { "-xml", ARGUMENT_NONE, option_form, "[-xml]", "display the information in XML-Format",
      AT(form), DOC_XML },
};
static const struct option_table table = {
    .rows = rows, .n = ARRAY_LEN(rows), .indent = "   ", .width = 41
};

void qrstat_usage(struct dstr *out)
{
    dstr_add(out, SGE_VERSION_LINE "\nusage: qrstat [options]\n");
    option_table_help(&table, out);
    dstr_add(out, "\nar_id_list              ar_id[,ar_id,...]\n"
                  "user_list               user[,user,...]\n");
}

int qrstat_parse(int n, char *const *args, void *options, bool *shows_usage, struct answer *ans)
{
    struct qrstat_options *o = options;
    uint32_t id;
    if (option_table_parse(&table, n, args, options, shows_usage, ans) != 0)
        return -1;
    for (uint32_t i = 0; i < o->ids.n; i++)
        if (!parse_u32(o->ids.v[i], &id))
            return ans_fail(ans, STATUS_ESYNTAX, MSG_NO_ID);
    return 0;
}

void qrstat_options_free(struct qrstat_options *o)
{
    name_list_free(&o->users);
    name_list_free(&o->ids);
    *o = (struct qrstat_options){ 0 };
}

/* ---- values ---- */
static const struct JB_Type nothing = { 0 };

static const struct JB_Type *request_of(const struct AR_Type *ar)
{
    return ar->AR_request.n > 0 ? &ar->AR_request.v[0] : &nothing;
}

static const char *name_of(const struct AR_Type *ar)
{
    const char *name = request_of(ar)->JB_job_name;
    return name != NULL ? name : "";
}

static const char *state_of(const struct AR_Type *ar)
{
    if (ar->AR_state == AR_ENDING)
        return "d";
    if (ar->AR_messages.n > 0)
        return ar->AR_state == AR_RUNNING ? "E" : "W";
    return ar->AR_state == AR_RUNNING ? "r" : "w";
}

static void add_duration(const struct AR_Type *ar, struct dstr *out)
{
    uint64_t s = ar->AR_end_time - ar->AR_start_time;
    dstr_addf(out, "%02" PRIu64 ":%02" PRIu64 ":%02" PRIu64, s / 3600, s / 60 % 60, s % 60);
}

static void add_slot_range(const struct AR_Type *ar, struct dstr *out)
{
    struct range r;
    const struct range_set *range = &request_of(ar)->JB_pe_range;
    for (uint64_t at = 0; at <= UINT32_MAX && range_set_next_run(range, at, &r);
         at = (uint64_t)r.last + 1) {
        dstr_addf(out, "%s%" PRIu32, out->len > 0 ? "," : "", r.first);
        if (r.last > r.first)
            dstr_addf(out, "-%" PRIu32, r.last);
    }
}

static void add_queues(const struct QR_Type_list *l, struct dstr *out)
{
    for (uint32_t i = 0; i < l->n; i++)
        dstr_addf(out, "%s%s", i > 0 ? "," : "", l->v[i].QR_name);
}

static void add_letters(uint32_t when, struct dstr *out)
{
    static const char letters[] = "beas";
    for (unsigned i = 0; letters[i] != '\0'; i++)
        if ((when >> i & 1) != 0)
            dstr_addc(out, letters[i]);
}

static const char *host_of(const struct MR_Type *to)
{
    return to->MR_host != NULL ? to->MR_host : "NONE";
}

/* ---- XML and JSON ---- */
enum { PROGRAMS = XML_AND_JSON };
static const struct doc_kind root_kind = { .name = "qrstat" };
static const struct doc_field schema_field = { .name = "xmlns:xsd",
                                               .only = DOC_XML,
                                               .xml = { .place = DOC_ATTRIBUTE } };
static const struct doc_kind all_kind = { .json = "advance_reservations" };
static const struct doc_kind ar_kind = { .name = "ar_summary" };
static const struct doc_kind unknown_list = { .json = "unknown" };
static const struct doc_kind unknown_kind = { .name = "ar_unknown" };
#define FIELD(called)                                                                              \
    {                                                                                              \
        .name = called, .only = PROGRAMS, .xml = {.time = DOC_ISO }                                \
    }
static const struct doc_field id_field = FIELD("id"), name_field = FIELD("name"),
                              owner_field = FIELD("owner"), state_field = FIELD("state"),
                              start_field = FIELD("start_time"), end_field = FIELD("end_time"),
                              duration_field = FIELD("duration"), message_field = FIELD("message"),
                              submission_field = FIELD("submission_time"),
                              group_field = FIELD("group"), account_field = FIELD("account"),
                              error_field = FIELD("error_handling"),
                              pe_field = FIELD("parallel_environment"),
                              slots_field = FIELD("slots"),
                              masterq_field = FIELD("master_hard_queue_list"),
                              ckpt_field = FIELD("checkpoint_name"),
                              mail_field = FIELD("mail_options");
#define ATTRIBUTE_FIELD(called)                                                                    \
    {                                                                                              \
        .name = called, .only = PROGRAMS, .xml = {.place = DOC_ATTRIBUTE }                         \
    }
static const struct doc_field resource_name = ATTRIBUTE_FIELD("name"),
                              resource_type = ATTRIBUTE_FIELD("type"),
                              queue_field = ATTRIBUTE_FIELD("queue_instance"),
                              queue_slots = ATTRIBUTE_FIELD("slots"),
                              user_field = ATTRIBUTE_FIELD("user"),
                              host_field = ATTRIBUTE_FIELD("host");
static const struct doc_kind messages_kind = { .json = "messages" },
                             resources_kind = { .name = "resource_list" },
                             resource_kind = { .name = "resource" },
                             slots_list = { .name = "granted_slots_list" },
                             slots_kind = { .name = "granted_slots", .xml = { .has_blank = true } },
                             pe_kind = { .name = "granted_parallel_environment" },
                             mails_kind = { .name = "mail_list" },
                             mail_kind = { .name = "mail", .xml = { .has_blank = true } },
                             acl_list = { .name = "acl_list" },
                             acl_kind = { .name = "acl", .xml = { .has_blank = true } };

static void put_summary(struct doc *d, const struct AR_Type *ar)
{
    struct dstr text = DSTR_INIT;
    add_duration(ar, &text);
    doc_field(d, &id_field, doc_number(ar->AR_id));
    doc_field(d, &name_field, doc_string(name_of(ar)));
    doc_field(d, &owner_field, doc_string(ar->AR_owner));
    doc_field(d, &state_field, doc_string(state_of(ar)));
    doc_field(d, &start_field, doc_moment(ar->AR_start_time));
    doc_field(d, &end_field, doc_moment(ar->AR_end_time));
    doc_field(d, &duration_field, doc_string(dstr_get(&text)));
    dstr_free(&text);
}

static void put_messages(struct doc *d, const struct AR_Type *ar)
{
    doc_list(d, &messages_kind);
    for (uint32_t i = 0; i < ar->AR_messages.n; i++)
        doc_field(d, &message_field, doc_string(ar->AR_messages.v[i].ST_name));
    doc_end(d);
}

static void put_resources(struct doc *d, const struct CE_Type_list *l)
{
    if (l->n == 0)
        return;
    doc_list(d, &resources_kind);
    for (uint32_t i = 0; i < l->n; i++) {
        doc_begin(d, &resource_kind);
        doc_field(d, &resource_name, doc_string(l->v[i].CE_name));
        doc_field(d, &resource_type, doc_string(l->v[i].CE_stringval));
        doc_end(d);
    }
    doc_end(d);
}

static void put_granted(struct doc *d, const struct AR_Type *ar)
{
    const char *pe = allocation_pe(&ar->AR_granted);
    struct dstr text = DSTR_INIT;
    doc_list(d, &slots_list);
    for (uint32_t i = 0; i < ar->AR_granted.n; i++) {
        doc_begin(d, &slots_kind);
        doc_field(d, &queue_field, doc_string(ar->AR_granted.v[i].JG_qname));
        doc_field(d, &queue_slots, doc_number(ar->AR_granted.v[i].JG_slots));
        doc_end(d);
    }
    doc_end(d);
    if (pe != NULL) {
        add_slot_range(ar, &text);
        doc_begin(d, &pe_kind);
        doc_field(d, &pe_field, doc_string(pe));
        doc_field(d, &slots_field, doc_string(dstr_get(&text)));
        doc_end(d);
    }
    dstr_free(&text);
}

static void put_lists(struct doc *d, const struct AR_Type *ar)
{
    const struct MR_Type_list *mails = &request_of(ar)->JB_mail_list;
    if (mails->n > 0)
        doc_list(d, &mails_kind);
    for (uint32_t i = 0; i < mails->n; i++) {
        doc_begin(d, &mail_kind);
        doc_field(d, &user_field, doc_string(mails->v[i].MR_user));
        doc_field(d, &host_field, doc_string(host_of(&mails->v[i])));
        doc_end(d);
    }
    if (mails->n > 0)
        doc_end(d);
    if (ar->AR_acl_list.n > 0)
        doc_list(d, &acl_list);
    for (uint32_t i = 0; i < ar->AR_acl_list.n; i++) {
        doc_begin(d, &acl_kind);
        doc_field(d, &user_field, doc_string(ar->AR_acl_list.v[i].ST_name));
        doc_end(d);
    }
    if (ar->AR_acl_list.n > 0)
        doc_end(d);
}

static void put_details(struct doc *d, const struct AR_Type *ar)
{
    const struct JB_Type *request = request_of(ar);
    struct dstr text = DSTR_INIT;
    doc_field(d, &submission_field, doc_moment(ar->AR_submission_time));
    doc_field(d, &group_field, doc_string(ar->AR_group));
    doc_field(d, &account_field,
              doc_string(request->JB_account != NULL ? request->JB_account : "sge"));
    put_resources(d, &request->JB_hard_resource_list);
    if (request->JB_hard_error_handling)
        doc_field(d, &error_field, doc_bool(true));
    put_granted(d, ar);
    add_queues(&request->JB_master_hard_queue_list, &text);
    if (text.len > 0)
        doc_field(d, &masterq_field, doc_string(dstr_get(&text)));
    if (request->JB_checkpoint_name != NULL)
        doc_field(d, &ckpt_field, doc_string(request->JB_checkpoint_name));
    dstr_clear(&text);
    add_letters(request->JB_mail_options, &text);
    if (text.len > 0)
        doc_field(d, &mail_field, doc_string(dstr_get(&text)));
    put_lists(d, ar);
    dstr_free(&text);
}

/* ---- the page ---- */
static void print_line(FILE *out, const struct AR_Type *ar)
{
    struct dstr start = DSTR_INIT, end = DSTR_INIT, duration = DSTR_INIT;
    uti_time_us_date(ar->AR_start_time, &start);
    uti_time_us_date(ar->AR_end_time, &end);
    add_duration(ar, &duration);
    fprintf(out, "%7" PRIu32 " %-10.10s %-12.12s %-5s %s  %s  %s\n", ar->AR_id, name_of(ar),
            ar->AR_owner, state_of(ar), dstr_get(&start), dstr_get(&end), dstr_get(&duration));
    dstr_free(&start);
    dstr_free(&end);
    dstr_free(&duration);
}

static void print_heading(FILE *out)
{
    fputs("ar-id   name       owner        state start at             end at               "
          "duration\n"
          "------------------------------------------------------------------------------------"
          "------\n",
          out);
}

static void print_value(FILE *out, const char *label, struct dstr *value)
{
    if (value->len > 0)
        fprintf(out, "%-30s %s\n", label, dstr_get(value));
    dstr_clear(value);
}

static void print_text(FILE *out, const char *label, const char *value)
{
    fprintf(out, "%-30s %s\n", label, value);
}

static void print_time(FILE *out, const char *label, uint64_t at_s)
{
    struct dstr text = DSTR_INIT;
    uti_time_us_date(at_s, &text);
    print_value(out, label, &text);
    dstr_free(&text);
}

static void print_lists(FILE *out, const struct AR_Type *ar)
{
    const struct JB_Type *request = request_of(ar);
    struct dstr text = DSTR_INIT;
    add_queues(&request->JB_master_hard_queue_list, &text);
    print_value(out, "master hard queue_list", &text);
    if (request->JB_checkpoint_name != NULL)
        print_text(out, "checkpoint_name", request->JB_checkpoint_name);
    add_letters(request->JB_mail_options, &text);
    print_value(out, "mail_options", &text);
    for (uint32_t i = 0; i < request->JB_mail_list.n; i++)
        dstr_addf(&text, "%s%s@%s", i > 0 ? "," : "", request->JB_mail_list.v[i].MR_user,
                  host_of(&request->JB_mail_list.v[i]));
    print_value(out, "mail_list", &text);
    for (uint32_t i = 0; i < ar->AR_acl_list.n; i++)
        dstr_addf(&text, "%s%s", i > 0 ? "," : "", ar->AR_acl_list.v[i].ST_name);
    print_value(out, "acl_list", &text);
    dstr_free(&text);
}

static void print_granted(FILE *out, const struct AR_Type *ar)
{
    const char *pe = allocation_pe(&ar->AR_granted);
    struct dstr text = DSTR_INIT;
    for (uint32_t i = 0; i < ar->AR_granted.n; i++)
        dstr_addf(&text, "%s%s=%" PRIu32, i > 0 ? "," : "", ar->AR_granted.v[i].JG_qname,
                  ar->AR_granted.v[i].JG_slots);
    print_value(out, "granted_slots_list", &text);
    add_slot_range(ar, &text);
    if (pe != NULL)
        fprintf(out, "%-30s %s slots %s\n", "granted_parallel_environment", pe, dstr_get(&text));
    dstr_free(&text);
}

static void print_all(FILE *out, const struct AR_Type *ar, bool explains)
{
    const struct JB_Type *request = request_of(ar);
    struct dstr text = DSTR_INIT;
    fputs("--------------------------------------------------------------------------------\n",
          out);
    fprintf(out, "%-30s %" PRIu32 "\n", "id", ar->AR_id);
    print_text(out, "name", name_of(ar));
    print_text(out, "owner", ar->AR_owner);
    print_text(out, "state", state_of(ar));
    print_time(out, "start_time", ar->AR_start_time);
    print_time(out, "end_time", ar->AR_end_time);
    add_duration(ar, &text);
    print_value(out, "duration", &text);
    for (uint32_t i = 0; explains && i < ar->AR_messages.n; i++)
        print_text(out, "message", ar->AR_messages.v[i].ST_name);
    print_time(out, "submission_time", ar->AR_submission_time);
    print_text(out, "group", ar->AR_group != NULL ? ar->AR_group : "");
    print_text(out, "account", request->JB_account != NULL ? request->JB_account : "sge");
    for (uint32_t i = 0; i < request->JB_hard_resource_list.n; i++)
        dstr_addf(&text, "%s%s=%s", i > 0 ? ", " : "", request->JB_hard_resource_list.v[i].CE_name,
                  request->JB_hard_resource_list.v[i].CE_stringval);
    print_value(out, "resource_list", &text);
    if (request->JB_hard_error_handling)
        print_text(out, "error_handling", "true");
    print_granted(out, ar);
    print_lists(out, ar);
    dstr_free(&text);
}

/* ---- what is shown ---- */
struct view {
    const struct qrstat_options *o;
    struct doc *d;
    uint32_t n;
    struct name_list found; /* ids, with -ar */
};

static void show_one(struct view *v, const struct AR_Type *ar)
{
    FILE *page = doc_page(v->d);
    bool is_whole = v->o->ids.n > 0;
    if (page != NULL && is_whole)
        print_all(page, ar, v->o->explains);
    if (page != NULL && !is_whole) {
        if (v->n == 0)
            print_heading(page);
        print_line(page, ar);
        for (uint32_t i = 0; v->o->explains && i < ar->AR_messages.n; i++)
            fprintf(page, "       %s\n", ar->AR_messages.v[i].ST_name);
    }
    v->n++;
    if (page != NULL)
        return;
    doc_begin(v->d, &ar_kind);
    put_summary(v->d, ar);
    if (v->o->explains)
        put_messages(v->d, ar);
    if (is_whole)
        put_details(v->d, ar);
    doc_end(v->d);
}

static int show_part(void *ctx, const struct GA_Type *part, struct answer *ans)
{
    struct view *v = ctx;
    (void)ans;
    for (uint32_t i = 0; i < part->GA_ars.n; i++) {
        struct dstr id = DSTR_INIT;
        dstr_addf(&id, "%" PRIu32, part->GA_ars.v[i].AR_id);
        if (v->o->ids.n > 0)
            name_list_add(&v->found, dstr_get(&id), id.len);
        show_one(v, &part->GA_ars.v[i]);
        dstr_free(&id);
    }
    return 0;
}

static uint32_t show_unknown(struct view *v)
{
    FILE *page = doc_page(v->d);
    uint32_t n = 0;
    doc_list(v->d, &unknown_list);
    for (uint32_t i = 0; i < v->o->ids.n; i++) {
        uint32_t id = 0;
        if (name_list_has(&v->found, v->o->ids.v[i]))
            continue;
        if (page != NULL)
            fprintf(page, "%s%s\n", n == 0 ? MSG_NO_ARS "\n" : "", v->o->ids.v[i]);
        n++;
        doc_begin(v->d, &unknown_kind);
        if (parse_u32(v->o->ids.v[i], &id))
            doc_field(v->d, &id_field, doc_number(id));
        doc_end(v->d);
    }
    doc_end(v->d);
    return n;
}

static void select_ars(const struct qrstat_options *o, const char *user, struct GR_Type *gr)
{
    cull_set(gr, GR_verb, (uint32_t)GDI_GET);
    cull_set(gr, GR_target, (uint32_t)GDI_AR);
    for (uint32_t i = 0; i < o->ids.n; i++)
        cull_set((struct ID_Type *)cull_append(gr, GR_select), ID_str, o->ids.v[i]);
    for (uint32_t i = 0; i < o->users.n; i++)
        request_user(gr, o->users.v[i]);
    if (o->users.n == 0 && o->ids.n == 0)
        request_user(gr, user);
}

int qrstat_run(const struct source *from, const struct qrstat_options *o, const char *user,
               FILE *out, struct answer *ans)
{
    struct GR_Type gr = { 0 };
    struct view v = { .o = o };
    uint32_t n_unknown = 0;
    if ((v.d = doc_open(o->form, out, o->form == DOC_XML ? "   " : NULL, ans)) == NULL)
        return EXIT_FAILURE;
    select_ars(o, user, &gr);
    doc_begin(v.d, &root_kind);
    doc_field(v.d, &schema_field, doc_string(QRSTAT_SCHEMA));
    doc_list(v.d, &all_kind);
    int rc = source_ask(from, &gr, show_part, &v, ans);
    doc_end(v.d);
    if (rc == 0)
        n_unknown = show_unknown(&v);
    doc_end(v.d);
    name_list_free(&v.found);
    cull_clear(&cull_GR_Type, &gr);
    if (rc != 0)
        doc_drop(v.d);
    else
        rc = doc_close(v.d, ans);
    return rc == 0 && n_unknown == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
