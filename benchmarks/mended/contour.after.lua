-- contour: draws the heights made by the hills in hills.txt as a map of letters in map.txt

local hills = {}
for line in io.lines("hills.txt") do
  local x, y, h = line:match("(%d+) (%d+) (%d+)")
  hills[#hills + 1] = { x = tonumber(x), y = tonumber(y), h = tonumber(h) }
end

local function height(x, y)
  local top = 0
  for i = 1, #hills do
    local p = hills[i]
    local dx, dy = x - p.x, y - p.y
    local v = p.h - (dx * dx + dy * dy) // 20
    if v > top then
      top = v
    end
  end
  return top
end

local out = assert(io.open("map.txt", "w"))
local seen = {}
for y = 1, 420 do
  for x = 1, 600 do
    local c = string.char(97 + height(x, y) // 2)
    seen[c] = (seen[c] or 0) + 1
    out:write(c)
  end
  out:write("\n")
end
out:close()

local names = {}
for c in pairs(seen) do
  names[#names + 1] = c
end
table.sort(names)
for _, c in ipairs(names) do
  print(c, seen[c])
end
