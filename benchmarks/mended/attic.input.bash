gawk 'BEGIN {
    for (d = 0; d < 40; d++) {
        dir = sprintf("attic/box%02d", d); system("mkdir -p " dir)
        for (i = 0; i < 340; i++) {
            f = sprintf("%s/thing%03d.%s", dir, i, (i % 3 ? (i % 7 ? "txt" : "jpg") : "dat"))
            n = (i * 7919 + d * 104729) % 13
            printf "" > f
            for (k = 0; k < n; k++) print "an old thing", k * 37 % 11, d > f
            close(f)
        }
    }
}'
