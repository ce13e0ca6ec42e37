# Divides the water meter readings by district, a file for each, marks implausible ones and prints a
# summary of consumption by district and month.
BEGIN {
    FS = ";"
    OFS = "\t"
    limit = 500
}

function file_of(district) {
    return "district-" tolower(district) ".tsv"
}

function put(file, text) {
    if (!(file in begun)) {
        printf "" > file
        close(file)
        begun[file] = 1
    }
    print text >> file
    close(file)
}

function month_of(date,   parts) {
    split(date, parts, "-")
    return parts[1] "-" parts[2]
}

function consider(district, house, date, amount) {
    if (amount > limit) {
        put("implausible.tsv", district OFS house OFS date OFS amount)
        strange[district]++
        return
    }
    month = month_of(date)
    put(file_of(district), sprintf("%s\t%s\t%8.1f\t%8.1f", house, date, amount, total[house] += amount))
    sum[district, month] += amount
    readings[district]++
    districts[district]
    months[month]
}

NF == 4 {
    consider($1, $2, $3, $4 + 0)
    next
}

{
    bad++
}

END {
    n = asorti(districts, names)
    m = asorti(months, times)
    for (i = 1; i <= n; i++) {
        printf "%-8s %6d readings, %4d implausible\n", names[i], readings[names[i]], strange[names[i]]
        for (k = 1; k <= m; k++)
            printf "  %s %10.1f\n", times[k], sum[names[i], times[k]]
    }
    print bad + 0, "bad lines"
}
