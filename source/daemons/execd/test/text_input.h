#ifndef EXECD_TEST_TEXT_INPUT_H
#define EXECD_TEST_TEXT_INPUT_H

#include <stdlib.h>

#include "daemons/execd/files/task_input.h"
#include "daemons/execd/host/user.h"
#include "libs/uti/dstr.h"

/* What the files of a task are made from, and a text for what is made. */
struct input {
    struct JB_Type job;
    struct JAT_Type task;
    struct QU_Type queue;
    struct CONF_Type global, host;
    struct CK_Type env;
    struct user user;
    struct task_place place;
    struct task_text_input in; /* of all of them but env and user */
    struct dstr text;
};

static inline struct input *input_new(void)
{
    struct input *i = calloc(1, sizeof *i);
    i->place = (struct task_place){ .global_conf = &i->global, .host_conf = &i->host };
    i->in = (struct task_text_input){
        .place = &i->place, .job = &i->job, .task = &i->task, .queue = &i->queue
    };
    return i;
}

static inline int input_tear_down(void **state)
{
    struct input *i = *state;
    cull_clear(&cull_JB_Type, &i->job);
    cull_clear(&cull_JAT_Type, &i->task);
    cull_clear(&cull_QU_Type, &i->queue);
    cull_clear(&cull_CONF_Type, &i->global);
    cull_clear(&cull_CONF_Type, &i->host);
    cull_clear(&cull_CK_Type, &i->env);
    dstr_free(&i->text);
    free(i);
    return 0;
}

static inline void set_queue(struct input *i, const char *name, const char *value)
{
    struct VA_Type *va = cull_append(&i->queue, QU_settings);
    cull_set(va, VA_variable, name);
    cull_set(va, VA_value, value);
}

static inline void set_conf(struct input *i, const char *name, const char *value)
{
    struct VA_Type *va = cull_append(&i->global, CONF_entries);
    cull_set(va, VA_variable, name);
    cull_set(va, VA_value, value);
}

#endif
