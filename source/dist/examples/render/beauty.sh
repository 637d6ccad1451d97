#!/bin/sh
# beauty.sh - stage C: the picture itself for a pair of frames, with haze where the depth pass says that it is far away
#$ -N C -cwd -j y -o log -S /bin/sh
. ./stage.sh
for frame in $(frames); do
    render "$frame" 0 $width $height "plain$frame.png"
    convert "plain$frame.png" \( -size ${width}x$height 'xc:#9db4d6' \) \
        \( "depth$frame.png" -colorspace gray -resize "${width}x$height!" \) -composite "frame$frame.png"
    rm "plain$frame.png"
done
