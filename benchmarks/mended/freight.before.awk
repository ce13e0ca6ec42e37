# freight: the charges of a carrier.  The records are
# "consignment zone kilograms"; zones.txt has "zone price-per-kg minimum".
# Writes charges.txt and prints the total of each zone.

function look_up(zone,    line, part, found) {
    found = 0
    while ((getline line < "zones.txt") > 0) {
        split(line, part, " ")
        if (part[1] == zone) {
            per_kg = part[2]
            minimum = part[3]
            found = 1
            break
        }
    }
    close("zones.txt")
    return found
}

BEGIN { printf "" > "charges.txt" }

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
