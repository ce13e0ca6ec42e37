#!/bin/bash
# Grades the grapes that the growers deliver: a receipt for each delivery, a list of those that
# are refused, and totals by kind and by grower.

in=weighings.txt
receipts=receipts.txt
refused=refused.txt
declare -A kilos worth price
declare -a grower_kilos
price=([riesling]=112 [pinot]=140 [merlot]=98 [syrah]=105 [malbec]=91)

exec 3> "$receipts"
exec 4> "$refused"

number=0
bad=0
while IFS=';' read -r time kind grower weight sugar; do
    if (( sugar >= 95 )); then
        class=A percent=120
    elif (( sugar >= 80 )); then
        class=B percent=100
    elif (( sugar >= 66 )); then
        class=C percent=80
    else
        echo "$time grower $grower: $weight kg of $kind, only $sugar degrees" >&4
        (( ++bad ))
        continue
    fi
    (( ++number ))
    (( cents = weight * price[$kind] * percent / 100 ))
    (( kilos[$kind] += weight, worth[$kind] += cents, grower_kilos[grower] += weight ))
    echo "receipt $number" >&3
    echo "  time    $time" >&3
    echo "  grower  $grower" >&3
    echo "  grapes  $kind, class $class" >&3
    echo "  weight  $weight kg" >&3
    echo "  worth   $cents cents" >&3
    echo >&3
done < "$in"
exec 3>&- 4>&-

echo "$number deliveries, $bad refused"
for kind in riesling pinot merlot syrah malbec; do
    printf '%-10s %8d kg %9d.%02d\n' "$kind" "${kilos[$kind]}" \
        $(( worth[$kind] / 100 )) $(( worth[$kind] % 100 ))
done
for grower in "${!grower_kilos[@]}"; do
    printf 'grower %2d: %7d kg\n' "$grower" "${grower_kilos[grower]}"
done
