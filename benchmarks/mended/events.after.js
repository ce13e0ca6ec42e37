// Writes a line of JSON for each event, many lines at a time.
const fs = require('fs');

const out = fs.openSync('out', 'w');
let lines = [];
for (let number = 0; number < 400000; ++number) {
  lines.push(`{"number":${number},"kind":${number % 13}}\n`);
  if (lines.length === 1000) {
    fs.writeSync(out, lines.join(''));
    lines = [];
  }
}
fs.writeSync(out, lines.join(''));
fs.closeSync(out);
