# Counts the votes of an election: the counts of the candidates are in a variable.
counts=()
for ((candidate = 0; candidate < 20; ++candidate)); do
  counts[candidate]=0
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
  ((counts[candidate] += 1))
done
for ((candidate = 0; candidate < 20; ++candidate)); do
  echo "$candidate ${counts[candidate]}"
done
