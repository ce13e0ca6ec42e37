// The contexts of libzstd, which free themselves.
#pragma once

#include <zstd.h>

#include <memory>

namespace sluice {

struct FreeZstdContext {
  void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};

using ZstdCompressionContext = std::unique_ptr<ZSTD_CCtx, FreeZstdContext>;
using ZstdDecompressionContext = std::unique_ptr<ZSTD_DCtx, FreeZstdContext>;

}  // namespace sluice
