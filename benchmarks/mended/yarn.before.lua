-- yarn: reads the knitting pattern pattern.txt (k knit, p purl, y yarn over;
-- a row in each line) and works out the yarn for the rows.
local length = { k = 1.2, p = 1.35, y = 2.1 }
local file = assert(io.open("pattern.txt", "r"))
local count = { k = 0, p = 0, y = 0 }
local rows, stitches, used, widest = 0, 0, 0, 0

while true do
  local c = file:read(1)
  if not c then break end
  if c == "\n" then
    rows = rows + 1
    if stitches > widest then widest = stitches end
    if rows % 1000 == 0 then print(string.format("row %d: %.1f m", rows, used / 100)) end
    stitches = 0
  else
    count[c] = count[c] + 1
    used = used + length[c]
    stitches = stitches + 1
  end
end
file:close()
print(string.format("%d rows, widest %d, %d knit, %d purl, %d over", rows, widest, count.k, count.p, count.y))
