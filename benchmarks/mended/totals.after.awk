# Writes the running total of the second field.
{
  total += $2
  print $1, total > "out"
}
