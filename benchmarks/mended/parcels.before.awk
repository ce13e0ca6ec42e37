# sorts the parcels of a day into a loading list for every depot, with charges
BEGIN {
    FS = ";"
    split("leeds hull york derby bath truro luton dover crewe ripon stoke selby", d, " ")
    for (i in d) {
        zone[d[i]] = 1 + i % 3
        list = "load_" d[i] ".txt"
        printf "" > list
        close(list)
    }
}

function charge(kilos, l, w, h, z,    volume) {
    volume = l * w * h / 5000
    if (volume > kilos)
        kilos = volume
    return 2.5 + z * 0.8 + (kilos > 2 ? (kilos - 2) * (0.4 + 0.1 * z) : 0)
}

!($2 in zone) {
    print "unknown depot: " $0
    next
}

{
    price = charge($3, $4, $5, $6, zone[$2])
    list = "load_" $2 ".txt"
    printf "%-10s %6.2f kg %3dx%2dx%2d %8.2f\n", $1, $3, $4, $5, $6, price >> list
    close(list)
    count[$2]++
    kilos[$2] += $3
    income[$2] += price
    service[substr($1, 1, 1)]++
}

END {
    PROCINFO["sorted_in"] = "@ind_str_asc"
    for (p in count)
        printf "%-8s %6d parcels %10.2f kg %12.2f\n", p, count[p], kilos[p], income[p]
    for (s in service)
        print "service " s ": " service[s]
}
