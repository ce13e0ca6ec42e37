# Pairs of programs for language_calls.py. This part is common to all of them.
lines = (0...1000).map { |i| "#{i},#{i * 7919 % 1000},text\n" }
# PAIR write 100000 puts with sync
$stdout.sync = true
CALLS.times { |i| puts lines[i % 1000] }
# AFTER
CALLS.times { |i| puts lines[i % 1000] }
# PAIR write 100000 print and flush
File.open("out", "w") { |out| CALLS.times { |i| out.print i, " text\n"; out.flush } }
# AFTER
File.open("out", "w") { |out| CALLS.times { |i| out.print i, " text\n" } }
# PAIR write 100000 syswrite
File.open("out", "w") { |out| CALLS.times { |i| out.syswrite lines[i % 1000] } }
# AFTER
File.open("out", "w") { |out| out.syswrite((0...CALLS).map { |i| lines[i % 1000] }.join) }
# PAIR read 100000 sysread and unpack
File.open("lines") { |text| CALLS.times { text.sysread(16).unpack("qq") } }
# AFTER
all = File.binread("lines", 16 * CALLS).unpack("q*")
CALLS.times { |i| all[2 * i, 2] }
# PAIR read 100000 pread
File.open("lines") { |text| CALLS.times { |i| text.pread(16, 16 * i) } }
# AFTER
all = File.binread("lines")
CALLS.times { |i| all[16 * i, 16] }
# PAIR seek 100000 seek and read
File.open("lines") { |text| CALLS.times { |i| text.seek(i * 7919 % 4000000); text.read(16) } }
# AFTER
all = File.binread("lines")
CALLS.times { |i| all[i * 7919 % 4000000, 16] }
# PAIR seek 100000 seek and gets
File.open("lines") { |text| CALLS.times { |i| text.seek(i * 7919 % 4000000); text.gets } }
# AFTER
all = File.binread("lines")
CALLS.times { |i| at = i * 7919 % 4000000; all[at..all.index("\n", at)] }
# PAIR open 30000 File.open, write and close
CALLS.times { |i| File.open("out", "a") { |out| out.write lines[i % 1000] } }
# AFTER
File.open("out", "a") { |out| CALLS.times { |i| out.write lines[i % 1000] } }
