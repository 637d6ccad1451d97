/* The mirror. Invariants: one table says for each kind of event which objects it is about and what
 * becomes of them; each object is in the hash of its type under its key; jobs and tasks are on the
 * board. */
#include "libs/mir/mir.h"

#include <stdlib.h>

#include "libs/sgeobj/event.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"

struct object {
    char *key;
    void *rec;
    UT_hash_handle hh;
};

enum table { QUEUES, HOSTS, CONFS, OBJECTS, TABLES };
struct mir {
    struct object *tables[TABLES];
    struct board *board; /* jobs and tasks */
};

/* PUT: the whole object; MERGE: the fields that are present; DROP: by key alone */
enum deed { NOTHING, PUT, MERGE, DROP };
static const struct {
    enum deed deed;
    enum table table;
} kinds[EV_KINDS] = {
    [EV_QUEUE_ADD] = { PUT, QUEUES },  [EV_QUEUE_MOD] = { MERGE, QUEUES },
    [EV_QUEUE_DEL] = { DROP, QUEUES }, [EV_CONF] = { PUT, CONFS },
    [EV_OBJECT] = { PUT, OBJECTS },    [EV_OBJECT_DEL] = { DROP, OBJECTS },
    [EV_HOST] = { MERGE, HOSTS },      [EV_HOST_DEL] = { DROP, HOSTS },
};

static const struct cull_type *const types[TABLES] = {
    [QUEUES] = &cull_QU_Type,
    [HOSTS] = &cull_EH_Type,
    [CONFS] = &cull_CONF_Type,
    [OBJECTS] = &cull_TX_Type,
};

/* the object that EVENT carries; it has been checked */
static const void *carried_object(const struct EV_Type *event, enum table table)
{
    const void *const of[TABLES] = {
        [QUEUES] = event->EV_queues.v,
        [HOSTS] = event->EV_hosts.v,
        [CONFS] = event->EV_confs.v,
        [OBJECTS] = event->EV_texts.v,
    };
    return of[table];
}

static void add_object_key(struct dstr *key, uint32_t kind, const char *name)
{
    dstr_addf(key, "%u %s", kind, name);
}

/* what EVENT is about, as text */
static void add_key(struct dstr *key, const struct EV_Type *event, enum table table, bool is_drop)
{
    if (table == QUEUES)
        dstr_add(key, is_drop ? event->EV_queue : event->EV_queues.v[0].QU_full_name);
    else if (table == HOSTS)
        dstr_add(key, event->EV_hosts.v[0].EH_name);
    else if (table == CONFS)
        dstr_add(key, event->EV_confs.v[0].CONF_name);
    else
        add_object_key(key, event->EV_texts.v[0].TX_kind, event->EV_texts.v[0].TX_name);
}

static struct object *find_object(const struct mir *m, enum table table, const char *key)
{
    struct object *o;
    HASH_FIND_STR(m->tables[table], key, o);
    return o;
}

static struct object *add_object(struct mir *m, enum table table, const char *key)
{
    struct object *o = uti_calloc(1, sizeof *o);
    o->key = uti_strdup(key);
    o->rec = uti_calloc(1, types[table]->bytes);
    HASH_ADD_KEYPTR(hh, m->tables[table], o->key, strlen(o->key), o);
    return o;
}

static void drop_object(struct mir *m, enum table table, struct object *o)
{
    HASH_DEL(m->tables[table], o);
    cull_clear(types[table], o->rec);
    free(o->rec);
    free(o->key);
    free(o);
}

static void drop_all(struct mir *m)
{
    struct object *o, *next;
    for (enum table table = 0; table < TABLES; table++)
        HASH_ITER(hh, m->tables[table], o, next)
            drop_object(m, table, o);
}

struct mir *mir_new(void)
{
    struct mir *m = uti_calloc(1, sizeof *m);
    m->board = board_new();
    return m;
}

void mir_free(struct mir *m)
{
    if (m == NULL)
        return;
    drop_all(m);
    board_free(m->board);
    free(m);
}

static void change_object(struct object *o, const struct cull_type *t, enum deed deed,
                          const void *from)
{
    if (deed == PUT)
        cull_clear(t, o->rec);
    for (unsigned field = 0; field < t->n_fields; field++)
        if (cull_is_present(from, field))
            cull_copy_field(t, o->rec, from, field);
}

static void apply_checked(struct mir *m, const struct EV_Type *event)
{
    enum deed deed = kinds[event->EV_kind].deed;
    enum table table = kinds[event->EV_kind].table;
    struct dstr key = DSTR_INIT;

    add_key(&key, event, table, deed == DROP);
    struct object *o = find_object(m, table, dstr_get(&key));
    if (deed == DROP && o != NULL)
        drop_object(m, table, o);
    if (deed != DROP)
        change_object(o != NULL ? o : add_object(m, table, dstr_get(&key)), types[table], deed,
                      carried_object(event, table));
    dstr_free(&key);
}

int mir_apply(struct mir *m, const struct EV_Type *event, struct answer *ans)
{
    if (board_apply(m->board, event, ans) != 0)
        return -1;
    if (event->EV_kind == EV_ANEW)
        drop_all(m);
    else if (kinds[event->EV_kind].deed != NOTHING)
        apply_checked(m, event);
    return 0;
}

static const void *find_known(const struct mir *m, enum table table, const char *key)
{
    const struct object *o = find_object(m, table, key);
    return o != NULL ? o->rec : NULL;
}

const struct JB_Type *mir_job(const struct mir *m, uint32_t number)
{
    const struct board_job *job = board_job(m->board, number);
    return job != NULL && !job->is_over && !job->is_stale ? &job->rec : NULL;
}

struct board *mir_board(const struct mir *m)
{
    return m->board;
}

const struct QU_Type *mir_queue(const struct mir *m, const char *full_name)
{
    return find_known(m, QUEUES, full_name);
}

const struct EH_Type *mir_host(const struct mir *m, const char *name)
{
    return find_known(m, HOSTS, name);
}

void mir_each_queue(const struct mir *m, mir_queue_fn fn, void *ctx)
{
    for (const struct object *o = m->tables[QUEUES]; o != NULL; o = o->hh.next)
        fn(ctx, o->rec);
}

uint32_t mir_queues(const struct mir *m)
{
    return HASH_COUNT(m->tables[QUEUES]);
}

const struct CONF_Type *mir_conf(const struct mir *m, const char *name)
{
    return find_known(m, CONFS, name);
}

const struct TX_Type *mir_object(const struct mir *m, uint32_t kind, const char *name)
{
    struct dstr key = DSTR_INIT;
    add_object_key(&key, kind, name);
    const struct TX_Type *object = find_known(m, OBJECTS, dstr_get(&key));
    dstr_free(&key);
    return object;
}
