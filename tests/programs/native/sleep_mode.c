// What vLLM's sleep mode does with the driver's and the runtime's functions: weights are kept in
// the host's memory while the program sleeps, the rest is thrown away, and all device memory is
// given back. After it wakes, every address is the one it had.
#include <stdint.h>
#include <stdlib.h>

#include "check.h"
#include "cuda_prototypes.h"
#include "virtual_memory.h"

enum { kPieces = 4, kBytes = 6 << 20 };

static void* memory_at(CUdeviceptr address) { return (void*)(uintptr_t)address; }

static size_t available(void) {
  size_t out = 0, total = 0;
  check_equal("cuMemGetInfo", 0, cuMemGetInfo_v2(&out, &total));
  return out;
}

static void check_bytes(const char* what, CUdeviceptr address, int expected) {
  static unsigned char bytes[kBytes];
  check_equal("cudaMemcpy", 0, cudaMemcpy(bytes, memory_at(address), kBytes, kDeviceToHost));
  long long wrong = 0;
  for (size_t i = 0; i < kBytes; ++i) wrong += bytes[i] != expected;
  check_equal(what, 0, wrong);
}

int main(void) {
  Piece pieces[kPieces];
  CUdeviceptr addresses[kPieces];
  unsigned char* backups[kPieces];
  check_equal("start", 0, start());
  const size_t before = available();
  size_t used = 0;
  for (int i = 0; i < kPieces; ++i) {
    check_equal("reserve", 0, reserve(&pieces[i], kBytes));
    check_equal("take", 0, take(&pieces[i], kNoHandle));
    check_equal("cudaMemset", 0, cudaMemset(memory_at(pieces[i].address), 10 + i, kBytes));
    addresses[i] = pieces[i].address;
    used += pieces[i].size;
  }
  check_equal("awake, memory in use", (long long)used, (long long)(before - available()));

  // The first half are weights.
  for (int i = 0; i < kPieces; ++i) {
    backups[i] = NULL;
    if (i < kPieces / 2) {
      backups[i] = malloc(kBytes);
      check_equal("backup", 0,
                  cudaMemcpy(backups[i], memory_at(pieces[i].address), kBytes, kDeviceToHost));
    }
    check_equal("give back", 0, give_back(&pieces[i]));
  }
  check_equal("asleep, memory in use", 0, (long long)(before - available()));

  // Another program may use the memory now.
  void* other = NULL;
  check_equal("cudaMalloc", 0, cudaMalloc(&other, used));
  check_equal("cudaFree", 0, cudaFree(other));

  for (int i = kPieces - 1; i >= 0; --i) {
    check_equal("take again", 0, take(&pieces[i], kNoHandle));
    check_equal("address", (long long)addresses[i], (long long)pieces[i].address);
    if (backups[i]) {
      check_equal("restore", 0,
                  cudaMemcpy(memory_at(pieces[i].address), backups[i], kBytes, kHostToDevice));
      free(backups[i]);
    } else {
      check_equal("cudaMemset", 0, cudaMemset(memory_at(pieces[i].address), 10 + i, kBytes));
    }
  }
  check_equal("awake again, memory in use", (long long)used, (long long)(before - available()));
  for (int i = 0; i < kPieces; ++i) check_bytes("bytes that differ", addresses[i], 10 + i);

  for (int i = 0; i < kPieces; ++i) {
    check_equal("give back", 0, give_back(&pieces[i]));
    check_equal("cuMemAddressFree", 0, cuMemAddressFree(pieces[i].address, pieces[i].size));
  }
  check_equal("at the end, memory in use", 0, (long long)(before - available()));
  puts("slept");
  return failures != 0;
}
