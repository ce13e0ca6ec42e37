-- Prints each line with the hour of an event, which the command date writes.
for _ = 1, 250 do
  local line = io.read("l")
  local number = tonumber(line:match("%-(%d+)"))
  local command = io.popen(string.format("date -u -d @%d +%%H", number * 1000))
  print(command:read("l"), line)
  command:close()
end
