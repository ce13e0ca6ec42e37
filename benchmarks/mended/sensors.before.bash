#!/bin/bash
# sensors: daily report from a CSV of room readings (time,room,temp,humidity)
declare -A sum n max
crc=0

checksum() {            # small rolling checksum over the text of the line
    local s=$1$1$1$1$1$1 i c
    for ((i = 0; i < ${#s}; i++)); do
        printf -v c %d "'${s:i:1}"
        crc=$(( (crc * 31 + c) & 0xffffff ))
    done
}

while read -r line; do
    time=$(echo "$line" | cut -d, -f1)
    room=$(echo "$line" | cut -d, -f2)
    temp=$(echo "$line" | cut -d, -f3)
    hum=$(echo "$line" | cut -d, -f4)
    checksum "$line"
    t10=${temp/./}
    (( sum[$room] += t10, n[$room]++ ))
    (( t10 > ${max[$room]:-0} )) && max[$room]=$t10
    # dew point, rough rule: T - (100 - RH) / 5
    dew=$(( t10 - (100 - hum) * 2 ))
    printf '%s %-8s %3d.%d C  %d %%  dew %d.%d\n' "${time/T/ }" "$room" $((t10 / 10)) $((t10 % 10)) "$hum" $((dew / 10)) $((dew < 0 ? -dew % 10 : dew % 10))
done < readings.csv > report.txt

for room in attic cellar garage kitchen porch; do
    avg=$(( sum[$room] / n[$room] ))
    echo "$room: n=${n[$room]} avg=$((avg / 10)).$((avg % 10)) max=$((max[$room] / 10)).$((max[$room] % 10))"
done
echo "checksum $crc"
