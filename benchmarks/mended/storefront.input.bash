mkdir -p products
gawk 'BEGIN {
    x = 12
    split("lamp chair table shelf carpet mirror clock vase", g, " ")
    split("oak steel glass linen", m, " ")
    for (i = 1; i <= 250; i++) {
        f = sprintf("products/%04d.json", i)
        printf "{\"id\": %d, \"name\": \"%s %s no. %d\", \"price\": %d.%02d, \"stock\": %d, \"tags\": [\"%s\", \"%s\"], \"size\": {\"w\": %d, \"h\": %d}}\n", i, m[i % 4 + 1], g[i % 8 + 1], i, i * 37 % 400 + 5, i % 100, i * 11 % 90, g[i % 8 + 1], m[i % 4 + 1], i % 120 + 10, i % 70 + 10 > f
        close(f)
    }
    for (i = 1; i <= 36000; i++) {
        x = (x * 69069 + 1) % 4294967296; a = int(x / 65536)
        x = (x * 69069 + 1) % 4294967296; b = int(x / 65536)
        printf "%d,customer%d,%d,%d\n", int(i / 3), a % 700, b % 252 + 1, a % 4 + 1 > "orders.csv"
    }
}'
