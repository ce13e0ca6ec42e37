-- makes a playlist and a catalogue by artist from the tags of the music files
local GENRES = { [0] = "Blues", [1] = "Classic Rock", [7] = "Hip-Hop", [8] = "Jazz", [13] = "Pop", [17] = "Rock" }
local RATES = { 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320 }
local FRAME = 64

local function trim(s)
  return (s:gsub("%z.*", ""):gsub("%s+$", ""))
end

-- number of frames, their average bit rate, the loudness, and a sum to find doubles by
local function scan(data)
  local frames, sum, loud, check = 0, 0, 0, 0
  local pos = 1
  while pos + 3 <= #data do
    local a, b, c = data:byte(pos, pos + 2)
    if a == 0xff and b & 0xe0 == 0xe0 then
      frames = frames + 1
      sum = sum + (RATES[c >> 4] or 0)
      for i = pos + 4, pos + 11 do
        local v = data:byte(i)
        check = (check * 31 + v) & 0xffffffff
        loud = loud + v * v
      end
      pos = pos + FRAME
    else
      pos = pos + 1
    end
  end
  if frames == 0 then return 0, 0, 0, check end
  return frames, sum / frames, math.sqrt(loud / frames / 8), check
end

local function load(name)
  local f = assert(io.open(name, "rb"))
  local size = f:seek("end")
  local track = { file = name, title = name:match("([^/]+)%.%w+$"), artist = "Unknown", album = "", year = "", genre = "" }
  f:seek("set", size - 128)
  local tag = f:read(128)
  if tag and tag:sub(1, 3) == "TAG" then
    track.title = trim(tag:sub(4, 33))
    track.artist = trim(tag:sub(34, 63))
    track.album = trim(tag:sub(64, 93))
    track.year = trim(tag:sub(94, 97))
    track.genre = GENRES[tag:byte(128)] or "Other"
    size = size - 128
  end
  f:seek("set", 0)
  track.frames, track.rate, track.loudness, track.check = scan(f:read(size))
  track.seconds = track.frames * 1152 / 44100 * 4
  f:close()
  return track
end

local tracks, total, sums = {}, 0, {}
for name in io.lines("tracks.txt") do
  local t = load(name)
  tracks[#tracks + 1] = t
  total = total + t.seconds
  if sums[t.check] then print(name .. " is the same as " .. sums[t.check]) end
  sums[t.check] = name
end

local m3u = assert(io.open("all.m3u", "w"))
m3u:write("#EXTM3U\n")
for _, t in ipairs(tracks) do
  m3u:write(string.format("#EXTINF:%d,%s - %s\n%s\n", t.seconds // 1 | 0, t.artist, t.title, t.file))
end
m3u:close()

table.sort(tracks, function(a, b)
  if a.artist ~= b.artist then return a.artist < b.artist end
  if a.album ~= b.album then return a.album < b.album end
  return a.file < b.file
end)
local artist
for _, t in ipairs(tracks) do
  if t.artist ~= artist then
    artist = t.artist
    print(artist)
  end
  print(string.format("  %-9s %-24s %4s %-12s %5.1f kbit/s %5.1f %4d:%02d", t.album, t.title, t.year, t.genre, t.rate, t.loudness,
    t.seconds // 60 | 0, t.seconds % 60 // 1 | 0))
end
print(string.format("%d tracks, %.1f minutes", #tracks, total / 60))
