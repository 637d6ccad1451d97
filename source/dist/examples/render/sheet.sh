#!/bin/sh
# sheet.sh - stage D: all frames on one contact sheet, and as an animation
#$ -N D -cwd -j y -o log -S /bin/sh
. ./stage.sh
montage frame??.png -tile 6x4 -geometry 240x135+3+3 -background '#101418' sheet.png
convert -delay 8 -loop 0 frame??.png -layers optimize animation.gif
