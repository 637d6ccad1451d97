/* The tables of cluster queues and queue instances. */
#include "daemons/qmaster/tables/queues.h"

#include <stdlib.h>

#include "daemons/qmaster/tables/hosts.h"
#include "libs/config/qinstance.h"
#include "libs/uti/alloc.h"

struct cqueue *queues_cqueue(struct queues *queues, const char *name)
{
    struct cqueue *cq;
    HASH_FIND_STR(queues->cqueues, name, cq);
    return cq;
}

struct qinstance *queues_instance(struct queues *queues, const char *full_name)
{
    struct qinstance *qi;
    HASH_FIND_STR(queues->instances, full_name, qi);
    return qi;
}

struct cqueue *queues_add_cqueue(struct queues *queues, struct CQ_Type *rec)
{
    struct cqueue *cq = queues_cqueue(queues, rec->CQ_name);
    if (cq != NULL) {
        HASH_DEL(queues->cqueues, cq); /* the key lives in the record */
        cull_clear(&cull_CQ_Type, &cq->rec);
    } else {
        cq = uti_calloc(1, sizeof *cq);
    }
    cq->rec = *rec;
    *rec = (struct CQ_Type){ 0 };
    HASH_ADD_KEYPTR(hh, queues->cqueues, cq->rec.CQ_name, strlen(cq->rec.CQ_name), cq);
    return cq;
}

void queues_remove_cqueue(struct queues *queues, struct cqueue *cq)
{
    HASH_DEL(queues->cqueues, cq);
    cull_clear(&cull_CQ_Type, &cq->rec);
    free(cq);
}

struct qinstance *queues_put_instance(struct queues *queues, struct cqueue *cq, struct host *host,
                                      struct QU_Type *rec)
{
    struct qinstance *qi = queues_instance(queues, rec->QU_full_name);
    if (qi != NULL) {
        HASH_DEL(queues->instances, qi);
        cull_set(rec, QU_slots_used, qi->rec.QU_slots_used);
        cull_clear(&cull_QU_Type, &qi->rec);
    } else {
        qi = uti_calloc(1, sizeof *qi);
    }
    qi->rec = *rec;
    *rec = (struct QU_Type){ 0 };
    qi->cqueue = cq;
    qi->host = host;
    HASH_ADD_KEYPTR(hh, queues->instances, qi->rec.QU_full_name, strlen(qi->rec.QU_full_name), qi);
    return qi;
}

void queues_remove_instance(struct queues *queues, struct qinstance *qi)
{
    HASH_DEL(queues->instances, qi);
    cull_clear(&cull_QU_Type, &qi->rec);
    free(qi);
}

void queues_clear(struct queues *queues)
{
    struct qinstance *qi, *nqi;
    struct cqueue *cq, *ncq;
    HASH_ITER(hh, queues->instances, qi, nqi) {
        queues_remove_instance(queues, qi);
    }
    HASH_ITER(hh, queues->cqueues, cq, ncq) {
        queues_remove_cqueue(queues, cq);
    }
}

bool qinstance_may_start(const struct qinstance *qi)
{
    return (qi->rec.QU_state & QI_BLOCKING) == 0 && qi->host->conn != 0;
}
