// Threads, blocks and shared memory.
#pragma once

#include "../torchada_image.h"

#ifdef TORCHADA_PARSE
extern __device__ const uint3 threadIdx, blockIdx;
extern __device__ const dim3 blockDim, gridDim;
extern __device__ torchada_state torchada_here;
#else
extern "C" {
__attribute__((weak, visibility("hidden"))) __thread torchada_state torchada_of_os_thread;
}
#ifdef TORCHADA_SELF_IN_REGISTER
#define torchada_here (*torchada_self)
#else
#define torchada_here torchada_of_os_thread
#endif
#define threadIdx reinterpret_cast<const uint3&>(torchada_here.thread)
#define blockIdx reinterpret_cast<const uint3&>(torchada_here.block)
#define blockDim reinterpret_cast<const dim3&>(torchada_here.block_dim)
#define gridDim reinterpret_cast<const dim3&>(torchada_here.grid_dim)
#endif

#ifndef TORCHADA_WARP_SIZE
#define TORCHADA_WARP_SIZE 32
#endif
static constexpr int warpSize = TORCHADA_WARP_SIZE;

TORCHADA_DEVICE void __syncthreads() { torchada_here.engine->barrier(TORCHADA_VOTE_COUNT, 0); }
TORCHADA_DEVICE int __syncthreads_count(int predicate) {
  return torchada_here.engine->barrier(TORCHADA_VOTE_COUNT, predicate);
}
TORCHADA_DEVICE int __syncthreads_and(int predicate) {
  return torchada_here.engine->barrier(TORCHADA_VOTE_AND, predicate);
}
TORCHADA_DEVICE int __syncthreads_or(int predicate) {
  return torchada_here.engine->barrier(TORCHADA_VOTE_OR, predicate);
}

// A fence is also where a thread that waits for a flag passes: the others get their turn.
TORCHADA_DEVICE void __threadfence() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  torchada_spin(&torchada_here);
}
TORCHADA_DEVICE void __threadfence_block() { __threadfence(); }
TORCHADA_DEVICE void __threadfence_system() { __threadfence(); }
TORCHADA_DEVICE void __nanosleep(unsigned int) { torchada_here.engine->yield(); }

TORCHADA_DEVICE void __trap() {
  torchada_here.engine->end(TORCHADA_END_TRAP, nullptr);
  __builtin_unreachable();
}
TORCHADA_DEVICE void __brkpt() {}
TORCHADA_DEVICE long long clock64() { return __builtin_ia32_rdtsc(); }
TORCHADA_DEVICE clock_t clock() { return static_cast<clock_t>(clock64()); }

#ifndef TORCHADA_PARSE
// assert() ends the kernel, not the process.
#undef __assert_fail
TORCHADA_DEVICE void torchada_assert_fail(const char* what, const char* file, unsigned int line,
                                          const char*) {
  char text[256];
  snprintf(text, sizeof text, "%s:%u: assertion `%s' failed", file, line, what);
  torchada_here.engine->end(TORCHADA_END_ASSERT, text);
  __builtin_unreachable();
}
#define __assert_fail torchada_assert_fail

namespace torchada {

extern "C" __attribute__((weak, visibility("hidden"))) uint32_t torchada_shared_variables = 0;

// The block's memory for a variable. `Tag` is a type of the place where it is declared.
template <typename T, typename Tag>
struct Shared {
  static const uint32_t index;
};
template <typename T, typename Tag>
const uint32_t Shared<T, Tag>::index = torchada_shared_variables++;

template <typename T, typename Tag>
inline T& shared() {
  const uint32_t index = Shared<T, Tag>::index;
  void* memory = torchada_here.shared[index];
  if (__builtin_expect(memory == nullptr, 0)) {
    memory = torchada_here.engine->shared(index, sizeof(T));
  }
  return *static_cast<T*>(memory);
}
template <typename T>
inline T& dynamic_shared() {
  return *static_cast<T*>(torchada_here.engine->dynamic_shared());
}
// `extern __shared__` outside of functions.
template <typename T>
struct DynamicShared {
  operator T*() const { return static_cast<T*>(torchada_here.engine->dynamic_shared()); }
};

template <typename Function, Function* kKernel>
struct Kernel;
template <typename... Arguments, void (*kKernel)(Arguments...)>
struct Kernel<void(Arguments...), kKernel> {
  static constexpr uint32_t kCount = sizeof...(Arguments);
  struct Layout {
    torchada_parameter parameters[kCount + 1] = {};
    constexpr Layout() {
      const uint32_t sizes[] = {uint32_t{sizeof(Arguments)}..., 0};
      const uint32_t alignments[] = {uint32_t{alignof(Arguments)}..., 1};
      uint32_t end = 0;
      for (uint32_t i = 0; i <= kCount; ++i) {
        end = (end + alignments[i] - 1) / alignments[i] * alignments[i];
        parameters[i] = {end, sizes[i]};
        end += sizes[i];
      }
    }
  };
  static constexpr Layout kLayout{};

  // torchada_next(), with what it counts in registers while no thread waits.
  static void run_with(torchada_state* state, Arguments... arguments) {
    const unsigned int width = state->block_dim.x;
    const unsigned int count = state->count;
    while (state->engine->next() != 0) {
      unsigned int begun = state->begun;
      unsigned int x = state->thread.x;
      while (true) {
        kKernel(arguments...);
        if (state->begun != begun || state->suspended != 0 || begun == count || ++x == width) break;
        state->index = begun;
        state->begun = ++begun;
        state->thread.x = x;
      }
    }
  }
  template <size_t... kIndexes>
  static void run_all(torchada_state* state, const unsigned char* arguments,
                      std::index_sequence<kIndexes...>) {
    run_with(state, *reinterpret_cast<const std::remove_reference_t<Arguments>*>(
                        arguments + kLayout.parameters[kIndexes].offset)...);
  }
  static void run(torchada_state* state, const unsigned char* arguments) {
#ifdef TORCHADA_SELF_IN_REGISTER
    torchada_state* const before = torchada_self;
    torchada_self = state;
    asm volatile("" : : : "memory");
    run_all(torchada_self, arguments, std::index_sequence_for<Arguments...>());
    asm volatile("" : : : "memory");
    torchada_self = before;
#else
    run_all(state, arguments, std::index_sequence_for<Arguments...>());
#endif
  }
};

}  // namespace torchada

// What the translator adds at the end of a source.
#define TORCHADA_KERNEL(number, name, max_threads, shared_size, kernel, ...)                   \
  static const torchada_kernel torchada_kernel_##number = {                                    \
      name,                                                                                    \
      torchada::Kernel<__VA_ARGS__, kernel>::run,                                              \
      torchada::Kernel<__VA_ARGS__, kernel>::kLayout.parameters,                               \
      torchada::Kernel<__VA_ARGS__, kernel>::kCount,                                           \
      torchada::Kernel<__VA_ARGS__, kernel>::kLayout                                           \
          .parameters[torchada::Kernel<__VA_ARGS__, kernel>::kCount]                           \
          .offset,                                                                             \
      max_threads,                                                                             \
      shared_size};                                                                            \
  __attribute__((section("torchada_kernels"),                                                  \
                 used)) static const torchada_kernel* const torchada_kernel_pointer_##number = \
      &torchada_kernel_##number;
#define TORCHADA_VARIABLE(number, name, variable, is_constant)                                     \
  static const torchada_variable torchada_variable_##number = {                                    \
      name, const_cast<void*>(reinterpret_cast<const volatile void*>(&variable)),                  \
      sizeof(variable), is_constant};                                                              \
  __attribute__((section("torchada_variables"),                                                    \
                 used)) static const torchada_variable* const torchada_variable_pointer_##number = \
      &torchada_variable_##number;
#endif
