// Answers questions about customers: finds each by a binary search of the sorted table in its file.
const fs = require("fs");
const crypto = require("crypto");
const RECORD = 24;
const file = fs.openSync("table", "r");
const count = fs.fstatSync(file).size / RECORD;
const record = Buffer.alloc(RECORD);
function find(number) {
  let low = 0, high = count - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    fs.readSync(file, record, 0, RECORD, middle * RECORD);
    const found = record.readInt32LE(0);
    if (found === number) return record.readInt32LE(4) + record.readDoubleLE(8);
    if (found < number) low = middle + 1;
    else high = middle - 1;
  }
  return 0;
}
let seed = 1, answers = [];
for (let question = 0; question < 15000; ++question) {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  const value = find(seed % 400000);
  answers.push(crypto.createHash("sha1").update(`${question}:${value}`).digest("hex"));
}
fs.writeFileSync("out", answers.join("\n"));
