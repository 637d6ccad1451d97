#ifndef CLIENTS_COMMON_JOB_ROW_XML_H
#define CLIENTS_COMMON_JOB_ROW_XML_H

#include "clients/common/job_row.h"

struct xml;

#define QSTAT_SCHEMA                                                                               \
    "http://arc.liv.ac.uk/repos/darcs/sge/source/dist/util/resources/schemas/qstat/qstat.xsd"

/* job_row_xml - the <job_list> of a row (one for each task, or for each slave, as the TABLE_... options of job_table.h say) */
void job_row_xml(struct xml *x, unsigned options, const struct job_row *row);

#endif
