// Follows the fermentation in the tanks of a brewery: writes every reading with the smoothed
// temperature and the alcohol as a line of JSON, alarms to a file, and a summary at the end.
'use strict';
const fs = require('fs');

class Tank {
  constructor(name) {
    this.name = name;
    this.temperature = null;
    this.original = null;
    this.readings = 0;
    this.alarms = 0;
  }

  update(temperature, gravity) {
    this.readings++;
    this.temperature = this.temperature === null
      ? temperature : this.temperature * 0.9 + temperature * 0.1;
    if (this.original === null || gravity > this.original) this.original = gravity;
    this.gravity = gravity;
  }

  get alcohol() {
    return (this.original - this.gravity) * 131.25;
  }
}

class Reporter {
  constructor(alarmFile) {
    this.alarms = [];
    this.alarmFile = alarmFile;
    this.lines = 0;
    this.output = [];
  }

  print(object) {
    this.output.push(JSON.stringify(object) + '\n');
    this.lines++;
  }

  alarm(minute, tank, text) {
    this.alarms.push(`${minute} ${tank.name}: ${text}\n`);
    tank.alarms++;
  }

  close() {
    process.stdout.write(this.output.join(''));
    fs.writeFileSync(this.alarmFile, this.alarms.join(''));
  }
}

function parse(line) {
  const [minute, tank, temperature, pressure, gravity] = line.split(';');
  return {
    minute: Number(minute),
    tank,
    temperature: Number(temperature),
    pressure: Number(pressure),
    gravity: Number(gravity),
  };
}

function clock(minute) {
  const two = (n) => String(n).padStart(2, '0');
  return `${Math.floor(minute / 1440)}d ${two(Math.floor(minute / 60) % 24)}:${two(minute % 60)}`;
}

function main() {
  const tanks = new Map();
  const reporter = new Reporter('alarms.txt');
  for (const line of fs.readFileSync('tanks.csv', 'utf8').split('\n')) {
    if (!line) continue;
    const reading = parse(line);
    if (!tanks.has(reading.tank)) tanks.set(reading.tank, new Tank(reading.tank));
    const tank = tanks.get(reading.tank);
    tank.update(reading.temperature, reading.gravity);
    reporter.print({
      at: clock(reading.minute),
      tank: tank.name,
      temperature: Number(tank.temperature.toFixed(2)),
      alcohol: Number(tank.alcohol.toFixed(2)),
    });
    if (reading.pressure > 95) reporter.alarm(reading.minute, tank, `pressure ${reading.pressure}`);
  }
  for (const name of [...tanks.keys()].sort()) {
    const { readings, alarms } = tanks.get(name);
    reporter.print({ tank: name, readings, alarms });
  }
  reporter.close();
}

main();
