// Copies between devices. CUDA goes through the host's memory where one device cannot reach the
// other. So does this, where MUSA says that it cannot copy.
#include <stddef.h>

#include "stubs/adapting/on_device.h"
#include "stubs/cudart/answers.h"
#include "stubs/cudart/attempt.h"
#include "stubs/system/mapped_memory.h"

using namespace torchada;

namespace {

constexpr size_t kPart = 4u << 20;  // Bytes of the host's memory in use.

bool is_unable(int status) {
  return status == kNotSupported ||
         status == static_cast<int>(cuda::cudaErrorPeerAccessUnsupported);
}

struct Place {
  char* memory;
  int device;
};

int wait_for(int device) {
  const OnDevice on_device(device);
  return on_device.failed() ? kInvalidValue : musaDeviceSynchronize();
}

int copy_on(int device, void* to, const void* from, size_t bytes, int kind) {
  const OnDevice on_device(device);
  return on_device.failed() ? kInvalidValue : musaMemcpy(to, from, bytes, kind);
}

int copy_by_host(const Place& to, const Place& from, size_t bytes) {
  const MappedMemory host(kPart);
  if (!host.data()) return static_cast<int>(cuda::cudaErrorMemoryAllocation);
  for (size_t done = 0; done < bytes; done += kPart) {
    const size_t part = bytes - done < kPart ? bytes - done : kPart;
    int status =
        copy_on(from.device, host.data(), from.memory + done, part, musa::musaMemcpyDeviceToHost);
    if (status == 0) {
      status =
          copy_on(to.device, to.memory + done, host.data(), part, musa::musaMemcpyHostToDevice);
    }
    if (status != 0) return status;
  }
  return 0;
}

}  // namespace

extern "C" int torchada_adapter_cudaMemcpyPeer(void* to, int to_device, const void* from,
                                               int from_device, size_t bytes) {
  const Attempt attempt;
  int status = musaMemcpyPeer(to, to_device, from, from_device, bytes);
  if (!is_unable(status)) return told("cudaMemcpyPeer", status);
  attempt.forget();
  // In order with everything on both devices.
  status = wait_for(from_device);
  if (status == 0) status = wait_for(to_device);
  if (status != 0) return told(status);
  return told(copy_by_host({static_cast<char*>(to), to_device},
                           {static_cast<char*>(const_cast<void*>(from)), from_device}, bytes));
}

// The copy is made before this returns, in order with the stream. A capture cannot repeat it.
extern "C" int torchada_adapter_cudaMemcpyPeerAsync(void* to, int to_device, const void* from,
                                                    int from_device, size_t bytes, void* stream) {
  const Attempt attempt;
  int status = musaMemcpyPeerAsync(to, to_device, from, from_device, bytes, stream);
  if (!is_unable(status)) return told("cudaMemcpyPeerAsync", status);
  int capturing = 0;
  if (musaStreamIsCapturing(stream, &capturing) != 0 || capturing != 0) return told(status);
  attempt.forget();
  status = musaStreamSynchronize(stream);
  if (status != 0) return told(status);
  return told(copy_by_host({static_cast<char*>(to), to_device},
                           {static_cast<char*>(const_cast<void*>(from)), from_device}, bytes));
}
