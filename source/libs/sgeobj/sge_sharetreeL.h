/* The share tree of a cell (sge_share_tree(5)): its nodes, the root first, each as it is kept: `id=1 name=eve type=0 shares=10 childnodes=NONE`. */
SGE_STRING(SHT_name,           CULL_PRIMARY_KEY)
SGE_LIST  (SHT_nodes, ST_Type, CULL_DEFAULT)
