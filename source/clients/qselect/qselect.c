/* qselect: its options, and the queue instances that they select. Source: qselect(1). */
#include "clients/qselect/qselect.h"

#include <stdlib.h>
#include <string.h>

#include "clients/common/msg_clients.h"
#include "clients/common/queue_choice.h"
#include "clients/common/source.h"
#include "common/version.h"
#include "libs/config/complex.h"
#include "libs/config/host.h"
#include "libs/resource/availability.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

/* ---- options ---- */

#define AT(member) offsetof(struct qselect_options, member)

static const struct client_option rows[] = {
    { "-help", ARGUMENT_NONE, option_flag, "[-help]", "print this help", AT(wants_help), 0 },
    { "-l", ARGUMENTS, option_requests, "[-l resource_list]", "request the given resources",
      AT(choice.resources), 0 },
    { "-pe", ARGUMENTS, option_names, "[-pe pe_list]",
      "select only queues with one of these parallel environments", AT(choice.pes), 0 },
    { "-q", ARGUMENTS, option_names, "[-q wc_queue_list]", "print information on given queue",
      AT(choice.queues), 0 },
    { "-qs", ARGUMENT_NEEDED, queue_choice_states, "[-qs {a|c|d|o|s|u|A|C|D|E|S}]",
      "selects queues which are in the given state(s)", AT(choice), 0 },
    { "-U", ARGUMENTS, option_names, "[-U user_list]",
      "select only queues where these users have access", AT(choice.users), 0 },
};
static const struct option_table table = {
    .rows = rows, .n = ARRAY_LEN(rows), .indent = "        ", .width = 33
};

int qselect_parse(int n, char *const *args, void *options, bool *shows_usage, struct answer *ans)
{
    return option_table_parse(&table, n, args, options, shows_usage, ans);
}

void qselect_options_free(struct qselect_options *o)
{
    queue_choice_free(&o->choice);
}

void qselect_usage(struct dstr *out)
{
    dstr_add(out, SGE_VERSION_LINE "\nusage: qselect [options]\n");
    option_table_help(&table, out);
    dstr_addc(out, '\n');
    dstr_add(out, MSG_TERMS);
}

/* ---- queue instances ---- */
/* Which queue instances a command line means, and what each has of the resources that it asks
 * for. */

struct selecting {
    const struct qselect_options *o;
    struct GA_Type *queues, *hosts; /* owned; hosts only for -l */
    struct CE_Type_list complex;    /* for -l */
    struct user_access access;      /* for -U */
};

/* ---- answers of the qmaster ---- */

/* the first is for -U alone */
static const char *const choice_fields[] = { "QU_access", "QU_full_name",  "QU_qname",
                                             "QU_state",  "QU_hostgroups", "pe_list",
                                             NULL };

static int host_compare(const void *left, const void *right)
{
    const struct EH_Type *a = left, *b = right;
    return strcmp(a->EH_name != NULL ? a->EH_name : "", b->EH_name != NULL ? b->EH_name : "");
}

/* with -l any attribute may count, and what hosts report */
static int get_resources(struct selecting *s, const struct source *from, struct answer *ans)
{
    s->queues = source_get_target(from, GDI_QINSTANCE, ans);
    s->hosts = s->queues != NULL ? source_get_target(from, GDI_EXECHOST, ans) : NULL;
    if (s->hosts == NULL || complex_get(from, &s->complex, ans) != 0)
        return -1;
    if (s->hosts->GA_hosts.n > 1)
        qsort(s->hosts->GA_hosts.v, s->hosts->GA_hosts.n, sizeof s->hosts->GA_hosts.v[0],
              host_compare);
    return 0;
}

static int get_all(struct selecting *s, const struct source *from, struct answer *ans)
{
    if (user_access_get(from, &s->o->choice.users, &s->access, ans) != 0)
        return -1;
    if (s->o->choice.resources.n > 0)
        return get_resources(s, from, ans);
    const char *const *fields = s->access.n > 0 ? choice_fields : choice_fields + 1;
    s->queues = source_get_fields(from, GDI_QINSTANCE, fields, ans);
    return s->queues != NULL ? 0 : -1;
}

static void free_all(struct selecting *s)
{
    cull_delete(&cull_GA_Type, s->queues);
    cull_delete(&cull_GA_Type, s->hosts);
    complex_list_clear(&s->complex);
    user_access_free(&s->access);
}

/* ---- resources ---- */

static const struct EH_Type *host_of(const struct selecting *s, const char *name)
{
    struct EH_Type key = { .EH_name = name };
    if (s->hosts->GA_hosts.n == 0 || name == NULL)
        return NULL;
    return bsearch(&key, s->hosts->GA_hosts.v, s->hosts->GA_hosts.n, sizeof key, host_compare);
}

static bool has_resources(const struct selecting *s, const struct QU_Type *queue)
{
    struct offering what = { queue, host_of(s, queue->QU_qhostname), host_of(s, HOST_OF_CELL),
                             &s->complex };
    return queue_choice_suits(&s->o->choice, &what);
}

static bool is_selected(const struct selecting *s, const struct QU_Type *queue)
{
    return queue->QU_full_name != NULL && queue_choice_takes(&s->o->choice, queue) &&
           user_access_admits(&s->access, queue) && (s->hosts == NULL || has_resources(s, queue));
}

/* ---- the page ---- */

static int name_compare(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* returns how many */
static uint32_t print_names(const struct selecting *s, FILE *out)
{
    uint32_t all = s->queues->GA_queues.n, n = 0;
    const char **names = uti_calloc(all > 0 ? all : 1, sizeof *names);
    for (uint32_t i = 0; i < all; i++)
        if (is_selected(s, &s->queues->GA_queues.v[i]))
            names[n++] = s->queues->GA_queues.v[i].QU_full_name;
    if (n > 1)
        qsort(names, n, sizeof *names, name_compare);
    for (uint32_t i = 0; i < n; i++)
        (void)fprintf(out, "%s\n", names[i]);
    free(names);
    return n;
}

int qselect_run(const struct source *from, const struct qselect_options *o, FILE *out,
                struct answer *ans)
{
    struct selecting s = { .o = o };
    uint32_t n = 0;
    bool is_known = queue_choice_check(&o->choice, from, ans) == 0 && get_all(&s, from, ans) == 0;
    if (is_known)
        n = print_names(&s, out);
    if (is_known && n == 0 && o->choice.users.n > 0)
        (void)ans_fail(ans, STATUS_EUNKNOWN, MSG_QSELECT_NO_ACCESS);
    free_all(&s);
    return n > 0 ? 0 : 1;
}
