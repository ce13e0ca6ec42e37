gawk 'BEGIN {
    x = 31337
    split("Smith;JONES;  o`neil;van DYKE;Garcia ;muller;Ng;de la cruz", s, ";")
    split("Anna bob CARL dora Emil fay", f, " ")
    for (i = 1; i <= 200000; i++) {
        x = (x * 69069 + 1) % 4294967296; a = int(x / 65536)
        x = (x * 69069 + 1) % 4294967296; b = int(x / 65536)
        printf "%s , %s,%s(0)%d-%06d,%s@Example%s,%d\n", s[a % 8 + 1], f[b % 6 + 1], (a % 3 ? "+49 " : ""), a % 900, b * 13 % 1000000, f[a % 6 + 1], (b % 11 ? ".ORG" : ""), i
    }
}' > stdin
