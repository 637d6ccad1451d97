/* Objects for the browser, by the descriptors of their types. */
#include "clients/qmon/browsed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/xml.h"
#include "clients/qmon/msg_qmon.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/view/event_log.h"

static const struct {
    const char *word;
    enum gdi_target target;
} kinds[] = {
    { "job", GDI_JOB },
    { "queue", GDI_CQUEUE },
    { "instance", GDI_QINSTANCE },
    { "host", GDI_EXECHOST },
    { "hostgroup", GDI_HOSTGROUP },
    { "adminhost", GDI_ADMINHOST },
    { "submithost", GDI_SUBMITHOST },
    { "manager", GDI_MANAGER },
    { "operator", GDI_OPERATOR },
    { "user", GDI_USER },
    { "userset", GDI_USERSET },
    { "project", GDI_PROJECT },
    { "pe", GDI_PE },
    { "ckpt", GDI_CKPT },
    { "calendar", GDI_CALENDAR },
    { "complex", GDI_COMPLEX },
    { "configuration", GDI_CONFIG },
    { "scheduler", GDI_SCHEDCONF },
    { "sharetree", GDI_SHARETREE },
    { "quota", GDI_RQS },
    { "eventclient", GDI_EVENTCLIENT },
};

static int refuse_word(const char *text, struct answer *ans)
{
    struct dstr words = DSTR_INIT;
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        dstr_addf(&words, " %s", kinds[i].word);
    int result = ans_fail(ans, STATUS_EUNKNOWN, MSG_QMON_WHAT_SS, text, dstr_get(&words));
    dstr_free(&words);
    return result;
}

int browsed_read(const char *text, struct browsed_words *out, struct answer *ans)
{
    text += strspn(text, " ");
    size_t len = strcspn(text, " ");
    const char *name = text + len + strspn(text + len, " ");
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (strlen(kinds[i].word) != len || strncmp(kinds[i].word, text, len) != 0)
            continue;
        *out = (struct browsed_words){ kinds[i].target, *name != '\0' ? name : NULL };
        return 0;
    }
    return refuse_word(text, ans);
}

/* ---- text ---- */

bool browsed_is_empty(const struct GA_Type *all)
{
    for (unsigned f = 0; f < cull_GA_Type.n_fields; f++)
        if (cull_GA_Type.fields[f].kind == CULL_LIST && f != GA_answers &&
            ((const struct cull_list *)cull_member(&cull_GA_Type, all, f))->n > 0)
            return false;
    return true;
}

static void add_objects(const struct cull_field *field, const struct cull_list *list,
                        struct dstr *out)
{
    for (uint32_t i = 0; i < list->n && out->len < BROWSED_BYTES; i++) {
        dstr_addf(out, "%s%s\n", out->len > 0 ? "\n" : "", field->element->name);
        record_lines(field->element, cull_list_at(field->element, list, i), 1, out);
    }
}

void browsed_text(const struct GA_Type *all, struct dstr *out)
{
    for (unsigned f = 0; f < cull_GA_Type.n_fields; f++)
        if (cull_GA_Type.fields[f].kind == CULL_LIST && f != GA_answers)
            add_objects(&cull_GA_Type.fields[f], cull_member(&cull_GA_Type, all, f), out);
    if (out->len >= BROWSED_BYTES)
        dstr_add(out, MSG_QMON_CUT);
}

/* ---- XML ---- */

static void write_record(struct xml *x, const struct cull_type *type, const void *record);

static void write_field(struct xml *x, const struct cull_type *type, const void *record, unsigned f)
{
    const struct cull_field *field = &type->fields[f];
    struct dstr text = DSTR_INIT;
    xml_start(x, field->name);
    if (field->kind == CULL_LIST) {
        const struct cull_list *list = cull_member(type, record, f);
        for (uint32_t i = 0; i < list->n; i++)
            write_record(x, field->element, cull_list_at(field->element, list, i));
    } else {
        record_field(type, record, f, &text);
        xml_text(x, dstr_get(&text));
    }
    xml_end(x);
    dstr_free(&text);
}

static void write_record(struct xml *x, const struct cull_type *type, const void *record)
{
    xml_start(x, type->name);
    for (unsigned f = 0; f < type->n_fields; f++)
        if (cull_is_present(record, f))
            write_field(x, type, record, f);
    xml_end(x);
}

static int write_document(FILE *file, const struct GA_Type *all, struct answer *ans)
{
    struct xml *x = xml_open(file, "  ", ans);
    if (x == NULL)
        return -1;
    write_record(x, &cull_GA_Type, all);
    return xml_close(x, ans);
}

int browsed_xml(const struct GA_Type *all, struct dstr *out, struct answer *ans)
{
    char *text = NULL;
    size_t len = 0;
    FILE *file = open_memstream(&text, &len);
    if (file == NULL)
        return ans_sys(ans, errno, MSG_QMON_XML);
    int result = write_document(file, all, ans);
    if (fclose(file) == 0 && result == 0)
        dstr_addn(out, text, len < BROWSED_BYTES ? len : BROWSED_BYTES);
    if (result == 0 && len > BROWSED_BYTES)
        dstr_add(out, MSG_QMON_CUT);
    free(text);
    return result;
}
