-- Flushes after each line.
local out = io.open("out", "w")
local number = 0
for line in io.lines("lines") do
  number = number + 1
  if number > 300000 then break end
  out:write(number, " ", line:sub(1, 12), "\n")
  out:flush()
end
out:close()
