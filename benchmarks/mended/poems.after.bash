#!/bin/bash
# sets an anthology: numbered lines, indents every other one, and prints the contents
book=anthology.txt
out=anthology.out
exec 3> $out

syllables() {
    local w=$1 n=0 i c last=-
    for ((i = 0; i < ${#w}; i++)); do
        c=${w:i:1}
        case $c in
        [aeiouy]) [[ $last == [aeiouy] ]] || ((n++)) ;;
        esac
        last=$c
    done
    syl=$((n ? n : 1))
}

mapfile -t text < $book
lines=${#text[@]}
title=
n=0
total=0
for ((i = 1; i <= lines; i++)); do
    line=${text[i - 1]}
    if [[ $line == "= "* ]]; then
        [[ $title ]] && printf '%-12s %3d lines %4d syllables\n' "$title" $n $total
        title=${line#= }
        n=0
        total=0
        printf '\n%s\n\n' "${title^^}" >&3
        continue
    fi
    ((n++))
    count=0
    for word in $line; do
        syllables "$word"
        ((count += syl))
    done
    ((total += count))
    pad=
    ((n % 2)) || pad='    '
    printf '%3d  %s%s (%d)\n' $n "$pad" "${line^}" $count >&3
done
printf '%-12s %3d lines %4d syllables\n' "$title" $n $total
