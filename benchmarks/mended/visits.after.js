// Opens the file once.
const fs = require('fs');
const lines = fs.readFileSync('lines', 'latin1').split('\n');
const out = fs.openSync('out', 'w');
for (let number = 0; number < 60000; ++number) {
  fs.writeSync(out, `${number} ${lines[number]}\n`);
}
