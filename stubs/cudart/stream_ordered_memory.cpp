// Stream-ordered allocation on SDKs before 5.1, which are not known to have it. Memory is allocated
// at once, before the stream needs it. Freeing waits for the stream, and so costs more than on a
// device with pools. Pools themselves are refused: MUSA says that it has none
// (cudaDevAttrMemoryPoolsSupported), which is what programs ask first.
#include <stddef.h>

#include "stubs/cudart/answers.h"
#include "stubs/reporting/refusal.h"

using namespace torchada;

namespace {

// In a capture both calls would become nodes of the graph, which these SDKs do not have either.
int refuse_capture(const char* function, void* stream) {
  int capturing = 0;
  if (const int status = told(musaStreamIsCapturing(stream, &capturing))) return status;
  if (capturing == 0) return 0;
  return refuse_argument(function, "hStream", "(a stream in capture)",
                         "this SDK has no stream-ordered allocation for a graph to repeat",
                         static_cast<int>(cuda::cudaErrorStreamCaptureUnsupported));
}

}  // namespace

extern "C" int torchada_adapter_cudaMallocAsync(void** memory, size_t size, void* stream) {
  if (!memory) return fail(kInvalidValue);
  if (const int status = refuse_capture("cudaMallocAsync", stream)) return status;
  return told(musaMalloc(memory, size));
}

extern "C" int torchada_adapter_cudaFreeAsync(void* memory, void* stream) {
  if (const int status = refuse_capture("cudaFreeAsync", stream)) return status;
  if (!memory) return 0;
  if (const int status = told(musaStreamSynchronize(stream))) return status;
  return told(musaFree(memory));
}
