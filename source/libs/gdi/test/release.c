/* Frames of earlier releases (testsuite/releases/X/frames) mean today what they meant then. Every
 * field of them says its own name, so that no table of expectations is needed: a row that came
 * later is absent, and one that has gone or means something else fails here.
 * `test_gdi_release make FILE` writes the frames of this release. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libs/comm/frame.h"
#include "libs/gdi/message.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/hash.h"

enum { FRAMES_BYTES_MOST = 1 << 20 };

/* ---- what a field says ---- */
static uint32_t number_of(const char *name)
{
    return (uint32_t)uti_fnv1a(name, strlen(name)) & 0xfff;
}

/* O is empty; every field says its name */
static void fill_object(const struct cull_type *t, void *o)
{
    for (unsigned f = 0; f < t->n_fields; f++) {
        const struct cull_field *field = &t->fields[f];
        uint32_t number = number_of(field->name);
        switch (field->kind) {
        case CULL_ULONG:
            cull_set_u32(o, field->offset, f, number);
            break;
        case CULL_ULONG64:
            cull_set_u64(o, field->offset, f, number);
            break;
        case CULL_DOUBLE:
            cull_set_double(o, field->offset, f, number);
            break;
        case CULL_BOOL:
            cull_set_bool(o, field->offset, f, true);
            break;
        case CULL_STRING:
            cull_set_string(o, field->offset, f, field->name);
            break;
        case CULL_RANGES:
            range_set_add(cull_ranges_of(o, field->offset, f), number, number + 2);
            break;
        case CULL_LIST:
            fill_object(field->element,
                        cull_append_element(o, field->offset, f, field->element->bytes));
            break;
        }
    }
}

/* ---- the names that a release had ---- */
struct names {
    char **v;
    uint32_t n, cap;
};

static void names_read(struct names *names, const void *schema, size_t len)
{
    struct unpacker u = unpacker_over_own(schema, len);
    size_t name_len;
    for (uint32_t types = unpack_varint32(&u); types > 0; types--) {
        unpack_blob(&u, &name_len);
        for (uint32_t fields = unpack_varint32(&u); fields > 0; fields--) {
            const uint8_t *name = unpack_blob(&u, &name_len);
            assert_non_null(name);
            names->v = uti_vec_grow(names->v, &names->cap, names->n + 1, sizeof *names->v);
            names->v[names->n++] = uti_strndup((const char *)name, name_len);
            unpack_u8(&u);
            unpack_varint(&u);
        }
    }
    assert_false(u.is_bad);
}

static bool names_have(const struct names *names, const char *name)
{
    for (uint32_t i = 0; i < names->n; i++)
        if (strcmp(names->v[i], name) == 0)
            return true;
    return false;
}

static void names_free(struct names *names)
{
    for (uint32_t i = 0; i < names->n; i++)
        free(names->v[i]);
    free(names->v);
}

/* ---- does a record say what it said? ---- */
static void check_fields(const struct names *then, const struct cull_type *t, const void *o);

static void check_field(const struct names *then, const struct cull_field *field, const void *m)
{
    uint32_t number = number_of(field->name);
    const struct cull_list *l = m;
    switch (field->kind) {
    case CULL_ULONG:
        assert_int_equal(*(const uint32_t *)m, number);
        break;
    case CULL_ULONG64:
        assert_int_equal(*(const uint64_t *)m, number);
        break;
    case CULL_DOUBLE:
        assert_true(*(const double *)m == number);
        break;
    case CULL_BOOL:
        assert_true(*(const bool *)m);
        break;
    case CULL_STRING:
        assert_string_equal(*(const char *const *)m, field->name);
        break;
    case CULL_RANGES:
        assert_int_equal(range_set_count(m), 3);
        assert_true(range_set_has(m, number + 2));
        break;
    case CULL_LIST:
        assert_int_equal(l->n, 1);
        check_fields(then, field->element, l->v);
        break;
    }
}

static void check_fields(const struct names *then, const struct cull_type *t, const void *o)
{
    for (unsigned f = 0; f < t->n_fields; f++) {
        const char *name = t->fields[f].name;
        if (cull_is_present(o, f) != names_have(then, name))
            fail_msg("%s: %s", name, cull_is_present(o, f) ? "came from nowhere" : "is lost");
        if (cull_is_present(o, f))
            check_field(then, &t->fields[f], cull_member(t, o, f));
    }
}

/* ---- frames ---- */
static const struct {
    uint8_t kind;
    const struct cull_type *type;
    const char *verb; /* the field that says what is asked for or said; NULL: the kind says it */
    uint32_t verbs;
} kinds[] = {
    { GDI_FRAME_REQUEST, &cull_GR_Type, "GR_verb", GDI_WHY },
    { GDI_FRAME_ANSWER, &cull_GA_Type, NULL, 1 },
    { GDI_FRAME_EVENT_REGISTER, &cull_EP_Type, NULL, 1 },
    { GDI_FRAME_EVENTS, &cull_EP_Type, NULL, 1 },
    { GDI_FRAME_EVENT_ACK, &cull_EP_Type, NULL, 1 },
    { GDI_FRAME_ORDERS, &cull_EP_Type, NULL, 1 },
    { GDI_FRAME_ORDERS_ACK, &cull_EP_Type, NULL, 1 },
    { GDI_FRAME_EXEC, &cull_XM_Type, "XM_kind", EXEC_SHUTDOWN },
};

static uint32_t *verb_of(const struct cull_type *t, const char *name, void *o)
{
    return (uint32_t *)(void *)((char *)o + t->fields[cull_field_index(t, name)].offset);
}

static void put_frame(struct packer *out, uint8_t kind, uint32_t serial, const struct packer *body)
{
    struct frame_header h = { (uint32_t)body->len, serial, kind };
    uint8_t head[COMM_HEADER_BYTES];
    frame_header_pack(&h, head);
    pack_bytes(out, head, sizeof head);
    pack_bytes(out, body->data, body->len);
}

/* SCHEMA, then each kind with each of its verbs, which is the serial number, too */
static int make_frames(const char *path)
{
    struct packer out = { 0 }, body = { 0 };
    struct answer ans = ANSWER_INIT;
    cull_schema_pack(&body, gdi_schema());
    put_frame(&out, GDI_FRAME_SCHEMA, 0, &body);
    packer_free(&body);
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        for (uint32_t verb = 1; verb <= kinds[i].verbs; verb++) {
            void *o = cull_new(kinds[i].type);
            fill_object(kinds[i].type, o);
            if (kinds[i].verb != NULL)
                *verb_of(kinds[i].type, kinds[i].verb, o) = verb;
            cull_pack(&body, kinds[i].type, o, NULL);
            put_frame(&out, kinds[i].kind, verb, &body);
            packer_free(&body);
            cull_delete(kinds[i].type, o);
        }
    int ret = file_write(path, (const char *)out.data, out.len, 0644, &ans);
    if (ret != 0)
        fprintf(stderr, "%s\n", ans_first_error(&ans));
    ans_free(&ans);
    packer_free(&out);
    return ret != 0;
}

static const struct cull_type *type_of(uint8_t kind, const char **verb)
{
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (kinds[i].kind == kind) {
            *verb = kinds[i].verb;
            return kinds[i].type;
        }
    fail_msg("frames of kind %u are not known any more", kind);
    return NULL;
}

static void check_frame(const struct names *then, const struct cull_map *map,
                        const struct frame_header *h, const uint8_t *body)
{
    struct answer ans = ANSWER_INIT;
    const char *verb = NULL;
    const struct cull_type *t = type_of(h->kind, &verb);
    struct unpacker u = unpacker_over(body, h->len);
    void *o = cull_new(t);
    cull_unpack(&u, t, map, NULL, o, &ans);
    assert_string_equal(ans_first_error(&ans), "");
    assert_int_equal(unpack_left(&u), 0);
    assert_false(u.has_skipped);
    if (verb != NULL) {
        assert_int_equal(*verb_of(t, verb, o), h->serial);
        *verb_of(t, verb, o) = number_of(verb);
    }
    check_fields(then, t, o);
    cull_delete(t, o);
}

static void every_frame_of_a_release_means_what_it_meant(void **state)
{
    struct dstr all = DSTR_INIT;
    struct names then = { 0 };
    struct cull_map *map = NULL;
    struct frame_header h;
    unsigned n = 0;
    assert_int_equal(file_read(*state, FRAMES_BYTES_MOST, &all, NULL), 0);
    for (size_t at = 0; at < all.len; at += COMM_HEADER_BYTES + h.len, n++) {
        const uint8_t *head = (const uint8_t *)all.s + at, *body = head + COMM_HEADER_BYTES;
        assert_int_equal(frame_header_unpack(head, &h), 0);
        assert_in_range(h.len, 1, all.len - at - COMM_HEADER_BYTES);
        if (h.kind != GDI_FRAME_SCHEMA) {
            check_frame(&then, map, &h, body);
            continue;
        }
        struct unpacker u = unpacker_over(body, h.len);
        map = cull_map_new(&u, gdi_schema(), NULL);
        assert_non_null(map);
        names_read(&then, body, h.len);
    }
    assert_true(n > 1);
    cull_map_free(map);
    names_free(&then);
    dstr_free(&all);
}

int main(int argc, char **argv)
{
    int failed = 0;
    glob_t found;
    if (argc == 3 && strcmp(argv[1], "make") == 0)
        return make_frames(argv[2]);
    if (glob(RELEASES "/*/frames", 0, NULL, &found) != 0)
        return 1;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const struct CMUnitTest tests[] = {
            cmocka_unit_test_prestate(every_frame_of_a_release_means_what_it_meant,
                                      found.gl_pathv[i]),
        };
        failed += cmocka_run_group_tests_name(found.gl_pathv[i], tests, NULL, NULL);
    }
    globfree(&found);
    return failed;
}
