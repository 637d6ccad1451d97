/* Which cores a task gets: all of them or none. Without a place to begin, "linear" takes the first
 * socket without users, and goes on with the socket that has most free cores; "striding" begins at
 * the first core from where all of its cores are free. */
#include "daemons/execd/host/cores.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "libs/sgeobj/binding.h"
#include "libs/task/processors.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

/* ---- sets ---- */

void core_set_free(struct core_set *s)
{
    free(s->v);
    *s = (struct core_set){ 0 };
}

static void add_core(struct core_set *s, unsigned core)
{
    s->v = uti_vec_grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
    s->v[s->n++] = core;
}

static bool has_core(const struct core_set *s, unsigned core)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->v[i] == core)
            return true;
    return false;
}

void core_set_copy(struct core_set *to, const struct core_set *from)
{
    core_set_free(to);
    for (uint32_t i = 0; i < from->n; i++)
        add_core(to, from->v[i]);
}

/* ---- the choice ---- */

struct choice {
    const struct topology *t;
    const struct processors *allowed; /* NULL: all */
    struct core_set *out;
    bool *is_chosen; /* by core: it is in `out` */
};

static void choose_core(const struct choice *c, unsigned core)
{
    c->is_chosen[core] = true;
    add_core(c->out, core);
}

static void choose_none(const struct choice *c)
{
    for (uint32_t i = 0; i < c->out->n; i++)
        c->is_chosen[c->out->v[i]] = false;
    core_set_free(c->out);
}

/* may a task run on processor NUMBER, and be bound to it? */
static bool is_usable(const struct processors *allowed, unsigned number)
{
    return number < PROCESSORS_MOST && (allowed == NULL || processors_have(allowed, number));
}

static bool is_allowed(const struct choice *c, const struct core *core)
{
    for (unsigned i = 0; i < core->n; i++)
        if (is_usable(c->allowed, c->t->processors[core->first + i]))
            return true;
    return false;
}

static bool is_free(const struct choice *c, unsigned i)
{
    const struct core *core = &c->t->core[i];
    return core->users == 0 && !c->is_chosen[i] && is_allowed(c, core);
}

/* the index of a core; t->cores: there is no such core */
static unsigned find_core(const struct topology *t, uint32_t socket, uint32_t number)
{
    unsigned i = 0;
    while (i < t->cores && (t->core[i].socket != socket || t->core[i].number != number))
        i++;
    return i;
}

/* N cores from START on, each STEP behind the one before */
static bool take_row(const struct choice *c, unsigned start, uint32_t n, uint32_t step)
{
    uint64_t at = start;
    for (uint32_t i = 0; i < n; i++, at += step) {
        if (at >= c->t->cores || !is_free(c, (unsigned)at))
            return false;
        choose_core(c, (unsigned)at);
    }
    return true;
}

struct socket_look {
    unsigned free, all;
};

static struct socket_look look_at(const struct choice *c, unsigned socket)
{
    struct socket_look look = { 0, 0 };
    for (unsigned i = 0; i < c->t->cores; i++)
        if (c->t->core[i].socket == socket) {
            look.free += is_free(c, i);
            look.all++;
        }
    return look;
}

/* the first one that is all free, while nothing is chosen; else that with most free cores. Returns
 * how many these are */
static unsigned next_socket(const struct choice *c, unsigned *socket)
{
    unsigned most = 0;
    for (unsigned i = 0; i < c->t->sockets; i++) {
        struct socket_look look = look_at(c, i);
        if (look.free > most) {
            most = look.free;
            *socket = i;
        }
        if (c->out->n == 0 && look.free > 0 && look.free == look.all) {
            *socket = i;
            return look.free;
        }
    }
    return most;
}

static bool take_from_sockets(const struct choice *c, uint32_t n)
{
    unsigned socket = 0;
    if (n > c->t->cores)
        return false;
    while (c->out->n < n) {
        if (next_socket(c, &socket) == 0)
            return false;
        for (unsigned i = 0; i < c->t->cores && c->out->n < n; i++)
            if (c->t->core[i].socket == socket && is_free(c, i))
                choose_core(c, i);
    }
    return true;
}

static bool take_striding(const struct choice *c, uint32_t n, uint32_t step)
{
    for (unsigned start = 0; start < c->t->cores; start++) {
        if (take_row(c, start, n, step))
            return true;
        choose_none(c);
    }
    return false;
}

static bool take_pairs(const struct choice *c, const char *pairs)
{
    uint32_t socket, number;
    int rc;
    while ((rc = binding_pair_next(&pairs, &socket, &number)) > 0) {
        unsigned i = find_core(c->t, socket, number);
        if (i == c->t->cores || !is_free(c, i))
            return false;
        choose_core(c, i);
    }
    return rc == 0 && c->out->n > 0;
}

static bool take_wish(const struct choice *c, const struct BN_Type *wish, uint32_t n)
{
    enum binding_strategy strategy = binding_strategy(wish);
    uint32_t step = strategy == BINDING_STRIDING ? wish->BN_parameter_striding_step_size : 1;
    if (strategy == BINDING_STRATEGIES || (strategy != BINDING_EXPLICIT && n == 0))
        return false;
    if (strategy == BINDING_EXPLICIT)
        return wish->BN_parameter_explicit != NULL && take_pairs(c, wish->BN_parameter_explicit);
    if (binding_has_start(wish))
        return take_row(
            c, find_core(c->t, wish->BN_parameter_socket_offset, wish->BN_parameter_core_offset), n,
            step);
    return strategy == BINDING_LINEAR ? take_from_sockets(c, n) : take_striding(c, n, step);
}

bool cores_choose(const struct topology *t, const struct BN_Type *wish, uint32_t slots,
                  const struct processors *allowed, struct core_set *out)
{
    struct choice c = { t, allowed, out, uti_calloc((size_t)t->cores + 1, sizeof(bool)) };
    core_set_free(out);
    uint32_t n = wish->BN_parameter_n > 0 ? wish->BN_parameter_n : slots;
    bool is_chosen = take_wish(&c, wish, n);
    if (!is_chosen)
        core_set_free(out);
    free(c.is_chosen);
    return is_chosen;
}

/* ---- who uses which ---- */

/* the letters of CORE in TEXT, which has the topology's, as TO makes them */
static void change_letters(char *text, const struct core *core, int (*to)(int))
{
    size_t n = 1 + (core->n > 1 ? core->n : 0);
    for (char *at = text + core->letter; n > 0; n--, at++)
        *at = (char)to((unsigned char)*at);
}

void cores_hold(struct topology *t, const struct core_set *s)
{
    for (uint32_t i = 0; i < s->n; i++) {
        struct core *core = &t->core[s->v[i]];
        core->users++;
        change_letters(t->in_use, core, tolower);
    }
}

void cores_release(struct topology *t, const struct core_set *s)
{
    for (uint32_t i = 0; i < s->n; i++) {
        struct core *core = &t->core[s->v[i]];
        if (core->users > 0 && --core->users == 0)
            change_letters(t->in_use, core, toupper);
    }
}

/* ---- forms ---- */

void cores_pairs_text(const struct topology *t, const struct core_set *s, struct dstr *out)
{
    for (uint32_t i = 0; i < s->n; i++) {
        const struct core *core = &t->core[s->v[i]];
        dstr_addf(out, "%s%u,%u", i > 0 ? ":" : "", core->socket, core->number);
    }
}

void cores_letters_text(const struct topology *t, const struct core_set *s, struct dstr *out)
{
    char *letters = uti_strdup(t->letters);
    for (uint32_t i = 0; i < s->n; i++)
        change_letters(letters, &t->core[s->v[i]], tolower);
    dstr_add(out, letters);
    free(letters);
}

void cores_processors_text(const struct topology *t, const struct core_set *s,
                           const struct processors *allowed, char separator, struct dstr *out)
{
    bool is_first = true;
    for (uint32_t i = 0; i < s->n; i++) {
        const struct core *core = &t->core[s->v[i]];
        for (unsigned k = core->first; k < core->first + core->n; k++) {
            if (!is_usable(allowed, t->processors[k]))
                continue;
            if (!is_first)
                dstr_addc(out, separator);
            dstr_addf(out, "%u", t->processors[k]);
            is_first = false;
        }
    }
}

bool cores_of_pairs(const struct topology *t, const char *pairs, struct core_set *out)
{
    uint32_t socket, number;
    core_set_free(out);
    while (isdigit((unsigned char)*pairs)) {
        unsigned i = t->cores;
        if (binding_pair_next(&pairs, &socket, &number) > 0)
            i = find_core(t, socket, number);
        if (i == t->cores || has_core(out, i)) {
            core_set_free(out);
            return false;
        }
        add_core(out, i);
    }
    return out->n > 0;
}
