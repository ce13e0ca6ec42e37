gawk 'BEGIN {
    srand(7)
    x = 12345
    for (i = 0; i < 640000; i++) {
        x = (x * 69069 + 1) % 4294967296
        s = int(x / 65536) % 40
        x = (x * 69069 + 1) % 4294967296
        t = int(x / 65536) % 450 - 100
        x = (x * 69069 + 1) % 4294967296
        r = int(x / 65536) % 300
        printf "ST%02d %06d %+05d %04d %-24s\n", s, i, t, r, (r > 290 ? "heavy rain" : "ok")
    }
}' > weather.rec
