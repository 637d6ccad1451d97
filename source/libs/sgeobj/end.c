/* Kept ends. */
#include "libs/sgeobj/end.h"

#include "libs/sgeobj/rows.h"

uint32_t end_task_id(const struct EN_Type *end, uint32_t ordinal)
{
    return end->EN_ja_first + ordinal * end->EN_ja_step;
}
