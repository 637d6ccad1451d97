#ifndef VIEW_QUEUE_ENTRY_H
#define VIEW_QUEUE_ENTRY_H

#include "libs/gdi/message.h"
#include "libs/view/board.h"

struct dstr;

enum queue_column {
    QUEUE_NAME,
    QUEUE_TYPE,
    QUEUE_USED,
    QUEUE_SLOTS,
    QUEUE_LOAD,
    QUEUE_ARCH,
    QUEUE_STATES,
    QUEUE_WHY,
    QUEUE_COLUMNS
};

/* What a list knows of a queue instance, or of all of a cluster queue or a host. Strings are
 * owned. */
struct queue_entry {
    char *name, *queue, *host; /* "all.q@node1", "all.q", "node1" */
    char *type, *arch, *why;
    uint32_t key;
    uint32_t used, slots, states;
    double load; /* below 0: not known */
};

/* queue_entry_fields - the fields of queue instances that are needed, ended by NULL */
extern const char *const queue_entry_fields[];
/* queue_entry_make - of QUEUE on HOST, which may be NULL; queue_entry_clear frees what it owns */
struct queue_entry queue_entry_make(const struct QU_Type *queue, const struct EH_Type *host);
void queue_entry_clear(struct queue_entry *e);
/* queue_entry_cell - append what stands in COLUMN, but for QUEUE_NAME */
void queue_entry_cell(const struct queue_entry *e, enum queue_column column, struct dstr *out);
/* queue_entry_compare - by COLUMN */
int queue_entry_compare(const struct queue_entry *a, const struct queue_entry *b,
                        enum queue_column column);
enum task_look queue_entry_look(const struct queue_entry *e);
const char *queue_column_title(enum queue_column column);
bool queue_column_is_number(enum queue_column column);

#endif
