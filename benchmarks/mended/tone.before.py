"""Plays a chord of twelve plucked strings into a sound file, and writes each sample at once."""
import math
import struct
import wave

RATE = 22_050
NOTES = [98.0, 146.83, 196.0, 246.94, 293.66, 392.0,
         98.3, 147.2, 196.5, 247.5, 294.3, 392.9]
RESONANCES = [(1.96, 0.97), (1.92, 0.96), (1.84, 0.95)]  # of the body of the instrument


def samples():
    """Karplus and Strong's strings: a noise goes round in each, and becomes smoother."""
    noise = 1
    strings = []
    for note in NOTES:
        string = []
        for _ in range(int(RATE / note)):
            noise = noise * 69069 % 2_147_483_647
            string.append(noise / 1_073_741_823 - 1)
        strings.append(string)
    body = [[0.0, 0.0] for _ in RESONANCES]
    for number in range(4 * RATE):
        total = 0.0
        for string in strings:
            place = number % len(string)
            total += string[place]
            string[place] = 0.498 * (string[place] + string[place - 1])
        heard = 0.3 * total
        for state, (strength, width) in zip(body, RESONANCES):
            now = strength * state[0] - width * state[1] + 0.05 * total
            state[0], state[1] = now, state[0]
            heard += now
        yield math.tanh(heard) * (1 + 0.2 * math.sin(number * 0.0015)) / 1.2


with wave.open("out", "wb") as sound:
    sound.setnchannels(1)
    sound.setsampwidth(2)
    sound.setframerate(RATE)
    for sample in samples():
        sound.writeframes(struct.pack("<h", int(32_767 * sample)))
