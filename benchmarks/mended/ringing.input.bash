gawk 'BEGIN { srand(18); n = split("robin wren dunlin knot goldcrest kestrel swift redstart", s)
m = split("skagen falsterbo ottenby helgoland rybachy pape bretolet gibraltar eilat oslo", p)
for (i = 0; i < 4200; i++) { r = int(rand() * 9000); k = r % n + 1
    printf "2023-%02d-%02d R%05d %s %s %.1f %.1f\n", 1 + i / 360, 1 + i / 13 % 28, r, s[k],
        p[1 + int(rand() * (rand() < .01 ? m : m - 1))], 50 + k * 12 + rand() * 6, 7 + k * 9 + rand() * 4 } }' > rings
