/* What qstat shows with -pri, -urg and -ext beside the job. */
SGE_ULONG (PF_jobs,     CULL_DEFAULT)            /* so many jobs in a row have them */
SGE_DOUBLE(PF_prior,    CULL_DEFAULT)
SGE_DOUBLE(PF_npprior,  CULL_DEFAULT)            /* -p, urgency and tickets, each from 0 to 1 */
SGE_DOUBLE(PF_nurg,     CULL_DEFAULT)
SGE_DOUBLE(PF_ntckts,   CULL_DEFAULT)
SGE_DOUBLE(PF_urg,      CULL_DEFAULT)            /* the sum of the three below */
SGE_DOUBLE(PF_rrcontr,  CULL_DEFAULT)
SGE_DOUBLE(PF_wtcontr,  CULL_DEFAULT)
SGE_DOUBLE(PF_dlcontr,  CULL_DEFAULT)
SGE_DOUBLE(PF_tickets,  CULL_DEFAULT)            /* the sum of the three below */
SGE_DOUBLE(PF_otickets, CULL_DEFAULT)
SGE_DOUBLE(PF_ftickets, CULL_DEFAULT)
SGE_DOUBLE(PF_stickets, CULL_DEFAULT)
SGE_DOUBLE(PF_share,    CULL_DEFAULT)            /* of all tickets, from 0 to 1 */
