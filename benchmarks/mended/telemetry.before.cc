// statistics for each channel of a flight recorder's file
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <vector>

#pragma pack(push, 1)
struct PacketHeader {
  uint8_t sync;
  uint8_t channel;
  uint16_t length;
  uint32_t time;
};
#pragma pack(pop)

constexpr size_t Taps = 32;

struct Channel {
  long packets = 0, samples = 0;
  double sum = 0, squares = 0, filtered = 0, peak = 0;
  uint32_t last = 0, gap = 0;
  std::vector<double> recent = std::vector<double>(Taps);
  size_t at = 0;
};

// low pass filter of the samples
static double convolve(const Channel& c, const std::vector<double>& kernel) {
  double sum = 0;
  for (size_t i = 0; i < Taps; i++) sum += kernel[i] * c.recent[(c.at + i) % Taps];
  return sum;
}

static std::vector<double> make_kernel() {
  std::vector<double> k(Taps);
  for (size_t i = 0; i < Taps; i++)
    k[i] = (0.5 - 0.5 * std::cos(2 * M_PI * (i + 0.5) / Taps)) * 2 / Taps;
  return k;
}

class Recording {
 public:
  explicit Recording(const char* name) : in_(name, std::ios::binary) {}

  bool next(PacketHeader& h, std::vector<int16_t>& data) {
    in_.seekg(pos_);
    if (!in_.read(reinterpret_cast<char*>(&h), sizeof h) || h.sync != 0xA5) return false;
    data.resize(h.length / 2);
    if (!in_.read(reinterpret_cast<char*>(data.data()), h.length)) return false;
    pos_ += sizeof h + h.length;
    return true;
  }

 private:
  std::ifstream in_;
  std::streamoff pos_ = 0;
};

int main() {
  Recording rec("flight.bin");
  std::vector<Channel> channels(256);
  const std::vector<double> kernel = make_kernel();
  PacketHeader h;
  std::vector<int16_t> data;
  while (rec.next(h, data)) {
    Channel& c = channels[h.channel];
    if (c.packets++ && h.time - c.last > c.gap) c.gap = h.time - c.last;
    c.last = h.time;
    for (int16_t v : data) {
      c.samples++;
      c.sum += v;
      c.squares += double(v) * v;
      c.recent[c.at++ % Taps] = v;
      c.filtered = convolve(c, kernel);
      if (std::fabs(c.filtered) > c.peak) c.peak = std::fabs(c.filtered);
    }
  }
  for (size_t i = 0; i < channels.size(); i++) {
    const Channel& c = channels[i];
    if (!c.packets) continue;
    double mean = c.sum / c.samples;
    std::printf("channel %2zu: %6ld packets %7ld samples mean %8.2f dev %8.2f peak %8.2f gap %u\n",
                i, c.packets, c.samples, mean, std::sqrt(c.squares / c.samples - mean * mean),
                c.peak, c.gap);
  }
  return 0;
}
