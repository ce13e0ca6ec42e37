-- wordindex: back-of-the-book index (word, count, line numbers) of book.txt
local LAST = 160         -- list at most this many lines for each word

local words, order, total, lineno = {}, {}, 0, 0
for line in io.lines("book.txt") do
  lineno = lineno + 1
  for word in line:lower():gmatch("%a+") do
    total = total + 1
    local w = words[word]
    if not w then
      w = { n = 0, lines = {} }
      words[word] = w
      order[#order + 1] = word
    end
    w.n = w.n + 1
    if w.lines[#w.lines] ~= lineno then w.lines[#w.lines + 1] = lineno end
  end
end
table.sort(order)

local out = assert(io.open("book.idx", "w"))
local longest, hash = 0, 5381
for _, word in ipairs(order) do
  local w = words[word]
  for i = 1, #word do hash = (hash * 33 + word:byte(i)) & 0xffffffff end
  out:write(word, " (", w.n, ")")
  for i, l in ipairs(w.lines) do
    if i > LAST then
      out:write(" ...")
      break
    end
    out:write(i == 1 and ": " or ", ", l)
  end
  out:write("\n")
  longest = math.max(longest, #w.lines)
end
out:close()
print(string.format("%d words, %d different, longest entry %d, hash %08x", total, #order, longest, hash))
