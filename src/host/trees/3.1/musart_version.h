// Version of the runtime these headers describe.
//
// Evidence: the file of 3.1.0 is libmusart.so.1.0.0 (b1tg/tinygrad:extra/musa/musa_probe.md at
// 134e84a). Assumed: the runtime answers the version of its file, as that of 4.0.1 does
// (zml/xla:.../MUSA_ABI.md).
#pragma once

#define MUSART_VERSION 10000
