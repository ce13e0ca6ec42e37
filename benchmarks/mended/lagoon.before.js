// lagoon: reads buoys.jsonl (a JSON object in each line) and writes tide.csv
// with the level against the mean of the buoy's last readings.
const fs = require('fs');

const recent = new Map();
const salt = new Map();

function mean(values) {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

fs.writeFileSync('tide.csv', 'buoy,day,hour,level,offset\n');
for (const line of fs.readFileSync('buoys.jsonl', 'utf8').split('\n')) {
  if (line === '') continue;
  const r = JSON.parse(line);
  const last = recent.get(r.buoy) || [];
  last.push(r.level);
  if (last.length > 12) last.shift();
  recent.set(r.buoy, last);
  salt.set(r.buoy, Math.max(salt.get(r.buoy) || 0, r.salt));
  const day = Math.floor(r.hour / 24);
  const height = (r.level - mean(last)).toFixed(3);
  fs.appendFileSync('tide.csv', `${r.buoy},${day},${r.hour % 24},${r.level},${height}\n`);
}
for (const buoy of [...salt.keys()].sort((a, b) => a - b)) {
  console.log(`buoy ${buoy}: salt up to ${salt.get(buoy)}`);
}
