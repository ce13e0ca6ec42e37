-- firmware - makes the update list of a set of measuring devices: reads "devices" (lines: serial,
-- model, version), finds the newest image of each model in the folder "images" by "catalogue"
-- (lines: model version file), checks each image by its cksum, and writes update.lst.

local function readlines(path)
  local list = {}
  for line in assert(io.open(path)):lines() do
    if line ~= "" and line:sub(1, 1) ~= "#" then list[#list + 1] = line end
  end
  return list
end

-- "2.10.3" as a list of numbers
local function version(text)
  local v = {}
  for n in text:gmatch("%d+") do v[#v + 1] = tonumber(n) end
  return v
end

local function newer(a, b)
  for i = 1, math.max(#a, #b) do
    local x, y = a[i] or 0, b[i] or 0
    if x ~= y then return x > y end
  end
  return false
end

-- the check sum and the length of an image
local function cksum(path)
  local p = assert(io.popen("cksum '" .. path .. "' 2>/dev/null"))
  local sum, len = p:read("n", "n")
  p:close()
  return sum, len
end

-- the head of an image: its model, its version, and where the code begins
local function head(path)
  local f = io.open(path, "rb")
  if not f then return nil end
  local text = f:read(64) or ""
  f:close()
  return text:match("^FW (%S+) (%S+) (%d+)\n")
end

-- how full of zeros and of runs an image is, for the choice of the packing
local function packing(path)
  local f = assert(io.open(path, "rb"))
  local data = f:read("a")
  f:close()
  local runs, last, zeros = 0, -1, 0
  for i = 1, #data do
    local b = data:byte(i)
    if b == 0 then zeros = zeros + 1 end
    if b ~= last then runs = runs + 1 end
    last = b
  end
  if zeros * 2 > #data then return "sparse" end
  return runs * 4 < #data * 3 and "runs" or "plain"
end

local images, byname = {}, {}
for _, line in ipairs(readlines("catalogue")) do
  local model, ver, file, sum = line:match("^(%S+) (%S+) (%S+) (%d+)$")
  if model then
    images[#images + 1] = { model = model, version = version(ver), text = ver,
                            path = "images/" .. file, sum = tonumber(sum) }
  end
end

local newest, damaged, bytes = {}, {}, 0
for _, image in ipairs(images) do
  local sum, len = cksum(image.path)
  local model, ver = head(image.path)
  if not sum then
    damaged[#damaged + 1] = image.path .. " is not there"
  elseif sum ~= image.sum then
    damaged[#damaged + 1] = image.path .. " has another sum"
  elseif model ~= image.model or ver ~= image.text then
    damaged[#damaged + 1] = image.path .. " is for " .. tostring(model) .. " " .. tostring(ver)
  else
    image.length = len
    image.packing = packing(image.path)
    bytes = bytes + len
    local best = newest[image.model]
    if not best or newer(image.version, best.version) then newest[image.model] = image end
  end
end

local out = assert(io.open("update.lst", "w"))
local count, current, unknown, traffic = {}, 0, 0, 0
for _, line in ipairs(readlines("devices")) do
  local serial, model, ver = line:match("^(%S+) (%S+) (%S+)$")
  local image = newest[model]
  if not image then
    unknown = unknown + 1
  elseif newer(image.version, version(ver)) then
    out:write(string.format("%s %s %s -> %s %s %s\n", serial, model, ver, image.text,
                            image.path, image.packing))
    count[model] = (count[model] or 0) + 1
    traffic = traffic + image.length
  else
    current = current + 1
  end
end
out:close()

print(#images .. " images, " .. bytes .. " bytes good, " .. #damaged .. " damaged")
for _, d in ipairs(damaged) do print("  " .. d) end
local models = {}
for m in pairs(count) do models[#models + 1] = m end
table.sort(models)
for _, m in ipairs(models) do
  print(string.format("  %-6s %5d devices to %s", m, count[m], newest[m].text))
end
print(current .. " up to date, " .. unknown .. " of no known model")
print(traffic .. " bytes to send")
