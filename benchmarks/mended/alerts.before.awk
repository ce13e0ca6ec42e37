# Follows the mean of a sensor and prints each outlier at once: system("") empties awk's buffer.
BEGIN { mean = 500; spread = 250 }
{
  distance = $2 - mean
  mean += distance / 50
  spread += ((distance < 0 ? -distance : distance) - spread) / 50
  if (distance > spread || distance < -spread) {
    printf "%s %d %.2f %.3f\n", $1, $2, mean, sqrt(spread) + log(NR)
    system("")
  }
}
