#!/usr/bin/env python3
"""ringing - keeps the ringings and recoveries of birds.

Reads the lines of "rings" (date, ring, species, place, wing in mm, weight in g) into a data
base, marking each bird's line as new or recovered, and then writes the reports report.txt
(species and places) and journeys.txt (birds caught again far from where they were ringed).
"""
import math
import os
import sqlite3
import sys

PLACES = {
    'skagen': (57.7, 10.6), 'falsterbo': (55.4, 12.8), 'ottenby': (56.2, 16.4),
    'helgoland': (54.2, 7.9), 'rybachy': (55.2, 20.8), 'pape': (56.2, 21.0),
    'bretolet': (46.1, 6.8), 'gibraltar': (36.1, -5.3), 'eilat': (29.6, 34.9),
}


def distance(a, b):
    """Kilometres between two places, along the great circle."""
    (la, oa), (lb, ob) = ([math.radians(v) for v in PLACES[p]] for p in (a, b))
    h = math.sin((lb - la) / 2) ** 2
    h += math.cos(la) * math.cos(lb) * math.sin((ob - oa) / 2) ** 2
    return 2 * 6371 * math.asin(math.sqrt(h))


def create(path):
    if os.path.exists(path):
        os.remove(path)
    db = sqlite3.connect(path)
    db.executescript('''
        create table catch (id integer primary key, date text, ring text, species text,
                            place text, wing real, weight real, state text);
        create index by_ring on catch (ring);
    ''')
    return db


def check(fields):
    """The fields of a line with their types, or an error message."""
    if len(fields) != 6:
        return None, 'not six fields'
    date, ring, species, place, wing, weight = fields
    if place not in PLACES:
        return None, 'no such place: ' + place
    try:
        wing, weight = float(wing), float(weight)
    except ValueError:
        return None, 'not a measure'
    if not 30 < wing < 700 or not 4 < weight < 6000:
        return None, 'no such bird: %g mm, %g g' % (wing, weight)
    return (date, ring, species, place, wing, weight), None


def enter(db, path):
    """Enters the lines of the file; returns the number of birds and of errors."""
    good = bad = 0
    with open(path) as lines:
        for number, line in enumerate(lines, 1):
            row, error = check(line.split())
            if error:
                print('line %d: %s' % (number, error))
                bad += 1
                continue
            seen = db.execute('select count(*) from catch where ring = ?', (row[1],))
            state = 'recovered' if seen.fetchone()[0] else 'new'
            db.execute('insert into catch (date, ring, species, place, wing, weight, state)'
                       ' values (?, ?, ?, ?, ?, ?, ?)', row + (state,))
            db.commit()
            good += 1
    return good, bad


def report(db, path):
    with open(path, 'w') as out:
        out.write('species        new  again   wing  weight\n')
        for row in db.execute('''
                select species, sum(state = 'new'), sum(state = 'recovered'), avg(wing),
                avg(weight) from catch group by species order by species'''):
            out.write('%-12s %5d  %5d  %5.1f  %6.1f\n' % row)
        out.write('\n')
        for row in db.execute('''
                select place, substr(date, 1, 7), count(*) from catch
                group by 1, 2 order by 1, 2'''):
            out.write('%-12s %s %5d\n' % row)


def journeys(db, path):
    found = []
    for ring, here, there, when, then in db.execute('''
            select a.ring, a.place, b.place, a.date, b.date from catch a, catch b
            where b.ring = a.ring and b.id > a.id and b.place <> a.place
            order by a.id, b.id'''):
        found.append((distance(here, there), ring, here, there, when, then))
    found.sort(key=lambda f: (-f[0], f[1:]))
    with open(path, 'w') as out:
        for f in found:
            out.write('%6.0f km  %s  %s to %s, %s to %s\n' % f)
    return len(found), found[0][0] if found else 0


def main():
    db = create('ringing.db')
    good, bad = enter(db, 'rings')
    report(db, 'report.txt')
    count, farthest = journeys(db, 'journeys.txt')
    db.close()
    os.remove('ringing.db')
    print('%d birds, %d bad lines, %d journeys, the farthest %.0f km' % (
        good, bad, count, farthest))
    return 0


if __name__ == '__main__':
    sys.exit(main())
