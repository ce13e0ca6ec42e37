#!/usr/bin/env python3
"""kitchen: turns recipes.txt ("dish:food=grams;...") into shopping cards in CSV, for 12 people."""
import csv
import io

PARTY = 12
ENERGY = {"flour": 3.6, "sugar": 4.0, "butter": 7.2, "eggs": 1.5, "milk": 0.6, "oil": 8.8}


def card(dish, foods):
    f = io.StringIO(newline="")
    writer = csv.writer(f)
    writer.writerow(["dish", dish, f"for {PARTY}, please"])
    for food, grams in foods:
        writer.writerow([food, grams * PARTY, round(grams * ENERGY.get(food, 0))])
    return f.getvalue()


def main():
    total = {}
    with open("recipes.txt") as recipes, open("cards.csv", "w", newline="") as cards:
        for line in recipes:
            dish, _, rest = line.strip().partition(":")
            foods = []
            for item in rest.split(";"):
                food, grams = item.split("=")
                foods.append((food, int(grams)))
                total[food] = total.get(food, 0) + int(grams) * PARTY
            cards.write(card(dish, foods))
    for food in sorted(total):
        print(f"{food:8} {total[food] / 1000:10.1f} kg")


main()
