gawk 'BEGIN { srand(63); n = split("Aachen Bonn Celle Dessau Erfurt Fulda Gera Halle Ilmenau Jena Kiel Luebeck", s)
for (t = 0; t < 300; t++) { m = 300 + t * 3
    for (k = 1; k <= 10; k++) { w = 1 + int(rand() * 5)
        printf "R%03d;%d;%s;%s;%s;%d;\n", t, k, s[(t + k) % n + 1], (k > 1 ? hm(m) : "-"), (k < 10 ? hm(m + w) : "-"),
            1 + int(rand() * 12) > "plan.txt"
        m += w + 6 + int(rand() * 20) } }
for (i = 0; i < 500; i++) { r = rand(); t = sprintf("R%03d", int(rand() * 302)); k = 1 + int(rand() * 9)
    print (r < .45 ? "late " t " " k " " 3 + int(rand() * 40) : r < .9 ? "platform " t " " k " " 1 + int(rand() * 14) :
        "cancel " t " " k + 1) > "changes" } }
function hm(x) { return sprintf("%02d:%02d", int(x / 60) % 24, x % 60) }'
