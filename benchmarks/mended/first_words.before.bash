# Counts the lines of each kind. For each line it starts echo's subshell and cut.
declare -A counts
while read -r line; do
  kind=$(echo "$line" | cut -d' ' -f2)
  ((counts[$((kind % 5))] += 1))
done < <(head -n 300)
for kind in 0 1 2 3 4; do
  echo "$kind ${counts[$kind]}"
done
