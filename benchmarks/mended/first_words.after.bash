# Counts the lines of each kind. The shell takes each line apart itself.
declare -A counts
while read -r _ kind _; do
  ((counts[$((kind % 5))] += 1))
done < <(head -n 300)
for kind in 0 1 2 3 4; do
  echo "$kind ${counts[$kind]}"
done
