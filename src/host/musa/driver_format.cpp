#include "src/host/musa/driver_format.h"

#include <algorithm>
#include <iterator>

namespace musa {
namespace {

struct Format {
  MUarray_format number;
  int bits;
  musaChannelFormatKind kind;
};

// Those that the runtime can describe.
constexpr Format kFormats[] = {
    {MU_AD_FORMAT_UNSIGNED_INT8, 8, musaChannelFormatKindUnsigned},
    {MU_AD_FORMAT_UNSIGNED_INT16, 16, musaChannelFormatKindUnsigned},
    {MU_AD_FORMAT_UNSIGNED_INT32, 32, musaChannelFormatKindUnsigned},
    {MU_AD_FORMAT_SIGNED_INT8, 8, musaChannelFormatKindSigned},
    {MU_AD_FORMAT_SIGNED_INT16, 16, musaChannelFormatKindSigned},
    {MU_AD_FORMAT_SIGNED_INT32, 32, musaChannelFormatKindSigned},
    {MU_AD_FORMAT_HALF, 16, musaChannelFormatKindFloat},
    {MU_AD_FORMAT_FLOAT, 32, musaChannelFormatKindFloat},
};

}  // namespace

musaError_t runtime_format(MUarray_format number, unsigned int channels,
                           musaChannelFormatDesc* format) {
  const auto* const found = std::ranges::find(kFormats, number, &Format::number);
  if (found == std::end(kFormats) || (channels != 1 && channels != 2 && channels != 4)) {
    return musaErrorInvalidValue;
  }
  const int bits = found->bits;
  *format = {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 2 ? bits : 0,
             found->kind};
  return musaSuccess;
}

MUarray_format driver_format(const musaChannelFormatDesc& format) {
  const auto is_it = [&](const Format& row) {
    return row.bits == format.x && row.kind == format.f;
  };
  return std::ranges::find_if(kFormats, is_it)->number;
}

unsigned int count_channels(const musaChannelFormatDesc& format) {
  return format.z != 0 ? 4 : format.y != 0 ? 2 : 1;
}

}  // namespace musa
