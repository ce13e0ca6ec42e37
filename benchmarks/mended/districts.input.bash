gawk 'BEGIN {
    x = 83
    split("North South East West Harbour Hill Mill Castle Park", d, " ")
    for (i = 1; i <= 60000; i++) {
        x = (x * 69069 + 1) % 4294967296; a = int(x / 65536)
        x = (x * 69069 + 1) % 4294967296; b = int(x / 65536)
        printf "%s;H%04d;2023-%02d-%02d;%d.%d\n", d[a % 9 + 1], b % 2500, i / 5200 + 1, a % 28 + 1, (b % 19 ? b % 40 : 900), a % 10
    }
}' > lines
