#ifndef SCHEDD_SCHEDULE_FILE_H
#define SCHEDD_SCHEDULE_FILE_H

#include "common/basis.h"

/* The file "schedule", written by a thread of its own: a slow disk delays no run. When it has grown
 * to SCHEDULE_FILE_MOST, it becomes PATH.1, in place of an older one. Source: sched_conf(5) */
struct dstr;
struct schedule_file;

/* SCHEDULE_WAITING_MOST: bytes that may wait for the disk; intervals that come then are left out */
enum { SCHEDULE_FILE_MOST = 10 << 20, SCHEDULE_WAITING_MOST = 4 << 20 };

/* schedule_file_new - PATH is copied; nothing is opened, no thread runs until the first text
 * schedule_file_add - write TEXT behind all others; it is empty afterwards. Blocks nothing
 * schedule_file_free - waits until all of it is written; NULL is fine */
struct schedule_file *schedule_file_new(const char *path);
void schedule_file_add(struct schedule_file *f, struct dstr *text);
void schedule_file_free(struct schedule_file *f);

#endif
