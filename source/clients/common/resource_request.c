/* Requests for resources beside what places have of them. */
#include "clients/common/resource_request.h"

#include <string.h>

#include "libs/config/complex.h"
#include "libs/config/msg_config.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

/* its name goes to NAME; returns the value */
static const char *request_read(const char *request, struct dstr *name)
{
    const char *equals = strchrnul(request, '=');
    dstr_clear(name);
    dstr_addn(name, request, (size_t)(equals - request));
    return *equals == '=' ? equals + 1 : "TRUE";
}

int resource_requests_check(const struct name_list *requests, const struct CE_Type_list *complex,
                            struct answer *ans)
{
    struct dstr name = DSTR_INIT;
    int result = 0;
    for (uint32_t i = 0; i < requests->n && result == 0; i++) {
        (void)request_read(requests->v[i], &name);
        if (complex_find(complex, dstr_get(&name)) == NULL)
            result = ans_fail(ans, STATUS_EUNKNOWN, MSG_RESOURCE_UNKNOWN_S, dstr_get(&name));
    }
    dstr_free(&name);
    return result;
}

bool resource_requests_suit(const struct name_list *requests, const struct offering *what)
{
    struct dstr name = DSTR_INIT;
    bool suits = true;
    for (uint32_t i = 0; i < requests->n && suits; i++) {
        const char *wanted = request_read(requests->v[i], &name);
        const struct CE_Type *ce = complex_find(what->complex, dstr_get(&name));
        struct available a;
        suits = ce != NULL && available_meets(what, ce, wanted, &a);
    }
    dstr_free(&name);
    return suits;
}
