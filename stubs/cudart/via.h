// The ways to MUSA that rows of the runtime share (`via` in mappings/forward/cudart.yaml).
#pragma once

#include "stubs/adapting/outcome.h"
#include "stubs/cudart/answers.h"
#include "stubs/cudart/array_bytes.h"
#include "stubs/cudart/kept_graphs.h"
#include "stubs/cudart/narrow_rows.h"
#include "stubs/cudart/registered_code.h"

namespace torchada::via {

// Bytes to an array, in a stream or at once, by copies of rectangles.
template <typename... Stream>
int bytes(const Function& function, void* array, size_t x, size_t y, const void* from, size_t bytes,
          int kind, Stream... stream) {
  return array_bytes::copy(function.cuda, array, x, y, bytes, [=](const auto& to) {
    const char* const part = static_cast<const char*>(from) + to.done;
    if constexpr (sizeof...(Stream) == 0) {
      return musaMemcpy2DToArray(array, to.x, to.y, part, to.width, to.width, to.height, kind);
    } else {
      return musaMemcpy2DToArrayAsync(array, to.x, to.y, part, to.width, to.width, to.height, kind,
                                      stream...);
    }
  });
}

// The same from an array.
template <typename... Stream>
int bytes(const Function& function, void* to, const void* array, size_t x, size_t y, size_t bytes,
          int kind, Stream... stream) {
  return array_bytes::copy(function.cuda, array, x, y, bytes, [=](const auto& from) {
    char* const part = static_cast<char*>(to) + from.done;
    void* const own = const_cast<void*>(array);
    if constexpr (sizeof...(Stream) == 0) {
      return musaMemcpy2DFromArray(part, from.width, own, from.x, from.y, from.width, from.height,
                                   kind);
    } else {
      return musaMemcpy2DFromArrayAsync(part, from.width, own, from.x, from.y, from.width,
                                        from.height, kind, stream...);
    }
  });
}

// A rectangle, in a stream or at once; see narrow_rows.h.
template <typename... Stream>
int rows(const Function& function, void* to, size_t to_pitch, const void* from, size_t from_pitch,
         size_t width, size_t height, int kind, Stream... stream) {
  constexpr bool kAtOnce = sizeof...(Stream) == 0;
  const auto whole = [=] {
    if constexpr (kAtOnce) {
      return musaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
    } else {
      return musaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, stream...);
    }
  };
  const auto part = [=](void* there, const void* here, size_t bytes) {
    if constexpr (kAtOnce) {
      return musaMemcpy(there, here, bytes, kind);
    } else {
      return musaMemcpyAsync(there, here, bytes, kind, stream...);
    }
  };
  return narrow_rows::copy(
      function.cuda,
      {static_cast<char*>(to), to_pitch, static_cast<const char*>(from), from_pitch, width, height},
      kind, whole, part);
}

// A function that makes an executable of a graph.
template <typename... Taken, typename... Given>
int made(const Function& function, int (*call)(void**, void*, Taken...), void* place, void* graph,
         Given... given) {
  void** const executable = static_cast<void**>(place);
  const int status = call(executable, graph, given...);
  if (status == 0 && executable) add_executable(*executable, graph);
  return told(function.cuda, status);
}

// A function of CUDA's driver by its name (entry_point.cpp). No flags mean `meant`.
int entry_point(const Function& function, long long meant, const void* symbol, void* out,
                unsigned long long flags);
int entry_point(const Function& function, long long meant, const void* symbol, void* out,
                unsigned long long flags, void* result);
int entry_point(const Function& function, long long meant, const void* symbol, void* out,
                unsigned version, unsigned long long flags, void* result);

// Device code that nvcc's constructors register, of no size or a variable's. `host` is the address
// by which the program refers to it, of a managed variable where it keeps the pointer to it.
template <typename... Rest>
void code(const Function&, CodeKind kind, void* module, const void* host, const void* /*device*/,
          const void* name, int, Rest...) {
  if (!host || !name) return;
  register_code(static_cast<void**>(module), {host, static_cast<const char*>(name), 0, kind});
}

inline void code(const Function&, CodeKind kind, void* module, const void* host,
                 const void* /*device*/, const void* name, int, size_t size, int, int) {
  if (!host || !name) return;
  register_code(static_cast<void**>(module), {host, static_cast<const char*>(name), size, kind});
}

}  // namespace torchada::via
