"""pamphlet: a static site generator.

Each article of articles.txt (blocks separated by a line "%%", the first line
of a block is the title) becomes a part of the site; the pages are collected
in site.html, the overview in index.html.
"""
import html
import re


def load_template(name):
    with open('templates/' + name + '.html', encoding='utf-8') as f:
        return f.read()


def render(name, **values):
    page = load_template(name)
    return re.sub(r'\{\{(\w+)\}\}', lambda m: str(values.get(m.group(1), '')), page)


def slug(title):
    return re.sub(r'[^a-z0-9]+', '-', title.lower()).strip('-')


def markup(text):
    text = html.escape(text)
    text = re.sub(r'\*(\w+)\*', r'<b>\1</b>', text)
    return text


def main():
    with open('articles.txt', encoding='utf-8') as f:
        articles = f.read().split('%%\n')
    entries = []
    with open('site.html', 'w', encoding='utf-8') as site:
        for number, article in enumerate(articles, 1):
            title, _, body = article.partition('\n')
            paragraphs = ''.join(render('paragraph', text=markup(p))
                                 for p in body.split('\n') if p)
            site.write(render('page', title=title, slug=slug(title), body=paragraphs,
                              number=number))
            entries.append(render('entry', title=title, slug=slug(title)))
    with open('index.html', 'w', encoding='utf-8') as f:
        f.write(render('index', entries=''.join(entries), count=len(entries)))
    print(len(articles), 'articles')


main()
