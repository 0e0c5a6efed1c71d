// CUPTI as a program sees it, written by hand from its documentation and public headers: never from
// our tables. Numbers and records of CUDA 13.0, as far as the tests use them. layouts_test.cpp
// compares them with the headers where those are.
#pragma once

#include <cstddef>
#include <cstdint>

namespace witness {

enum Status : int {
  kSuccess = 0,
  kInvalidParameter = 1,
  kMaxLimitReached = 12,
  kNotCompatible = 14,
  kQueueEmpty = 18,
  kInvalidKind = 21,
  kNotSupported = 27,
  kSubscribedAlready = 39,
};

enum Kind : std::uint32_t {
  kMemcpy = 1,
  kMemset = 2,
  kKernel = 3,
  kDriver = 4,
  kRuntime = 5,
  kConcurrentKernel = 10,
  kMarker = 12,
  kMemcpyPeer = 22,
  kSynchronization = 38,
  kExternalCorrelation = 39,
  kMemory2 = 49,
};

enum Domain : std::uint32_t {
  kDriverApi = 1,
  kRuntimeApi = 2,
  kResource = 3,
  kSynchronize = 4,
  kNvtx = 5,
};
enum ResourceId : std::uint32_t {
  kContextCreated = 1,
  kContextDestroying = 2,
  kStreamCreated = 3,
  kStreamDestroying = 4,
  kModuleLoaded = 6,
};

constexpr std::uint32_t kCustomExternal = 3;

struct Api {
  std::uint32_t kind, cbid;
  std::uint64_t start, end;
  std::uint32_t process, thread, correlation, result;
};

struct Copy {
  std::uint32_t kind;
  std::uint8_t direction, from, to, flags;
  std::uint64_t bytes, start, end;
  std::uint32_t device, context, stream, correlation;
};
enum Direction : std::uint8_t {
  kHostToDevice = 1,
  kDeviceToHost = 2,
  kDeviceToDevice = 8,
  kBetweenDevices = 10,
};
enum Memory : std::uint8_t { kPageable = 1, kPinned = 2, kDevice = 3 };

// Between devices.
struct Peer {
  std::uint32_t kind;
  std::uint8_t direction, from, to, flags;
  std::uint64_t bytes, start, end;
  std::uint32_t device, context, stream, from_device, from_context, to_device, to_context,
      correlation;
};

struct Set {
  std::uint32_t kind, value;
  std::uint64_t bytes, start, end;
  std::uint32_t device, context, stream, correlation;
};

struct Kernel {
  std::uint32_t kind;
  std::uint8_t caches[4];
  std::int32_t requested, executed;
  std::uint64_t start, end, completed;
  std::uint32_t device, context, stream;
  std::int32_t grid[3], block[3], static_shared, dynamic_shared;
  std::uint32_t local, local_total, correlation;
  std::int64_t grid_id;
  const char* name;
};

struct External {
  std::uint32_t kind, external_kind;
  std::uint64_t id;
  std::uint32_t correlation, reserved;
};

struct Synchronization {
  std::uint32_t kind, type;
  std::uint64_t start, end;
  std::uint32_t correlation, context, stream, event;
};

// What a callback gets for a call.
struct CallbackData {
  std::uint32_t site;  // 0 before the call, 1 after it.
  const char* function;
  const void* parameters;
  void* result;
  const char* symbol;
  void* context;
  std::uint32_t context_number;
  std::uint64_t* own;
  std::uint32_t correlation;
};

// And for a stream or a context.
struct ResourceData {
  void* context;
  void* stream;
  void* descriptor;
};

using Callback = void(void* data, std::uint32_t domain, std::uint32_t id, const void* details);
using RequestBuffer = void(std::uint8_t** buffer, std::size_t* size, std::size_t* most);
using CompleteBuffer = void(void* context, std::uint32_t stream, std::uint8_t* buffer,
                            std::size_t size, std::size_t valid);

}  // namespace witness
