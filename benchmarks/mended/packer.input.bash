mkdir -p tree/docs tree/images tree/music
gawk 'BEGIN { for (i = 0; i < 22000; i++) printf "paragraph %d of a handbook about packing things, page %d\n", i, i / 40 }' > tree/docs/handbook.txt
gawk 'BEGIN { for (i = 0; i < 400; i++) { f = sprintf("tree/docs/note%03d.txt", i); for (k = 0; k < 30 + i % 50; k++) print "note", i, "line", k > f; close(f) } }'
for i in 1 2 3 4 5 6 7 8 9; do
    cat tree/docs/handbook.txt tree/docs/note00$i.txt tree/docs/handbook.txt > tree/images/image$i.raw
    cat tree/docs/note00$i.txt tree/images/image$i.raw tree/docs/handbook.txt > tree/music/piece$i.raw
done
find tree -type f | LC_ALL=C sort > manifest
