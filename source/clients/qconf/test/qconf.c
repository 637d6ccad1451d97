/* qconf on hand-made answers: what it sends, what it says where, and what it refuses. */
#include "clients/qconf/qconf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* cmocka last: it needs the four above */
#include <cmocka.h>

#include "clients/common/test/wellformed.h"
#include "libs/config/conf.h"
#include "libs/config/cqueue.h"
#include "libs/uti/parse.h"

struct cell {
    struct CQ_Type *queue; /* the only one, two.q; ADD and MOD replace it */
    struct GR_Type sent;   /* the last change */
    struct TX_Type tree;   /* the share tree; nameless: none */
    unsigned changes;
    const char *edited;         /* what the editor leaves; NULL: unchanged */
    enum answer_status refusal; /* of changes; STATUS_OK: none */
    const char *warning;        /* before a change is said to be done; NULL: none */
};

static void cell_init(struct cell *cell)
{
    *cell = (struct cell){ .queue = cqueue_template("two.q"), .refusal = STATUS_OK };
    assert_int_equal(cqueue_set(cell->queue, "slots", "4", NULL), 0);
}

static void cell_free(struct cell *cell)
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

static void answer_get(struct cell *cell, const struct GR_Type *request, struct GA_Type *part)
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

static int answer_change(struct cell *cell, const struct GR_Type *request, struct answer *ans)
{
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
    const struct cell *cell = ctx;
    (void)ans;
    dstr_add(out, cell->edited != NULL ? cell->edited : text);
    return cell->edited != NULL;
}

static bool knows_node1(const char *host)
{
    return strcmp(host, "node1") == 0;
}

struct page {
    char *out, *err;
    int status;
};

static struct page run_command(struct cell *cell, int n, const char *const *args)
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

static void page_free(struct page *p)
{
    free(p->out);
    free(p->err);
}

#define RUN(cell, ...)                                                                             \
    run_command(cell, (int)(sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *)),             \
                (const char *[]){ __VA_ARGS__ })

static void expect_attr(const struct cell *cell, const char *attr, const char *wanted)
{
    struct dstr text = DSTR_INIT;
    assert_true(cqueue_value(cell->queue, attr, &text));
    assert_string_equal(dstr_get(&text), wanted);
    dstr_free(&text);
}

static void change_attr(struct cell *cell, const char *option, const char *attr, const char *value,
                        const char *object, const char *said)
{
    struct page p = RUN(cell, option, "queue", attr, value, object);
    assert_int_equal(p.status, 0);
    assert_string_equal(p.out, said);
    assert_string_equal(p.err, "");
    page_free(&p);
}

static void shows_text(struct cell *cell, const char *option, const char *group, const char *text)
{
    struct page p = RUN(cell, option, group);
    assert_string_equal(p.err, "");
    assert_string_equal(p.out, text);
    assert_int_equal(p.status, 0);
    page_free(&p);
}

static void host_groups_are_shown_with_what_is_in_them(void **state)
{
    (void)state;
    struct cell cell;
    cell_init(&cell);
    shows_text(&cell, "-shgrp_tree", "@all",
               "@all\n   vm3\n   @rack\n      vm2\n      vm1\n      @empty\n      @none\n   vm1\n");
    shows_text(&cell, "-shgrp_resolved", "@all", "vm1 vm2 vm3\n");
    shows_text(&cell, "-shgrp_resolved", "@empty", "");
    shows_text(&cell, "-shgrp_resolved", "@loop", "vm1\n");
    static const char *const options[] = { "-shgrp_tree", "-shgrp_resolved" };
    for (size_t i = 0; i < ARRAY_LEN(options); i++) {
        struct page p = RUN(&cell, options[i], "@nope");
        assert_string_equal(p.err, "Host group \"@nope\" does not exist\n");
        assert_int_equal(p.status, 1);
        page_free(&p);
    }
    cell_free(&cell);
}

static void json_is_one_document_for_all_options(void **state)
{
    (void)state;
    struct cell cell;
    cell_init(&cell);
    struct page p = RUN(&cell, "-shgrp_resolved", "@all", "-json", "-shgrp_tree", "@empty");
    assert_int_equal(p.status, 0);
    assert_true(is_json(p.out));
    assert_string_equal(p.out, "{\"shown\": [\n"
                               "    {\"option\": \"-shgrp_resolved\", \"names\": [\n"
                               "        \"vm1\",\n"
                               "        \"vm2\",\n"
                               "        \"vm3\"\n"
                               "      ]},\n"
                               "    {\"option\": \"-shgrp_tree\", \"objects\": [\n"
                               "        {\"name\": \"@empty\", \"depth\": 0}\n"
                               "      ]}\n"
                               "  ]}\n");
    page_free(&p);
    p = RUN(&cell, "-shgrp_tree", "@nope", "-json");
    assert_int_equal(p.status, 1);
    assert_true(is_json(p.out));
    assert_string_equal(p.err, "Host group \"@nope\" does not exist\n");
    page_free(&p);
    cell_free(&cell);
}

static void json_is_refused_for_what_changes(void **state)
{
    (void)state;
    struct cell cell;
    cell_init(&cell);
    struct page p = RUN(&cell, "-sql", "-am", "alice", "-json");
    assert_int_equal(p.status, 1);
    assert_string_equal(p.out, "");
    assert_string_equal(p.err, "-json: \"-am\" does not show anything\n");
    page_free(&p);
    cell_free(&cell);
}

static void attributes_of_hosts_are_joined(void **state)
{
    (void)state;
    struct cell cell;
    cell_init(&cell);
    change_attr(&cell, "-mattr", "slots", "8", "two.q", "done\n");
    expect_attr(&cell, "slots", "8");
    change_attr(&cell, "-mattr", "slots", "[@big=6]", "two.q", "done\n");
    expect_attr(&cell, "slots", "8,[@big=6]");
    change_attr(&cell, "-mattr", "slots", "9", "two.q@node1", "done\n");
    expect_attr(&cell, "slots", "8,[@big=6],[node1=9]");
    change_attr(&cell, "-mattr", "slots", "7", "two.q", "done\n");
    expect_attr(&cell, "slots", "7,[@big=6],[node1=9]");
    change_attr(&cell, "-aattr", "slots", "[node2=1]", "two.q", "done\n");
    expect_attr(&cell, "slots", "7,[@big=6],[node1=9],[node2=1]");
    change_attr(&cell, "-dattr", "slots", "[node1=9]", "two.q", "done\n");
    expect_attr(&cell, "slots", "7,[@big=6],[node2=1]");
    change_attr(&cell, "-rattr", "slots", "4,[@big=5]", "two.q", "done\n");
    expect_attr(&cell, "slots", "4,[@big=5]");
    assert_int_equal(cell.sent.GR_verb, GDI_MOD);
    cell_free(&cell);
}

static void list_attributes_gain_and_lose_elements(void **state)
{
    (void)state;
    struct cell cell;
    cell_init(&cell);
    change_attr(&cell, "-rattr", "pe_list", "NONE", "two.q", "done\n");
    change_attr(&cell, "-aattr", "pe_list", "mpi", "two.q",
                "\"pe_list\" of \"queue\" is empty - Adding new element(s).\ndone\n");
    expect_attr(&cell, "pe_list", "mpi");
    change_attr(
        &cell, "-aattr", "pe_list", "mpi", "two.q",
        "No modification because \"mpi\" already exists in \"pe_list\" of \"two.q\"\ndone\n");
    change_attr(&cell, "-aattr", "pe_list", "smp make", "two.q", "done\n");
    expect_attr(&cell, "pe_list", "mpi smp make");
    change_attr(&cell, "-dattr", "pe_list", "smp", "two.q", "done\n");
    expect_attr(&cell, "pe_list", "mpi make");
    change_attr(&cell, "-dattr", "pe_list", "mpi make", "two.q", "done\n");
    expect_attr(&cell, "pe_list", "NONE");
    change_attr(&cell, "-rattr", "complex_values", "lic=2,mem=1G", "two.q", "done\n");
    change_attr(&cell, "-dattr", "complex_values", "lic", "two.q", "done\n");
    expect_attr(&cell, "complex_values", "mem=1G");
    change_attr(&cell, "-aattr", "hostlist", "node1", "two.q",
                "\"hostlist\" of \"queue\" is empty - Adding new element(s).\ndone\n");
    expect_attr(&cell, "hostlist", "node1");
    cell_free(&cell);
}

static void modifying_a_list_changes_its_named_elements_alone(void **state)
{
    (void)state;
    struct cell cell;
    cell_init(&cell);
    change_attr(&cell, "-mattr", "complex_values", "mem_free=5G,slots=3", "two.q",
                "\"complex_values\" of \"queue\" is empty - Adding new element(s).\ndone\n");
    change_attr(&cell, "-mattr", "complex_values", "mem_free=6G", "two.q", "done\n");
    expect_attr(&cell, "complex_values", "mem_free=6G,slots=3");
    change_attr(&cell, "-mattr", "complex_values", "lic=1,slots=4", "two.q",
                "Unable to find \"lic=1\" in \"complex_values\" of \"queue\" - Adding new "
                "element.\ndone\n");
    expect_attr(&cell, "complex_values", "mem_free=6G,slots=4,lic=1");
    change_attr(&cell, "-mattr", "complex_values", "[node1=slots=9]", "two.q",
                "\"complex_values\" of \"queue\" is empty - Adding new element(s).\ndone\n");
    change_attr(&cell, "-mattr", "complex_values", "slots=8", "two.q@node1", "done\n");
    expect_attr(&cell, "complex_values", "mem_free=6G,slots=4,lic=1,[node1=slots=8]");
    change_attr(&cell, "-rattr", "pe_list", "smp mpi", "two.q", "done\n");
    change_attr(
        &cell, "-mattr", "pe_list", "make mpi", "two.q",
        "Unable to find \"make\" in \"pe_list\" of \"queue\" - Adding new element.\ndone\n");
    expect_attr(&cell, "pe_list", "smp mpi make");
    change_attr(&cell, "-mattr", "pe_list", "none", "two.q", "done\n");
    expect_attr(&cell, "pe_list", "NONE");
    change_attr(&cell, "-mattr", "qtype", "BATCH", "two.q", "done\n");
    expect_attr(&cell, "qtype", "BATCH");
    cell_free(&cell);
}

static char *file_with(const char *text)
{
    char *path = strdup("/tmp/qconf_test_XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    (void)close(fd);
    return path;
}

/* OPTION with a file of TEXT, on the queue two.q */
static struct page run_file(struct cell *cell, const char *option, const char *text)
{
    char *path = file_with(text);
    struct page p = RUN(cell, option, "queue", path, "two.q");
    (void)unlink(path);
    free(path);
    return p;
}

static void attributes_from_a_file_are_one_change(void **state)
{
    (void)state;
    struct cell cell;
    cell_init(&cell);
    change_attr(&cell, "-rattr", "pe_list", "make", "two.q", "done\n");
    unsigned before = cell.changes;
    struct page p = run_file(&cell, "-Aattr", "# more\npe_list  mpi\nslots [node1=3]\n");
    assert_int_equal(p.status, 0);
    assert_string_equal(p.out, "done\n");
    page_free(&p);
    assert_int_equal(cell.changes, before + 1);
    expect_attr(&cell, "pe_list", "make mpi");
    p = run_file(&cell, "-Dattr", "pe_list make\n");
    page_free(&p);
    expect_attr(&cell, "pe_list", "mpi");
    p = run_file(&cell, "-Mattr", "priority 7\n");
    page_free(&p);
    expect_attr(&cell, "priority", "7");
    p = run_file(&cell, "-Rattr", "pe_list \\\n  smp\n");
    page_free(&p);
    expect_attr(&cell, "pe_list", "smp");
    cell_free(&cell);
}

static void a_wrong_line_of_such_a_file_changes_nothing(void **state)
{
    (void)state;
    struct cell cell;
    cell_init(&cell);
    struct page p = run_file(&cell, "-Mattr", "priority 7\nnosuch 1\n");
    assert_int_equal(p.status, 1);
    assert_string_equal(p.err, "The attribute name (\"nosuch\") and/or value (\"1\") is invalid\n");
    page_free(&p);
    p = run_file(&cell, "-Mattr", "# nothing\n");
    assert_int_equal(p.status, 1);
    assert_non_null(strstr(p.err, " is not correct\n"));
    page_free(&p);
    p = RUN(&cell, "-Mattr", "queue", "/nonexistent", "two.q");
    assert_string_equal(
        p.err, "error: error opening file \"/nonexistent\" for reading: No such file or directory\n"
               "Cluster queue file \"/nonexistent\" is not correct\n");
    page_free(&p);
    assert_int_equal(cell.changes, 0);
    cell_free(&cell);
}

static void a_warning_goes_to_stderr_and_is_no_failure(void **state)
{
    (void)state;
    struct cell cell;
    cell_init(&cell);
    cell.warning = "no effect yet";
    struct page p = RUN(&cell, "-mattr", "queue", "nsuspend", "2", "two.q");
    assert_int_equal(p.status, 0);
    assert_string_equal(p.out, "done\n");
    assert_string_equal(p.err, "warning: no effect yet\n");
    page_free(&p);
    cell_free(&cell);
}

static void a_queue_is_on_hosts_that_are_known_or_can_be_resolved(void **state)
{
    (void)state;
    struct cell cell;
    cell_init(&cell);
    change_attr(&cell, "-rattr", "hostlist", "vm1 node1 @any", "two.q", "done\n");
    unsigned changes = cell.changes;
    struct page p = RUN(&cell, "-aattr", "queue", "hostlist", "nohost.invalid", "two.q");
    assert_int_equal(p.status, 1);
    assert_string_equal(p.err, "unable to resolve host \"nohost.invalid\"\n");
    assert_int_equal(cell.changes, changes);
    page_free(&p);
    cell_free(&cell);
}

static void purge_takes_a_hosts_own_values(void **state)
{
    (void)state;
    struct cell cell;
    cell_init(&cell);
    change_attr(&cell, "-rattr", "slots", "4,[node1=9],[@big=6]", "two.q", "done\n");
    change_attr(&cell, "-rattr", "seq_no", "0,[node1=3]", "two.q", "done\n");
    struct page p = RUN(&cell, "-purge", "queue", "slots,seq_no", "two.q@node1");
    assert_int_equal(p.status, 0);
    page_free(&p);
    expect_attr(&cell, "slots", "4,[@big=6]");
    expect_attr(&cell, "seq_no", "0");
    p = RUN(&cell, "-purge", "queue", "*", "two.q@@big");
    assert_int_equal(p.status, 0);
    page_free(&p);
    expect_attr(&cell, "slots", "4");
    unsigned changes = cell.changes;
    p = RUN(&cell, "-purge", "queue", "slots", "two.q@node1");
    assert_int_equal(p.status, 1);
    assert_int_equal(cell.changes, changes);
    page_free(&p);
    cell_free(&cell);
}

static void expect_found(struct cell *cell, const char *kind, const char *attr, const char *value,
                         const char *names)
{
    struct page p = RUN(cell, "-sobjl", kind, attr, value);
    assert_string_equal(p.err, "");
    assert_string_equal(p.out, names);
    assert_int_equal(p.status, 0);
    page_free(&p);
}

static void objects_are_found_by_their_values(void **state)
{
    (void)state;
    struct cell cell;
    cell_init(&cell);
    change_attr(&cell, "-rattr", "slots", "4,[vm1=9],[@big=6]", "two.q", "done\n");
    change_attr(&cell, "-rattr", "pe_list", "make smp", "two.q", "done\n");
    expect_found(&cell, "queue", "slots", "4", "two.q\n");
    expect_found(&cell, "queue", "slots", "9", "");
    expect_found(&cell, "queue", "s?ots|seq_no", "[0-4]", "two.q\n");
    expect_found(&cell, "queue", "pe_list", "make", "two.q\n"); /* one of its elements */
    expect_found(&cell, "queue_instance", "slots", "*", "two.q@vm1\n");
    expect_found(&cell, "queue_domain", "slots", "*", "two.q@@big\n");
    expect_found(&cell, "queue_domain", "slots", "9", "");
    expect_found(&cell, "exechost", "load_values", "*", "vm1\ntemplate\nglobal\n");
    expect_found(&cell, "hostgroup", "hostlist", "vm2", "@rack\n");
    expect_found(&cell, "queue", "nosuch", "*", "");
    struct page p = RUN(&cell, "-sobjl", "nosuch", "slots", "4");
    assert_int_equal(p.status, 1);
    assert_string_equal(p.err, "-sobjl nosuch: not supported yet\n");
    page_free(&p);
    cell_free(&cell);
}

/* ---- nodes of the share tree ---- */
static void set_tree(struct cell *cell, const char *const *nodes)
{
    cull_set(&cell->tree, TX_name, "sharetree");
    for (; *nodes != NULL; nodes++) {
        struct VA_Type *va = cull_append(&cell->tree, TX_entries);
        cull_set(va, VA_variable, "node");
        cull_set(va, VA_value, *nodes);
    }
}

static const char *const groups_tree[] = {
    "id=0 name=Root type=0 shares=1 childnodes=3,1",
    "id=1 name=dept type=0 shares=10 childnodes=2",
    "id=2 name=eve.smith type=0 shares=5 childnodes=NONE",
    "id=3 name=default type=0 shares=7 childnodes=NONE",
    NULL,
};

static void expect_nodes(const struct cell *cell, const char *const *nodes)
{
    uint32_t n = 0;
    for (; nodes[n] != NULL; n++) {
        assert_true(n < cell->tree.TX_entries.n);
        assert_string_equal(cell->tree.TX_entries.v[n].VA_value, nodes[n]);
    }
    assert_int_equal(cell->tree.TX_entries.n, n);
}

static void nodes_of_the_share_tree_are_shown_by_path(void **state)
{
    (void)state;
    struct cell cell;
    cell_init(&cell);
    struct page p = RUN(&cell, "-sstnode", "/");
    assert_int_equal(p.status, 0);
    assert_string_equal(p.err, "No sharetree\n");
    page_free(&p);
    set_tree(&cell, groups_tree);
    shows_text(&cell, "-sstnode", "/", "/=1\n");
    shows_text(&cell, "-sstnode", "default,/dept", "/default=7\n/dept=10\n");
    shows_text(&cell, "-sstnode", "dept.eve.smith", "/dept/eve.smith=5\n");
    shows_text(&cell, "-rsstnode", "dept", "/dept=10\n/dept/eve.smith=5\n");
    shows_text(&cell, "-rsstnode", "/", "/=1\n/default=7\n/dept=10\n/dept/eve.smith=5\n");
    p = RUN(&cell, "-sstnode", "/dept/eve,/dept");
    assert_int_equal(p.status, 1);
    assert_string_equal(p.out, "/dept=10\n");
    assert_string_equal(p.err, "Unable to locate \"/dept/eve\" in sharetree\n");
    page_free(&p);
    cell_free(&cell);
}

static void nodes_of_the_share_tree_come_change_and_go(void **state)
{
    (void)state;
    struct cell cell;
    cell_init(&cell);
    set_tree(&cell, groups_tree);
    struct page p = RUN(&cell, "-astnode", "/dept/bob=3,prj1=4,/prj1/eve.smith=2");
    assert_string_equal(p.err, "done\n");
    page_free(&p);
    static const char *const added[] = {
        "id=0 name=Root type=0 shares=1 childnodes=3,1,5",
        "id=1 name=dept type=0 shares=10 childnodes=2,4",
        "id=2 name=eve.smith type=0 shares=5 childnodes=NONE",
        "id=3 name=default type=0 shares=7 childnodes=NONE",
        "id=4 name=bob type=0 shares=3 childnodes=NONE",
        "id=5 name=prj1 type=1 shares=4 childnodes=6",
        "id=6 name=eve.smith type=0 shares=2 childnodes=NONE",
        NULL,
    };
    expect_nodes(&cell, added);
    p = RUN(&cell, "-dstnode", "/prj1/eve.smith,prj1,dept.bob", "-mstnode", "/=9,default=0");
    assert_string_equal(p.err, "done\ndone\n");
    page_free(&p);
    static const char *const modified[] = {
        "id=0 name=Root type=0 shares=9 childnodes=3,1",
        "id=1 name=dept type=0 shares=10 childnodes=2",
        "id=2 name=eve.smith type=0 shares=5 childnodes=NONE",
        "id=3 name=default type=0 shares=0 childnodes=NONE",
        NULL,
    };
    expect_nodes(&cell, modified);
    cell_free(&cell);
}

static void who_changes_nodes_says_which_tree_he_saw(void **state)
{
    (void)state;
    struct cell cell;
    cell_init(&cell);
    set_tree(&cell, groups_tree);
    struct page p = RUN(&cell, "-mstnode", "default=8");
    page_free(&p);
    assert_int_equal(cell.sent.GR_seen.n, 1);
    assert_string_equal(cell.sent.GR_seen.v[0].TX_entries.v[3].VA_value, groups_tree[3]);
    assert_string_equal(cell.sent.GR_texts.v[0].TX_entries.v[3].VA_value,
                        "id=3 name=default type=0 shares=8 childnodes=NONE");
    cell_free(&cell);
}

struct wrong {
    const char *args[6];
    const char *err;
};

static void expect_refused(struct cell *cell, const struct wrong *wrong, size_t n_wrong)
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

static void wrong_changes_of_nodes_change_none(void **state)
{
    (void)state;
    static const struct wrong wrong[] = {
        { { "-mstnode", "default=8,/dept/bob=1" },
          "Unable to locate \"/dept/bob=1\" in sharetree\n" },
        { { "-astnode", "/a=1,/a=2" }, "\"/a=2\" is already in sharetree\n" },
        { { "-astnode", "/b/c=1" }, "Unable to locate \"/b/c=1\" in sharetree\n" },
        { { "-astnode", "/a" }, "\"/a\" is not of the form NODE_PATH=SHARES\n" },
        { { "-mstnode", "/dept=many" }, "\"/dept=many\" is not of the form NODE_PATH=SHARES\n" },
        { { "-dstnode", "/dept" }, "sharetree node \"/dept\" has nodes below it\n" },
        { { "-dstnode", "/" },
          "the root of the sharetree goes with the whole of it: qconf -dstree\n" },
        { { "-dstnode", "," }, "error: no option argument provided to \"-dstnode\"\n" },
    };
    struct cell cell;
    cell_init(&cell);
    static const struct wrong none = { { "-astnode", "/a=1" }, "No sharetree\n" };
    expect_refused(&cell, &none, 1);
    set_tree(&cell, groups_tree);
    expect_refused(&cell, wrong, ARRAY_LEN(wrong));
    expect_nodes(&cell, groups_tree);
    cell_free(&cell);
}

static void wrong_changes_are_refused_before_anything_is_sent(void **state)
{
    (void)state;
    static const struct wrong wrong[] = {
        { { "-mattr", "queue", "nosuch", "1", "two.q" },
          "The attribute name (\"nosuch\") and/or value (\"1\") is invalid\n" },
        { { "-mattr", "queue", "slots", "8", "nope.q" },
          "denied: cluster queue \"nope.q\" does not exist\n" },
        { { "-mattr", "queue", "priority", "7", "tw?.q" },
          "denied: cluster queue \"tw?.q\" does not exist\n" },
        { { "-dattr", "queue", "slots", "4", "two.q" },
          "attribute \"slots\" is not a list: name the host whose value is to go, [HOST=VALUE]\n" },
        { { "-mattr", "nosuch", "x", "1", "h" }, "-mattr nosuch: not supported yet\n" },
        { { "-mattr", "exechost", "x", "1", "h" }, "denied: exechost \"h\" does not exist\n" },
        { { "-mattr", "pe", "slots", "1", "p" },
          "denied: parallel environment \"p\" does not exist\n" },
        { { "-purge", "queue", "slots", "two.q" }, "\"two.q\" is not of the form QUEUE@HOST\n" },
        { { "-Mq", "/nonexistent" },
          "error: error opening file \"/nonexistent\" for reading: No such file or directory\n"
          "Cluster queue file \"/nonexistent\" is not correct\n" },
    };
    struct cell cell;
    cell_init(&cell);
    expect_refused(&cell, wrong, ARRAY_LEN(wrong));
    struct page p = RUN(&cell, "-mattr", "queue", "slots", "abc", "two.q");
    assert_non_null(strstr(p.err, "Error during parsing of attribute value \"abc\"\n"));
    page_free(&p);
    assert_int_equal(cell.changes, 0);
    cell_free(&cell);
}

static void objects_that_are_not_there_are_named(void **state)
{
    (void)state;
    static const struct wrong wrong[] = {
        { { "-sq", "nope.q" },
          "No cluster queue or queue instance matches the phrase \"nope.q\"\n" },
        { { "-sp", "nope" }, "nope is not a parallel environment\n" },
        { { "-shgrp", "@nope" }, "Host group \"@nope\" does not exist\n" },
        { { "-se", "nope" }, "can't resolve hostname \"nope\"\n" },
        { { "-sconf", "nope" }, "configuration nope not defined\n" },
        { { "-so" }, "no operator defined\n" },
    };
    struct cell cell;
    cell_init(&cell);
    expect_refused(&cell, wrong, ARRAY_LEN(wrong));
    cell_free(&cell);
}

static void wrong_options_are_refused(void **state)
{
    (void)state;
    static const struct wrong wrong[] = {
        { { "-zz" }, "error: invalid option argument \"-zz\"\nUsage: qconf -help\n" },
        { { "-kt", "x" }, "-kt: not supported yet\n" },
    };
    struct cell cell;
    cell_init(&cell);
    expect_refused(&cell, wrong, ARRAY_LEN(wrong));
    struct page p = RUN(&cell, "-se");
    assert_int_equal(strncmp(p.err, "error: no option argument provided to \"-se\"\n", 44), 0);
    page_free(&p);
    p = run_command(&cell, 0, NULL);
    assert_int_equal(p.status, 1);
    assert_non_null(strstr(p.err, "ERROR! no option argument\n"));
    page_free(&p);
    cell_free(&cell);
}

static void files_are_read_before_they_are_sent(void **state)
{
    (void)state;
    struct cell cell;
    struct dstr text = DSTR_INIT;
    char path[] = "/tmp/qconf_test_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    cell_init(&cell);
    cqueue_text(cell.queue, false, &text);
    dstr_add(&text, "junk 1\n");
    assert_int_equal(write(fd, text.s, text.len), (ssize_t)text.len);
    struct page p = RUN(&cell, "-Mq", path);
    assert_int_equal(p.status, 1);
    assert_int_equal(
        strncmp(p.err, "error: unknown attribute name \"junk\"\nerror: error reading file: \"", 64),
        0);
    assert_non_null(strstr(p.err, " is not correct\n"));
    page_free(&p);
    assert_int_equal(cell.changes, 0);
    assert_int_equal(ftruncate(fd, (off_t)text.len - 7), 0);
    p = RUN(&cell, "-Aq", path);
    assert_int_equal(p.status, 0);
    assert_string_equal(p.err, "done\n"); /* files and names speak on stderr */
    assert_int_equal(cell.sent.GR_verb, GDI_ADD);
    page_free(&p);
    (void)close(fd);
    (void)unlink(path);
    dstr_free(&text);
    cell_free(&cell);
}

static void an_editor_that_changes_nothing_changes_nothing(void **state)
{
    (void)state;
    struct cell cell;
    cell_init(&cell);
    struct page p = RUN(&cell, "-mq", "two.q");
    assert_int_equal(p.status, 1);
    assert_string_equal(p.err, "file unchanged\n");
    page_free(&p);
    p = RUN(&cell, "-msconf");
    assert_string_equal(p.err, "file unchanged\n");
    page_free(&p);
    assert_int_equal(cell.changes, 0);
    p = RUN(&cell, "-aq", "new.q"); /* a new queue may be as the template is */
    assert_int_equal(p.status, 0);
    assert_string_equal(cell.queue->CQ_name, "new.q");
    page_free(&p);
    cell.edited = "qname broken\n";
    p = RUN(&cell, "-aq", "x.q");
    assert_int_equal(p.status, 1);
    assert_int_equal(cell.changes, 1);
    page_free(&p);
    cell_free(&cell);
}

static void names_are_sorted_and_lists_go_in_one_request(void **state)
{
    (void)state;
    struct cell cell;
    cell_init(&cell);
    struct page p = RUN(&cell, "-sm");
    assert_string_equal(p.out, "root\nsgeadmin\n");
    page_free(&p);
    p = RUN(&cell, "-am", "alice,bob");
    assert_int_equal(cell.sent.GR_names.n, 2);
    assert_int_equal(cell.sent.GR_target, GDI_MANAGER);
    page_free(&p);
    p = RUN(&cell, "-ke", "all");
    assert_string_equal(cell.sent.GR_select.v[0].ID_str, "*");
    page_free(&p);
    cell_free(&cell);
}

static void a_refusal_is_exit_status_1_but_for_hosts_on_a_list(void **state)
{
    (void)state;
    struct cell cell;
    cell_init(&cell);
    cell.refusal = STATUS_EEXIST;
    struct page p = RUN(&cell, "-am", "bob");
    assert_int_equal(p.status, 1);
    assert_string_equal(p.err, "refused\n");
    page_free(&p);
    p = RUN(&cell, "-as", "node1");
    assert_int_equal(p.status, 0);
    assert_string_equal(p.err, "refused\n");
    page_free(&p);
    cell.refusal = STATUS_DENIED;
    p = RUN(&cell, "-as", "node1", "-am", "bob"); /* the first failure is the last option */
    assert_int_equal(p.status, 1);
    assert_int_equal(cell.sent.GR_target, GDI_SUBMITHOST);
    page_free(&p);
    cell_free(&cell);
}

static void an_empty_list_is_no_argument(void **state)
{
    (void)state;
    static const char *const options[] = { "-am", "-do", "-dq", "-ah", "-ke" };
    struct cell cell;
    cell_init(&cell);
    for (size_t i = 0; i < ARRAY_LEN(options); i++) {
        struct page p = RUN(&cell, options[i], ",");
        struct dstr wanted = DSTR_INIT;
        dstr_addf(&wanted, "error: no option argument provided to \"%s\"\n", options[i]);
        assert_int_equal(p.status, 1);
        assert_string_equal(p.err, dstr_get(&wanted));
        dstr_free(&wanted);
        page_free(&p);
    }
    cell_free(&cell);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_list_is_no_argument),
        cmocka_unit_test(host_groups_are_shown_with_what_is_in_them),
        cmocka_unit_test(json_is_one_document_for_all_options),
        cmocka_unit_test(json_is_refused_for_what_changes),
        cmocka_unit_test(attributes_of_hosts_are_joined),
        cmocka_unit_test(list_attributes_gain_and_lose_elements),
        cmocka_unit_test(modifying_a_list_changes_its_named_elements_alone),
        cmocka_unit_test(attributes_from_a_file_are_one_change),
        cmocka_unit_test(a_wrong_line_of_such_a_file_changes_nothing),
        cmocka_unit_test(a_warning_goes_to_stderr_and_is_no_failure),
        cmocka_unit_test(a_queue_is_on_hosts_that_are_known_or_can_be_resolved),
        cmocka_unit_test(purge_takes_a_hosts_own_values),
        cmocka_unit_test(objects_are_found_by_their_values),
        cmocka_unit_test(nodes_of_the_share_tree_are_shown_by_path),
        cmocka_unit_test(nodes_of_the_share_tree_come_change_and_go),
        cmocka_unit_test(who_changes_nodes_says_which_tree_he_saw),
        cmocka_unit_test(wrong_changes_of_nodes_change_none),
        cmocka_unit_test(wrong_changes_are_refused_before_anything_is_sent),
        cmocka_unit_test(objects_that_are_not_there_are_named),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(files_are_read_before_they_are_sent),
        cmocka_unit_test(an_editor_that_changes_nothing_changes_nothing),
        cmocka_unit_test(names_are_sorted_and_lists_go_in_one_request),
        cmocka_unit_test(a_refusal_is_exit_status_1_but_for_hosts_on_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
