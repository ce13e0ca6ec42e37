<?php
// hymnal - makes the sheets for the services of a year in all parishes: reads "services" (lines:
// date and the hymns, each as number:verses such as 211:1,3-4), takes the verses from hymnal.txt
// by the list of first lines in hymnal.idx, writes the sheets to sheets.txt, and prints the
// hymns sung most.

const WIDTH = 64;

/** The index: number of the hymn => [line of its heading, number of lines]. */
function readIndex(string $path): array
{
    $index = [];
    foreach (file($path, FILE_IGNORE_NEW_LINES) as $line) {
        [$number, $first, $count] = array_map('intval', explode(' ', $line));
        $index[$number] = [$first, $count];
    }
    return $index;
}

/** "1,3-4" as [1, 3, 4]; an empty text as []. */
function verses(string $text): array
{
    $list = [];
    foreach (explode(',', $text) as $part) {
        if (preg_match('/^(\d+)-(\d+)$/', $part, $m)) {
            $list = array_merge($list, range((int)$m[1], (int)$m[2]));
        } elseif ($part !== '') {
            $list[] = (int)$part;
        }
    }
    return $list;
}

class Hymnal
{
    private SplFileObject $file;

    public function __construct(string $path, private array $index)
    {
        $this->file = new SplFileObject($path);
    }

    /** So many lines of the book, from the line with this number, counted from 0. */
    private function lines(int $first, int $count): array
    {
        $lines = [];
        $this->file->seek($first);
        while (count($lines) < $count && !$this->file->eof()) {
            $lines[] = rtrim($this->file->current(), "\n");
            $this->file->next();
        }
        return $lines;
    }

    /** The heading and the verses of a hymn: [title, [number => [lines]]], or null. */
    public function hymn(int $number): ?array
    {
        if (!isset($this->index[$number])) {
            return null;
        }
        [$first, $count] = $this->index[$number];
        $lines = $this->lines($first, $count);
        $title = preg_replace('/^\d+\s+/', '', array_shift($lines));
        $verses = [];
        $verse = 0;
        foreach ($lines as $text) {
            if (preg_match('/^(\d+)\. (.*)/', $text, $m)) {
                $verse = (int)$m[1];
                $text = $m[2];
            }
            if ($text !== '') {
                $verses[$verse][] = trim($text);
            }
        }
        return [$title, $verses];
    }
}

function centre(string $text): string
{
    return str_repeat(' ', max(0, intdiv(WIDTH - strlen($text), 2))) . $text;
}

/** Syllables, near enough: the runs of vowels of each word. */
function syllables(string $text): int
{
    $n = 0;
    foreach (preg_split('/[^a-z]+/', strtolower($text), -1, PREG_SPLIT_NO_EMPTY) as $word) {
        $n += max(1, preg_match_all('/[aeiouy]+/', preg_replace('/e$/', '', $word)));
    }
    return $n;
}

$hymnal = new Hymnal('hymnal.txt', readIndex('hymnal.idx'));
$sung = [];
$metres = [];
$missing = 0;
$sheets = '';
foreach (file('services', FILE_IGNORE_NEW_LINES) as $service) {
    $parts = explode(' ', $service);
    $date = array_shift($parts);
    $sheets .= str_repeat('=', WIDTH) . "\n" . centre("Service of $date") . "\n\n";
    foreach ($parts as $part) {
        [$number, $which] = explode(':', $part . ':');
        $hymn = $hymnal->hymn((int)$number);
        if ($hymn === null) {
            $missing++;
            continue;
        }
        [$title, $verses] = $hymn;
        $sung[$number] = ($sung[$number] ?? 0) + 1;
        $sheets .= centre("$number. $title") . "\n\n";
        $metre = array_map('syllables', reset($verses));
        $key = implode('.', $metre);
        $metres[$key] = ($metres[$key] ?? 0) + 1;
        foreach (verses($which) ?: array_keys($verses) as $v) {
            foreach ($verses[$v] ?? [] as $k => $text) {
                $sheets .= ($k ? '    ' : sprintf('%2d  ', $v)) . $text . "\n";
            }
            $sheets .= "\n";
        }
    }
}
file_put_contents('sheets.txt', $sheets);

uksort($sung, fn($a, $b) => $sung[$b] <=> $sung[$a] ?: $a <=> $b);
printf("%d hymns sung, %d of them different, %d not in the book\n", array_sum($sung), count($sung),
    $missing);
foreach (array_slice($sung, 0, 10, true) as $number => $times) {
    printf("  %4d %2d times  %s\n", $number, $times, $hymnal->hymn($number)[0]);
}
ksort($metres);
printf("%d metres, most often %s\n", count($metres), array_search(max($metres), $metres));
