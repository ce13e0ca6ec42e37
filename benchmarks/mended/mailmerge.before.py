"""Mail merge: write one balance letter per account into letters.txt."""
import hashlib
from string import Template


def load_template():
    with open("letter.tmpl") as f:
        return f.read()


def luhn(number):
    total = 0
    for i, ch in enumerate(reversed(number)):
        d = int(ch)
        if i % 2 == 0:
            d *= 2
            if d > 9:
                d -= 9
        total += d
    return (10 - total % 10) % 10


def render(name, account, cents):
    remark = "Thank you for your custom."
    if cents < 0:
        remark = "Please settle the amount within 14 days."
    text = Template(load_template())
    return text.substitute(
        name=name,
        date="31 March 2025",
        balance=f"{abs(cents) // 100}.{abs(cents) % 100:02d}{' DR' if cents < 0 else ''}",
        account=f"{account}-{luhn(account)}",
        remark=remark,
    )


def main():
    digest = hashlib.sha1()
    owed = n = 0
    with open("accounts.txt") as src, open("letters.txt", "w") as out:
        for line in src:
            name, account, moves = line.rstrip("\n").split(";")
            cents = sum(map(int, moves.split(",")))
            letter = render(name, account, cents)
            digest.update(letter.encode())
            out.write(letter)
            out.write("\f\n")
            owed += max(0, -cents)
            n += 1
    print(n, "letters, owed", owed, digest.hexdigest())


main()
