-- Prints each line with the hour of an event.
for _ = 1, 250 do
  local line = io.read("l")
  local number = tonumber(line:match("%-(%d+)"))
  print(os.date("!%H", number * 1000), line)
end
