/* The cores of a task in its files. They are named in one form, whatever the job asked for: as an
 * explicit list, with the topology behind it in which they are in lower case. */
#include "daemons/execd/files/task_binding.h"

#include <stdlib.h>
#include <string.h>

#include "daemons/execd/host/cores.h"
#include "libs/config/conf.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/binding.h"
#include "libs/task/processors.h"
#include "libs/task/task_dir.h"
#include "libs/uti/dstr.h"

#define EXPLICIT "explicit:"

static bool is_enabled(const struct task_place *place)
{
    char *word =
        conf_get_word(place->global_conf, place->host_conf, "execd_params", "ENABLE_BINDING");
    bool is_unset = word == NULL;
    free(word);
    return is_unset ||
           conf_get_switch(place->global_conf, place->host_conf, "execd_params", "ENABLE_BINDING");
}

const struct BN_Type *task_binding_wish(const struct task_text_input *in)
{
    const struct BN_Type_list *list = &in->job->JB_binding;
    return list->n > 0 && is_enabled(in->place) ? &list->v[0] : NULL;
}

/* those of the queue; NULL: all */
static const struct processors *processors_of_queue(const struct task_text_input *in,
                                                    struct processors *p)
{
    return processors_from(p, qinstance_setting(in->queue, "processors")) ? p : NULL;
}

bool task_binding_choose(const struct task_text_input *in, const struct BN_Type *wish,
                         const struct topology *t, struct core_set *out)
{
    struct processors p;
    uint32_t slots =
        allocation_slots_on(&in->task->JAT_granted_destin_identifier_list, in->place->host);
    return cores_choose(t, wish, slots > 0 ? slots : 1, processors_of_queue(in, &p), out);
}

static bool is_bound(const struct task_text_input *in)
{
    return in->cores != NULL && in->cores->n > 0;
}

static void add_processors(const struct task_text_input *in, char separator, struct dstr *out)
{
    struct processors p;
    cores_processors_text(in->topology, in->cores, processors_of_queue(in, &p), separator, out);
}

void task_binding_environment(const struct task_text_input *in, struct dstr *out)
{
    if (!is_bound(in) || in->job->JB_binding.v[0].BN_type == BINDING_PE)
        return;
    dstr_add(out, "SGE_BINDING=");
    add_processors(in, ' ', out);
    dstr_addc(out, '\n');
}

void task_binding_config(const struct task_text_input *in, struct dstr *out)
{
    if (in->job->JB_binding.n == 0)
        return; /* nearly always */
    if (!is_bound(in)) {
        dstr_add(out, "binding=NULL\n");
        return;
    }
    uint32_t type = in->job->JB_binding.v[0].BN_type;
    dstr_addf(out, "binding=%s" EXPLICIT,
              type == BINDING_ENV  ? "env_"
              : type == BINDING_PE ? "pe_"
                                   : "");
    cores_pairs_text(in->topology, in->cores, out);
    dstr_addc(out, ':');
    cores_letters_text(in->topology, in->cores, out);
    dstr_addc(out, '\n');
    if (type != BINDING_SET)
        return;
    dstr_add(out, "binding_processors=");
    add_processors(in, ',', out);
    dstr_addc(out, '\n');
}

void task_binding_column(const struct task_text_input *in, const struct JG_Type *entry,
                         struct dstr *out)
{
    const struct BN_Type_list *list = &in->job->JB_binding;
    bool is_shown = list->n > 0 && list->v[0].BN_type == BINDING_PE;
    bool is_here = entry->JG_qhostname != NULL && strcmp(entry->JG_qhostname, in->place->host) == 0;
    size_t before = out->len;
    if (is_shown && is_here && is_bound(in))
        cores_pairs_text(in->topology, in->cores, out);
    else if (is_shown && !is_here && entry->JG_binding != NULL)
        binding_letters_pairs(entry->JG_binding, out);
    if (out->len == before)
        dstr_add(out, "UNDEFINED");
}

bool task_binding_read(const char *value, const struct topology *t, struct core_set *out)
{
    const char *at = strstr(value, EXPLICIT);
    core_set_free(out);
    return at != NULL && cores_of_pairs(t, at + strlen(EXPLICIT), out);
}
