#!/bin/sh
# depth.sh - stage B: the depth pass of one frame, small: how far away everything is
#$ -N B -cwd -j y -o log -S /bin/sh
. ./stage.sh
for frame in $(frames); do
    render "$frame" 1 $((width / 3)) $((height / 3)) "depth$frame.png"
done
