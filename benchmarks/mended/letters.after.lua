-- Counts the vowels of a text, which it reads in blocks.
local input = assert(io.open("lines", "r"))
local vowels = {}
for _, letter in ipairs({ "a", "e", "i", "o", "u" }) do vowels[letter:byte()] = true end
local count = 0
local left = 6000000
while left > 0 do
  local block = input:read(math.min(left, 65536))
  if block == nil then break end
  for at = 1, #block do
    if vowels[block:byte(at)] then count = count + 1 end
  end
  left = left - #block
end
input:close()
print(count)
