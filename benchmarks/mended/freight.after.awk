# freight: the charges of a carrier.  The records are
# "consignment zone kilograms"; zones.txt has "zone price-per-kg minimum".
# Writes charges.txt and prints the total of each zone.

function load_zones(    line, part) {
    while ((getline line < "zones.txt") > 0) {
        split(line, part, " ")
        if (!(part[1] in prices)) {
            prices[part[1]] = part[2]
            minima[part[1]] = part[3]
        }
    }
    close("zones.txt")
}

function look_up(zone) {
    if (!(zone in prices))
        return 0
    per_kg = prices[zone]
    minimum = minima[zone]
    return 1
}

BEGIN {
    printf "" > "charges.txt"
    load_zones()
}

NF < 3 { next }

{
    if (!look_up($2)) {
        unknown++
        next
    }
    kg = $3
    if (kg > 1000)
        kg = 1000 + (kg - 1000) * 0.8
    charge = kg * per_kg
    if (charge < minimum)
        charge = minimum
    printf "%s %.2f\n", $1, charge > "charges.txt"
    total[$2] += charge
    sum += charge
}

END {
    n = 0
    for (z in total)
        names[++n] = z
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && names[j] < names[j - 1]; j--) {
            t = names[j]; names[j] = names[j - 1]; names[j - 1] = t
        }
    for (i = 1; i <= n; i++)
        printf "%s %.2f\n", names[i], total[names[i]]
    printf "total %.2f, %d with unknown zone\n", sum, unknown
}
