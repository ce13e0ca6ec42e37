# Settings of the recipes, and orders of several shops.
{ echo '# prices and weights'
  for p in rye wheat spelt oat malt linseed pumpkin walnut olive onion potato milk brioche \
      bagel baguette pretzel; do
    echo "$p.flour = $((300 + ${#p} * 17))"; echo "$p.water = $((190 + ${#p} * 9))"
    echo "$p.salt = $((6 + ${#p}))"; echo "$p.price = $((2 + ${#p} % 4)).$((${#p} * 7 % 90 + 10))"
    echo "$p.minutes = $((30 + ${#p} * 2))"; done
  echo 'tax = 0.07'; echo 'discount.from = 40'; echo 'discount.rate = 0.05'; } > bakery.ini
awk 'BEGIN { split("rye wheat spelt oat malt linseed pumpkin walnut olive onion potato milk " \
    "brioche bagel baguette pretzel", p, " "); srand(5)
    for (i = 1; i <= 8500; i++) print "shop" int(rand() * 30), p[1 + int(rand() * 16)],
        1 + int(rand() * 60) }' > orders.txt
