// areas of the parishes in a file of polygons; writes an SVG map of them
'use strict';
const fs = require('fs');

class Reader {
  constructor(name) {
    this.fd = fs.openSync(name, 'r');
    this.pos = 0;
    this.buf = Buffer.alloc(8);
  }
  take(n) {
    if (fs.readSync(this.fd, this.buf, 0, n, this.pos) !== n)
      throw new Error('file too short');
    this.pos += n;
    return this.buf;
  }
  text(n) { return this.take(n).toString('latin1', 0, n); }
  uint32() { return this.take(4).readUInt32LE(0); }
  double() { return this.take(8).readDoubleLE(0); }
  close() { fs.closeSync(this.fd); }
}

function readShapes(name) {
  const r = new Reader(name);
  if (r.text(4) !== 'SHP1')
    throw new Error('not a file of shapes');
  const shapes = [];
  for (let n = r.uint32(); n > 0; n--) {
    const shape = { id: r.uint32(), points: [] };
    for (let k = r.uint32(); k > 0; k--)
      shape.points.push({ x: r.double(), y: r.double() });
    shapes.push(shape);
  }
  r.close();
  return shapes;
}

function measure(shape) {
  let area = 0, length = 0, cx = 0, cy = 0;
  const p = shape.points;
  for (let i = 0; i < p.length; i++) {
    const q = p[(i + 1) % p.length];
    const cross = p[i].x * q.y - q.x * p[i].y;
    area += cross / 2;
    cx += (p[i].x + q.x) * cross;
    cy += (p[i].y + q.y) * cross;
    length += Math.hypot(q.x - p[i].x, q.y - p[i].y);
  }
  return {
    id: shape.id, area: area / 1e6, length: length / 1e3,
    cx: cx / (6 * area), cy: cy / (6 * area),
  };
}

function svg(shapes) {
  const lines = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 500 900">'];
  for (const s of shapes) {
    const path = s.points.map(
      p => (p.x / 1000).toFixed(1) + ',' + (900 - p.y / 1000).toFixed(1)).join(' ');
    lines.push(`<polygon id="p${s.id}" points="${path}"/>`);
  }
  lines.push('</svg>');
  return lines.join('\n') + '\n';
}

const shapes = readShapes('parishes.shp');
fs.writeFileSync('parishes.svg', svg(shapes));
const all = shapes.map(measure).sort((a, b) => b.area - a.area);
for (const m of all.slice(0, 20)) {
  const centre = `${m.cx.toFixed(0)} ${m.cy.toFixed(0)}`;
  console.log(`${m.id} ${m.area.toFixed(2)} km2 ${m.length.toFixed(2)} km, centre ${centre}`);
}
console.log(`${all.length} parishes, ${all.reduce((s, m) => s + m.area, 0).toFixed(1)} km2`);
