# ribbon: adds up the cut pieces of each ribbon ("colour-millimetres metres
# ...") on standard input, and prints a label for each roll.
function upper(text,   command, result) {
  command = "echo " text " | tr a-z A-Z"
  command | getline result
  close(command)
  return result
}

{
  total = longest = 0
  for (i = 2; i <= NF; i++) {
    total += $i
    if ($i > longest) longest = $i
  }
  split($1, part, "-")
  metres[part[1]] += total
  area += total * part[2] / 1000
  printf "%-12s %4d pieces %8.2f m, longest %.2f\n", upper($1), NF - 1, total, longest
}

END {
  n = split("blue gold green ivory red", order, " ")
  for (i = 1; i <= n; i++) printf "%s %.2f\n", order[i], metres[order[i]]
  printf "%.3f square metres\n", area
}
