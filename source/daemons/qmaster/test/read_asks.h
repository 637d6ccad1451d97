#ifndef QMASTER_TEST_READ_ASKS_H
#define QMASTER_TEST_READ_ASKS_H

#include "daemons/qmaster/test/fixture.h"

enum { SERIAL = 77 };

/* USER asks for JOB (NULL: all) and FIELD of it (NULL: all), as it comes from the network */
void ask_as(struct fixture *f, const char *user, uint32_t options, const char *job,
            const char *field);
/* alice does */
void ask_for_job(struct fixture *f, uint32_t options, const char *job, const char *field);
/* alice asks for the jobs of USER (NULL: everybody) with the letters STATES (NULL: all) */
void ask_states(struct fixture *f, uint32_t options, const char *user, const char *states);

/* all parts that have arrived, put together; free with forget_heard */
struct heard {
    struct GA_Type all;
    uint32_t parts;
    bool is_complete;
};
/* what has left by now; what leaves when all work is done and on disk */
void hear_answers(struct fixture *f, struct heard *h);
void hear_all(struct fixture *f, struct heard *h);
void forget_heard(struct heard *h);

/* the answer has these jobs in this order */
void expect_jobs(struct fixture *f, const uint32_t *numbers, uint32_t n);
#define EXPECT_JOBS(f, ...)                                                                        \
    expect_jobs(f, (const uint32_t[]){ __VA_ARGS__ },                                              \
                sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

#endif
