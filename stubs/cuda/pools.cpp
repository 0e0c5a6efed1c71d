// Stream-ordered allocation, and the pools that it takes memory from.
#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/cuda/runtime.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"

namespace {

using torchada::fail;
using torchada::Function;
using torchada::outcome;
using torchada::driver::require_stream;
using torchada::driver::runtime_error;
using torchada::driver::status_of_runtime;
namespace cuda = torchada::cuda;
namespace musa = torchada::musa;

using Address = unsigned long long;

void** place_of(Address* address) { return reinterpret_cast<void**>(address); }
void* memory_at(Address address) { return reinterpret_cast<void*>(address); }

// Whether the runtime's stream-ordered functions cannot serve a call: SDKs before 5.1 do not have
// them, and a device may have no pools.
bool has_none(int error) { return error == musa::musaErrorNotSupported; }

// Allocating and freeing at once would not be repeated with the graph.
int refuse_capture(const char* function, void* stream) {
  int state = 0;
  const int status = torchada::driver::after_runtime(
      {function, "musaStreamIsCapturing"}, [&] { return musaStreamIsCapturing(stream, &state); });
  if (status != 0 || state == cuda::CU_STREAM_CAPTURE_STATUS_NONE) return status;
  return torchada::refuse_argument(
      function, "hStream", "(a stream in capture)",
      "this SDK has no stream-ordered allocation for a graph to repeat",
      static_cast<int>(cuda::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED));
}

}  // namespace

extern "C" {

int torchada_adapter_cuMemAllocAsync(Address* out, size_t size, void* stream) {
  if (!out) return fail(torchada::kInvalid);
  const Function asked{"cuMemAllocAsync", "musaMallocAsync"};
  if (const int status = require_stream(asked, stream)) return status;
  const int error = runtime_error([=] { return musaMallocAsync(place_of(out), size, stream); });
  if (!has_none(error)) return outcome(asked, status_of_runtime(error));
  if (const int refused = refuse_capture("cuMemAllocAsync", stream)) return refused;
  return outcome({"cuMemAllocAsync", "muMemAlloc_v2"}, muMemAlloc_v2(out, size));
}

int torchada_adapter_cuMemFreeAsync(Address address, void* stream) {
  const Function asked{"cuMemFreeAsync", "musaFreeAsync"};
  if (const int status = require_stream(asked, stream)) return status;
  if (address == 0) return 0;
  const int error = runtime_error([=] { return musaFreeAsync(memory_at(address), stream); });
  if (!has_none(error)) return outcome(asked, status_of_runtime(error));
  if (const int refused = refuse_capture("cuMemFreeAsync", stream)) return refused;
  if (const int waited =
          outcome({"cuMemFreeAsync", "muStreamSynchronize"}, muStreamSynchronize(stream))) {
    return waited;
  }
  return outcome({"cuMemFreeAsync", "muMemFree_v2"}, muMemFree_v2(address));
}

}  // extern "C"
