#!/usr/bin/env node
// captions - puts the captions of a film (captions.srt) into order: moves them to another frame
// rate, mends those that overlap or stand too short a time, breaks long lines, writes the new
// captions to fixed.srt, and prints how fast one has to read and which words come most often.
'use strict';
const fs = require('fs');

const FROM = 23.976;
const TO = 25;
const SHORTEST = 900;       // ms
const GAP = 80;             // ms between two captions
const WIDTH = 38;

function toMs(text) {
    const m = /^(\d+):(\d\d):(\d\d)[,.](\d{3})$/.exec(text.trim());
    if (!m)
        throw new Error('no time: ' + text);
    return ((+m[1] * 60 + +m[2]) * 60 + +m[3]) * 1000 + +m[4];
}

function fromMs(ms) {
    const two = n => String(n).padStart(2, '0');
    const s = Math.floor(ms / 1000);
    return two(Math.floor(s / 3600)) + ':' + two(Math.floor(s / 60) % 60) + ':' + two(s % 60) +
        ',' + String(ms % 1000).padStart(3, '0');
}

// takes the text of the file piece by piece and gives the captions that have come to their end
class Parser {
    constructor() {
        this.rest = '';
        this.block = [];
        this.errors = 0;
    }

    * feed(piece) {
        this.rest += piece;
        let from = 0, end;
        while ((end = this.rest.indexOf('\n', from)) >= 0) {
            const line = this.rest.slice(from, end).replace(/\r$/, '');
            from = end + 1;
            if (line !== '') {
                this.block.push(line);
            } else if (this.block.length) {
                const c = this.caption();
                if (c)
                    yield c;
            }
        }
        this.rest = this.rest.slice(from);
    }

    * finish() {
        yield* this.feed('\n\n');
    }

    caption() {
        const block = this.block;
        this.block = [];
        try {
            const [a, b] = block[1].split('-->');
            return { start: toMs(a), end: toMs(b), text: block.slice(2).join(' ') };
        } catch (e) {
            this.errors++;
            return null;
        }
    }
}

// two lines of about the same length if one is too long
function breakLines(text) {
    if (text.length <= WIDTH)
        return [text];
    let best = -1;
    for (let i = text.indexOf(' '); i >= 0; i = text.indexOf(' ', i + 1)) {
        if (best < 0 || Math.abs(i - text.length / 2) < Math.abs(best - text.length / 2))
            best = i;
    }
    return best < 0 ? [text] : [text.slice(0, best), text.slice(best + 1)];
}

function mend(list) {
    const k = FROM / TO;
    let overlaps = 0, short = 0;
    for (const c of list) {
        c.start = Math.round(c.start * k);
        c.end = Math.round(c.end * k);
    }
    list.sort((a, b) => a.start - b.start);
    list.forEach((c, i) => {
        const limit = i + 1 < list.length ? list[i + 1].start - GAP : Infinity;
        if (c.end > limit) {
            overlaps++;
            c.end = Math.max(c.start + 1, limit);
        }
        if (c.end - c.start < SHORTEST) {
            short++;
            c.end = Math.max(c.end, Math.min(c.start + SHORTEST, limit));
        }
    });
    return { overlaps, short };
}

async function main() {
    const parser = new Parser();
    const list = [];
    const input = fs.createReadStream('captions.srt', { encoding: 'utf8', highWaterMark: 64 });
    for await (const piece of input)
        list.push(...parser.feed(piece));
    list.push(...parser.finish());
    const { overlaps, short } = mend(list);

    const words = new Map();
    let speed = 0, fastest = list[0];
    const rate = c => c.text.length * 1000 / (c.end - c.start);
    const out = list.map((c, i) => {
        for (const w of c.text.toLowerCase().match(/[a-z']+/g) || [])
            words.set(w, (words.get(w) || 0) + 1);
        speed += rate(c);
        if (rate(c) > rate(fastest))
            fastest = c;
        return (i + 1) + '\n' + fromMs(c.start) + ' --> ' + fromMs(c.end) + '\n' +
            breakLines(c.text).join('\n') + '\n\n';
    });
    fs.writeFileSync('fixed.srt', out.join(''));
    console.log(`${list.length} captions, ${parser.errors} not understood`);
    console.log(`${overlaps} overlapped, ${short} were too short`);
    console.log(`${(speed / list.length).toFixed(1)} letters a second, ` +
        `${rate(fastest).toFixed(1)} at ${fromMs(fastest.start)}`);
    const top = [...words].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 12);
    console.log(top.map(([w, n]) => `${w} ${n}`).join(', '));
}

main();
