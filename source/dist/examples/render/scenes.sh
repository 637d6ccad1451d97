#!/bin/sh
# scenes.sh - stage A: write the scene files of a chunk of frames
#$ -N A -cwd -j y -o log -S /bin/sh
. ./stage.sh
for frame in $(frames); do
    turn=$(awk "BEGIN { print ($frame - 1) / $SGE_TASK_LAST }")
    printf '// frame %s of %s\n#declare Turn = %s;\n#include "scene.inc"\n' "$frame" "$SGE_TASK_LAST" "$turn" >"frame$frame.pov"
done
