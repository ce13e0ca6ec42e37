#!/bin/bash
# Looks through the log of a web server for visitors that should be kept out: those that ask for pages
# of the administration, or meet many errors. Prints a line for each suspicious request, and the list.
set -u

log=${1:-access.log}
limit=6
declare -A errors probes

suspicious() {
    printf '%s %s: %s\n' "$1" "$2" "$3"
}

look_at() {
    local address=${1%% *} request status
    request=${1#*\"}
    status=${request#*\" }
    request=${request%%\?*}
    status=${status%% *}
    case $request in
        *' /admin/'*)
            probes[$address]=$((${probes[$address]:-0} + 1))
            suspicious "$address" probe "$request"
            ;;
    esac
    case $status in
        403|404)
            errors[$address]=$((${errors[$address]:-0} + 1))
            ;;
    esac
}

scan() {
    local line
    while IFS= read -r line; do
        case $line in
            '#'*) continue ;;
        esac
        look_at "$line"
        lines=$((lines + 1))
    done
}

verdict() {
    local address
    echo "$lines requests"
    for address in "${!errors[@]}"; do
        if ((errors[$address] >= limit && ${probes[$address]:-0} > 1)); then
            printf 'deny from %s # %d errors, %d probes\n' "$address" "${errors[$address]}" \
                "${probes[$address]}"
        fi
    done | LC_ALL=C sort | tee deny.list
}

lines=0
scan < "$log"
verdict
