// A library that is preloaded before CUDA's runtime, as torch_memory_saver's: cudaMalloc gives
// memory that can be paused and resumed under its address. What is small, or was not marked, is the
// runtime's.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#include "virtual_memory.h"

enum { kPieces = 64, kSmallest = 1 << 20 };

static Piece pieces[kPieces];
static int marked;

void saver_mark(int on) { marked = on; }

int cudaMalloc(void** memory, size_t size) {
  int (*real)(void**, size_t) = (int (*)(void**, size_t))dlsym(RTLD_NEXT, "cudaMalloc");
  if (!marked || size < kSmallest) return real(memory, size);
  for (Piece* piece = pieces; piece < pieces + kPieces; ++piece) {
    if (piece->size != 0) continue;
    RETURN_IF_FAILED(reserve(piece, size));
    RETURN_IF_FAILED(take(piece, kNoHandle));
    *memory = (void*)(uintptr_t)piece->address;
    return 0;
  }
  return 2;
}

int cudaFree(void* memory) {
  int (*real)(void*) = (int (*)(void*))dlsym(RTLD_NEXT, "cudaFree");
  for (Piece* piece = pieces; piece < pieces + kPieces; ++piece) {
    if (piece->size == 0 || piece->address != (uintptr_t)memory) continue;
    RETURN_IF_FAILED(give_back(piece));
    RETURN_IF_FAILED(cuMemAddressFree(piece->address, piece->size));
    piece->size = 0;
    return 0;
  }
  return real(memory);
}

int saver_pause(void) {
  for (Piece* piece = pieces; piece < pieces + kPieces; ++piece) {
    if (piece->size != 0) RETURN_IF_FAILED(give_back(piece));
  }
  return 0;
}

int saver_resume(void) {
  for (Piece* piece = pieces; piece < pieces + kPieces; ++piece) {
    if (piece->size != 0) RETURN_IF_FAILED(take(piece, kNoHandle));
  }
  return 0;
}
