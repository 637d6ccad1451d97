#ifndef EXECD_HOST_HOST_DIR_H
#define EXECD_HOST_HOST_DIR_H

#include <sys/types.h>

#include "common/basis.h"

/* The execd's directory in the spool, spool/<host>/: messages, execd.lock, execd.pid, active_jobs/,
 * job_scripts/. active_jobs may be a symbolic link to a directory in memory: it is made again there
 * after a reboot. */
struct answer;
struct host_dir {
    char *path, *active_path, *scripts_path; /* owned, absolute */
    char *pid_path;                          /* owned: execd.pid, once it is ours */
    int active_fd;                           /* the directory active_jobs */
    int lock_fd;      /* execd.lock, locked: one execd for each host's directory */
    bool is_new_boot; /* the machine was started anew since the last execd of this directory */
};

/* host_dir_open - make what is missing, lock it and say our pid
 * Returns 0, or -1 with ans (STATUS_EEXIST: another execd runs). */
int host_dir_open(struct host_dir *d, const char *path, struct answer *ans);
void host_dir_close(struct host_dir *d);

/* host_dir_note_boot - from now on it is this boot that counts; once what the last one left has
 * been seen to. 0, or -1 with ans */
int host_dir_note_boot(const struct host_dir *d, struct answer *ans);

/* host_dir_script - path of a job's script; new: free() */
char *host_dir_script(const struct host_dir *d, uint32_t job_number);

#endif
