-- Pairs of programs for language_calls.py. This part is common to all of them.
local lines = {}
for i = 0, 999 do lines[i] = i .. "," .. i * 7919 % 1000 .. ",text\n" end
-- PAIR write 200000 write and flush
local out = io.open("out", "w")
for i = 1, CALLS do out:write(lines[i % 1000]); out:flush() end
-- AFTER
local out = io.open("out", "w")
for i = 1, CALLS do out:write(lines[i % 1000]) end
-- PAIR write 200000 io.write and io.flush
for i = 1, CALLS do io.write(i, " text\n"); io.flush() end
-- AFTER
for i = 1, CALLS do io.write(i, " text\n") end
-- PAIR write 200000 write without a buffer
local out = io.open("out", "w")
out:setvbuf("no")
for i = 1, CALLS do out:write(lines[i % 1000]) end
-- AFTER
local out = io.open("out", "w")
for i = 1, CALLS do out:write(lines[i % 1000]) end
-- PAIR seek 100000 seek and read
local text = io.open("lines")
for i = 1, CALLS do text:seek("set", i * 7919 % 4000000); local piece = text:read(16) end
-- AFTER
local all = io.open("lines"):read("a")
for i = 1, CALLS do local at = i * 7919 % 4000000; local piece = all:sub(at + 1, at + 16) end
-- PAIR seek 100000 seek and a line
local text = io.open("lines")
for i = 1, CALLS do text:seek("set", i * 7919 % 4000000); local line = text:read("l") end
-- AFTER
local all = io.open("lines"):read("a")
for i = 1, CALLS do local at = i * 7919 % 4000000 + 1; local line = all:sub(at, all:find("\n", at, true) - 1) end
-- PAIR open 50000 open, write and close
for i = 1, CALLS do local out = io.open("out", "a"); out:write(lines[i % 1000]); out:close() end
-- AFTER
local out = io.open("out", "a")
for i = 1, CALLS do out:write(lines[i % 1000]) end
-- PAIR copy 1000000 write of a few bytes
local out = io.open("out", "w")
for i = 1, CALLS do out:write(i, " ") end
-- AFTER
local out = io.open("out", "w")
local all = {}
for i = 1, CALLS do all[i] = i end
out:write(table.concat(all, " "))
-- PAIR copy 1000000 read of a byte
local text = io.open("lines")
for i = 1, CALLS do local byte = text:read(1) end
-- AFTER
local all = io.open("lines"):read("a")
for i = 1, CALLS do local byte = all:sub(i, i) end
