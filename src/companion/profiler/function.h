// What the profiler knows of a function of CUDA's runtime or driver: its number, and which of its
// parameters tell what it does on a device.
#pragma once

#include <ffi.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/companion/prototypes.h"
#include "src/shared/profiler_interface.h"

namespace torchada::profiler {

enum class Role : std::uint8_t {
  kOther,
  kLaunch,
  kCopy,
  kSet,
  kSynchronize,
  kAllocate,
  kFree,
  kGraph,
  kMake,     // A stream or context.
  kDestroy,  // The same.
};
enum class Resource : std::uint8_t { kStream, kContext };

// A value among a call's arguments, or in a struct at which one of them points.
struct Place {
  std::uint32_t parameter;
  bool is_behind;        // in the struct
  std::uint32_t offset;  // there, in bytes
  std::uint32_t size;    // of the value, in bytes
};

// One end of a copy between devices. The runtime tells the device, the driver the context.
struct Side {
  std::optional<Place> device, context;
};

// Places by what they mean; what a function does not have is empty. A product of all `bytes` is the
// size of a copy.
struct Places {
  std::optional<Place> kernel, grid[3], block[3], shared, stream;
  std::optional<Place> to, from, value;
  std::vector<Place> bytes;
  Side from_side, to_side;
  std::optional<Place> event, graph, pointer, pointer_out;
};

struct Function {
  const FunctionPrototype* prototype;
  Domain domain;
  std::uint32_t id;
  void* target;
  ffi_cif* interface;
  Role role;
  Places places;
  std::uint32_t element = 1;   // Bytes of what is set.
  bool is_per_thread = false;  // Stream 0 is the thread's own.
  bool is_asynchronous = false;
  bool is_cooperative = false;
  bool is_between_devices = false;        // A copy.
  Resource resource = Resource::kStream;  // That it makes or destroys.
  std::uint32_t synchronization = 0;      // CUPTI's number of what it waits for.
  std::vector<std::uint32_t> offsets;     // Of parameters in the struct that callbacks get.

  const char* name() const { return text_at(prototype->name); }
};

// `element`, `role` and the rest of `function`, whose prototype is set, by names.
void describe(const Numbers& numbers, Function* function);

// The value at a place; 0 where the program passed null.
std::uint64_t read(const Place& place, void* const* arguments);
inline std::uint64_t read(const std::optional<Place>& place, void* const* arguments) {
  return place ? read(*place, arguments) : 0;
}

}  // namespace torchada::profiler
