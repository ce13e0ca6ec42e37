# iban - checks orders of direct debit: each line has an account number (IBAN), an amount and
# a name. Lines with a wrong length, a wrong letter or a wrong check number go to refused.txt
# with the reason; the sums for each bank go to banks.txt, and a summary to standard output.

BEGIN {
    split("DE 22 AT 20 CH 21 FR 27 NL 18 BE 16 PL 28 IT 27", f, " ")
    for (i = 1; i in f; i += 2)
        len[f[i]] = f[i + 1]
    split("DE 8 AT 5 CH 5 FR 5 NL 4 BE 3 PL 8 IT 5", f, " ")
    for (i = 1; i in f; i += 2)
        banklen[f[i]] = f[i + 1]
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    for (i = 1; i <= 26; i++)
        value[substr(letters, i, 1)] = i + 9
    for (i = 0; i <= 9; i++)
        value[i] = i
}

# the account number as a number: country and check digits last, letters as two digits
function digits(iban,    s, i, n) {
    iban = substr(iban, 5) substr(iban, 1, 4)
    n = length(iban)
    s = ""
    for (i = 1; i <= n; i++)
        s = s value[substr(iban, i, 1)]
    return s
}

# the rest of the long number n after division by 97
function rest(n,    r) {
    r = ""
    while (n != "") {
        r = (r substr(n, 1, 9)) % 97
        n = substr(n, 10)
    }
    return r + 0
}

# what is wrong with the account number, or nothing
function wrong(iban,    c) {
    c = substr(iban, 1, 2)
    if (!(c in len))
        return "country"
    if (length(iban) != len[c])
        return "length"
    if (iban !~ /^[A-Z][A-Z][0-9][0-9][0-9A-Z]+$/)
        return "letters"
    if (rest(digits(iban)) != 1)
        return "check number"
    return ""
}

function money(cents,    s, sign) {
    sign = cents < 0 ? "-" : ""
    s = sprintf("%03d", cents < 0 ? -cents : cents)
    s = substr(s, 1, length(s) - 2) "." substr(s, length(s) - 1)
    while (s ~ /[0-9][0-9][0-9][0-9][.']/)
        s = gensub(/([0-9])([0-9][0-9][0-9][.'])/, "\\1'\\2", 1, s)
    return sign s
}

/^#/ || NF < 3 {
    skipped++
    next
}

{
    iban = toupper($1)
    gsub(/-/, "", iban)
    name = $3
    for (i = 4; i <= NF; i++)
        name = name " " $i
    why = wrong(iban)
    if (why == "" && $2 !~ /^[0-9]+\.[0-9][0-9]$/)
        why = "amount"
    if (why != "") {
        reasons[why]++
        refused++
        printf "%6d %-12s %-34s %s\n", NR, why, iban, name > "refused.txt"
        next
    }
    c = substr(iban, 1, 2)
    cents = int($2 * 100 + 0.5)
    bank = c " " substr(iban, 5, banklen[c])
    orders[bank]++
    sum[bank] += cents
    bycountry[c] += cents
    total += cents
    good++
    if (cents > most) {
        most = cents
        mostname = name
    }
    if (seen[iban, $2]++ == 1)
        twice++
}

END {
    PROCINFO["sorted_in"] = "@ind_str_asc"
    for (bank in orders)
        printf "%-12s %5d %16s\n", bank, orders[bank], money(sum[bank]) > "banks.txt"
    printf "%d orders of %s, %d refused, %d skipped\n", good, money(total), refused, skipped
    for (why in reasons)
        printf "  %-14s %d\n", why, reasons[why]
    for (c in bycountry)
        printf "  %s %18s\n", c, money(bycountry[c])
    printf "the largest is from %s: %s; %d were given twice or more\n", mostname, money(most), twice
}
