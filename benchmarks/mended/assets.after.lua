-- Makes the pages of a web site, and looks for each picture in the folders of two themes. Lua
-- cannot ask whether a file exists, and so it tries to open it; it remembers the answers.
local function write_pictures()
  for number = 0, 999, 5 do
    local theme = number % 10 == 0 and "summer" or "plain"
    local file = assert(io.open(theme .. "-" .. number .. ".svg", "w"))
    file:write("<svg/>\n")
    file:close()
  end
end

local function remove_pictures()
  for number = 0, 999, 5 do
    local theme = number % 10 == 0 and "summer" or "plain"
    os.remove(theme .. "-" .. number .. ".svg")
  end
end

local known = {}
local function exists(path)
  if known[path] == nil then
    local file = io.open(path, "r")
    if file then file:close() end
    known[path] = file ~= nil
  end
  return known[path]
end

local function picture_of(number)
  for _, theme in ipairs({"summer", "plain"}) do
    local path = theme .. "-" .. number .. ".svg"
    if exists(path) then return path end
  end
  return "missing.svg"
end

local escapes = {["-"] = "&ndash;", [" "] = "&nbsp;"}
write_pictures()
local pages = 0
for line in io.lines("lines") do
  local number = line:match(" (%d+) ")
  io.write('<p><img src="', picture_of(number), '">', (line:gsub("[- ]", escapes)), "</p>\n")
  pages = pages + 1
  if pages == 150000 then break end
end
remove_pictures()
