#!/bin/bash
# dairy: reads milk.txt ("cow day litres fat") and writes the milk book,
# book.txt; prints the litres of each cow.
declare -A litres
total=0

rm -f book.txt
while read -r cow day amount fat; do
  ((litres[$cow] += amount))
  ((total += amount))
  if ((fat >= 45)); then
    class=rich
  elif ((fat >= 36)); then
    class=whole
  else
    class=thin
  fi
  echo "day $day" >> book.txt
  echo "  $cow" >> book.txt
  echo "  $amount litres" >> book.txt
  echo "  $((fat / 10)).$((fat % 10))% $class" >> book.txt
done < milk.txt
for ((i = 1; i <= 120; i++)); do
  echo "cow$i ${litres[cow$i]:-0}"
done
echo "all $total"
