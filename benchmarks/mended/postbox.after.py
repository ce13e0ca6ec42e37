#!/usr/bin/env python3
"""postbox - files the letters that the scanner has put into "inbox.txt".

A letter begins with a line "@letter"; its head has "From:", "Date:" and "Re:" lines. Each goes to
the folder "filed" as CLASS-NUMBER.txt, where the class comes from the words in the letter and
the numbers run on in each class; register.txt has a line for each letter.
"""
import os
import shutil
import sys
from collections import Counter

FOLDER = 'filed'

CLASSES = {
    'tax': ('tax', 'revenue', 'assessment', 'levy'),
    'water': ('water', 'meter', 'pipe', 'drain'),
    'school': ('school', 'pupil', 'teacher', 'lesson'),
    'roads': ('road', 'lamp', 'kerb', 'bridge'),
}


def letters(path):
    """The letters of the file, as pairs of a dict with the head and the list of lines."""
    head, body, inhead = None, [], False
    with open(path) as f:
        for line in f:
            if line.startswith('@letter'):
                if head is not None:
                    yield head, body
                head, body, inhead = {}, [], True
            elif head is None:
                continue
            elif inhead and ':' in line:
                key, value = line.split(':', 1)
                head[key.strip().lower()] = value.strip()
            else:
                inhead = False
                body.append(line)
    if head is not None:
        yield head, body


def classify(head, body):
    """The class whose words come most often; "misc" if none do."""
    counts = Counter()
    for line in [head.get('re', '')] + body:
        for word in line.lower().split():
            word = word.strip('.,;:!?()')
            for name, stems in CLASSES.items():
                if word.startswith(stems):
                    counts[name] += 1
    if not counts:
        return 'misc'
    return min(counts, key=lambda name: (-counts[name], name))


def wrap(lines, width=72):
    """The lines as paragraphs no wider than the width."""
    out, line = [], ''
    for text in lines + ['\n']:
        if not text.strip():
            if line:
                out.append(line)
            out.append('')
            line = ''
            continue
        for word in text.split():
            if line and len(line) + 1 + len(word) > width:
                out.append(line)
                line = word
            else:
                line = line + ' ' + word if line else word
    return out


numbers = {}


def next_number(kind):
    """One more than the highest number that a letter of this class has."""
    if not numbers:
        for name in os.listdir(FOLDER):
            head, _, tail = name.partition('-')
            numbers[head] = max(numbers.get(head, 0), int(tail[:-4]))
    numbers[kind] = numbers.get(kind, 0) + 1
    return numbers[kind]


def file_letter(head, body):
    kind = classify(head, body)
    name = '%s-%05d.txt' % (kind, next_number(kind))
    with open(os.path.join(FOLDER, name), 'w') as out:
        out.write('%s, %s\n%s\n\n' % (head.get('from', '?'), head.get('date', '?'),
                                      head.get('re', '').upper()))
        out.write('\n'.join(wrap(body)) + '\n')
    return kind, name


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.mkdir(FOLDER)
    kinds, senders = Counter(), Counter()
    with open('register.txt', 'w') as register:
        for head, body in letters('inbox.txt'):
            kind, name = file_letter(head, body)
            kinds[kind] += 1
            senders[head.get('from', '?')] += 1
            register.write('%s  %-10s %s: %s\n' % (name, head.get('date', '?'),
                                                   head.get('from', '?'), head.get('re', '')))
    for kind in sorted(kinds):
        print('%-8s %5d letters' % (kind, kinds[kind]))
    for sender, count in sorted(senders.items(), key=lambda s: (-s[1], s[0]))[:10]:
        print('%5d from %s' % (count, sender))
    return 0


if __name__ == '__main__':
    sys.exit(main())
