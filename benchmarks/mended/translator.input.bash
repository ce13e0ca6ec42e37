gawk 'BEGIN {
    x = 5
    c = "bdfghklmnprstvz"; v = "aeiou"
    for (i = 0; i < 900; i++) {
        w = substr(c, i % 15 + 1, 1) substr(v, int(i / 15) % 5 + 1, 1) substr(c, int(i / 75) % 15 + 1, 1) substr(v, i % 4 + 1, 1)
        word[i] = w
        printf "%s\tle-%s-%d\n", w, substr(w, 3) substr(w, 1, 2), i > "dictionary.txt"
    }
    for (i = 0; i < 2000; i++) {
        n = 4 + i % 6
        for (k = 0; k < n; k++) {
            x = (x * 69069 + 1) % 4294967296
            j = int(x / 65536) % 960
            printf "%s%s", (k ? " " : ""), (j < 900 ? word[j] : "Zorro")  > "letter.txt"
        }
        print "." > "letter.txt"
    }
}'
