gawk 'BEGIN {
    x = 99
    split("apples bread milk cheese coffee tea sugar butter eggs pasta rice soap", g, " ")
    for (i = 1; i <= 200000; i++) {
        x = (x * 69069 + 1) % 4294967296; a = int(x / 65536)
        x = (x * 69069 + 1) % 4294967296; b = int(x / 65536)
        printf "%d;%d;%s;%d;%d.%02d\n", i, a % 17 + 1, g[b % 12 + 1], a % 5 + 1, b % 30, a % 100
    }
}' > stdin
