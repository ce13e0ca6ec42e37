#!/bin/bash
# lighthouse - reads the list of lights (lights.csv: number, name, character, range in miles,
# latitude, longitude, height in metres), works out the period and the flashes of each from
# its character, such as Fl(3)WRG.15s, and writes lights.txt and a summary of the coasts.

list=lights.csv
out=lights.txt

# sets kind, flashes, colours and period (in tenths of a second) from a character
character() {
    local c=$1
    kind=F flashes=1 colours=W period=0
    if [[ $c =~ ^(Fl|Oc|Iso|Q|VQ|LFl|F|Mo)(\(([0-9A-Z+]+)\))?([WRGY]*)(\.([0-9]+)(\.([0-9]))?s)?$ ]]
    then
        kind=${BASH_REMATCH[1]}
        case ${BASH_REMATCH[3]} in
        '') ;;
        *+*) flashes=$((BASH_REMATCH[3])) ;;
        *[A-Z]*) flashes=${#BASH_REMATCH[3]} ;;
        *) flashes=${BASH_REMATCH[3]} ;;
        esac
        colours=${BASH_REMATCH[4]:-W}
        period=$((10#${BASH_REMATCH[6]:-0} * 10 + ${BASH_REMATCH[8]:-0}))
        return 0
    fi
    return 1
}

# the coast a light belongs to, by its latitude and longitude in hundredths of a degree
coast() {
    local lat=$1 lon=$2
    if ((lat > 6000)); then coast=north
    elif ((lon < 0)); then coast=west
    elif ((lon > 1000)); then coast=east
    else coast=south
    fi
}

# sees: how far a light of this height is seen, in tenths of a mile, by whole number roots
sees() {
    local h=$(($1 * 10000)) r=1 last=0
    ((h == 0)) && { sees=0; return; }
    r=$h
    while ((r != last && r * r > h)); do
        last=$r
        r=$(((r + h / r) / 2))
    done
    sees=$((r * 208 / 1000))
}

declare -A lights reach slow bad kinds

cat "$list" | {
    read -r heading
    n=0
    while IFS=, read -r number name char range lat lon height remark; do
        n=$((n + 1))
        if ! character "$char"; then
            bad[$name]=$char
            continue
        fi
        coast "$lat" "$lon"
        sees "$height"
        kinds[$kind]=$((${kinds[$kind]:-0} + 1))
        lights[$coast]=$((${lights[$coast]:-0} + 1))
        ((range * 10 > ${reach[$coast]:-0})) && reach[$coast]=$((range * 10))
        ((period > ${slow[$coast]:-0})) && slow[$coast]=$period
        limit=$((range * 10 < sees ? range * 10 : sees))
        printf '%s %-14s %-4s %d %-3s %3d.%ds %2d.%d M %s\n' "$number" "$name" "$kind" "$flashes" \
            "$colours" $((period / 10)) $((period % 10)) $((limit / 10)) $((limit % 10)) "$coast"
    done >"$out"
    echo "$n lights"
    for c in north east south west; do
        printf '%-6s %4d lights, reach %3d miles, slowest %d.%d s\n' "$c" "${lights[$c]:-0}" \
            $((${reach[$c]:-0} / 10)) $((${slow[$c]:-0} / 10)) $((${slow[$c]:-0} % 10))
    done
    for k in F Fl LFl Oc Iso Q VQ Mo; do
        echo "  $k ${kinds[$k]:-0}"
    done
    for name in "${!bad[@]}"; do
        echo "not understood: $name ${bad[$name]}"
    done | sort
}
