/* What options say in letters (-c, -m, -w), and changes of a job's context (-ac, -dc, -sc of
 * qalter) and environment. Invariant of a context: each name once. Source: submit(1). */
#include "libs/sgeobj/job_request.h"

#include <stdlib.h>
#include <string.h>

#include "libs/cull/pack.h"
#include "libs/sgeobj/rows.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"

/* ---- letters ---- */
const struct job_letter job_mail_letters[] = {
    { 'a', MAIL_AT_ABORT },
    { 'b', MAIL_AT_BEGIN },
    { 'e', MAIL_AT_EXIT },
    { 's', MAIL_AT_SUSPENSION },
    { 'n', 0 },
    { 0, 0 },
};
const struct job_letter job_checkpoint_letters[] = {
    { 'n', CHECKPOINT_NEVER },       { 'm', CHECKPOINT_AT_MINIMUM_INTERVAL },
    { 's', CHECKPOINT_AT_SHUTDOWN }, { 'x', CHECKPOINT_SUSPEND },
    { 'r', CHECKPOINT_RESCHEDULE },  { 0, 0 },
};
const struct job_letter job_verify_letters[] = {
    { 'n', VERIFY_NOT },  { 'w', VERIFY_WARN }, { 'e', VERIFY_ERROR },
    { 'v', VERIFY_ONLY }, { 'p', VERIFY_POKE }, { 0, 0 },
};

static const struct job_letter *find_letter(const struct job_letter *table, char letter)
{
    while (table->letter != letter && table->letter != 0)
        table++;
    return table->letter != 0 ? table : NULL;
}

bool job_letters_parse(const char *text, const struct job_letter *table, uint32_t *bits)
{
    *bits = 0;
    for (const char *at = text; *at != '\0'; at++) {
        const struct job_letter *found = find_letter(table, *at);
        if (found == NULL)
            return false;
        *bits |= found->bits;
    }
    return *text != '\0';
}

void job_letters_text(uint32_t bits, const struct job_letter *table, struct dstr *out)
{
    for (; table->letter != 0; table++)
        if ((bits & table->bits) != 0)
            dstr_addc(out, table->letter);
}

/* ---- contexts and environments ---- */
/* where each name is in the context while a change is applied: a request may name tens of
 * thousands */
struct place {
    char *name;
    uint32_t at;
    UT_hash_handle hh;
};

static struct place *place_of(struct place *all, const char *name)
{
    struct place *p;
    HASH_FIND_STR(all, name, p);
    return p;
}

static void place_add(struct place **all, const char *name, uint32_t at)
{
    struct place *p = uti_calloc(1, sizeof *p);
    p->name = uti_strdup(name);
    p->at = at;
    HASH_ADD_KEYPTR(hh, *all, p->name, strlen(p->name), p);
}

static void place_drop(struct place **all, struct place *p)
{
    HASH_DEL(*all, p);
    free(p->name);
    free(p);
}

static void places_free(struct place **all)
{
    struct place *p, *next;
    HASH_ITER(hh, *all, p, next) {
        place_drop(all, p);
    }
}

static void context_put(struct JB_Type *job, struct place **all, const struct VA_Type *change)
{
    struct place *p = place_of(*all, change->VA_variable);
    if (p == NULL) {
        place_add(all, change->VA_variable, job->JB_context.n);
        cull_copy(&cull_VA_Type, cull_append(job, JB_context), change);
        return;
    }
    cull_copy(&cull_VA_Type, &job->JB_context.v[p->at], change);
}

/* the element stays, without a name, until context_close */
static void context_delete(struct JB_Type *job, struct place **all, const char *name)
{
    struct place *p = place_of(*all, name);
    if (p == NULL)
        return;
    cull_clear(&cull_VA_Type, &job->JB_context.v[p->at]);
    place_drop(all, p);
}

static void context_close(struct JB_Type *job)
{
    struct VA_Type_list *l = &job->JB_context;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < l->n; i++)
        if (l->v[i].VA_variable != NULL)
            l->v[kept++] = l->v[i];
    l->n = kept;
}

static bool is_operation(const char *name)
{
    return strcmp(name, CONTEXT_ADD) == 0 || strcmp(name, CONTEXT_DELETE) == 0 ||
           strcmp(name, CONTEXT_SET) == 0;
}

void job_context_apply(struct JB_Type *job, const struct VA_Type_list *changes)
{
    bool is_delete = false;
    struct place *all = NULL;
    for (uint32_t i = 0; i < job->JB_context.n; i++)
        if (place_of(all, job->JB_context.v[i].VA_variable) == NULL)
            place_add(&all, job->JB_context.v[i].VA_variable, i);
    for (uint32_t i = 0; i < changes->n; i++) {
        const char *name = changes->v[i].VA_variable;
        if (name == NULL)
            continue;
        if (strcmp(name, CONTEXT_SET) == 0) {
            cull_clear_field(&cull_JB_Type, job, JB_context);
            places_free(&all);
        }
        if (is_operation(name))
            is_delete = strcmp(name, CONTEXT_DELETE) == 0;
        else if (is_delete)
            context_delete(job, &all, name);
        else
            context_put(job, &all, &changes->v[i]);
    }
    places_free(&all);
    context_close(job);
    cull_mark(job, JB_context);
}

/* ---- equal entries ---- */
/* the key of ELEMENT: all of it, of a variable its name */
static void put_key(struct packer *key, const struct cull_type *t, const void *element)
{
    const char *name = t == &cull_VA_Type ? ((const struct VA_Type *)element)->VA_variable : NULL;
    if (name != NULL)
        pack_bytes(key, name, strlen(name));
    else
        cull_pack(key, t, element, NULL);
}

/* an entry that was there before */
struct seen {
    uint32_t at;
    UT_hash_handle hh;
    void *key;
};

static void seen_free(struct seen **all)
{
    struct seen *p, *next;
    HASH_ITER(hh, *all, p, next) {
        HASH_DEL(*all, p);
        free(p->key);
        free(p);
    }
}

/* the first entry with the key of number I, which is added if there is none */
static struct seen *seen_get(struct seen **all, struct packer *key, uint32_t i)
{
    struct seen *p;
    HASH_FIND(hh, *all, key->data, key->len, p);
    if (p != NULL)
        return p;
    p = uti_calloc(1, sizeof *p);
    p->at = i;
    p->key = key->data;
    HASH_ADD_KEYPTR(hh, *all, p->key, key->len, p);
    *key = (struct packer){ 0 };
    return p;
}

static void merge_list(const struct cull_type *t, struct cull_list *l)
{
    struct seen *all = NULL;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < l->n; i++) {
        char *from = (char *)l->v + (size_t)i * t->bytes;
        struct packer key = { 0 };
        put_key(&key, t, from);
        uint32_t at = seen_get(&all, &key, kept)->at;
        packer_free(&key);
        char *to = (char *)l->v + (size_t)at * t->bytes;
        if (at < kept && t != &cull_VA_Type) {
            cull_clear(t, from);
            continue;
        }
        if (at < kept)
            cull_clear(t, to);
        kept += at == kept;
        if (to != from)
            memcpy(to, from, t->bytes);
    }
    l->n = kept;
    seen_free(&all);
}

void job_lists_merge(struct JB_Type *job, bool is_new)
{
    static const unsigned fields[] = {
        JB_hard_queue_list,    JB_soft_queue_list,  JB_master_hard_queue_list,
        JB_shell_list,         JB_stdout_path_list, JB_stdin_path_list,
        JB_stderr_path_list,   JB_mail_list,        JB_jid_request_list,
        JB_ja_ad_request_list, JB_env_list,         JB_context,
    };
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        const struct cull_field *field = &cull_JB_Type.fields[fields[i]];
        struct cull_list *l = (struct cull_list *)cull_member(&cull_JB_Type, job, fields[i]);
        if (l->n > 1 && (is_new || fields[i] != JB_context))
            merge_list(field->element, l);
    }
}

void job_env_keep_submitter(struct JB_Type *job, const struct VA_Type_list *old)
{
    for (uint32_t i = 0; i < old->n; i++) {
        const char *name = old->v[i].VA_variable;
        if (name != NULL && strncmp(name, ENV_SUBMIT_PREFIX, strlen(ENV_SUBMIT_PREFIX)) == 0)
            cull_copy(&cull_VA_Type, cull_append(job, JB_env_list), &old->v[i]);
    }
}
