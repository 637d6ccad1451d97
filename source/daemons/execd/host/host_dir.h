#ifndef EXECD_HOST_HOST_DIR_H
#define EXECD_HOST_HOST_DIR_H

#include <sys/types.h>

#include "common/basis.h"

/* The execd's directory in the spool, spool/<host>/: execd.lock, execd.pid and files about the
 * machine; and its work directory with messages, active_jobs/ and job_scripts/, which is the same
 * unless execd_spool_dir names another. active_jobs may be a symbolic link to a directory in
 * memory: it is made again there after a reboot. Source: sge_conf(5) execd_spool_dir */
struct answer;
struct host_dir {
    char *path, *work, *active_path, *scripts_path; /* owned, absolute */
    char *wanted;     /* owned: execd_spool_dir for the next start; NULL: `path` */
    char *trouble;    /* owned: why `work` is not what is wanted; NULL: it is */
    char *pid_path;   /* owned: execd.pid, once it is ours */
    int active_fd;    /* the directory active_jobs */
    int lock_fd;      /* execd.lock, locked: one execd for each host's directory */
    bool is_new_boot; /* the machine was started anew since the last execd of this directory */
};

/* host_dir_open - make what is missing, lock it and say our pid
 * The work directory changes here, if another is wanted, and no task is left in the last one.
 * Returns 0, or -1 with ans (STATUS_EEXIST: another execd runs). */
int host_dir_open(struct host_dir *d, const char *path, struct answer *ans);
void host_dir_close(struct host_dir *d);

/* host_dir_note_boot - from now on it is this boot that counts; once what the last one left has
 * been seen to. 0, or -1 with ans */
int host_dir_note_boot(const struct host_dir *d, struct answer *ans);

/* host_dir_want - execd_spool_dir is DIR, NULL: it is not configured; from the next start on that
 * counts. Returns 1 if that is news, 0, or -1 with ans */
int host_dir_want(struct host_dir *d, const char *dir, struct answer *ans);

/* host_dir_script - path of a job's script; new: free() */
char *host_dir_script(const struct host_dir *d, uint32_t job_number);

#endif
