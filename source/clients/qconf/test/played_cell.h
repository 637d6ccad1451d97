#ifndef CLIENTS_QCONF_TEST_PLAYED_CELL_H
#define CLIENTS_QCONF_TEST_PLAYED_CELL_H

#include "clients/qconf/qconf.h"
#include "libs/config/cqueue.h"

/* qconf on a cell that is played: a queue, some groups, a share tree, and what was changed last. */
struct played_cell {
    struct CQ_Type *queue; /* the only one, two.q; ADD and MOD replace it */
    struct GR_Type sent;   /* the last change */
    struct TX_Type tree;   /* the share tree; nameless: none */
    unsigned changes;
    unsigned faster;    /* so many changes somebody else is faster, and sets priority in two.q */
    const char *edited; /* what the editor leaves; NULL: unchanged */
    enum answer_status refusal; /* of changes; STATUS_OK: none */
    const char *warning;        /* before a change is said to be done; NULL: none */
};
void played_cell_init(struct played_cell *cell);
void played_cell_free(struct played_cell *cell);

/* run_command - qconf with N arguments; new: page_free */
struct page {
    char *out, *err;
    int status;
};
struct page run_command(struct played_cell *cell, int n, const char *const *args);
void page_free(struct page *p);
#define RUN(cell, ...)                                                                             \
    run_command(cell, (int)(sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *)),             \
                (const char *[]){ __VA_ARGS__ })

/* expect_shown - OPTION of WHAT prints TEXT */
void expect_shown(struct played_cell *cell, const char *option, const char *what, const char *text);
/* expect_refused - each of these is refused with its text, and nothing is sent */
struct wrong {
    const char *args[6];
    const char *err;
};
void expect_refused(struct played_cell *cell, const struct wrong *wrong, size_t n_wrong);

#endif
