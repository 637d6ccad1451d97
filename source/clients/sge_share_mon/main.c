/* sge_share_mon: the share tree with what was used, again and again. Source: sge_share_mon(8) */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "clients/common/command.h"
#include "clients/common/source.h"
#include "clients/sge_share_mon/msg_share_mon.h"
#include "clients/sge_share_mon/share_mon.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"
#include "libs/uti/time.h"

/* ---- jobs: only how many each user has in each project ---- */
struct counted {
    double n;
    UT_hash_handle hh;
    char key[];
};

static int count_job(void *ctx, const struct GA_Type *part, struct answer *ans SGE_UNUSED)
{
    struct counted **all = ctx, *found;
    struct dstr key = DSTR_INIT;
    for (uint32_t i = 0; i < part->GA_jobs.n; i++) {
        const struct JB_Type *job = &part->GA_jobs.v[i];
        if (job->JB_owner == NULL)
            continue; /* more of the one before */
        dstr_clear(&key);
        dstr_addf(&key, "%s/%s", job->JB_owner, job->JB_project != NULL ? job->JB_project : "");
        HASH_FIND(hh, *all, dstr_get(&key), key.len, found);
        if (found == NULL) {
            found = uti_calloc(1, sizeof *found + key.len + 1);
            memcpy(found->key, dstr_get(&key), key.len);
            HASH_ADD_KEYPTR(hh, *all, found->key, key.len, found);
        }
        found->n++;
    }
    dstr_free(&key);
    return 0;
}

static int get_jobs(const struct source *from, struct UA_Type_list *out, struct answer *ans)
{
    static const char *const fields[] = { "JB_job_number", "JB_owner", "JB_project", NULL };
    struct counted *all = NULL, *c, *next;
    struct GR_Type request = { 0 };
    cull_set(&request, GR_verb, (uint32_t)GDI_GET);
    cull_set(&request, GR_target, (uint32_t)GDI_JOB);
    request_fields(&request, fields);
    int rc = source_ask(from, &request, count_job, &all, ans);
    cull_clear(&cull_GR_Type, &request);
    HASH_ITER(hh, all, c, next) {
        struct UA_Type *ua = cull_push(out);
        cull_set(ua, UA_name, c->key);
        cull_set(ua, UA_value, c->n);
        HASH_DEL(all, c);
        free(c);
    }
    return rc;
}

/* ---- one collection ---- */
static int show_tree(const struct mon_options *o, const struct mon_cell *cell, FILE *out,
                     struct answer *ans)
{
    if (cell->tree == NULL)
        return ans_fail(ans, STATUS_EUNKNOWN, MSG_MON_NO_TREE);
    struct share_tree tree = share_tree_read(cell->tree);
    struct mon_nodes nodes = { 0 };
    mon_collect(cell, &tree, &nodes);
    mon_print(o, &nodes, cell->now_s, out);
    mon_clear(&nodes);
    share_tree_clear(&tree);
    return fflush(out) == 0 ? 0 : ans_sys(ans, errno, MSG_MON_OUTPUT_S, o->file);
}

static int collect_once(const struct source *from, const struct mon_options *o, FILE *out,
                        struct answer *ans)
{
    static const enum gdi_target targets[] = { GDI_SHARETREE, GDI_USER, GDI_SHARE_USAGE,
                                               GDI_SCHEDCONF };
    struct GA_Type *got[ARRAY_LEN(targets)] = { NULL };
    struct UA_Type_list jobs = { 0 };
    int rc = get_jobs(from, &jobs, ans);
    for (size_t i = 0; rc == 0 && i < ARRAY_LEN(targets); i++) {
        got[i] = source_get_target(from, targets[i], ans);
        rc = got[i] != NULL ? 0 : -1;
    }
    if (rc == 0) {
        const struct mon_cell cell = {
            .tree = got[0]->GA_texts.n > 0 ? &got[0]->GA_texts.v[0] : NULL,
            .users = &got[1]->GA_texts,
            .usage = &got[2]->GA_texts,
            .jobs = &jobs,
            .conf = got[3]->GA_confs.n > 0 ? &got[3]->GA_confs.v[0] : NULL,
            .now_s = uti_now_s(),
        };
        rc = show_tree(o, &cell, out, ans);
    }
    for (size_t i = 0; i < ARRAY_LEN(targets); i++)
        cull_delete(&cull_GA_Type, got[i]);
    cull_list_clear(&cull_UA_Type, &jobs);
    return rc;
}

static int collect_all(const struct mon_options *o, FILE *out, struct answer *ans)
{
    struct qmaster_source q = { 0 };
    int rc = source_open(&q, "sge_share_mon", ans);
    if (rc == 0 && o->has_header)
        mon_print_header(o, out);
    for (uint32_t n = 0; rc == 0 && (o->count == 0 || n < o->count); n++) {
        struct timespec pause = { .tv_sec = o->interval_s };
        if (n > 0)
            nanosleep(&pause, NULL);
        rc = collect_once(&q.from, o, out, ans);
    }
    source_close(&q);
    return rc;
}

static int run_share_mon(void *options, bool *shows_usage SGE_UNUSED, struct answer *ans)
{
    const struct mon_options *o = options;
    FILE *out = o->file != NULL ? fopen(o->file, o->mode) : stdout;
    if (out == NULL) {
        (void)ans_sys(ans, errno, MSG_MON_OUTPUT_S, o->file);
        return 1;
    }
    int rc = collect_all(o, out, ans);
    if (out != stdout && fclose(out) != 0)
        rc = ans_sys(ans, errno, MSG_MON_OUTPUT_S, o->file);
    return rc == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    static const struct command share_mon = { mon_parse, run_share_mon, mon_usage };
    struct mon_options o = { .field_delimiter = "\t",
                             .line_delimiter = "\n",
                             .record_delimiter = "\n",
                             .strings = "%s",
                             .mode = "w",
                             .interval_s = 15 };
    return command_main(&share_mon, argc, argv, &o, &o.wants_help);
}
