gawk 'BEGIN {
    x = 4711
    split("HAMLET OPHELIA HORATIO GERTRUDE CLAUDIUS POLONIUS LAERTES", who, " ")
    split("the king is a thing my lord what news of night and so farewell dear mother speak no more ghost sword play", w, " ")
    for (i = 1; i <= 38000; i++) {
        x = (x * 69069 + 1) % 4294967296; a = int(x / 65536)
        if (i % 2000 == 1) printf "ACT %d\n", i / 2000 + 1
        if (a % 9 == 0) { printf "[Exit %s]\n", who[a % 7 + 1]; continue }
        printf "%s:", who[a % 7 + 1]
        n = a % 8 + 2
        for (k = 0; k < n; k++) { x = (x * 69069 + 1) % 4294967296; printf " %s", w[int(x / 65536) % 22 + 1] }
        printf ".\n"
    }
}' > play.txt
