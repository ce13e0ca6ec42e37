// sessions: tag every page hit with its visit number and key, then sum the visits
'use strict';
const fs = require('fs');

const OUT = 'tagged.csv';
const GAP = 60 * 12;

function fingerprint(text) {
  let h = 0x811c9dc5;
  for (let r = 0; r < 3; r++)
    for (let i = 0; i < text.length; i++)
      h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return (h >>> 0).toString(16).padStart(8, '0');
}

function emit(hit, visit) {
  fs.appendFileSync(
    OUT, `${hit.time},${hit.visitor},${visit.no},${visit.key},${hit.page},${visit.hits}\n`);
}

fs.writeFileSync(OUT, 'time,visitor,visit,key,page,step\n');
const open = new Map();
const exits = new Map();
let visits = 0, bounces = 0, total = 0;

function close(v) {
  if (v.hits === 1) bounces++;
  total += v.last - v.start;
  exits.set(v.page, (exits.get(v.page) || 0) + 1);
}

for (const line of fs.readFileSync('hits.csv', 'utf8').split('\n')) {
  if (!line) continue;
  const [time, visitor, page] = line.split(',');
  const t = Number(time);
  let v = open.get(visitor);
  if (v && t - v.last > GAP) {
    close(v);
    v = undefined;
  }
  if (!v) {
    v = { no: ++visits, key: fingerprint(visitor + time), start: t, last: t, hits: 0, page: '' };
    open.set(visitor, v);
  }
  v.last = t;
  v.page = page;
  v.hits++;
  emit({ time, visitor, page }, v);
}
for (const v of open.values()) close(v);

console.log(`${visits} visits, ${bounces} bounces, mean ${(total / visits).toFixed(2)} s`);
for (const [page, n] of [...exits].sort((a, b) => b[1] - a[1])) console.log(`${page} ${n}`);
