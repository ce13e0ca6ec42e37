gawk 'BEGIN { srand(29); n = split("Fl(3)WRG.15s Fl.5s Oc(2).12s Iso.4s Q VQ(6)R.10s LFl.10s F Fl(2+1)G.20s Mo(A)W.8s Fl.2.5s", c)
print "number,name,character,range,lat,lon,height,remark"
w = "white round stone tower with a gallery and a low dwelling of the keeper; fog horn; racon; shown by day in fog, "
for (i = 0; i < 24; i++) all = all w
for (i = 1; i <= 1000; i++)
    printf "B%04d,%s %d,%s,%d,%d,%d,%d,%s\n", i, i % 3 ? "Point" : "Skerry", i, i % 400 ? c[1 + int(rand() * n)] : "Blink",
        5 + int(rand() * 22), 5000 + int(rand() * 2000), int(rand() * 2500) - 500, 3 + int(rand() * 70),
        substr(all, 1 + int(rand() * 400), 900 + int(rand() * 700)) }' > lights.csv
