"""discs: check a record collection.

collection.csv lists the albums (artist, title, year); the folder covers has
the pictures of the sleeves.  Writes missing.txt, the albums without picture,
and prints how many of each decade have one.
"""
import csv
import os
from collections import Counter


def file_name(artist, title):
    name = (artist + '_' + title).lower().replace(' ', '_')
    return ''.join(c for c in name if c.isalnum() or c == '_')


def find_cover(covers, artist, title):
    name = file_name(artist, title)
    for ending in ('.jpg', '.png', '.gif'):
        if name + ending in covers:
            return name + ending
    return None


def main():
    total = Counter()
    found = Counter()
    endings = Counter()
    covers = set(os.listdir('covers'))
    with open('collection.csv', newline='') as f, open('missing.txt', 'w') as missing:
        for artist, title, year in csv.reader(f):
            decade = int(year) // 10 * 10
            total[decade] += 1
            cover = find_cover(covers, artist, title)
            if cover:
                found[decade] += 1
                endings[cover[-3:]] += 1
            else:
                missing.write('%s: %s (%s)\n' % (artist, title, year))
    for decade in sorted(total):
        print('%ds: %d of %d' % (decade, found[decade], total[decade]))
    for ending, n in sorted(endings.items()):
        print(ending, n)


main()
