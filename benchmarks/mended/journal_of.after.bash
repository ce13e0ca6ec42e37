# Opens the journal once, for the whole loop.
total=0
for ((step = 0; step < 60000; ++step)); do
  total=$((total + step % 7))
  printf '%d %d\n' "$step" "$total"
done >> out
