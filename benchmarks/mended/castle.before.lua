-- Generates the rooms of a castle for a text game, level by level: prints the maps, and
-- writes a description of every room to a file.

local LEVELS, WIDTH, HEIGHT = 250, 78, 44

local state = 4711
local function random(n)
  state = (state * 1103515245 + 12345) % 2147483648
  return math.floor(state / 256) % n + 1
end

local kinds = { "hall", "chamber", "kitchen", "armoury", "chapel", "cellar", "library" }
local things = { "a broken chair", "a chest", "some candles", "a rusty sword", "a mirror" }

io.stdout:setvbuf("no")
local guide = assert(io.open("castle.txt", "w"))

local function new_grid()
  local grid = {}
  for y = 1, HEIGHT do
    grid[y] = {}
    for x = 1, WIDTH do
      grid[y][x] = "#"
    end
  end
  return grid
end

local function dig(grid, room)
  for y = room.y, room.y + room.h - 1 do
    for x = room.x, room.x + room.w - 1 do
      grid[y][x] = "."
    end
  end
end

local function corridor(grid, a, b)
  local x, y = a.x, a.y
  while x ~= b.x do
    grid[y][x] = "."
    x = x + (b.x > x and 1 or -1)
  end
  while y ~= b.y do
    grid[y][x] = "."
    y = y + (b.y > y and 1 or -1)
  end
end

local function write_map(level, grid)
  io.write("level ", level, "\n")
  for y = 1, HEIGHT do
    for x = 1, WIDTH do
      io.write(grid[y][x])
    end
    io.write("\n")
  end
end

local total, floor = 0, 0
local count = {}
for level = 1, LEVELS do
  local grid, rooms = new_grid(), {}
  for i = 1, 8 + random(10) do
    local room = { w = 3 + random(9), h = 2 + random(5), kind = kinds[random(#kinds)] }
    room.x = 1 + random(WIDTH - room.w - 2)
    room.y = 1 + random(HEIGHT - room.h - 2)
    dig(grid, room)
    if i > 1 then
      corridor(grid, rooms[i - 1], room)
    end
    rooms[i] = room
    count[room.kind] = (count[room.kind] or 0) + 1
    guide:write("Level ", level, ", room ", i, ": ", room.kind, " of ", room.w, " by ", room.h,
      " paces with ", things[random(#things)], ".\n")
  end
  total = total + #rooms
  for y = 1, HEIGHT do
    for x = 1, WIDTH do
      if grid[y][x] == "." then floor = floor + 1 end
    end
  end
  write_map(level, grid)
end
guide:close()
print(total .. " rooms on " .. LEVELS .. " levels, " .. floor .. " squares of floor")
for _, kind in ipairs(kinds) do
  print(kind, count[kind])
end
