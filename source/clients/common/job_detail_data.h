#ifndef CLIENTS_COMMON_JOB_DETAIL_DATA_H
#define CLIENTS_COMMON_JOB_DETAIL_DATA_H

#include "clients/common/job_detail.h"

/* What there is to say of one job, as XML and JSON. Source: qstat(1). */
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
