# stage.sh - what the four stages share; read by each of them in the directory of the pictures
PATH=/usr/bin:/bin
width=480 height=270

stamp() { # note when this task started or ended, for those who want to see the order
    echo "$1 $JOB_NAME $SGE_TASK_ID $(date +%s.%N)" >>times
}

frames() { # the frames of this task: its chunk, cut at the end of the array
    last=$((SGE_TASK_ID + SGE_TASK_STEPSIZE - 1))
    [ "$last" -le "$SGE_TASK_LAST" ] || last=$SGE_TASK_LAST
    seq -f %02g "$SGE_TASK_ID" "$last"
}

render() { # frame $1, pass $2, width $3, height $4, output $5: one processor, as one slot promises
    povray "+Iframe$1.pov" "+O$5" "Declare=Pass=$2" "+W$3" "+H$4" +A0.3 +WT1 -D -GA >"$5.log" 2>&1 || {
        cat "$5.log" >&2
        exit 1
    }
    rm "$5.log"
}

set -e
stamp start
trap 'code=$?; [ $code != 0 ] || stamp end; exit $code' EXIT
