# Prices and stores of a pantry, and what the kitchens take from it.
gawk 'BEGIN { srand(12)
    for (i = 1; i <= 150; i++) printf "item%03d %.2f %s %d\n", i, 0.2 + rand() * 9,
        i % 3 ? "dry" : "cold", 5 + rand() * 300 > "prices.txt"
    for (i = 1; i <= 6000; i++) print 1 + int(rand() * 28), "kitchen" int(rand() * 9),
        sprintf("item%03d", 1 + rand() * 153), 1 + int(rand() * 12) > "lines" }'
