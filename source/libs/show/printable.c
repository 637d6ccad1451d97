/* Control characters in texts and in records. Records are walked by their descriptors, so that a
 * field that is new is covered by being there. Nearly all texts are clean: they are only looked
 * at. */
#include "libs/show/printable.h"

#include "libs/uti/dstr.h"

/* How many bytes at S may be shown as they are (> 0), or 0: S[0] is or begins a control
 * character. */
static size_t printable_bytes(const unsigned char *s)
{
    if (s[0] < 0x80)
        return (s[0] >= 0x20 && s[0] != 0x7F) || s[0] == '\t' ? 1 : 0;
    size_t len = utf8_bytes((const char *)s);
    if (len > 0)
        return s[0] == 0xC2 && s[1] < 0xA0 ? 0 : len;
    return s[0] >= 0xA0 ? 1 : 0; /* a letter of Latin-1, say */
}

bool text_is_printable(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    for (size_t len; *s != '\0'; s += len) {
        len = printable_bytes(s);
        if (len == 0)
            return false;
    }
    return true;
}

void text_add_printable(struct dstr *out, const char *text)
{
    for (const unsigned char *s = (const unsigned char *)text; *s != '\0';) {
        size_t len = printable_bytes(s);
        if (len > 0)
            dstr_addn(out, (const char *)s, len);
        else
            dstr_addf(out, "\\x%02x", *s);
        s += len > 0 ? len : 1;
    }
}

bool record_is_printable(const struct cull_type *t, const void *record)
{
    bool is_clean = true;
    for (unsigned f = cull_next_present(t, record, 0); is_clean && f < t->n_fields;
         f = cull_next_present(t, record, f + 1)) {
        const struct cull_field *field = &t->fields[f];
        if (field->kind == CULL_STRING) {
            const char *text = *(const char *const *)cull_member(t, record, f);
            is_clean = text == NULL || text_is_printable(text);
        } else if (field->kind == CULL_LIST) {
            const struct cull_list *l = cull_member(t, record, f);
            for (uint32_t i = 0; is_clean && i < l->n; i++)
                is_clean = record_is_printable(field->element, cull_list_at(field->element, l, i));
        }
    }
    return is_clean;
}

static void string_make_printable(const char **at)
{
    struct dstr text = DSTR_INIT;
    if (*at == NULL || text_is_printable(*at))
        return;
    text_add_printable(&text, *at);
    cull_put_string(at, dstr_get(&text));
    dstr_free(&text);
}

void record_make_printable(const struct cull_type *t, void *record)
{
    for (unsigned f = cull_next_present(t, record, 0); f < t->n_fields;
         f = cull_next_present(t, record, f + 1)) {
        const struct cull_field *field = &t->fields[f];
        void *member = (char *)record + field->offset;
        if (field->kind == CULL_STRING) {
            string_make_printable(member);
        } else if (field->kind == CULL_LIST) {
            const struct cull_list *l = member;
            for (uint32_t i = 0; i < l->n; i++)
                record_make_printable(field->element, (char *)l->v + i * field->element->bytes);
        }
    }
}
