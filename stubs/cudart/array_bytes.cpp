// Copies of so many bytes to or from an array, row after row: older forms of the copies of
// rectangles, of which each such copy is at most three.
#include <stddef.h>

#include "stubs/cudart/answers.h"
#include "stubs/resolving/backend.h"

using namespace torchada;

namespace {

struct Format {
  int bits[4];
  int kind;
};
struct Extent {
  size_t width, height, depth;
};

// A part of the copy, behind so many bytes that are done.
struct Rectangle {
  size_t done, x, y, width, height;
};

template <typename Copy>
int copy_bytes(const char* function, const void* array, size_t x, size_t y, size_t bytes,
               const Copy& copy) {
  // Before cudaArrayGetInfo would say so of itself.
  if (!has_backend()) return told(function, static_cast<int>(cuda::cudaErrorInsufficientDriver));
  Format format{};
  Extent extent{};
  unsigned int flags = 0;
  const int known =
      torchada_own_cudaArrayGetInfo(&format, &extent, &flags, const_cast<void*>(array));
  if (known != 0) return known;
  const int* const bits = format.bits;
  const size_t row = extent.width * ((bits[0] + bits[1] + bits[2] + bits[3]) / 8);
  const size_t all = row * (extent.height == 0 ? 1 : extent.height);
  // Nothing is copied if not all of it can be.
  if (x > row || y * row + x > all || bytes > all - (y * row + x)) return fail(kInvalidValue);
  for (size_t done = 0; done < bytes;) {
    const size_t left = bytes - done;
    const bool whole = x == 0 && left >= row;
    const size_t width = whole ? row : left < row - x ? left : row - x;
    const size_t height = whole ? left / row : 1;
    if (const int status = width == 0 ? 0 : copy(Rectangle{done, x, y, width, height})) {
      return told(function, status);
    }
    done += width * height;
    x = 0;
    y += height;
  }
  return 0;
}

// `call` is MUSA's copy of a rectangle, `stream` what it takes behind the other arguments.
template <typename Call, typename... Stream>
int to_array(const char* function, void* array, size_t x, size_t y, const void* from, size_t bytes,
             int kind, Call call, Stream... stream) {
  return copy_bytes(function, array, x, y, bytes, [=](const Rectangle& to) {
    const char* const part = static_cast<const char*>(from) + to.done;
    return call(array, to.x, to.y, part, to.width, to.width, to.height, kind, stream...);
  });
}

template <typename Call, typename... Stream>
int from_array(const char* function, void* to, const void* array, size_t x, size_t y, size_t bytes,
               int kind, Call call, Stream... stream) {
  return copy_bytes(function, array, x, y, bytes, [=](const Rectangle& from) {
    char* const part = static_cast<char*>(to) + from.done;
    return call(part, from.width, const_cast<void*>(array), from.x, from.y, from.width, from.height,
                kind, stream...);
  });
}

}  // namespace

extern "C" {

int torchada_adapter_cudaMemcpyToArray(void* array, size_t x, size_t y, const void* from,
                                       size_t bytes, int kind) {
  return to_array("cudaMemcpyToArray", array, x, y, from, bytes, kind, musaMemcpy2DToArray);
}
int torchada_adapter_cudaMemcpyToArray_ptds(void* array, size_t x, size_t y, const void* from,
                                            size_t bytes, int kind) {
  return after_own_stream(to_array("cudaMemcpyToArray_ptds", array, x, y, from, bytes, kind,
                                   musaMemcpy2DToArrayAsync, own_stream(nullptr)));
}
int torchada_adapter_cudaMemcpyToArrayAsync(void* array, size_t x, size_t y, const void* from,
                                            size_t bytes, int kind, void* stream) {
  return to_array("cudaMemcpyToArrayAsync", array, x, y, from, bytes, kind,
                  musaMemcpy2DToArrayAsync, stream);
}
int torchada_adapter_cudaMemcpyToArrayAsync_ptsz(void* array, size_t x, size_t y, const void* from,
                                                 size_t bytes, int kind, void* stream) {
  return to_array("cudaMemcpyToArrayAsync", array, x, y, from, bytes, kind,
                  musaMemcpy2DToArrayAsync, own_stream(stream));
}

int torchada_adapter_cudaMemcpyFromArray(void* to, const void* array, size_t x, size_t y,
                                         size_t bytes, int kind) {
  return from_array("cudaMemcpyFromArray", to, array, x, y, bytes, kind, musaMemcpy2DFromArray);
}
int torchada_adapter_cudaMemcpyFromArray_ptds(void* to, const void* array, size_t x, size_t y,
                                              size_t bytes, int kind) {
  return after_own_stream(from_array("cudaMemcpyFromArray_ptds", to, array, x, y, bytes, kind,
                                     musaMemcpy2DFromArrayAsync, own_stream(nullptr)));
}
int torchada_adapter_cudaMemcpyFromArrayAsync(void* to, const void* array, size_t x, size_t y,
                                              size_t bytes, int kind, void* stream) {
  return from_array("cudaMemcpyFromArrayAsync", to, array, x, y, bytes, kind,
                    musaMemcpy2DFromArrayAsync, stream);
}
int torchada_adapter_cudaMemcpyFromArrayAsync_ptsz(void* to, const void* array, size_t x, size_t y,
                                                   size_t bytes, int kind, void* stream) {
  return from_array("cudaMemcpyFromArrayAsync", to, array, x, y, bytes, kind,
                    musaMemcpy2DFromArrayAsync, own_stream(stream));
}

}  // extern "C"
