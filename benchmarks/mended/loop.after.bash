# Writes the numbers that no small prime divides.
for ((number = 1; number <= 250000; ++number)); do
  if ((number % 2 && number % 3 && number % 5)); then
    echo "$number"
  fi
done >> out
