// Version of the runtime these headers describe.
//
// Evidence: MooreThreads/tensorflow_musa_extension:musa_ext/mu/device/musa_se_callbacks.cc at
// 0515c58 tests MUSART_VERSION >= 50000 for SDK 5.0, and
// zml/xla:xla/stream_executor/musa/MUSA_ABI.md at 33497f8 states the encoding
// (major*10000 + minor*100 + patch) of the values that the version calls return.
#pragma once

#define MUSART_VERSION 50100
