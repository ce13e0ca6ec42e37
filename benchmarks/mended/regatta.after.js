// Simulates a regatta of sailing boats and writes a track for each boat and a race report.
'use strict';
const fs = require('fs');
const path = require('path');

const BOATS = 32;
const TICKS = 1500;
const OUT = 'tracks';
const MARKS = [[0, 0], [900, 300], [1500, 1200], [300, 1500], [0, 0]];

let state = 77;
function random() {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 4294967296;
}

class Boat {
  constructor(number) {
    this.number = number;
    this.x = -number * 5;
    this.y = -number * 3;
    this.mark = 1;
    this.speed = 2.2 + random() * 0.8;
    this.finished = null;
    this.file = path.join(OUT, `boat${String(number).padStart(2, '0')}.csv`);
    this.lines = ['tick,x,y,knots'];
  }

  log(text) {
    this.lines.push(text);
  }

  save() {
    fs.writeFileSync(this.file, this.lines.join('\n') + '\n');
  }

  sail(tick, wind) {
    const [mx, my] = MARKS[this.mark];
    const course = Math.atan2(my - this.y, mx - this.x);
    const angle = Math.abs(Math.cos(course - wind.from));
    const knots = this.speed * wind.force * (1.15 - 0.6 * angle) * (0.9 + 0.2 * random());
    this.x += Math.cos(course) * knots;
    this.y += Math.sin(course) * knots;
    this.log(`${tick},${this.x.toFixed(1)},${this.y.toFixed(1)},${knots.toFixed(2)}`);
    if (Math.hypot(mx - this.x, my - this.y) < 8) {
      report(`tick ${tick}: boat ${this.number} rounds mark ${this.mark}`);
      this.mark++;
      if (this.mark === MARKS.length) {
        this.finished = tick;
      }
    }
  }
}

const reported = ['Race report'];
function report(text) {
  reported.push(text);
}

fs.rmSync(OUT, { recursive: true, force: true });
fs.mkdirSync(OUT);
const boats = [];
for (let i = 1; i <= BOATS; i++) {
  boats.push(new Boat(i));
}
for (let tick = 1; tick <= TICKS; tick++) {
  const wind = {
    from: Math.PI / 3 + 0.4 * Math.sin(tick / 90),
    force: 0.8 + 0.3 * Math.sin(tick / 37) + 0.1 * random(),
  };
  for (const boat of boats) {
    if (boat.finished === null) {
      boat.sail(tick, wind);
    }
  }
}
for (const boat of boats) {
  boat.save();
}
fs.writeFileSync('report.txt', reported.join('\n') + '\n');
const ranking = boats.slice().sort((a, b) =>
  (a.finished ?? 1e9) - (b.finished ?? 1e9) || a.number - b.number);
ranking.forEach((boat, i) => {
  console.log(`${i + 1}. boat ${boat.number}: ${boat.finished ?? 'not in time'}`);
});
