# Pictures of what source/libs/sched/test/fairness.c has played: gnuplot -e "tables='DIR'; pictures='DIR'" fairness.gp
set terminal svg size 760,300 font 'sans-serif,12' background 'white'
set xlabel 'day'
set xrange [1:35]
set yrange [0:100]
set format y '%g %%'
set grid ytics lc rgb '#dddddd'
set key outside right
set style data lines
array color[3] = ['#1b6ca8', '#c8553d', '#4c956c']
array user[3] = ['anna, 30', 'ben, 60', 'cleo, 10']
do for [name in 'share-tree functional override'] {
    set output pictures . '/fair-' . name . '.svg'
    plot for [i = 1:3] tables . '/' . name . '.dat' using 1:(column(i + 1)) lw 2 lc rgb color[i] title user[i]
}
set output pictures . '/fair-usage.svg'
plot for [i = 1:3] tables . '/share-tree.dat' using 1:(column(i + 4)) lw 2 lc rgb color[i] title user[i]
