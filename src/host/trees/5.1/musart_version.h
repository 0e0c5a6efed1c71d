// Version of the runtime these headers describe.
//
// Evidence: facts/musa.md section 1 (MUSART_VERSION 50100 and __MUSART_API_VERSION 12080 in
// SDK 5.1.0; the encoding is major*10000 + minor*100 + patch, stated by
// zml/xla:xla/stream_executor/musa/MUSA_ABI.md for the values the version calls return).
#ifndef TORCHADA_HOST_MUSART_VERSION_H_
#define TORCHADA_HOST_MUSART_VERSION_H_

#define MUSART_VERSION 50100
#define __MUSART_API_VERSION 12080

#endif  // TORCHADA_HOST_MUSART_VERSION_H_
