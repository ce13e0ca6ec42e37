# Watches the load of ten machines and reports each that stays too high, in a file that stays open.
BEGIN { high = 700; low = 550 }
{
  machine = $2 % 10
  load[machine] = load[machine] * 0.9 + $2 * 0.1
  if ($2 > peak[machine]) peak[machine] = $2
  if (load[machine] <= low) {
    raised[machine] = 0
  } else if (load[machine] > high && !raised[machine]) {
    raised[machine] = 1
    ++alarms
    print "machine " machine " has load " int(load[machine]) " at " $1 >> "out"
  }
}
END {
  for (machine = 0; machine < 10; ++machine) print machine, load[machine], peak[machine]
  print alarms
}
