/* Sessions that keep ends, as many and as scattered as a user may make them. */
#include <stdio.h>
#include <stdlib.h>

#include "attack.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/alloc.h"

enum { ANSWER_MS = 120000, KEY_BYTES = 32, TAKEN_AT_ONCE = 128 };

static void ask_of_session(struct GR_Type *gr, enum gdi_verb verb, const char *key)
{
    cull_set(gr, GR_verb, (uint32_t)verb);
    cull_set(gr, GR_target, (uint32_t)GDI_SESSION);
    cull_set(gr, GR_session, key);
}

static bool greeted_peer(struct peer *p)
{
    return peer_open(p) == 0 && peer_greet(p) == 0;
}

int attack_sessions(char *const *argv)
{
    uint32_t n = attack_number(argv[0]), agreed = 0, refused = 0;
    struct peer p;
    if (!greeted_peer(&p))
        return 1;
    for (uint32_t i = 0; i < n; i++) {
        struct GR_Type gr = { 0 };
        char key[KEY_BYTES];
        (void)snprintf(key, sizeof key, "s%u", i);
        ask_of_session(&gr, GDI_ADD, key);
        int rc = peer_request(&p, &gr) == 0 ? peer_answer(&p, ANSWER_MS, NULL) : -1;
        cull_clear(&cull_GR_Type, &gr);
        agreed += rc == 0;
        refused += rc > 0;
    }
    printf("%u agreed, %u refused\n", agreed, refused);
    peer_close(&p);
    return 0;
}

int attack_session_array(char *const *argv)
{
    struct GR_Type gr = { 0 };
    struct GA_Type ga = { 0 };
    struct JB_Type *job = peer_held_job(&gr, "ends");
    cull_set(job, JB_ja_first, 1u);
    cull_set(job, JB_ja_last, attack_number(argv[1]));
    cull_set(job, JB_ja_step, 1u);
    cull_set(job, JB_type, job->JB_type | JOB_TYPE_ARRAY);
    range_set_add(cull_ranges(job, JB_ja_u_h_ids), 0, job->JB_ja_last - 1);
    cull_set(&gr, GR_session, argv[0]);
    int rc = peer_ask(&gr, ANSWER_MS, &ga);
    printf("%u\n", ga.GA_job_number);
    cull_clear(&cull_GA_Type, &ga);
    cull_clear(&cull_GR_Type, &gr);
    return rc != 0;
}

int attack_watch(char *const *argv)
{
    uint32_t n = attack_number(argv[1]);
    struct peer *v = uti_calloc(n, sizeof *v);
    struct GR_Type gr = { 0 };
    ask_of_session(&gr, GDI_WATCH, argv[0]);
    for (uint32_t i = 0; i < n; i++)
        if (greeted_peer(&v[i]))
            (void)peer_request(&v[i], &gr);
    attack_hold();
    for (uint32_t i = 0; i < n; i++)
        peer_close(&v[i]);
    cull_clear(&cull_GR_Type, &gr);
    free(v);
    return 0;
}

/* one task each, from the last to the first */
static void put_ends(struct GR_Type *gr, uint32_t job, uint32_t ordinal, uint32_t n)
{
    for (uint32_t i = 0; i < n && i <= ordinal; i++) {
        struct EN_Type *end = cull_append(gr, GR_ends);
        cull_set(end, EN_job_number, job);
        range_set_add(cull_ranges(end, EN_ordinals), ordinal - i, ordinal - i);
    }
}

int attack_take(char *const *argv)
{
    uint32_t job = attack_number(argv[1]), n = attack_number(argv[2]), agreed = 0;
    struct peer p;
    if (!greeted_peer(&p))
        return 1;
    for (uint32_t left = n; left > 0; left -= left < TAKEN_AT_ONCE ? left : TAKEN_AT_ONCE) {
        struct GR_Type gr = { 0 };
        ask_of_session(&gr, GDI_ACT, argv[0]);
        cull_set(&gr, GR_action, (uint32_t)GDI_ACT_TAKE);
        put_ends(&gr, job, left - 1, TAKEN_AT_ONCE);
        agreed += peer_request(&p, &gr) == 0 && peer_answer(&p, ANSWER_MS, NULL) == 0;
        cull_clear(&cull_GR_Type, &gr);
    }
    printf("%u agreed\n", agreed);
    peer_close(&p);
    return 0;
}

int attack_session(char *const *argv)
{
    struct GR_Type gr = { 0 };
    ask_of_session(&gr, (enum gdi_verb)attack_number(argv[0]), argv[1]);
    int rc = attack_ask(&gr);
    cull_clear(&cull_GR_Type, &gr);
    return rc;
}
