/* Which queue instances a command is about. */
#include "clients/common/queue_choice.h"

#include <string.h>

#include "clients/common/msg_clients.h"
#include "clients/common/resources.h"
#include "clients/common/source.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/queue_match.h"
#include "libs/uti/answer.h"

bool queue_choice_states(void *choice, const char *letters, unsigned value SGE_UNUSED)
{
    struct queue_choice *c = choice;
    c->has_states = true;
    if (*letters == '\0' || !qinstance_state_parse(letters, &c->states))
        c->wrong_states = letters;
    return true;
}

void queue_choice_free(struct queue_choice *c)
{
    name_list_free(&c->queues);
    name_list_free(&c->pes);
    name_list_free(&c->resources);
    name_list_free(&c->users);
    *c = (struct queue_choice){ 0 };
}

bool queue_choice_is_all(const struct queue_choice *c)
{
    return c->queues.n == 0 && c->pes.n == 0 && c->resources.n == 0 && c->users.n == 0 &&
           !c->has_states;
}

bool queue_is_meant(const struct QU_Type *queue, const char *pattern)
{
    if (queue->QU_full_name == NULL || queue->QU_qname == NULL)
        return false;
    return queue_match(pattern, queue->QU_full_name, &queue->QU_hostgroups);
}

/* A list of names as queue_conf(5) has it: blanks or commas between. */
static bool list_has(const char *list, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = list; *at != '\0';) {
        size_t word = strcspn(at, " ,");
        if (word == len && strncmp(at, name, len) == 0)
            return true;
        at += word;
        at += strspn(at, " ,");
    }
    return false;
}

static bool has_pe(const struct QU_Type *queue, const struct name_list *pes)
{
    const char *list = qinstance_setting(queue, "pe_list");
    for (uint32_t i = 0; list != NULL && i < pes->n; i++) {
        if (list_has(list, pes->v[i]))
            return true;
    }
    return false;
}

static bool is_named(const struct QU_Type *queue, const struct name_list *patterns)
{
    for (uint32_t i = 0; i < patterns->n; i++)
        if (queue_is_meant(queue, patterns->v[i]))
            return true;
    return false;
}

bool queue_choice_takes(const struct queue_choice *c, const struct QU_Type *queue)
{
    return (c->queues.n == 0 || is_named(queue, &c->queues)) &&
           (!c->has_states || (queue->QU_state & c->states) != 0) &&
           (c->pes.n == 0 || has_pe(queue, &c->pes));
}

/* scripts know the line twice, once without "error: " */
static int fail_states(const char *letters, struct answer *ans)
{
    unsigned bits;
    const char *at = letters;
    char one[2] = { *at, '\0' };
    for (; *at != '\0' && qinstance_state_parse(one, &bits); one[0] = *++at)
        ;
    return ans_fail(ans, STATUS_ESYNTAX, MSG_QUEUE_STATE_SSSS, one, letters, one, letters);
}

int queue_choice_check(const struct queue_choice *c, const struct source *from, struct answer *ans)
{
    if (c->wrong_states != NULL)
        return fail_states(c->wrong_states, ans);
    struct GA_Type *all = c->pes.n > 0 ? source_get_target(from, GDI_PE, ans) : NULL;
    bool is_known = c->pes.n == 0;
    for (uint32_t i = 0; all != NULL && i < all->GA_texts.n && !is_known; i++)
        is_known = name_list_has(&c->pes, all->GA_texts.v[i].TX_name);
    bool is_asked = c->pes.n == 0 || all != NULL;
    cull_delete(&cull_GA_Type, all);
    if (is_known)
        return 0;
    return is_asked ? ans_fail(ans, STATUS_EUNKNOWN, MSG_NO_PE) : -1;
}

bool queue_choice_suits(const struct queue_choice *c, const struct offering *what)
{
    return resource_requests_suit(&c->resources, what);
}
