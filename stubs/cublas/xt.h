// A handle of cublasXt. It is plain memory, and made without a device, as NVIDIA's is.
#pragma once

namespace torchada::xt {

// No machine has more devices than this.
constexpr int kMostBoards = 64;

// A selected device, with a cuBLAS handle of its own.
struct Board {
  int device;
  void* blas;
};

struct Handle {
  int block;    // Rows and columns of a tile.
  int pinning;  // What the program set; without effect.
  int count;    // Boards in use.
  Board boards[kMostBoards];
};

// Null for what is no handle, or is one no longer.
Handle* handle_of(void* object);

}  // namespace torchada::xt
