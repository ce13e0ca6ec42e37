# Writes the running total of the second field, and flushes each.
{
  total += $2
  print $1, total > "out"
  fflush("out")
}
