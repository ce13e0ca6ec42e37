# Values what the kitchens of a hotel take from the pantry.
# Each line: day, kitchen, item, pieces. The prices are in prices.txt: item, price, store, stock.

function load_prices(    row, cell) {
    while ((getline row < "prices.txt") > 0) {
        split(row, cell, " ")
        if (cell[1] in prices)
            continue
        prices[cell[1]] = cell[2]
        stores[cell[1]] = cell[3]
        stocks[cell[1]] = cell[4]
    }
    close("prices.txt")
}

function week(day) {
    return int((day - 1) / 7) + 1
}

BEGIN {
    out = "taken.txt"
    load_prices()
    print "day kitchen item pieces value" > out
}

NF != 4 || $1 !~ /^[0-9]+$/ {
    odd++
    next
}

{
    if (!($3 in prices)) {
        unknown[$3] += $4
        next
    }
    value = $4 * prices[$3]
    if (stores[$3] == "cold")
        value *= 1.05
    printf "%d %s %s %d %.2f\n", $1, $2, $3, $4, value > out
    kitchen[$2] += value
    weekly[week($1)] += value
    taken[$3] += $4
    if (taken[$3] > stocks[$3] && !($3 in short))
        short[$3] = $1
    lines++
}

END {
    close(out)
    printf "%d lines, %d odd\n", lines, odd
    PROCINFO["sorted_in"] = "@ind_str_asc"
    for (k in kitchen)
        printf "%-10s %10.2f\n", k, kitchen[k]
    for (w in weekly)
        printf "week %d %10.2f\n", w, weekly[w]
    for (i in short)
        printf "%s was short: %d of it taken\n", i, taken[i]
    for (i in unknown)
        printf "%s is unknown, %d pieces\n", i, unknown[i]
}
