/* Names of hosts in requests. Owns nothing; one table says in which requests the names of objects
 * are hosts. Everything behind it compares names by their texts. */
#include "daemons/qmaster/requests/spell.h"

#include <string.h>

#include "daemons/qmaster/tables/host_names.h"
#include "libs/config/attr_names.h"
#include "libs/config/cqueue.h"
#include "libs/gdi/message.h"
#include "libs/uti/dstr.h"
#include "libs/uti/host_name.h"

static const char *spelled_host(struct qmaster *q, const char *said, char *out)
{
    return host_name_is_valid(said) ? host_name_known(q, said, out) : said;
}

/* most names are what they are to be */
static void put_name(const char **name, const char *to)
{
    if (to != *name)
        cull_put_string(name, to);
}

static void spell_name(struct qmaster *q, const char **name)
{
    char out[HOST_NAME_BYTES];
    if (*name != NULL)
        put_name(name, spelled_host(q, *name, out));
}

/* the part of QUEUE@HOST behind the first @ */
static void spell_instance(struct qmaster *q, const char **name)
{
    char out[HOST_NAME_BYTES];
    const char *at = *name != NULL ? strchr(*name, '@') : NULL;
    if (at == NULL)
        return;
    struct dstr text = DSTR_INIT;
    dstr_addn(&text, *name, (size_t)(at + 1 - *name));
    dstr_add(&text, spelled_host(q, at + 1, out));
    cull_put_string(name, dstr_get(&text));
    dstr_free(&text);
}

static void spell_cqueue(struct qmaster *q, struct CQ_Type *cq)
{
    for (uint32_t i = 0; i < cq->CQ_hostlist.n; i++)
        spell_name(q, &cq->CQ_hostlist.v[i].ST_name);
    for (unsigned a = 0; a < cqueue_attrs_n; a++) {
        struct AT_Type_list *l =
            (void *)((char *)cq + cull_CQ_Type.fields[cqueue_attrs[a].field].offset);
        for (uint32_t i = 0; i < l->n; i++)
            spell_name(q, &l->v[i].AT_href);
    }
}

/* the words of a list */
static void spell_words(struct qmaster *q, const char **list)
{
    char out[HOST_NAME_BYTES];
    struct dstr word = DSTR_INIT, all = DSTR_INIT;
    if (*list == NULL || attr_is_none(*list))
        return;
    for (const char *at = *list; attr_next_word(&at, " ,", &word);)
        dstr_addf(&all, "%s%s", all.len > 0 ? " " : "", spelled_host(q, dstr_get(&word), out));
    cull_put_string(list, dstr_get(&all));
    dstr_free(&word);
    dstr_free(&all);
}

static void spell_group(struct qmaster *q, struct TX_Type *group)
{
    for (uint32_t i = 0; i < group->TX_entries.n; i++) {
        struct VA_Type *entry = &group->TX_entries.v[i];
        if (entry->VA_variable != NULL && strcmp(entry->VA_variable, "hostlist") == 0)
            spell_words(q, &entry->VA_value);
    }
}

static void spell_selection(struct qmaster *q, struct GR_Type *gr,
                            void (*spell)(struct qmaster *q, const char **name))
{
    for (uint32_t i = 0; i < gr->GR_select.n; i++)
        spell(q, &gr->GR_select.v[i].ID_str);
}

/* objects that are called what a host is called */
static void spell_host_objects(struct qmaster *q, struct GR_Type *gr)
{
    spell_selection(q, gr, spell_name);
    for (uint32_t i = 0; i < gr->GR_hosts.n; i++)
        spell_name(q, &gr->GR_hosts.v[i].EH_name);
    for (uint32_t i = 0; i < gr->GR_names.n; i++)
        spell_name(q, &gr->GR_names.v[i].NM_name);
    for (uint32_t i = 0; i < gr->GR_confs.n; i++)
        spell_name(q, &gr->GR_confs.v[i].CONF_name);
}

void spell_hosts(struct qmaster *q, struct GR_Type *gr)
{
    if (gr->GR_target == GDI_EXECHOST || gr->GR_target == GDI_ADMINHOST ||
        gr->GR_target == GDI_SUBMITHOST || gr->GR_target == GDI_CONFIG)
        spell_host_objects(q, gr);
    if (gr->GR_target == GDI_QINSTANCE)
        spell_selection(q, gr, spell_instance);
    for (uint32_t i = 0; gr->GR_target == GDI_CQUEUE && i < gr->GR_cqueues.n; i++)
        spell_cqueue(q, &gr->GR_cqueues.v[i]);
    for (uint32_t i = 0; gr->GR_target == GDI_HOSTGROUP && i < gr->GR_texts.n; i++)
        spell_group(q, &gr->GR_texts.v[i]);
}
