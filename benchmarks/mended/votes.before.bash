# Counts the votes of an election: the count of each candidate is in a file of its own.
folder=/dev/shm/votes-$$  # in memory
mkdir "$folder"
for ((candidate = 0; candidate < 20; ++candidate)); do
  echo 0 > "$folder/$candidate"
done
mapfile -t -n 10000 ballots
for ballot in "${ballots[@]}"; do
  number=${ballot#line-}
  number=${number%% *}
  first=${ballot#* }
  first=${first%% *}
  # The check digit keeps out ballots that were misread.
  check=0
  for ((rest = number * 1000 + first; rest > 0; rest /= 10)); do
    ((check = (check * 3 + rest % 10) % 11))
  done
  ((check == 10)) && continue
  ((candidate = (first * 7 + check) % 20))
  read -r count < "$folder/$candidate"
  echo $((count + 1)) > "$folder/$candidate"
done
for ((candidate = 0; candidate < 20; ++candidate)); do
  read -r count < "$folder/$candidate"
  echo "$candidate $count"
done
rm -r "$folder"
