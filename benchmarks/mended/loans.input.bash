gawk 'BEGIN {
    x = 77
    print "loan,reader,title,day,returned"
    for (i = 1; i <= 7000; i++) {
        x = (x * 69069 + 1) % 4294967296; a = int(x / 65536)
        x = (x * 69069 + 1) % 4294967296; b = int(x / 65536)
        printf "%d,reader%03d,The %s of %s,%d,%s\n", i, a % 300, (a % 2 ? "House" : "Garden"), (b % 3 ? "Stone" : "Glass") b % 41, i / 20, (b % 9 ? i / 20 + b % 40 : "")
    }
}' > loans.csv
