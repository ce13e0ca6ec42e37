"""melody: list the notes of a tune.

Reads the track tune.mid (a standard MIDI file of format 0 with note events
only), writes notes.txt with the name, start and length of each note, and
prints how long each pitch class sounds.
"""
import struct

NAMES = ['C', 'C#', 'D', 'D#', 'E', 'F', 'F#', 'G', 'G#', 'A', 'A#', 'B']


def read_byte(f):
    return f.read(1)[0]


def read_varlen(f):
    value = 0
    while True:
        b = read_byte(f)
        value = value << 7 | b & 0x7f
        if b < 0x80:
            return value


def read_header(f):
    kind, size, form, tracks, division = struct.unpack('>4sIHHH', f.read(14))
    if kind != b'MThd' or form != 0:
        raise SystemExit('not a MIDI file of format 0')
    kind, size = struct.unpack('>4sI', f.read(8))
    return division


def events(f):
    """yields (ticks, pitch, on) until the end of the track"""
    now = 0
    while True:
        now += read_varlen(f)
        status = read_byte(f)
        if status == 0xff:
            return
        pitch = read_byte(f)
        velocity = read_byte(f)
        yield now, pitch, status & 0xf0 == 0x90 and velocity > 0


def main():
    started = {}
    sounding = [0] * 12
    count = 0
    with open('tune.mid', 'rb', buffering=0) as f, open('notes.txt', 'w') as out:
        division = read_header(f)
        for now, pitch, on in events(f):
            if on:
                started[pitch] = now
            elif pitch in started:
                start = started.pop(pitch)
                name = NAMES[pitch % 12] + str(pitch // 12 - 1)
                out.write('%-4s %10.3f %7.3f\n' % (name, start / division,
                                                   (now - start) / division))
                sounding[pitch % 12] += now - start
                count += 1
    print(count, 'notes')
    for name, ticks in zip(NAMES, sounding):
        print('%-2s %10.2f' % (name, ticks / division))


main()
