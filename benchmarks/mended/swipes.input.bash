gawk 'BEGIN { srand(44); t = 1709251200
for (i = 0; i < 400000; i++) { t += int(rand() * 9)
    b = int(rand() * 900); s[b] = rand() < 0.004 ? s[b] : !s[b]
    print t, b, int(rand() * 14), s[b] ? "in" : "out" } }' > doors
