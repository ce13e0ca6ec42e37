// Appends each line to a file.
const fs = require('fs');
const lines = fs.readFileSync('lines', 'latin1').split('\n');
fs.writeFileSync('out', '');
for (let number = 0; number < 60000; ++number) {
  fs.appendFileSync('out', `${number} ${lines[number]}\n`);
}
