mkdir -p deliveries
gawk 'BEGIN {
    x = 3
    split("apples pears plums cherries quinces medlars", g, " ")
    for (i = 0; i < 360; i++) {
        f = sprintf("deliveries/%04d.json", i)
        printf "{\"farm\": \"farm %d\", \"crates\": [", i % 37 > f
        n = i % 90 + 220
        for (k = 0; k < n; k++) { x = (x * 69069 + 1) % 4294967296; j = int(x / 65536); printf "%s{\"fruit\": \"%s\", \"kilograms\": %d.%d, \"grade\": %d}", (k ? ", " : ""), g[j % 6 + 1], j % 20 + 5, j % 10, j % 3 + 1 > f }
        print "]}" > f
        close(f)
    }
}'
