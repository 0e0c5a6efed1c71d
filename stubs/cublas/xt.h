// A handle of cublasXt. It is plain memory, and made without a device, as NVIDIA's is.
#pragma once

#include <stdint.h>

namespace torchada::xt {

// No machine has more devices than this.
constexpr int kMostBoards = 64;

// A selected device, with a cuBLAS handle of its own.
struct Board {
  int device;
  void* blas;
};

struct Handle {
  uint64_t mark;
  int block;    // Rows and columns of a tile.
  int pinning;  // What the program set; without effect.
  int count;    // Boards in use.
  Board boards[kMostBoards];
};

constexpr uint64_t kMark = 0x686164612d786c74;

// Null for what is no handle, as far as its first bytes show.
inline Handle* handle_of(void* object) {
  Handle* const out = static_cast<Handle*>(object);
  return out && out->mark == kMark ? out : nullptr;
}

}  // namespace torchada::xt
