#ifndef QMASTER_TABLES_JOB_NAMES_H
#define QMASTER_TABLES_JOB_NAMES_H

#include "libs/sgeobj/object_kind.h"
#include "libs/sgeobj/rows.h"

/* How many jobs name an object of the administrator: a project, a parallel environment, a
 * checkpointing environment, a resource. Counted, so that no search through the jobs is needed. */
struct job_name;
struct job_names {
    struct job_name *of_kind[OBJECT_KINDS]; /* by name */
};

/* job_names_add - REC names what it names from now on; job_names_remove - no longer: call it
 * before what it names changes. O(names in REC) */
void job_names_add(struct job_names *names, const struct JB_Type *rec);
void job_names_remove(struct job_names *names, const struct JB_Type *rec);
/* job_names_count - how many times jobs name the object NAME of KIND. O(1)
 * job_names_count_if - the same of all names and patterns that IS_ONE takes. O(names in use) */
uint64_t job_names_count(const struct job_names *names, enum object_kind kind, const char *name);
typedef bool job_name_fn(void *ctx, const char *name);
uint64_t job_names_count_if(const struct job_names *names, enum object_kind kind,
                            job_name_fn *is_one, void *ctx);

#endif
