gawk 'BEGIN {
    x = 8
    split("council votes bridge market storm mayor school river train strike harvest museum court budget airport", w, " ")
    split("politics sports culture economy weather", s, " ")
    for (i = 1; i <= 70000; i++) {
        x = (x * 69069 + 1) % 4294967296; a = int(x / 65536)
        printf "19%02d-%02d-%02d|%s|", i % 100, a % 12 + 1, a % 28 + 1, s[a % 5 + 1]
        n = a % 5 + 3
        for (k = 0; k < n; k++) { x = (x * 69069 + 1) % 4294967296; printf "%s%s", (k ? " " : ""), w[int(x / 65536) % 15 + 1] }
        printf "\n"
    }
}' > archive.txt
