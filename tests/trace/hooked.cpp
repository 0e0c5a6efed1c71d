// A program that is hard on a tracer: its malloc and calloc call CUDA, it has its own C++ library,
// and exceptions and cancelled threads pass through the frames of callbacks.
#include <pthread.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>

extern "C" {
int cudaPeekAtLastError();
int cudaDeviceSynchronize();
int cudaGetDeviceCount(int* count);
const char* cudaGetErrorString(int error);
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);

static bool ready;  // Not while MUSA is opened, which also calls malloc.
static thread_local bool in_malloc;
static int mallocs;

void* malloc(std::size_t size) {
  if (ready && !in_malloc) {
    in_malloc = true;
    cudaPeekAtLastError();
    ++mallocs;
    in_malloc = false;
  }
  return __libc_malloc(size);
}

// The C library calls it for a thread's value of a late key.
void* calloc(std::size_t count, std::size_t size) {
  if (ready && !in_malloc) {
    in_malloc = true;
    cudaPeekAtLastError();
    in_malloc = false;
  }
  return __libc_calloc(count, size);
}
}

namespace {

void throws(int depth) {
  if (depth == 0) throw std::runtime_error("thrown");
  cudaGetErrorString(depth);
  throws(depth - 1);
}

void* is_cancelled(void*) {
  for (;;) {
    cudaGetErrorString(3);
    pthread_testcancel();
  }
}

}  // namespace

int main() {
  // The C library keeps the first 32 keys in the thread itself, and allocates memory for others.
  for (int i = 0; i < 40; ++i) {
    pthread_key_t key{};
    pthread_key_create(&key, nullptr);
  }
  int count = 0;
  if (cudaGetDeviceCount(&count) != 0 || count == 0) return 1;
  ready = true;
  try {
    throws(5);
    return 2;
  } catch (const std::runtime_error& error) {
    if (std::string(error.what()) != "thrown") return 3;
  }
  pthread_t thread;
  pthread_create(&thread, nullptr, is_cancelled, nullptr);
  usleep(2000);
  pthread_cancel(thread);
  pthread_join(thread, nullptr);
  if (cudaDeviceSynchronize() != 0) return 4;
  cudaGetErrorString(1234);
  std::printf("%s\n", mallocs > 0 ? "malloc called CUDA" : "malloc did not call CUDA");
  return 0;
}
