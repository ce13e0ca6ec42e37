gawk 'BEGIN { srand(12); print "0 -1000 0 999 0.6 0.7 0.5 0.1"
for (i = 0; i < 7; i++)
    printf "%.3f %.3f %.3f %.3f %.2f %.2f %.2f %.2f\n", rand()*6-3, rand()*2.5-0.5, rand()*6-1, 0.3+rand()*0.6,
        rand(), rand(), rand(), rand() < 0.5 ? 0 : rand() * 0.6 }' > scene
