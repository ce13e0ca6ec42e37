// moons: positions of the four large moons of Jupiter for every quarter of
// an hour of the days of nights.txt ("year month day hours of darkness").
'use strict';
const fs = require('fs');

const moons = [
  { name: 'Io', a: 5.9073, u0: 163.8067, rate: 203.4058643 },
  { name: 'Europa', a: 9.3991, u0: 358.4108, rate: 101.2916334 },
  { name: 'Ganymede', a: 14.9924, u0: 5.7129, rate: 50.2345179 },
  { name: 'Callisto', a: 26.3699, u0: 224.8151, rate: 21.4879801 },
];

function julianDay(y, m, d) {
  if (m <= 2) {
    y -= 1;
    m += 12;
  }
  const a = Math.floor(y / 100);
  return Math.floor(365.25 * (y + 4716)) + Math.floor(30.6001 * (m + 1)) + d + 2 -
    a + Math.floor(a / 4) - 1524.5;
}

function position(moon, jd) {
  const u = (moon.u0 + moon.rate * (jd - 2451545)) * Math.PI / 180;
  return { x: moon.a * Math.sin(u), front: Math.cos(u) > 0 };
}

function field(x, front) {
  const s = (x < 0 ? '-' : '+') + Math.abs(x).toFixed(2).padStart(5, '0');
  return Math.abs(x) < 1 ? (front ? 'transit' : 'hidden ') : s + ' ';
}

const nights = fs.readFileSync('nights.txt', 'utf8').trim().split('\n');
let transits = 0;
let rows = 0;
const lines = [];

for (const night of nights) {
  const [year, month, day, dark] = night.split(' ').map(Number);
  for (let q = 0; q < dark * 4; q++) {
    const jd = julianDay(year, month, day) + 0.75 + q / 96;
    const fields = [];
    for (const moon of moons) {
      const p = position(moon, jd);
      if (Math.abs(p.x) < 1 && p.front) transits++;
      fields.push(field(p.x, p.front));
    }
    lines.push(jd.toFixed(4) + '  ' + fields.join('  '));
    rows++;
  }
}
lines.push(`${rows} rows, ${transits} times a moon in transit`);
console.log(lines.join('\n'));
