/* A checkpointing environment (checkpoint(5)): how jobs save what they have done, and go on from there. */
SGE_STRING(CK_name,            CULL_PRIMARY_KEY)
SGE_STRING(CK_interface,       CULL_DEFAULT)
SGE_STRING(CK_ckpt_command,    CULL_DEFAULT)
SGE_STRING(CK_migr_command,    CULL_DEFAULT)
SGE_STRING(CK_rest_command,    CULL_DEFAULT)
SGE_STRING(CK_clean_command,   CULL_DEFAULT)
SGE_STRING(CK_ckpt_dir,        CULL_DEFAULT)
SGE_STRING(CK_signal,          CULL_DEFAULT)
SGE_STRING(CK_when,            CULL_DEFAULT)   /* letters: s m x r */
