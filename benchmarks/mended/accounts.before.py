# Books payments, and saves all accounts after each.
import itertools
import json
import sys

accounts = {f"account {number}": {"balance": 0, "payments": 0} for number in range(60)}


def save():
    with open("out", "w", encoding="ascii") as file:
        json.dump(accounts, file)


def checksum(text):
    value = 0
    for letter in text * 20:
        value = (value * 31 + ord(letter)) % 1_000_003
    return value


refused = 0
for line in itertools.islice(sys.stdin, 2500):
    name, amount = line.split()[:2]
    if checksum(name) % 11 == 0:
        refused += 1
        continue
    account = accounts[f"account {int(amount) % 60}"]
    account["balance"] += int(amount)
    account["payments"] += 1
    save()
print(refused)
