-- Counts the vowels of a text.
local input = assert(io.open("lines", "r"))
local vowels = { a = true, e = true, i = true, o = true, u = true }
local count = 0
for _ = 1, 6000000 do
  local letter = input:read(1)
  if letter == nil then break end
  if vowels[letter] then count = count + 1 end
end
input:close()
print(count)
