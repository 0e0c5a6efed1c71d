#include "src/companion/profiler/call.h"

#include <cstring>

namespace torchada::profiler {

void* stream_of(const Profiler& profiler, const Call& call) {
  const Function& function = *call.function;
  void* const stream = pointer(read(function.places.stream, call.arguments));
  return stream == nullptr && function.is_per_thread ? profiler.facts().musa.per_thread_stream
                                                     : stream;
}

void* written_at(const std::optional<Place>& place, const Call& call) {
  void* out = nullptr;
  const void* const at = pointer(read(place, call.arguments));
  if (at) std::memcpy(&out, at, sizeof out);
  return out;
}

std::uint64_t bytes_of(const Call& call) {
  const Function& function = *call.function;
  if (function.places.bytes.empty()) return 0;
  std::uint64_t out = function.element;
  for (const Place& place : function.places.bytes) out *= read(place, call.arguments);
  return out;
}

const void* kernel_of(const Call& call) {
  return pointer(read(call.function->places.kernel, call.arguments));
}

const char* kernel_name(Profiler* profiler, const Call& call) {
  const char* const name = profiler->facts().kernel_name(kernel_of(call));
  return profiler->keep(name ? name : "unknown");
}

std::uint32_t context_number(Profiler* profiler, const void* context) {
  return context ? profiler->contexts().of(context) : 0;
}

}  // namespace torchada::profiler
