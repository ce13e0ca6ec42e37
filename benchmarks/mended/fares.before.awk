# fares: prices each trip by distance, passenger and hour, and adds up the takings of each hour

{
  price = 120 + 7 * $2
  if ($3 == "child")
    price /= 2
  hour = substr($4, 1, 2) + 0
  if (hour >= 7 && hour < 9)
    price += 50
  taken[hour] += price
  print $1, hour, price
  fflush()
}

END {
  for (h = 0; h < 24; h++)
    print "hour", h, taken[h] + 0
}
