// payroll: works out the pay of each person in hours.csv and writes payslips.csv
'use strict';
const fs = require('fs');

function tax(gross) {
  const bands = [[1000, 0], [2500, 0.18], [4000, 0.29], [Infinity, 0.42]];
  let due = 0, low = 0;
  for (const [high, rate] of bands) {
    if (gross > low) due += (Math.min(gross, high) - low) * rate;
    low = high;
  }
  return due;
}

const people = fs.readFileSync('hours.csv', 'utf8').split('\n').filter(Boolean).map((row) => {
  const [id, name, hours, wage, kind] = row.split(',');
  return { id: Number(id), name, hours: Number(hours), wage: Number(wage), kind };
});

const out = ['id,name,gross,tax,net\n'];
let total = 0, highest = null;
for (const p of people) {
  const over = Math.max(0, p.hours - 140);
  const gross = p.kind === 'hourly' ? p.wage * (p.hours + over / 2) : p.wage * 140;
  const due = tax(gross);
  out.push(`${p.id},`);
  out.push(`${p.name},`);
  out.push(`${gross.toFixed(2)},`);
  out.push(`${due.toFixed(2)},`);
  out.push(`${(gross - due).toFixed(2)}\n`);
  total += gross - due;
  if (!highest || gross > highest.gross) highest = { name: p.name, gross };
}
fs.writeFileSync('payslips.csv', out.join(''));
console.log(`${people.length} people, ${total.toFixed(2)} paid, most to ${highest.name}`);
