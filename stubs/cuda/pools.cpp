// Stream-ordered allocation, and the pools that it takes memory from.
#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/cuda/own_stream.h"
#include "stubs/cuda/runtime.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"

namespace {

using torchada::fail;
using torchada::Function;
using torchada::outcome;
using torchada::driver::by_runtime;
using torchada::driver::in_stream;
using torchada::driver::own_stream;
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

int allocate(const char* function, Address* out, size_t size, void* stream) {
  if (!out) return fail(torchada::kInvalid);
  const Function asked{function, "musaMallocAsync"};
  if (const int status = require_stream(asked, stream)) return status;
  const int error = runtime_error([=] { return musaMallocAsync(place_of(out), size, stream); });
  if (!has_none(error)) return outcome(asked, status_of_runtime(error));
  if (const int refused = refuse_capture(function, stream)) return refused;
  return outcome({function, "muMemAlloc_v2"}, muMemAlloc_v2(out, size));
}

int free_in_order(const char* function, Address address, void* stream) {
  const Function asked{function, "musaFreeAsync"};
  if (const int status = require_stream(asked, stream)) return status;
  if (address == 0) return 0;
  const int error = runtime_error([=] { return musaFreeAsync(memory_at(address), stream); });
  if (!has_none(error)) return outcome(asked, status_of_runtime(error));
  if (const int refused = refuse_capture(function, stream)) return refused;
  if (const int waited = outcome({function, "muStreamSynchronize"}, muStreamSynchronize(stream))) {
    return waited;
  }
  return outcome({function, "muMemFree_v2"}, muMemFree_v2(address));
}

int allocate_from(const char* function, Address* out, size_t size, void* pool, void* stream) {
  return in_stream({function, "musaMallocFromPoolAsync"}, stream,
                   [=] { return musaMallocFromPoolAsync(place_of(out), size, pool, stream); });
}

// CUmemLocation.
struct PoolPlace {
  int type;
  int id;
};
static_assert(sizeof(PoolPlace) == cuda::sizeof_CUmemLocation);

// Sets `device` to that of a location whose pool has memory of `type`. 0, or the status to return.
// `number`: of the parameter `type`, from 0.
int device_of_pool(const char* function, const PoolPlace* location, int type, unsigned number,
                   int* device) {
  if (!location) return fail(torchada::kInvalid);
  if (type != cuda::CU_MEM_ALLOCATION_TYPE_PINNED) {
    return torchada::refuse_enumerator(
        function, number, type, "MUSA's pools have pinned memory only", torchada::kUnsupported);
  }
  if (location->type != cuda::CU_MEM_LOCATION_TYPE_DEVICE) {
    return torchada::refuse_argument(
        function, "location->type",
        torchada::enumerator_text("CUmemLocationType", location->type).c_str(),
        "only devices have pools in MUSA", torchada::kUnsupported);
  }
  *device = location->id;
  return 0;
}

}  // namespace

extern "C" {

int torchada_adapter_cuMemAllocAsync(Address* out, size_t size, void* stream) {
  return allocate("cuMemAllocAsync", out, size, stream);
}

int torchada_adapter_cuMemAllocAsync_ptsz(Address* out, size_t size, void* stream) {
  return allocate("cuMemAllocAsync_ptsz", out, size, own_stream(stream));
}

int torchada_adapter_cuMemFreeAsync(Address address, void* stream) {
  return free_in_order("cuMemFreeAsync", address, stream);
}

int torchada_adapter_cuMemFreeAsync_ptsz(Address address, void* stream) {
  return free_in_order("cuMemFreeAsync_ptsz", address, own_stream(stream));
}

int torchada_adapter_cuMemAllocFromPoolAsync(Address* out, size_t size, void* pool, void* stream) {
  return allocate_from("cuMemAllocFromPoolAsync", out, size, pool, stream);
}

int torchada_adapter_cuMemAllocFromPoolAsync_ptsz(Address* out, size_t size, void* pool,
                                                  void* stream) {
  return allocate_from("cuMemAllocFromPoolAsync_ptsz", out, size, pool, own_stream(stream));
}

int torchada_adapter_cuMemPoolCreate(void** pool, const void* properties) {
  return by_runtime({"cuMemPoolCreate", "musaMemPoolCreate"},
                    [=] { return musaMemPoolCreate(pool, properties); });
}

int torchada_adapter_cuMemPoolDestroy(void* pool) {
  return by_runtime({"cuMemPoolDestroy", "musaMemPoolDestroy"},
                    [=] { return musaMemPoolDestroy(pool); });
}

int torchada_adapter_cuMemPoolTrimTo(void* pool, size_t bytes) {
  return by_runtime({"cuMemPoolTrimTo", "musaMemPoolTrimTo"},
                    [=] { return musaMemPoolTrimTo(pool, bytes); });
}

int torchada_adapter_cuMemPoolGetAttribute(void* pool, int attribute, void* value) {
  return by_runtime({"cuMemPoolGetAttribute", "musaMemPoolGetAttribute"},
                    [=] { return musaMemPoolGetAttribute(pool, attribute, value); });
}

int torchada_adapter_cuMemPoolSetAttribute(void* pool, int attribute, void* value) {
  return by_runtime({"cuMemPoolSetAttribute", "musaMemPoolSetAttribute"},
                    [=] { return musaMemPoolSetAttribute(pool, attribute, value); });
}

int torchada_adapter_cuMemPoolGetAccess(int* flags, void* pool, void* location) {
  return by_runtime({"cuMemPoolGetAccess", "musaMemPoolGetAccess"},
                    [=] { return musaMemPoolGetAccess(flags, pool, location); });
}

int torchada_adapter_cuMemPoolSetAccess(void* pool, const void* access, size_t count) {
  return by_runtime({"cuMemPoolSetAccess", "musaMemPoolSetAccess"},
                    [=] { return musaMemPoolSetAccess(pool, access, count); });
}

// The runtime's flags have 32 bits; none is defined.
int torchada_adapter_cuMemPoolExportToShareableHandle(void* handle, void* pool, int type,
                                                      unsigned long long flags) {
  if (flags != 0) return fail(torchada::kInvalid);
  return by_runtime({"cuMemPoolExportToShareableHandle", "musaMemPoolExportToShareableHandle"},
                    [=] { return musaMemPoolExportToShareableHandle(handle, pool, type, 0); });
}

int torchada_adapter_cuMemPoolImportFromShareableHandle(void** pool, void* handle, int type,
                                                        unsigned long long flags) {
  if (flags != 0) return fail(torchada::kInvalid);
  return by_runtime({"cuMemPoolImportFromShareableHandle", "musaMemPoolImportFromShareableHandle"},
                    [=] { return musaMemPoolImportFromShareableHandle(pool, handle, type, 0); });
}

int torchada_adapter_cuMemPoolExportPointer(void* data, Address address) {
  return by_runtime({"cuMemPoolExportPointer", "musaMemPoolExportPointer"},
                    [=] { return musaMemPoolExportPointer(data, memory_at(address)); });
}

int torchada_adapter_cuMemPoolImportPointer(Address* address, void* pool, void* data) {
  return by_runtime({"cuMemPoolImportPointer", "musaMemPoolImportPointer"},
                    [=] { return musaMemPoolImportPointer(place_of(address), pool, data); });
}

int torchada_adapter_cuDeviceGetDefaultMemPool(void** pool, int device) {
  return by_runtime({"cuDeviceGetDefaultMemPool", "musaDeviceGetDefaultMemPool"},
                    [=] { return musaDeviceGetDefaultMemPool(pool, device); });
}

int torchada_adapter_cuDeviceGetMemPool(void** pool, int device) {
  return by_runtime({"cuDeviceGetMemPool", "musaDeviceGetMemPool"},
                    [=] { return musaDeviceGetMemPool(pool, device); });
}

int torchada_adapter_cuDeviceSetMemPool(int device, void* pool) {
  return by_runtime({"cuDeviceSetMemPool", "musaDeviceSetMemPool"},
                    [=] { return musaDeviceSetMemPool(device, pool); });
}

int torchada_adapter_cuMemGetDefaultMemPool(void** pool, const PoolPlace* location, int type) {
  int device = 0;
  if (const int refused = device_of_pool("cuMemGetDefaultMemPool", location, type, 2, &device)) {
    return refused;
  }
  return by_runtime({"cuMemGetDefaultMemPool", "musaDeviceGetDefaultMemPool"},
                    [=] { return musaDeviceGetDefaultMemPool(pool, device); });
}

int torchada_adapter_cuMemGetMemPool(void** pool, const PoolPlace* location, int type) {
  int device = 0;
  if (const int refused = device_of_pool("cuMemGetMemPool", location, type, 2, &device)) {
    return refused;
  }
  return by_runtime({"cuMemGetMemPool", "musaDeviceGetMemPool"},
                    [=] { return musaDeviceGetMemPool(pool, device); });
}

int torchada_adapter_cuMemSetMemPool(const PoolPlace* location, int type, void* pool) {
  int device = 0;
  if (const int refused = device_of_pool("cuMemSetMemPool", location, type, 1, &device)) {
    return refused;
  }
  return by_runtime({"cuMemSetMemPool", "musaDeviceSetMemPool"},
                    [=] { return musaDeviceSetMemPool(device, pool); });
}

}  // extern "C"
