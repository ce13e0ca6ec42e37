<?php
// Turns the orders of a shop into invoices, and adds up the sales of each customer and tag.
declare(strict_types=1);

class ProductRepository
{
    private string $folder;
    public int $missing = 0;

    public function __construct(string $folder)
    {
        $this->folder = $folder;
    }

    public function find(int $id): ?array
    {
        $path = sprintf('%s/%04d.json', $this->folder, $id);
        if (!file_exists($path)) {
            $this->missing++;
            return null;
        }
        return json_decode(file_get_contents($path), true, 16, JSON_THROW_ON_ERROR);
    }
}

class Invoices
{
    private array $customers = [];
    private array $tags = [];
    private ?int $order = null;
    private float $sum = 0.0;
    private string $text = '';

    public function __construct(private ProductRepository $products)
    {
    }

    public function add(int $order, string $customer, int $id, int $quantity): void
    {
        if ($order !== $this->order) {
            $this->finish();
            $this->order = $order;
            $this->text .= "Invoice $order for $customer\n";
        }
        $product = $this->products->find($id);
        if ($product === null) {
            $this->text .= sprintf("  %04d is not available\n", $id);
            return;
        }
        $amount = $product['price'] * $quantity * ($quantity > 3 ? 0.95 : 1.0);
        $this->text .= sprintf("  %2d x %-24s %9.2f %10.2f\n", $quantity, $product['name'],
            $product['price'], $amount);
        $this->sum += $amount;
        $this->customers[$customer] = ($this->customers[$customer] ?? 0.0) + $amount;
        foreach ($product['tags'] as $tag) {
            $this->tags[$tag] = ($this->tags[$tag] ?? 0) + $quantity;
        }
    }

    public function finish(): void
    {
        if ($this->order !== null) {
            $this->text .= sprintf("  %50.2f\n\n", $this->sum);
        }
        $this->sum = 0.0;
    }

    public function save(string $path): void
    {
        file_put_contents($path, $this->text);
    }

    public function report(): void
    {
        arsort($this->customers);
        foreach (array_slice($this->customers, 0, 25, true) as $customer => $sum) {
            printf("%-14s %12.2f\n", $customer, $sum);
        }
        ksort($this->tags);
        foreach ($this->tags as $tag => $count) {
            printf("%-14s %9d\n", $tag, $count);
        }
        printf("%d lines for missing products\n", $this->products->missing);
    }
}

$invoices = new Invoices(new ProductRepository('products'));
$orders = fopen('orders.csv', 'r');
while (($row = fgetcsv($orders)) !== false) {
    [$order, $customer, $id, $quantity] = $row;
    $invoices->add((int)$order, $customer, (int)$id, (int)$quantity);
}
fclose($orders);
$invoices->finish();
$invoices->save('invoices.txt');
$invoices->report();
