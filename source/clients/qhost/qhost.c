/* qhost: its options, one row each, and the hosts that they choose. Source: qhost(1). */
#include "clients/qhost/qhost.h"

#include <stdlib.h>
#include <string.h>

#include "clients/common/msg_clients.h"
#include "clients/common/queue_choice.h"
#include "clients/common/source.h"
#include "common/version.h"
#include "libs/config/complex.h"
#include "libs/config/host.h"
#include "libs/resource/availability.h"
#include "libs/show/host_table.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/host_name.h"

/* ---- options ---- */

static bool o_resources(void *options, const char *a, unsigned value SGE_UNUSED)
{
    struct qhost_options *o = options;
    o->table |= HOSTS_RESOURCES;
    if (a != NULL)
        name_list_split(&o->resources, a);
    return true;
}

static bool o_users(void *options, const char *a, unsigned value SGE_UNUSED)
{
    struct qhost_options *o = options;
    name_list_split(&o->users, a);
    o->table |= HOSTS_JOBS;
    return true;
}

#define AT(member) offsetof(struct qhost_options, member)

static const struct client_option option_rows[] = {
    { "-F", ARGUMENTS_MAYBE, o_resources, "[-F [resource_attribute]]", "show (selected) resources",
      0, 0 },
    { "-h", ARGUMENTS, option_names, "[-h hostlist]", "display only selected hosts", AT(hosts), 0 },
    { "-help", ARGUMENT_NONE, option_flag, "[-help]", "print this help", AT(wants_help), 0 },
    { "-j", ARGUMENT_NONE, option_bits, "[-j]", "display jobs hosted by host", AT(table),
      HOSTS_JOBS },
    { "-json", ARGUMENT_NONE, option_form, "[-json]", "display the information in JSON format",
      AT(form), DOC_JSON },
    { "-l", ARGUMENTS, option_requests, "[-l attr=val,...]", "request the given resources",
      AT(requests), 0 },
    { "-ncb", ARGUMENT_NONE, option_bits, "[-ncb]", "suppress host topology based information",
      AT(table), HOSTS_NO_TOPOLOGY },
    { "-q", ARGUMENT_NONE, option_bits, "[-q]", "display queues hosted by host", AT(table),
      HOSTS_QUEUES },
    { "-u", ARGUMENTS, o_users, "[-u user[,user,...]]", "show only jobs for user", 0, 0 },
    { "-xml", ARGUMENT_NONE, option_form, "[-xml]", "display the information in XML format",
      AT(form), DOC_XML },
};
static const struct option_table table = {
    .rows = option_rows, .n = ARRAY_LEN(option_rows), .indent = "  ", .width = 26
};

void qhost_usage(struct dstr *out)
{
    dstr_add(out, SGE_VERSION_LINE "\nusage: qhost [options]\n");
    option_table_help(&table, out);
}

int qhost_parse(int n, char *const *args, void *options, bool *shows_usage, struct answer *ans)
{
    return option_table_parse(&table, n, args, options, shows_usage, ans);
}

void qhost_options_free(struct qhost_options *o)
{
    name_list_free(&o->hosts);
    name_list_free(&o->users);
    name_list_free(&o->requests);
    name_list_free(&o->resources);
    *o = (struct qhost_options){ 0 };
}

/* ---- hosts with their queues and tasks ---- */
/* What qhost asks the qmaster for, and how it falls together host by host: hosts, queues and
 * running tasks come in answers of their own and are joined by the name of the host. */

struct host_view {
    struct host_line line;
    bool is_left; /* -h and -l choose it */
    uint32_t queues_cap, rows_cap;
};
struct hosts_view {
    struct GA_Type *hosts, *queues; /* owned */
    struct job_rows rows;
    struct host_view *v; /* sorted by name */
    struct CE_Type_list complex;
    uint32_t n;
    struct host_view cell; /* the line "global" */
};

static int view_compare(const void *left, const void *right)
{
    return strcmp(((const struct host_view *)left)->line.name,
                  ((const struct host_view *)right)->line.name);
}

static struct host_view *view_find(const struct hosts_view *all, const char *name)
{
    struct host_view key = { .line.name = name };
    return all->n > 0 && name != NULL ? bsearch(&key, all->v, all->n, sizeof key, view_compare)
                                      : NULL;
}

static bool is_real_host(const struct EH_Type *host)
{
    return host->EH_name != NULL && strcmp(host->EH_name, HOST_OF_CELL) != 0 &&
           strcmp(host->EH_name, "template") != 0;
}

static const struct EH_Type *find_cell(const struct GA_Type *hosts)
{
    for (uint32_t i = 0; i < hosts->GA_hosts.n; i++)
        if (hosts->GA_hosts.v[i].EH_name != NULL &&
            strcmp(hosts->GA_hosts.v[i].EH_name, HOST_OF_CELL) == 0)
            return &hosts->GA_hosts.v[i];
    return NULL;
}

static void make_views(struct hosts_view *all)
{
    uint32_t n = all->hosts->GA_hosts.n;
    all->v = uti_calloc(n > 0 ? n : 1, sizeof *all->v);
    all->cell.line = (struct host_line){ .name = HOST_OF_CELL,
                                         .cell = find_cell(all->hosts),
                                         .complex = &all->complex };
    for (uint32_t i = 0; i < n; i++) {
        const struct EH_Type *host = &all->hosts->GA_hosts.v[i];
        struct host_view *view = &all->v[all->n];
        if (!is_real_host(host))
            continue;
        *view = all->cell;
        view->line.name = host->EH_name;
        view->line.host = host;
        all->n++;
    }
    if (all->n > 1)
        qsort(all->v, all->n, sizeof *all->v, view_compare);
}

static int queue_compare(const void *left, const void *right)
{
    const struct QU_Type *a = *(const struct QU_Type *const *)left,
                         *b = *(const struct QU_Type *const *)right;
    return strcmp(a->QU_qname, b->QU_qname);
}

static void join_queues(struct hosts_view *all)
{
    for (uint32_t i = 0; i < all->queues->GA_queues.n; i++) {
        const struct QU_Type *queue = &all->queues->GA_queues.v[i];
        struct host_view *view = view_find(all, queue->QU_qhostname);
        if (view == NULL || queue->QU_qname == NULL || queue->QU_full_name == NULL)
            continue;
        view->line.queues = uti_vec_grow(view->line.queues, &view->queues_cap,
                                         view->line.n_queues + 1, sizeof *view->line.queues);
        view->line.queues[view->line.n_queues++] = queue;
    }
    for (uint32_t i = 0; i < all->n; i++) {
        if (all->v[i].line.n_queues > 1)
            qsort(all->v[i].line.queues, all->v[i].line.n_queues, sizeof *all->v[i].line.queues,
                  queue_compare);
    }
}

static void join_row(struct hosts_view *all, const struct job_row *row)
{
    const char *at = row->queue != NULL ? strchr(row->queue, '@') : NULL;
    struct host_view *view = at != NULL ? view_find(all, at + 1) : NULL;
    if (view == NULL)
        return;
    view->line.rows = uti_vec_grow(view->line.rows, &view->rows_cap, view->line.n_rows + 1,
                                   sizeof *view->line.rows);
    view->line.rows[view->line.n_rows++] = *row;
}

/* what is listed runs, and has the priority it was started with, or that of its job after a restart
 * of the qmaster */
static void join_rows(struct hosts_view *all)
{
    job_rows_sort(&all->rows);
    for (uint32_t i = 0; i < all->rows.n; i++)
        for (uint32_t k = 0; k < job_row_places(&all->rows.v[i]); k++) {
            struct job_row here = job_row_at(&all->rows.v[i], k);
            join_row(all, &here);
        }
}

struct rows_wanted {
    struct job_rows *rows;
    struct job_stream stream;
};

static int collect_job(void *ctx, const struct JB_Type *job, const struct JAT_Type *const *tasks,
                       uint32_t n_tasks, struct answer *ans)
{
    const struct row_wish wish = { .show = SHOW_RUNNING | SHOW_SUSPENDED };
    struct rows_wanted *w = ctx;
    (void)ans;
    job_rows_add(w->rows, &wish, job, w->stream.figures, tasks, n_tasks);
    return 0;
}

static int get_rows(const struct source *from, const struct qhost_options *o, struct job_rows *rows,
                    struct answer *ans)
{
    static const char *const fields[] = {
        "JB_job_number", "JB_job_name", "JB_owner",   "JB_submission_time", "JB_type",
        "JB_ja_first",   "JB_ja_last",  "JB_ja_step", "JB_ja_u_h_ids",      "JB_ja_o_h_ids",
        "JB_ja_s_h_ids", "PF_prior",    NULL
    };
    struct GR_Type request = { 0 };
    cull_set(&request, GR_verb, (uint32_t)GDI_GET);
    cull_set(&request, GR_target, (uint32_t)GDI_JOB);
    cull_set(&request, GR_options, (uint32_t)GDI_WITH_TASKS);
    cull_set(&request, GR_states, "rs");
    for (uint32_t i = 0; i < o->users.n; i++)
        request_user(&request, o->users.v[i]);
    if (o->users.n == 0)
        request_user(&request, "*");
    request_fields(&request, fields);
    struct rows_wanted w = { .rows = rows, .stream = { .each = collect_job, .ctx = &w } };
    int result = job_stream_get(&w.stream, from, &request, ans);
    cull_clear(&cull_GR_Type, &request);
    return result;
}

static bool is_known(const struct hosts_view *all, const char *name)
{
    char unique[HOST_NAME_BYTES];
    host_name_unique(name, unique);
    return view_find(all, name) != NULL || view_find(all, unique) != NULL;
}

static int check_hosts(struct hosts_view *all, const struct qhost_options *o, bool *shows_usage,
                       struct answer *ans)
{
    for (uint32_t i = 0; i < o->hosts.n; i++) {
        const char *name = o->hosts.v[i];
        if (strcmp(name, "global") != 0 && !is_known(all, name) && !host_resolves(name)) {
            *shows_usage = true;
            return ans_fail(ans, STATUS_EUNKNOWN, MSG_RESOLVE_S, name);
        }
    }
    return resource_requests_check(&o->requests, &all->complex, ans);
}

static bool has_requested(const struct qhost_options *o, const struct host_view *view)
{
    struct offering what = { NULL, view->line.host, view->line.cell, view->line.complex };
    return resource_requests_suit(&o->requests, &what);
}

static bool is_asked_for(const struct qhost_options *o, const char *host)
{
    for (uint32_t i = 0; i < o->hosts.n; i++)
        if (host_name_equal(o->hosts.v[i], host))
            return true;
    return o->hosts.n == 0;
}

/* What -h and -l leave; "global" is no host, so only -l can leave it out. */
static void choose_hosts(struct hosts_view *all, const struct qhost_options *o)
{
    all->cell.is_left = has_requested(o, &all->cell);
    for (uint32_t i = 0; i < all->n; i++) {
        struct host_view *view = &all->v[i];
        view->is_left = is_asked_for(o, view->line.name) && has_requested(o, view);
    }
}

static bool is_anything_left(const struct hosts_view *all)
{
    for (uint32_t i = 0; i < all->n; i++)
        if (all->v[i].is_left)
            return true;
    return all->cell.is_left;
}

static int show_hosts(struct hosts_view *all, const struct qhost_options *o, FILE *out,
                      struct answer *ans)
{
    struct doc *d = doc_open(o->form, out, NULL, ans);
    if (d == NULL)
        return -1;
    const struct host_table listing = { d, o->table, &o->resources };
    choose_hosts(all, o);
    if (is_anything_left(all))
        host_table_begin(&listing);
    if (all->cell.is_left)
        host_table_line(&listing, &all->cell.line);
    for (uint32_t i = 0; i < all->n; i++)
        if (all->v[i].is_left)
            host_table_line(&listing, &all->v[i].line);
    return doc_close(d, ans);
}

/* what libs/show/queue_table.c shows of a queue below its host */
static const char *const queue_fields[] = {
    "QU_full_name",  "QU_qname",          "QU_qhostname", "QU_state",  "QU_qtype", "QU_job_slots",
    "QU_slots_used", "QU_slots_reserved", "pe_list",      "ckpt_list", NULL
};

static int gather_hosts(const struct source *from, const struct qhost_options *o,
                        struct hosts_view *all, struct answer *ans)
{
    all->hosts = source_get_target(from, GDI_EXECHOST, ans);
    if (all->hosts == NULL)
        return -1;
    make_views(all);
    if (((o->table & HOSTS_RESOURCES) != 0 || o->requests.n > 0) &&
        complex_get(from, &all->complex, ans) < 0)
        return -1;
    if ((o->table & HOSTS_QUEUES) != 0) {
        all->queues = source_get_fields(from, GDI_QINSTANCE, queue_fields, ans);
        if (all->queues == NULL)
            return -1;
        join_queues(all);
    }
    if ((o->table & HOSTS_JOBS) != 0) {
        if (get_rows(from, o, &all->rows, ans) < 0)
            return -1;
        join_rows(all);
    }
    return 0;
}

int qhost_run(const struct source *from, const struct qhost_options *o, FILE *out,
              bool *shows_usage, struct answer *ans)
{
    struct hosts_view all = { 0 };
    int result = gather_hosts(from, o, &all, ans);
    if (result == 0)
        result = check_hosts(&all, o, shows_usage, ans);
    if (result == 0)
        result = show_hosts(&all, o, out, ans);
    complex_list_clear(&all.complex);
    for (uint32_t i = 0; i < all.n; i++) {
        free(all.v[i].line.queues);
        free(all.v[i].line.rows);
    }
    free(all.v);
    job_rows_free(&all.rows);
    cull_delete(&cull_GA_Type, all.hosts);
    cull_delete(&cull_GA_Type, all.queues);
    return result < 0 ? 1 : 0;
}
