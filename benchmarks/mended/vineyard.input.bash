# Weighings of grapes at the gate of a winery.
gawk 'BEGIN { srand(9); split("riesling pinot merlot syrah malbec", g, " ")
    for (i = 1; i <= 12000; i++) printf "%02d:%02d;%s;%d;%d;%d\n", i / 900 + 6, i % 60,
        g[1 + int(rand() * 5)], 1 + int(rand() * 40), 200 + int(rand() * 900),
        60 + int(rand() * 45) }' > weighings.txt
