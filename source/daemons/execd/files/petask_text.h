#ifndef EXECD_FILES_PETASK_TEXT_H
#define EXECD_FILES_PETASK_TEXT_H

#include <sys/types.h>

#include "common/basis.h"

/* The files "config" and "environment" of a petask, which are made from those of its task: what
 * they say is so on this host, whatever the qmaster has sent since. Pure. */
struct dstr;
struct petask_request;

struct petask_text_input { /* borrowed */
    const struct petask_request *request;
    const char *petask;   /* "1.node7" */
    const char *name;     /* "4711.1/1.node7" */
    const char *task_dir; /* absolute */
    const char *cgroup;   /* absolute; NULL: none */
    gid_t additional_gid; /* 0: none */
    const char *session_socket, *session_digest;
    uint64_t ordered_at_s;
    bool is_terminal, has_no_shell;
};

/* petask_config, petask_environment - append the lines, OF_TASK being the file of the task. Of a
 * variable that the client sends twice the last counts; those of the system are the task's. */
void petask_config(const struct petask_text_input *in, const char *of_task, struct dstr *out);
void petask_environment(const struct petask_text_input *in, const char *of_task, struct dstr *out);

#endif
