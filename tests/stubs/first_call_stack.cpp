// How many bytes of its stack a thread uses.
//
//   first_call_stack open FILE                    for dlopen of FILE
//   first_call_stack call LIBRARY FUNCTION [SIZE] for the first call of FUNCTION, which gets
//                                                 pointers to zeros; with SIZE, on a stack of that
//                                                 many bytes with a guard page beneath it
//
// Prints the bytes (0 with SIZE) and what the function returned. What the C library keeps on the
// stack of a thread is counted in both cases.
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

namespace {

constexpr size_t kLarge = size_t{256} << 10;
constexpr unsigned char kPaint = 0xa5;

const char* file;
int (*function)(void*, void*);
int returned;
long long zeros[1024];

void* open_file(void*) { return dlopen(file, RTLD_NOW | RTLD_LOCAL); }

void* call_function(void*) {
  returned = function(zeros, zeros + 512);
  return &returned;
}

// Null if it could not be run, or returned null.
void* run(const pthread_attr_t* attributes, void* (*body)(void*)) {
  pthread_t thread;
  void* out = nullptr;
  if (pthread_create(&thread, attributes, body, nullptr) != 0) return nullptr;
  return pthread_join(thread, &out) == 0 ? out : nullptr;
}

int measure(void* (*body)(void*)) {
  void* const stack =
      mmap(nullptr, kLarge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack == MAP_FAILED) return 3;
  memset(stack, kPaint, kLarge);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (pthread_attr_setstack(&attributes, stack, kLarge) != 0 || !run(&attributes, body)) return 4;
  const auto* const bytes = static_cast<const unsigned char*>(stack);
  size_t untouched = 0;
  while (untouched < kLarge && bytes[untouched] == kPaint) ++untouched;
  printf("%zu %d\n", kLarge - untouched, returned);
  return 0;
}

int call_on(size_t size) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (pthread_attr_setstacksize(&attributes, size) != 0) return 3;
  if (!run(&attributes, call_function)) return 4;
  printf("0 %d\n", returned);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count >= 3 && strcmp(words[1], "open") == 0) {
    file = words[2];
    return measure(open_file);
  }
  if (count < 4) return 2;
  void* const library = dlopen(words[2], RTLD_NOW);
  function = library ? reinterpret_cast<int (*)(void*, void*)>(dlsym(library, words[3])) : nullptr;
  if (!function) {
    fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  return count > 4 ? call_on(strtoul(words[4], nullptr, 10)) : measure(call_function);
}
