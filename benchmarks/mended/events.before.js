// Writes a line of JSON for each event.
const fs = require('fs');

const out = fs.openSync('out', 'w');
for (let number = 0; number < 400000; ++number) {
  fs.writeSync(out, `{"number":${number},"kind":${number % 13}}\n`);
}
fs.closeSync(out);
