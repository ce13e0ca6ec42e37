gawk 'BEGIN { srand(5); for (b = 0; b < 44000; b++) for (t = 0; t < 9; t++)
    print t, b * 120 + int(rand() * 30), 36 + t * 6 + int(rand() * 20), 40 + int(rand() * 80), 60 + int(rand() * 400)
}' > score
