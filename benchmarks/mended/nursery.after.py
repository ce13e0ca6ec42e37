#!/usr/bin/env python3
"""nursery: follows the growth of the seedlings in heights.txt ("day bed plant millimetres")."""


def main():
    last = {}
    beds = {}

    with open("heights.txt") as heights, open("growth.log", "w") as log:
        for line in heights:
            day, bed, plant, height = line.split()
            day = int(day)
            height = float(height)
            key = bed, plant
            if key in last:
                then, before = last[key]
                if day > then:
                    rate = (height - before) / (day - then)
                    log.write(f"{bed} {plant} day {day} {rate:+.2f} mm/day\n")
                    beds.setdefault(bed, []).append(rate)
            last[key] = day, height
    for bed, rates in sorted(beds.items()):
        rates.sort()
        print(f"{bed}: {len(rates)} rates, median {rates[len(rates) // 2]:.3f}")


main()
