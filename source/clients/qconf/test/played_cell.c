/* The cell of the tests: what it answers, and what it notes. */
#include "clients/qconf/test/played_cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* cmocka last: it needs the four above */
#include <cmocka.h>

#include "libs/config/conf.h"
#include "libs/uti/pattern.h"

void played_cell_init(struct played_cell *cell)
{
    *cell = (struct played_cell){ .queue = cqueue_template("two.q"), .refusal = STATUS_OK };
    assert_int_equal(cqueue_set(cell->queue, "slots", "4", NULL), 0);
}

void played_cell_free(struct played_cell *cell)
{
    cull_delete(&cull_CQ_Type, cell->queue);
    cull_clear(&cull_GR_Type, &cell->sent);
    cull_clear(&cull_TX_Type, &cell->tree);
}

static void give_group(struct GA_Type *part, const char *name, const char *hosts)
{
    struct TX_Type *group = cull_append(part, GA_texts);
    cull_set(group, TX_name, name);
    struct VA_Type *entry = cull_append(group, TX_entries);
    cull_set(entry, VA_variable, "group_name");
    cull_set(entry, VA_value, name);
    entry = cull_append(group, TX_entries);
    cull_set(entry, VA_variable, "hostlist");
    cull_set(entry, VA_value, hosts);
}

static void answer_get(struct played_cell *cell, const struct GR_Type *request,
                       struct GA_Type *part)
{
    const char *name = request->GR_select.n > 0 ? request->GR_select.v[0].ID_str : "two.q";
    if (request->GR_target == GDI_CQUEUE && pattern_match(name, "two.q"))
        cull_copy(&cull_CQ_Type, cull_append(part, GA_cqueues), cell->queue);
    if (request->GR_target == GDI_EXECHOST && request->GR_select.n == 0) {
        struct EH_Type *host = cull_append(part, GA_hosts);
        cull_set(host, EH_name, "vm1");
    }
    if (request->GR_target == GDI_MANAGER) {
        struct NM_Type *manager = cull_append(part, GA_names);
        cull_set(manager, NM_name, "sgeadmin");
        manager = cull_append(part, GA_names);
        cull_set(manager, NM_name, "root");
    }
    if (request->GR_target == GDI_HOSTGROUP && request->GR_select.n == 0) {
        give_group(part, "@empty", "NONE");
        give_group(part, "@all", "vm3 @rack,vm1");
        give_group(part, "@rack", "vm2 vm1 @empty @none");
        give_group(part, "@loop", "vm1 @loop");
    }
    if (request->GR_target == GDI_SHARETREE && cell->tree.TX_name != NULL)
        cull_copy(&cull_TX_Type, cull_append(part, GA_texts), &cell->tree);
    if (request->GR_target == GDI_PROJECT && strcmp(name, "prj1") == 0)
        cull_set((struct TX_Type *)cull_append(part, GA_texts), TX_name, name);
    if (request->GR_target == GDI_SCHEDCONF) {
        struct CONF_Type *conf = conf_template(CONF_SCHEDULER);
        cull_copy(&cull_CONF_Type, cull_append(part, GA_confs), conf);
        cull_delete(&cull_CONF_Type, conf);
    }
}

static bool is_about_nothing(const struct GR_Type *request)
{
    return request->GR_verb == GDI_ADD && request->GR_cqueues.n + request->GR_hosts.n +
                                                  request->GR_names.n + request->GR_confs.n +
                                                  request->GR_texts.n ==
                                              0;
}

/* somebody else changes the queue before the sender of REQUEST does */
static bool is_faster(struct played_cell *cell)
{
    static const char *const priorities[] = { "3", "4" };
    if (cell->faster == 0)
        return false;
    assert_int_equal(cqueue_set(cell->queue, "priority",
                                priorities[cell->faster-- % ARRAY_LEN(priorities)], NULL),
                     0);
    return true;
}

static bool is_as_seen(const struct played_cell *cell, const struct GR_Type *request)
{
    return request->GR_seen_cqueues.n == 0 ||
           cull_equal(&cull_CQ_Type, &request->GR_seen_cqueues.v[0], cell->queue);
}

static int answer_change(struct played_cell *cell, const struct GR_Type *request,
                         struct answer *ans)
{
    if (is_about_nothing(request))
        return ans_fail(ans, STATUS_ESEMANTIC, "the request names nothing");
    if (is_faster(cell) && !is_as_seen(cell, request))
        return ans_fail(ans, STATUS_NOTOK_DOAGAIN, "has changed");
    cell->changes++;
    cull_clear(&cull_GR_Type, &cell->sent);
    cull_copy(&cull_GR_Type, &cell->sent, request);
    if (cell->refusal != STATUS_OK) {
        ans_add(ans, cell->refusal, ANSWER_QUALITY_ERROR, "refused");
        return -1;
    }
    if (request->GR_cqueues.n > 0)
        cull_copy(&cull_CQ_Type, cell->queue, &request->GR_cqueues.v[0]);
    if (request->GR_target == GDI_SHARETREE && request->GR_texts.n > 0)
        cull_copy(&cull_TX_Type, &cell->tree, &request->GR_texts.v[0]);
    if (cell->warning != NULL)
        ans_add(ans, STATUS_OK, ANSWER_QUALITY_WARNING, "%s", cell->warning);
    ans_add(ans, STATUS_OK, ANSWER_QUALITY_INFO, "done");
    return 0;
}

static int give_answer(void *state, struct GR_Type *request, answer_part_fn fn, void *ctx,
                       struct answer *ans)
{
    struct GA_Type part = { 0 };
    if (request->GR_verb != GDI_GET)
        return answer_change(state, request, ans);
    answer_get(state, request, &part);
    int result = fn(ctx, &part, ans);
    cull_clear(&cull_GA_Type, &part);
    return result;
}

static int edit_text(void *ctx, const char *text, struct dstr *out, struct answer *ans)
{
    const struct played_cell *cell = ctx;
    (void)ans;
    dstr_add(out, cell->edited != NULL ? cell->edited : text);
    return cell->edited != NULL;
}

static bool knows_node1(const char *host)
{
    return strcmp(host, "node1") == 0;
}

struct page run_command(struct played_cell *cell, int n, const char *const *args)
{
    struct page p = { 0 };
    struct qconf q = { .from = { .get = give_answer, .state = cell },
                       .edit = edit_text,
                       .edit_ctx = cell,
                       .resolves = knows_node1,
                       .common_dir = "/nonexistent" };
    size_t out_len, err_len;
    q.out = open_memstream(&p.out, &out_len);
    q.err = open_memstream(&p.err, &err_len);
    p.status = qconf_run(&q, n, (char *const *)args);
    (void)fclose(q.out);
    (void)fclose(q.err);
    return p;
}

void page_free(struct page *p)
{
    free(p->out);
    free(p->err);
}

void expect_refused(struct played_cell *cell, const struct wrong *wrong, size_t n_wrong)
{
    for (size_t i = 0; i < n_wrong; i++) {
        int n = 0;
        while (n < 6 && wrong[i].args[n] != NULL)
            n++;
        struct page p = run_command(cell, n, wrong[i].args);
        assert_int_equal(p.status, 1);
        assert_string_equal(p.out, "");
        assert_string_equal(p.err, wrong[i].err);
        page_free(&p);
    }
    assert_int_equal(cell->changes, 0);
}

void expect_shown(struct played_cell *cell, const char *option, const char *what, const char *text)
{
    struct page p = RUN(cell, option, what);
    assert_string_equal(p.err, "");
    assert_string_equal(p.out, text);
    assert_int_equal(p.status, 0);
    page_free(&p);
}
