gawk 'BEGIN { srand(77); for (i = 1; i <= 26000; i++) { c = int(rand() * 2500)
    print i, 400000 + c, int(exp(rand() * 3 + (c * 7919 % 100) / 25 + (rand() < 0.01 ? 6 : 2)) * 10),
        rand() < 0.97 ? c % 30 : int(rand() * 30), int((rand() + rand()) * 12) } }' > payments
