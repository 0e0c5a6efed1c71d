// A program whose allocator of device memory memory_saver.c replaces. It calls the runtime only,
// and tells the saver, which it finds by name, when to pause.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

#include "check.h"
#include "cuda_prototypes.h"

int cudaMemGetInfo(size_t* available, size_t* total);

enum { kBytes = 8 << 20, kSmall = 4096 };

static size_t available(void) {
  size_t out = 0, total = 0;
  check_equal("cudaMemGetInfo", 0, cudaMemGetInfo(&out, &total));
  return out;
}

int main(void) {
  void (*mark)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "saver_mark");
  int (*pause)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "saver_pause");
  int (*resume)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "saver_resume");
  if (!mark || !pause || !resume) {
    puts("no saver is preloaded");
    return 1;
  }
  static unsigned char bytes[kBytes];
  void *kept = NULL, *saved = NULL, *small = NULL;
  check_equal("cudaSetDevice", 0, cudaSetDevice(0));
  check_equal("cudaMalloc", 0, cudaMalloc(&kept, kBytes));
  mark(1);
  const size_t before = available();
  check_equal("cudaMalloc, marked", 0, cudaMalloc(&saved, kBytes));
  check_equal("cudaMalloc, small", 0, cudaMalloc(&small, kSmall));
  mark(0);
  check_equal("cudaMemset", 0, cudaMemset(kept, 3, kBytes));
  check_equal("cudaMemset", 0, cudaMemset(small, 4, kSmall));
  check_equal("cudaMemset", 0, cudaMemset(saved, 5, kBytes));
  const size_t in_use = before - available();
  check_equal("at least what was asked for is in use", 1, in_use >= kBytes + kSmall);

  check_equal("pause", 0, pause());
  check_equal("paused, given back", kBytes, (long long)(available() - (before - in_use)));
  check_equal("resume", 0, resume());
  check_equal("resumed, in use", (long long)in_use, (long long)(before - available()));

  // The same address works again. Its contents are gone, those of other memory are not.
  check_equal("cudaMemset", 0, cudaMemset(saved, 6, kBytes));
  check_equal("cudaMemcpy", 0, cudaMemcpy(bytes, saved, kBytes, kDeviceToHost));
  check_equal("resumed memory", 6, bytes[kBytes - 1]);
  check_equal("cudaMemcpy", 0, cudaMemcpy(bytes, kept, kBytes, kDeviceToHost));
  check_equal("memory that was not marked", 3, bytes[kBytes - 1]);
  check_equal("cudaMemcpy", 0, cudaMemcpy(bytes, small, kSmall, kDeviceToHost));
  check_equal("small memory", 4, bytes[kSmall - 1]);
  check_equal("cudaFree", 0, cudaFree(saved));
  check_equal("cudaFree", 0, cudaFree(small));
  check_equal("freed, in use", 0, (long long)(before - available()));
  check_equal("cudaFree", 0, cudaFree(kept));
  puts("saved");
  return failures != 0;
}
