#!/bin/bash
# roster: count the hours of the volunteers of a lifeboat station.
# watches.txt has lines "date|name|from|to|remarks"; writes late.txt (watches
# after 22 o'clock) and prints the hours of each volunteer.

declare -A hours watches
: > late.txt
exec 3> late.txt

add_watches() {
    local date name from to remarks length
    while IFS='|' read -r date name from to remarks; do
        [[ $date == \#* || -z $to ]] && continue
        length=$(( (10#$to - 10#$from + 24) % 24 ))
        hours[$name]=$(( ${hours[$name]:-0} + length ))
        watches[$name]=$(( ${watches[$name]:-0} + 1 ))
        if (( 10#$from + length > 22 )); then
            echo "$date $name $length hours: $remarks" >&3
        fi
    done
}

report() {
    local name
    for name in "${!hours[@]}"; do
        echo "$name: ${hours[$name]} hours in ${watches[$name]} watches"
    done
}

cat watches.txt | {
    add_watches
    report | LC_ALL=C sort
}
