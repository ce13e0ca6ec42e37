gawk 'BEGIN { srand(24); n = split("I do not know where he went last night but we have to find him before the train leaves", w, " ")
for (i = 1; i <= 5500; i++) { t += 700 + int(rand() * 2600); e = t + 400 + int(rand() * 3000)
    s = ""; for (k = 2 + int(rand() * 14); k > 0; k--) s = s w[1 + int(rand() * n)] (k > 1 ? " " : ".")
    printf "%d\n%s --> %s\n%s\n\n", i, i % 700 ? f(t) : "??", f(e), s } }
function f(x) { return sprintf("%02d:%02d:%02d,%03d", x / 3600000, x / 60000 % 60, x / 1000 % 60, x % 1000) }' > captions.srt
