#!/usr/bin/env python3
"""crawler - goes through the pages of a web site that lies in the folder "site".

Follows the links from index.html, breadth first, keeps its state in crawl.json so that a crawl
that was broken off can be taken up again, and writes ranks and dead links to sitemap.txt.
"""
import json
import os
import re
import sys
from html.parser import HTMLParser

SITE = 'site'
STATE = 'crawl.json'


class Page(HTMLParser):
    """The title, the links and the number of words of a page."""

    def __init__(self, text):
        super().__init__()
        self.title = ''
        self.links = []
        self.words = 0
        self.inside = ''
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.inside = tag
        if tag == 'a':
            to = dict(attrs).get('href', '')
            if to and not re.match(r'[a-z]+:', to):
                self.links.append(to.split('#')[0])

    def handle_endtag(self, tag):
        self.inside = ''

    def handle_data(self, data):
        if self.inside == 'title':
            self.title = data.strip()
        self.words += len(data.split())


def save(state):
    with open(STATE + '.new', 'w') as out:
        json.dump(state, out, indent=1)
    os.replace(STATE + '.new', STATE)


def crawl(state):
    """Takes pages from the queue until it is empty."""
    waiting = set(state['queue'])
    while state['queue']:
        name = state['queue'].pop(0)
        waiting.discard(name)
        path = os.path.join(SITE, name)
        try:
            with open(path, encoding='utf-8') as f:
                page = Page(f.read())
        except OSError:
            state['dead'].append(name)
            state['pages'][name] = None
            save(state)
            continue
        links = sorted(set(page.links))
        state['pages'][name] = {'title': page.title, 'words': page.words, 'links': len(links)}
        for to in links:
            state['from'].setdefault(to, []).append(len(state['pages']))
            if to not in state['pages'] and to not in waiting:
                state['queue'].append(to)
                waiting.add(to)
        save(state)


def sitemap(state, path):
    """Pages by how many others point to them, then the dead links."""
    names = [n for n in state['pages'] if state['pages'][n]]
    names.sort(key=lambda n: (-len(state['from'].get(n, ())), n))
    with open(path, 'w') as out:
        for n in names:
            p = state['pages'][n]
            out.write('%4d %-12s %5d words, %3d links  %s\n' % (
                len(state['from'].get(n, ())), n, p['words'], p['links'], p['title']))
        for n in sorted(state['dead']):
            out.write('dead %s, named by %d pages\n' % (n, len(state['from'][n])))
    return names


def main():
    # a state with nothing left to do belongs to a crawl that came to its end
    state = None
    if os.path.exists(STATE):
        with open(STATE) as f:
            state = json.load(f)
    if not state or not state['queue']:
        state = {'queue': ['index.html'], 'pages': {}, 'from': {}, 'dead': []}
    crawl(state)
    names = sitemap(state, 'sitemap.txt')
    words = sum(state['pages'][n]['words'] for n in names)
    print('%d pages, %d words, %d dead links' % (len(names), words, len(state['dead'])))
    for n in names[:10]:
        print('  %s %s' % (n, state['pages'][n]['title']))
    return 0


if __name__ == '__main__':
    sys.exit(main())
