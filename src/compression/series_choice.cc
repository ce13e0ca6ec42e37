#include "compression/series_choice.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace sluice {
namespace {

constexpr std::size_t min_numbers = 64;  // of a frame that is worth trying, behind any head
constexpr std::size_t numbers_for_lag = 256;
constexpr std::size_t numbers_for_order = 1024;

std::uint64_t word_at(BytesView numbers, std::size_t index, std::size_t number_bytes) {
  std::uint64_t number = 0;
  std::memcpy(&number, numbers.data() + index * number_bytes, number_bytes);
  return number;
}

// The bits that a difference needs, without those of its sign.
std::size_t width_of(std::uint64_t difference, std::size_t number_bytes) {
  const unsigned unused_bits = static_cast<unsigned>(64 - number_bytes * 8);
  const auto value = static_cast<std::int64_t>(difference << unused_bits) >> unused_bits;
  return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(value ^ value >> 63)));
}

// Some numbers in a row, as words.
struct Words {
  Words(BytesView numbers, std::size_t begin, std::size_t wanted, std::size_t bytes_of_each)
      : count(std::min(wanted, words.size())), number_bytes(bytes_of_each) {
    for (std::size_t i = 0; i < count; ++i) words[i] = word_at(numbers, begin + i, number_bytes);
  }

  // The bits of all differences from the number with index `from` on.
  std::size_t width(std::size_t lag, std::size_t from) const {
    std::size_t bits = 0;
    for (std::size_t i = from; i < count; ++i) {
      bits += width_of(words[i] - words[i - lag], number_bytes);
    }
    return bits;
  }

  void take_differences(std::size_t lag) {
    for (std::size_t i = count; i-- > lag;) words[i] -= words[i - lag];
  }

  std::array<std::uint64_t, numbers_for_order + SeriesScratch::history> words;
  std::size_t count;
  std::size_t number_bytes;
};

// The lag whose differences need the fewest bits. A greater lag must be clearly better.
std::uint8_t find_lag(const Words& words, std::size_t max_lag, std::size_t& fewest) {
  std::size_t best = 1;
  fewest = words.width(1, max_lag);
  for (std::size_t lag = 2; lag <= max_lag; ++lag) {
    const std::size_t bits = words.width(lag, max_lag);
    if (bits + bits / 64 >= fewest) continue;
    fewest = bits;
    best = lag;
  }
  return static_cast<std::uint8_t>(best);
}

std::size_t max_lag_of(std::size_t count) { return std::min(SeriesFilter::max_lag, count / 8); }

// The lag for the sample's first numbers.
std::uint8_t find_lag(const SeriesSample& sample, std::size_t number_bytes, std::size_t& fewest) {
  const std::size_t max_lag = max_lag_of(sample.count);
  const Words words(sample.numbers, sample.begin, std::min(sample.count, max_lag + numbers_for_lag),
                    number_bytes);
  return find_lag(words, max_lag, fewest);
}

// How often differences should be taken.
std::uint8_t find_order(Words words, std::size_t lag) {
  const std::size_t most =
      std::min<std::size_t>(SeriesFilter::max_differences, words.count / 2 / lag);
  std::size_t best = 1;
  std::size_t fewest = words.width(lag, most * lag);
  for (std::size_t order = 2; order <= most; ++order) {
    words.take_differences(lag);
    const std::size_t bits = words.width(lag, most * lag);
    if (bits >= fewest) continue;
    fewest = bits;
    best = order;
  }
  return static_cast<std::uint8_t>(best);
}

}  // namespace

SeriesSample SeriesChooser::sample_of(BytesView frame, std::size_t head_bytes,
                                      std::size_t bytes) const {
  const BytesView all = frame.subspan(std::min(head_bytes, frame.size()));
  const std::size_t numbers = all.size() / number_bytes_;
  const std::size_t count = std::min(bytes / number_bytes_, numbers) / 8 * 8;
  return {all, (numbers - count) / 2, count};
}

SeriesChooser::Choice SeriesChooser::choose(BytesView frame) noexcept {
  // A head may take all but one of the bytes of a number, and the head of an earlier frame may be
  // longer than this whole frame.
  if (frame.size() < (min_numbers + 1) * number_bytes_) return {};
  if (frames_left_ > 0) {
    --frames_left_;
    if (is_similar(look_at(frame))) return last_;
  }
  last_ = find(frame);
  looks_ = look_at(frame);
  frames_left_ = frames_of_a_choice - 1;
  return last_;
}

SeriesChooser::Looks SeriesChooser::look_at(BytesView frame) noexcept {
  const SeriesSample sample = sample_of(frame, last_.head_bytes, small_sample_bytes);
  Looks looks;
  looks.millionths = try_filter(last_.filter, sample) * 1'000'000 / (sample.count * number_bytes_);
  find_lag(sample, number_bytes_, looks.bits);
  return looks;
}

bool SeriesChooser::is_similar(const Looks& looks) const {
  return looks.millionths <= looks_.millionths + looks_.millionths / 16 &&
         looks.bits <= looks_.bits + looks_.bits / 4 && looks_.bits <= looks.bits + looks.bits / 4;
}

SeriesChooser::Choice SeriesChooser::find(BytesView frame) noexcept {
  Choice choice;
  SeriesSample sample = sample_of(frame, 0, sample_bytes);
  std::size_t fewest = 0;
  std::uint8_t lag = find_lag(sample, number_bytes_, fewest);
  // If differences are as long as numbers, the numbers may begin at another byte.
  const std::size_t all_bits =
      std::min(sample.count - max_lag_of(sample.count), numbers_for_lag) * number_bytes_ * 8;
  const std::size_t heads = fewest > all_bits * 3 / 4 ? number_bytes_ : 1;
  for (std::size_t head = 1; head < heads; ++head) {
    const SeriesSample shifted =
        sample_of(frame.first(frame.size() - number_bytes_ + head), head, sample_bytes);
    std::size_t bits = 0;
    const std::uint8_t its_lag = find_lag(shifted, number_bytes_, bits);
    if (bits + bits / 16 >= fewest) continue;
    fewest = bits;
    lag = its_lag;
    sample = shifted;
    choice.head_bytes = static_cast<std::uint8_t>(head);
  }
  choice.filter = find_filter(sample, lag);
  if (choice.filter == SeriesFilter{}) choice.head_bytes = 0;
  return choice;
}

SeriesFilter SeriesChooser::find_filter(const SeriesSample& sample, std::uint8_t lag) noexcept {
  const Words words(sample.numbers, sample.begin,
                    std::min(sample.count, numbers_for_order + SeriesFilter::max_differences * lag),
                    number_bytes_);
  const std::uint8_t order = find_order(words, lag);
  const std::size_t plain_bytes = sample.count * number_bytes_;
  SeriesFilter best;
  std::size_t fewest = plain_bytes * 31 / 32;  // otherwise nothing is gained
  const auto try_it = [&](const SeriesFilter& filter) {
    std::size_t bytes = try_filter(filter, sample);
    // Bit planes take longer.
    if (filter.layout == SeriesLayout::bit_planes) bytes += bytes / 32 + plain_bytes / 512;
    if (bytes >= fewest) return;
    fewest = bytes;
    best = filter;
  };
  SeriesFilter differences{order, lag, SeriesLayout::byte_planes};
  try_it(differences);
  if (order > 1) try_it({static_cast<std::uint8_t>(order - 1), lag, SeriesLayout::byte_planes});
  try_it({0, 0, SeriesLayout::byte_planes});
  try_it({});
  try_it({SeriesFilter::exclusive_or, lag, SeriesLayout::byte_planes});
  SeriesFilter best_of_bytes = best;
  differences.layout = best_of_bytes.layout = SeriesLayout::bit_planes;
  try_it(differences);
  if (best_of_bytes != differences) try_it(best_of_bytes);
  return best;
}

std::size_t SeriesChooser::try_filter(const SeriesFilter& filter,
                                      const SeriesSample& sample) noexcept {
  const std::size_t bytes = sample.count * number_bytes_;
  fastest_series_way().filter(filter, number_bytes_, sample.numbers, sample.begin, sample.count,
                              {filtered_.data(), bytes}, scratch_);
  // In a frame of 1 MiB each plane of 8 is a block of zstd, with tables of its own.
  const std::size_t blocks = filter.layout == SeriesLayout::as_is ? 1 : number_bytes_;
  ZSTD_CCtx_reset(context_.get(), ZSTD_reset_session_only);
  ZSTD_outBuffer out{compressed_.data(), compressed_.size(), 0};
  for (std::size_t i = 0; i < blocks; ++i) {
    ZSTD_inBuffer in{filtered_.data() + i * sample.count, bytes / blocks, 0};
    const auto directive = i + 1 == blocks ? ZSTD_e_end : ZSTD_e_flush;
    if (ZSTD_compressStream2(context_.get(), &out, &in, directive) != 0) return bytes;
  }
  return out.pos;
}

}  // namespace sluice
