#!/bin/bash
# severity: sums the events of events.txt by severity and device into severity.txt

declare -A count blocks
notes=0 letters=0

while IFS= read -r line; do
  if [[ $line == '#'* ]]; then
    notes=$((notes + 1))
    for ((i = 0; i < ${#line}; i++)); do
      [[ ${line:i:1} == [a-z] ]] && letters=$((letters + 1))
    done
    continue
  fi
  level=$(echo "$line" | cut -d'|' -f2)
  device=$(echo "$line" | cut -d'|' -f3)
  n=$(echo "$line" | cut -d'|' -f4)
  n=${n% blocks}
  count[$level/$device]=$((${count[$level/$device]:-0} + 1))
  blocks[$level/$device]=$((${blocks[$level/$device]:-0} + n))
done < events.txt

for level in error warn; do
  for device in disk{0..7}; do
    key=$level/$device
    echo "$level $device ${count[$key]:-0} events ${blocks[$key]:-0} blocks"
  done
done > severity.txt
echo "$notes notes, $letters letters"
