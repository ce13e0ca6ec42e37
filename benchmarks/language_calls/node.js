// Pairs of programs for language_calls.py. This part is common to all of them.
const fs = require("fs");
const lines = Array.from({length: 1000}, (_, i) => `${i},${i * 7919 % 1000},text\n`);
// PAIR write 100000 fs.writeSync of a text
const out = fs.openSync("out", "w");
for (let i = 0; i < CALLS; ++i) fs.writeSync(out, lines[i % 1000]);
// AFTER
const all = [];
for (let i = 0; i < CALLS; ++i) all.push(lines[i % 1000]);
fs.writeFileSync("out", all.join(""));
// PAIR write 100000 fs.writeSync of a buffer
const out = fs.openSync("out", "w");
for (let i = 0; i < CALLS; ++i) {
  const piece = Buffer.alloc(16);
  piece.writeDoubleLE(i, 0);
  fs.writeSync(out, piece);
}
// AFTER
const all = Buffer.alloc(16 * CALLS);
for (let i = 0; i < CALLS; ++i) all.writeDoubleLE(i, 16 * i);
fs.writeFileSync("out", all);
// PAIR write 100000 process.stdout.write
for (let i = 0; i < CALLS; ++i) process.stdout.write(lines[i % 1000]);
// AFTER
const all = [];
for (let i = 0; i < CALLS; ++i) all.push(lines[i % 1000]);
process.stdout.write(all.join(""));
// PAIR write 50000 console.log
for (let i = 0; i < CALLS; ++i) console.log(i, "text");
// AFTER
const all = [];
for (let i = 0; i < CALLS; ++i) all.push(i + " text");
console.log(all.join("\n"));
// PAIR read 100000 fs.readSync into a buffer
const text = fs.openSync("lines", "r");
const piece = Buffer.alloc(16);
for (let i = 0; i < CALLS; ++i) fs.readSync(text, piece, 0, 16, i * 16);
// AFTER
const all = fs.readFileSync("lines");
for (let i = 0; i < CALLS; ++i) all.subarray(i * 16, i * 16 + 16);
// PAIR read 100000 fs.readSync into a new buffer, and a text
const text = fs.openSync("lines", "r");
for (let i = 0; i < CALLS; ++i) {
  const piece = Buffer.alloc(16);
  fs.readSync(text, piece, 0, 16, null);
  piece.toString("latin1");
}
// AFTER
const all = fs.readFileSync("lines");
for (let i = 0; i < CALLS; ++i) all.toString("latin1", i * 16, i * 16 + 16);
// PAIR open 30000 fs.appendFileSync
for (let i = 0; i < CALLS; ++i) fs.appendFileSync("out", lines[i % 1000]);
// AFTER
const all = [];
for (let i = 0; i < CALLS; ++i) all.push(lines[i % 1000]);
fs.appendFileSync("out", all.join(""));
