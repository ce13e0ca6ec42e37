# Readings of the probes in the tanks of an aquarium.
python3 - > readings.csv <<'P'
import random
r = random.Random(4)
kinds = ["temperature", "ph", "nitrate", "salinity", "oxygen"]
base = [25, 8, 12, 34, 7]
print("time,tank,kind,value")
for i in range(30000):
    k = r.randrange(5)
    v = base[k] * (1 + r.uniform(-0.08, 0.08))
    print(f"{i * 20},tank{r.randrange(24):02d},{kinds[k]},{v:.3f}" if i % 997 else f"{i * 20},?,,")
P
