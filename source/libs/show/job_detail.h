#ifndef SHOW_JOB_DETAIL_H
#define SHOW_JOB_DETAIL_H

#include <stdio.h>

#include "libs/sgeobj/rows.h"

/* All there is to say of one job: `qstat -j`, `qsub -verify`, and the same as XML and JSON. Source:
 * qstat(1). */
struct job_detail {
    const struct JB_Type *job;           /* borrowed */
    const struct JAT_Type *const *tasks; /* its started tasks, borrowed, by task id */
    uint32_t n_tasks;
};

/* job_detail_text - the block of `qstat -j`, from the line of `=` to the last line before
 * `scheduling info:` */
void job_detail_text(FILE *out, const struct job_detail *d);
/* job_verify_text - the block of `qsub -verify`: a job that has no number yet */
void job_verify_text(FILE *out, const struct JB_Type *job);
/* scheduling_info_text - the last line or lines of the block; no REASONS: why there are none */
void scheduling_info_text(FILE *out, const struct ST_Type_list *reasons);

/* ---- the same as XML and JSON ---- */
struct doc;

#define DETAIL_SCHEMA                                                                              \
    "http://arc.liv.ac.uk/repos/darcs/sge/source/dist/util/resources/schemas/qstat/"               \
    "detailed_job_info.xsd"

/* job_detail_data - JOB for programs: a record of the list of jobs
 * scheduling_info_data - the list of messages of the document */
void job_detail_data(struct doc *d, const struct job_detail *of);
void scheduling_info_data(struct doc *d, const struct ST_Type_list *reasons);
/* job_detail_element_name - what XML calls the elements of list FIELD of a job */
const char *job_detail_element_name(unsigned field);

#endif
