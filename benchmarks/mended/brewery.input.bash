gawk 'BEGIN {
    x = 55
    for (i = 0; i < 90000; i++) {
        x = (x * 69069 + 1) % 4294967296; a = int(x / 65536)
        printf "%d;tank%d;%d.%d;%d;1.0%02d\n", i * 7, a % 9 + 1, a % 12 + 10, a % 10, a % 100, a % 60 + 5
    }
}' > tanks.csv
