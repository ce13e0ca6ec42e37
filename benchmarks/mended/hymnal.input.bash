gawk 'BEGIN { srand(40); n = split("morning light of all the world now rising over quiet fields and silver rivers sing again", w, " ")
for (h = 1; h <= 200; h++) { first = line + 0
    put(h " " say(3)); put("")
    for (v = 1; v <= 4; v++) { for (k = 1; k <= 4; k++) put((k == 1 ? v ". " : "   ") say(4 + (h + k) % 3)); if (v < 4) put("") }
    print h, first, line - first > "hymnal.idx"; put("") }
for (d = 1; d <= 1150; d++) { s = sprintf("2024-%02d-%02d", 1 + d / 100, 1 + d % 4 * 7)
    for (k = 0; k < 4; k++) s = s " " 1 + int(rand() * 201) (rand() < .4 ? ":1,3-4" : rand() < .3 ? ":1-2" : "")
    print s > "services" } }
function put(s) { print s > "hymnal.txt"; line++ }
function say(k,   s) { while (k--) s = s w[1 + int(rand() * n)] (k ? " " : ""); return s }'
