#include "sluice/codecs.h"

#include "compression/codec.h"
#ifdef SLUICE_WITH_GZIP
#include "sluice/gzip.h"
#endif
#ifdef SLUICE_WITH_LZ4
#include "sluice/lz4.h"
#endif
#ifdef SLUICE_WITH_ZSTD
#include "sluice/series.h"
#include "sluice/zstd.h"
#endif

namespace sluice {

// The order matters where two formats begin with the same bytes: a skippable frame counts as one
// of zstd's.
std::initializer_list<const Codec*> all_codecs() noexcept {
  static const std::initializer_list<const Codec*> codecs = {
#ifdef SLUICE_WITH_ZSTD
      &zstd(),
#endif
#ifdef SLUICE_WITH_LZ4
      &lz4(),
#endif
#ifdef SLUICE_WITH_GZIP
      &gzip(),
#endif
#ifdef SLUICE_WITH_ZSTD
      &any_series(),
#endif
  };
  return codecs;
}

const Codec* codec_named(std::string_view name) noexcept {
  for (const Codec* codec : all_codecs()) {
    if (codec->name() == name) return codec;
  }
#ifdef SLUICE_WITH_ZSTD
  return series_named(name);
#else
  return nullptr;
#endif
}

}  // namespace sluice
