// kernel<<<grid, block, shared, stream>>>(...) pushes its configuration, and the function that nvcc
// generates for the kernel pops it just before the launch. The arguments are computed in between,
// and may launch kernels of their own.
#include <stdint.h>
#include <sys/mman.h>

#include "facts.h"
#include "stubs/reporting/fallback.h"
#include "stubs/system/thread_count.h"

namespace {

using torchada::fail;

struct Dim3 {
  unsigned x, y, z;
};

struct Configuration {
  Dim3 grid;
  Dim3 block;
  size_t shared_bytes;
  void* stream;
};

// Of one thread, in memory from the kernel.
struct Stack {
  size_t bytes;  // Of the whole memory.
  size_t count;
  Configuration configurations[1];
};

void release(void* memory) {
  auto* const stack = static_cast<Stack*>(memory);
  munmap(stack, stack->bytes);
}

torchada::ThreadCount stacks(release);

Stack* stack_of_thread() { return reinterpret_cast<Stack*>(stacks.get()); }

Stack* new_stack() {
  constexpr size_t kPage = 4096;
  void* const memory =
      mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* const stack = static_cast<Stack*>(memory);
  stack->bytes = kPage;
  if (stacks.set(reinterpret_cast<uintptr_t>(stack))) return stack;
  release(stack);
  return nullptr;
}

// The thread's stack with room for one more. Null without memory.
Stack* reserve() {
  Stack* const stack = stack_of_thread();
  if (!stack) return new_stack();
  if (sizeof(Stack) + stack->count * sizeof(Configuration) <= stack->bytes) return stack;
  void* const memory = mremap(stack, stack->bytes, stack->bytes * 2, MREMAP_MAYMOVE);
  if (memory == MAP_FAILED) return nullptr;
  auto* const larger = static_cast<Stack*>(memory);
  larger->bytes *= 2;
  // Cannot fail: this thread has the room already.
  stacks.set(reinterpret_cast<uintptr_t>(larger));
  return larger;
}

}  // namespace

extern "C" {

unsigned torchada_adapter___cudaPushCallConfiguration(Dim3 grid, Dim3 block, size_t shared_bytes,
                                                      void* stream) {
  Stack* const stack = reserve();
  if (!stack) return static_cast<unsigned>(torchada::cuda::cudaErrorMemoryAllocation);
  stack->configurations[stack->count++] = {grid, block, shared_bytes, stream};
  return 0;
}

int torchada_adapter___cudaPopCallConfiguration(Dim3* grid, Dim3* block, size_t* shared_bytes,
                                                void** stream) {
  Stack* const stack = stack_of_thread();
  if (!stack || stack->count == 0) {
    return fail(static_cast<int>(torchada::cuda::cudaErrorMissingConfiguration));
  }
  const Configuration& last = stack->configurations[--stack->count];
  *grid = last.grid;
  *block = last.block;
  *shared_bytes = last.shared_bytes;
  *stream = last.stream;
  return 0;
}

}  // extern "C"
