gawk 'BEGIN {
    x = 29
    split("GET POST HEAD PUT", m, " ")
    split("/index.html /shop/cart /login /api/v2/items /images/logo.png /admin/setup.php /feed.xml", p, " ")
    split("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/118.0 Safari/537.36;Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:109.0) Gecko/20100101 Firefox/118.0;curl/8.1.2;Googlebot/2.1 (+http://www.google.com/bot.html)", u, ";")
    for (i = 1; i <= 6500; i++) {
        x = (x * 69069 + 1) % 4294967296; a = int(x / 65536)
        x = (x * 69069 + 1) % 4294967296; b = int(x / 65536)
        if (i % 500 == 1) print "#Fields: address date request status bytes referrer agent"
        printf "10.%d.%d.%d [11/Mar/2021:%02d:%02d:%02d] \"%s %s?session=%08x\" %d %d \"https://www.example.org/start\" \"%s\"\n", a % 4, b % 7, a % 23, i / 3600, i / 60 % 60, i % 60, m[a % 4 + 1], p[b % 7 + 1], x, (a % 10 ? 200 : (b % 2 ? 404 : 403)), b % 50000, u[(a + b) % 3 + 1 + (i % 97 == 0)]
    }
}' > access.log
