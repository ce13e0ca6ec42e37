"""Convert the product catalogue from CSV to the JSON that the web shop loads."""
import csv
import json
import statistics


def slug(name):
    return "-".join(name.lower().split())


def product(row):
    w, h, d = float(row["width"]), float(row["height"]), float(row["depth"])
    return {
        "id": int(row["id"]),
        "name": row["name"],
        "slug": slug(row["name"]),
        "price": {"amount": float(row["price"]), "currency": "EUR"},
        "stock": int(row["stock"]),
        "tags": sorted(set(row["tags"].split(";"))),
        "size": [w, h, d],
        "volume": round(w * h * d / 1000, 3),
        "available": int(row["stock"]) > 0,
    }


def main():
    with open("catalog.csv", newline="") as f:
        items = [product(r) for r in csv.DictReader(f)]
    tags = {}
    for p in items:
        for t in p["tags"]:
            tags.setdefault(t, []).append(p["id"])
    doc = {
        "version": 3,
        "count": len(items),
        "median_price": statistics.median(p["price"]["amount"] for p in items),
        "products": items,
        "by_tag": tags,
    }
    with open("catalog.json", "w") as f:
        json.dump(doc, f)
    print(len(items), "products,", len(tags), "tags")


main()
