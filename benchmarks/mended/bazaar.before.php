<?php
// Turns the offers of a bazaar into a feed in XML and a list of what is sold out.

const SOURCE = 'offers.jsonl';
const FEED = 'feed.xml';
const SOLD_OUT = 'sold_out.txt';

class Feed
{
    private int $count = 0;

    public function __construct(private string $path)
    {
        file_put_contents($this->path, "<?xml version=\"1.0\"?>\n<offers>\n");
    }

    public function add(array $offer, float $price): void
    {
        $this->count++;
        $this->put("  <offer id=\"{$this->count}\" stall=\"{$offer['stall']}\">\n");
        $this->put('    <title>' . htmlspecialchars($offer['thing']) . "</title>\n");
        $this->put(sprintf("    <price>%.2f</price>\n", $price));
        $this->put('    <note>' . htmlspecialchars($offer['note']) . "</note>\n");
        $this->put("  </offer>\n");
    }

    public function finish(): int
    {
        $this->put("</offers>\n");
        return $this->count;
    }

    private function put(string $text): void
    {
        file_put_contents($this->path, $text, FILE_APPEND);
    }
}

function priceFor(array $offer): float
{
    $price = $offer['price'] * 1.08;
    if ($offer['stock'] > 15) {
        $price *= 0.9;
    }
    return round($price, 2);
}

$in = fopen(SOURCE, 'r');
if (!$in) {
    fwrite(STDERR, "no offers\n");
    exit(1);
}
file_put_contents(SOLD_OUT, '');
$feed = new Feed(FEED);
$stalls = [];
$value = 0;
$gone = 0;
while (($line = fgets($in)) !== false) {
    $offer = json_decode($line, true);
    if (!is_array($offer)) {
        continue;
    }
    if ($offer['stock'] == 0) {
        $gone++;
        file_put_contents(SOLD_OUT, "{$offer['stall']}: {$offer['thing']}\n", FILE_APPEND);
        continue;
    }
    $price = priceFor($offer);
    $feed->add($offer, $price);
    $stalls[$offer['stall']] = ($stalls[$offer['stall']] ?? 0) + 1;
    $value += $price * $offer['stock'];
}
fclose($in);
$count = $feed->finish();

printf("%d offers worth %.2f, %d sold out\n", $count, $value, $gone);
ksort($stalls);
foreach ($stalls as $stall => $offers) {
    echo "stall $stall: $offers\n";
}
