# Notes every step in a journal, which each command opens for itself.
total=0
for ((step = 0; step < 60000; ++step)); do
  total=$((total + step % 7))
  printf '%d %d\n' "$step" "$total" >> out
done
