# Writes a report of all lines, and flushes it after each so that nothing is lost.
{
  printf "%s\t%d\t%.1f\n", $1, $2, $2 / 7 > "out"
  fflush("out")
}
