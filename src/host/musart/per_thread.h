// The meaning of stream 0 in programs compiled with a default stream per thread.
#ifndef TORCHADA_HOST_MUSART_PER_THREAD_H_
#define TORCHADA_HOST_MUSART_PER_THREAD_H_

#include "musa_runtime_api.h"

namespace musart {

inline musaStream_t own_stream(musaStream_t stream) {
  return stream == nullptr ? musaStreamPerThread : stream;
}

}  // namespace musart

#endif  // TORCHADA_HOST_MUSART_PER_THREAD_H_
