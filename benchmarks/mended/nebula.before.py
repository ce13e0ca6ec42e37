"""Makes a catalogue of the stars of a game as a table, star by star, and counts the sectors."""
import math

STARS = 60000
CLASSES = "OBAFGKM"
PREFIXES = ["Al", "Be", "Ca", "Den", "El", "Fom", "Gie", "Ha", "Izar", "Ke", "Mi", "Nu"]
SUFFIXES = ["debar", "tel", "pella", "eb", "nath", "alhaut", "nah", "mal", "id", "tor", "ra", "s"]


class Generator:
    def __init__(self, seed):
        self.state = seed

    def unit(self):
        self.state = (self.state * 1103515245 + 12345) & 0x7FFFFFFF
        return (self.state >> 8) / (1 << 23)

    def below(self, n):
        return int(self.unit() * n)


class Star:
    def __init__(self, number, g):
        self.name = PREFIXES[g.below(12)] + SUFFIXES[g.below(12)] + f"-{number}"
        self.kind = CLASSES[min(6, int(7 * math.sqrt(g.unit())))]
        radius = 50000 * math.sqrt(g.unit())
        arm = g.below(4) * math.pi / 2 + radius / 9000
        self.x = int(radius * math.cos(arm))
        self.y = int(radius * math.sin(arm))

    def sector(self):
        return f"{(self.x + 50000) // 10000}{'ABCDEFGHIJK'[(self.y + 50000) // 10000]}"


def brightness(star):
    distance = math.hypot(star.x - 26000, star.y) + 1
    return 5 * math.log10(distance / 10) + 1.5 * CLASSES.index(star.kind) - 5


def row(out, *cells):
    for cell in cells[:-1]:
        print(cell, end="\t", file=out, flush=True)
    print(cells[-1], file=out, flush=True)


def main():
    g = Generator(1054)
    out = open("catalogue.tsv", "w")
    row(out, "name", "class", "sector", "magnitude")
    sectors = {}
    classes = dict.fromkeys(CLASSES, 0)
    visible = 0
    for number in range(1, STARS + 1):
        star = Star(number, g)
        magnitude = brightness(star)
        sector = star.sector()
        sectors[sector] = sectors.get(sector, 0) + 1
        classes[star.kind] += 1
        visible += magnitude < 12
        row(out, star.name, star.kind, sector, f"{magnitude:.2f}")
    out.close()
    for sector, count in sorted(sectors.items(), key=lambda item: (-item[1], item[0]))[:10]:
        print("sector", sector, count)
    for kind, count in classes.items():
        print("class", kind, count)
    print("visible", visible)


if __name__ == "__main__":
    main()
