gawk 'BEGIN {
    x = 21
    split("flour sugar butter eggs milk salt pepper onions garlic basil créme rice beans lentils thyme", g, " ")
    for (i = 1; i <= 9000; i++) {
        printf "= Recipe %05d: %s with %s\n", (i * 7919) % 16001, g[i % 15 + 1], g[i * 7 % 15 + 1]
        n = i % 7 + 3
        for (k = 0; k < n; k++) { x = (x * 69069 + 1) % 4294967296; j = int(x / 65536); printf "- %d g %s\n", j % 50 * 10, g[j % 15 + 1] }
        print "Mix everything and bake it for", i % 60 + 10, "minutes."
    }
}' > recipes.txt
