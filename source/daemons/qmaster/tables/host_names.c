/* How the cell spells the names of hosts. */
#include "daemons/qmaster/tables/host_names.h"

#include "daemons/qmaster/tables/qmaster.h"
#include "libs/uti/host_name.h"

static bool is_stored(struct qmaster *q, const char *said)
{
    return hosts_find(&q->hosts, said) != NULL ||
           settings_has_name(&q->settings, NAMES_ADMIN_HOST, said) ||
           settings_has_name(&q->settings, NAMES_SUBMIT_HOST, said);
}

const char *host_name_known(struct qmaster *q, const char *said, char *out)
{
    if (is_stored(q, said))
        return said;
    host_name_unique(said, out);
    return out;
}
