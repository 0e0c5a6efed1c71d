// Formats of elements as the driver and as the runtime say them.
#pragma once

#include "src/host/musa/driver_call.h"

namespace musa {

// Fails for what the runtime cannot describe.
musaError_t runtime_format(MUarray_format number, unsigned int channels,
                           musaChannelFormatDesc* format);
MUarray_format driver_format(const musaChannelFormatDesc& format);
unsigned int count_channels(const musaChannelFormatDesc& format);

}  // namespace musa
