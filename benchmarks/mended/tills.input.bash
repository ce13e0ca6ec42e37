awk 'BEGIN { srand(77); for (i = 0; i < 320000; i++) printf "%d %d %d\n", 1 + int(rand() * 12), int(rand() * 3000), 5 + int(rand() * rand() * 9000) }' > receipts.txt
