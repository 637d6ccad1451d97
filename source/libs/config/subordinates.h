#ifndef CONFIG_SUBORDINATES_H
#define CONFIG_SUBORDINATES_H

#include "common/basis.h"

/* subordinate_list of queue_conf(5): queue-wise "low.q=2,other.q", or slot-wise
 * "slots=4(mid.q:2:sr, low.q:1:lr)". Pure. */
struct dstr;

/* which task of a queue is suspended first; its words are sr and lr */
enum subordinate_order { SUBORDINATE_SHORTEST_RUN, SUBORDINATE_LONGEST_RUN };

struct subordinate {
    char *queue;
    /* queue-wise: slots in use of the superior queue from which on this one is suspended; 0: all
     * that the superior has */
    uint32_t slots;
    uint32_t seq; /* slot-wise: tasks in queues with higher numbers are suspended first */
    enum subordinate_order order;
};
struct subordination {
    uint32_t slots; /* slot-wise: of all queues together; 0: queue-wise */
    uint32_t n;
    struct subordinate v[];
};

/* subordination_read - VALUE as it is kept; NULL if it is NULL, NONE or wrong. What is
 * slot-wise is sorted, the highest numbers first. New: subordination_free */
struct subordination *subordination_read(const char *value);
void subordination_free(struct subordination *s);

/* subordinate_add - append the form in which an element of a list is kept: all that is slot-wise is
 * one; false if it is wrong
 * subordinates_agree - may the elements of the list VALUE be together? What is slot-wise is
 * alone. */
bool subordinate_add(const char *element, struct dstr *out);
bool subordinates_agree(const char *value);

#endif
