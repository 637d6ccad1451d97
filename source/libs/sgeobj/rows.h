#ifndef SGEOBJ_ROWS_H
#define SGEOBJ_ROWS_H

#include "libs/cull/cull.h"

struct cull_schema;

/* Every record type of the cluster, declared from its row file (sge_typesL.h). */

/* flags of the rows of sge_jobL.h, beside those of cull.h: who gets a copy of the field, and
 * whether the XML and JSON of a job have it even if it was not set, as users know them */
enum {
    JOB_TO_SCHEDD = 256,     /* the scheduler */
    JOB_IN_CATEGORY = 512,   /* the scheduler; jobs that differ in it are of two categories */
    JOB_NOT_TO_HOSTS = 1024, /* not the hosts, which get all else */
    JOB_ALWAYS_SHOWN = 2048  /* a number or a truth value */
};

#define CULL_EXPAND "libs/cull/declare.h"
#include "libs/sgeobj/sge_typesL.h"
#undef CULL_EXPAND

/* those that travel or are spooled, in this order: part of the tables two programs compare
 * (cull_schema_id). gdi adds its own to the same list. */
#define SGEOBJ_TYPES(X)                                                                            \
    X(JRE_Type)                                                                                    \
    X(ST_Type)                                                                                     \
    X(VA_Type)                                                                                     \
    X(PN_Type)                                                                                     \
    X(MR_Type)                                                                                     \
    X(QR_Type)                                                                                     \
    X(CE_Type)                                                                                     \
    X(BN_Type)                                                                                     \
    X(TK_Type)                                                                                     \
    X(JG_Type)                                                                                     \
    X(PS_Type)                                                                                     \
    X(PD_Type)                                                                                     \
    X(TC_Type)                                                                                     \
    X(UA_Type)                                                                                     \
    X(AN_Type)                                                                                     \
    X(AT_Type)                                                                                     \
    X(TR_Type)                                                                                     \
    X(ID_Type)                                                                                     \
    X(JB_Type)                                                                                     \
    X(JAT_Type)                                                                                    \
    X(CQ_Type)                                                                                     \
    X(AC_Type)                                                                                     \
    X(QU_Type)                                                                                     \
    X(EH_Type)                                                                                     \
    X(NM_Type)                                                                                     \
    X(CONF_Type)                                                                                   \
    X(TX_Type)                                                                                     \
    X(PT_Type)                                                                                     \
    X(PG_Type)                                                                                     \
    X(RV_Type)                                                                                     \
    X(PF_Type)                                                                                     \
    X(AR_Type)                                                                                     \
    X(EV_Type)                                                                                     \
    X(OR_Type)                                                                                     \
    X(JR_Type)                                                                                     \
    X(EN_Type)                                                                                     \
    X(SN_Type)
extern const struct cull_type *const sgeobj_types[];
extern const unsigned sgeobj_types_n;
/* sgeobj_schema - the same as a table: what records in the spool are written with */
const struct cull_schema *sgeobj_schema(void);

/* not a host: its complex_values and load values are those of the cell, which all hosts share. It
 * exists once it is added, or a load value of it is reported. */
#define HOST_OF_CELL "global"

#endif
