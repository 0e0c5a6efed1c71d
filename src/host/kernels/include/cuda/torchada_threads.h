// Threads, blocks and shared memory.
#pragma once

#include "../torchada_image_state.h"

#ifdef TORCHADA_PARSE
extern __device__ const uint3 threadIdx, blockIdx;
extern __device__ const dim3 blockDim, gridDim;
extern __device__ torchada_state torchada_here;
#else
// In a copy of a kernel (translate/copies.cpp), torchada_self is a parameter.
#ifndef TORCHADA_SELF_IN_REGISTER
static struct {
  torchada_state& operator*() const { return torchada_of_os_thread; }
} const torchada_self{};
#endif
#define torchada_here (*torchada_self)
#define threadIdx reinterpret_cast<const uint3&>(torchada_here.thread)
#define blockIdx reinterpret_cast<const uint3&>(torchada_here.block)
#define blockDim reinterpret_cast<const dim3&>(torchada_here.block_dim)
#define gridDim reinterpret_cast<const dim3&>(torchada_here.grid_dim)
#endif

static constexpr int warpSize = TORCHADA_WARP_SIZE;

TORCHADA_DEVICE void __syncthreads() { torchada_here.engine->barrier(0); }
TORCHADA_DEVICE int __syncthreads_count(int predicate) {
  return torchada_here.engine->barrier(predicate);
}
TORCHADA_DEVICE int __syncthreads_and(int predicate) { return !__syncthreads_count(!predicate); }
TORCHADA_DEVICE int __syncthreads_or(int predicate) { return __syncthreads_count(predicate) != 0; }

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

// Both count nanoseconds, as the devices' clock rate says (src/host/musa/device_clock.h). A thread
// that waits by them reads them again and again.
TORCHADA_DEVICE long long clock64() {
  torchada_spin(&torchada_here);
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}
TORCHADA_DEVICE clock_t clock() { return clock64(); }

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

// The block's memory for a variable. `Tag` is a type of the place where it is declared.
template <typename T, typename Tag>
struct Shared {
  static uint32_t number;
};
template <typename T, typename Tag>
uint32_t Shared<T, Tag>::number = 0;

template <typename T, typename Tag>
inline T& shared() {
  void* memory = torchada_here.shared[__atomic_load_n(&Shared<T, Tag>::number, __ATOMIC_RELAXED)];
  if (__builtin_expect(memory == nullptr, 0)) {
    memory = torchada_here.engine->shared(&Shared<T, Tag>::number, sizeof(T));
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

// Asks a copy of a kernel whether threads have no work; or has been told that all have some.
struct Asked {
  const bool asks;
  unsigned int busy;  // all bits or none
  bool returns(bool condition) {
    busy &= -static_cast<unsigned int>(!asks || !condition);
    return asks && condition;
  }
  bool works(bool condition) {
    busy &= -static_cast<unsigned int>(!asks || condition);
    return !asks;
  }
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
  static constexpr void (*kNoBlocks)(torchada_state*, const unsigned char*, unsigned int) = nullptr;

  static void run_with(torchada_state* state, Arguments... arguments) {
    while (torchada_next(state) != 0) kKernel(arguments...);
  }

  // A block at a time, by a copy of the kernel. In this loop nothing but `x` changes from thread to
  // thread, and it is known to be small, so it can become a loop over vectors. The threads' order
  // is that of run_with().
  template <void (*kCopy)(torchada_state*, Asked*, Arguments...)>
  struct Blocks {
    __attribute__((always_inline)) static void each(torchada_state here, Asked* asked,
                                                    Arguments... arguments) {
      const unsigned int width = here.block_dim.x = (here.block_dim.x - 1) % 1024 + 1;
      here.block.x %= TORCHADA_WIDEST_GRID;
      for (unsigned int z = 0; z < here.block_dim.z; ++z) {
        for (unsigned int y = 0; y < here.block_dim.y; ++y) {
          for (unsigned int x = 0; x < width; ++x) {
            here.thread = {x, y, z};
            kCopy(&here, asked, arguments...);
          }
          if (asked->busy == 0) return;
        }
      }
    }
    static void run_with(torchada_state* state, unsigned int count, Arguments... arguments) {
      while (true) {
        Asked question{true, ~0U};
        each(*state, &question, arguments...);
        if (question.busy != 0) {
          Asked answer{false, ~0U};
          state->begun = state->index = state->count;
          asm volatile("" : : : "memory");  // What a fault in the loop finds.
          each(*state, &answer, arguments...);
        } else {
          state->begun = 0;
          Kernel::run_with(state, arguments...);
        }
        if (--count == 0) return;
        torchada_advance(&state->block, &state->grid_dim);
      }
    }
    static void run(torchada_state* state, const unsigned char* arguments, unsigned int count) {
      with_arguments(run_with, state, arguments, std::index_sequence_for<Arguments...>(), count);
    }
  };

  template <typename Loop, size_t... kIndexes, typename... Extra>
  static void with_arguments(Loop loop, torchada_state* state, const unsigned char* arguments,
                             std::index_sequence<kIndexes...>, Extra... extra) {
#ifdef TORCHADA_SELF_IN_REGISTER
    torchada_state* const before = torchada_self;
    torchada_self = state;
    asm volatile("" : : : "memory");
#endif
    loop(state, extra...,
         *reinterpret_cast<const std::remove_reference_t<Arguments>*>(
             arguments + kLayout.parameters[kIndexes].offset)...);
#ifdef TORCHADA_SELF_IN_REGISTER
    asm volatile("" : : : "memory");
    torchada_self = before;
#endif
  }
  static void run(torchada_state* state, const unsigned char* arguments) {
    with_arguments(run_with, state, arguments, std::index_sequence_for<Arguments...>());
  }
  static constexpr torchada_kernel described(const char* name, uint32_t max_threads,
                                             uint32_t shared_size, decltype(kNoBlocks) blocks) {
    return {name,
            run,
            kLayout.parameters,
            kCount,
            kLayout.parameters[kCount].offset,
            max_threads,
            shared_size,
            blocks};
  }
};

}  // namespace torchada

// What the translator adds at the end of a source. `blocks` is TORCHADA_BLOCKS or TORCHADA_EACH.
#define TORCHADA_KERNEL(number, name, max_threads, shared_size, kernel, blocks, ...)               \
  using torchada_kernel_type_##number = torchada::Kernel<__VA_ARGS__, kernel>;                     \
  __attribute__((section(TORCHADA_NAMES_SECTION),                                                  \
                 used)) static const char torchada_kernel_name_##number[] = name;                  \
  static constexpr torchada_kernel torchada_kernel_##number =                                      \
      torchada_kernel_type_##number::described(torchada_kernel_name_##number, max_threads,         \
                                               shared_size, torchada_kernel_type_##number blocks); \
  __attribute__((section("torchada_kernels"),                                                      \
                 used)) static const torchada_kernel* const torchada_kernel_pointer_##number =     \
      &torchada_kernel_##number;
#define TORCHADA_BLOCKS(copy) ::Blocks<copy>::run
#define TORCHADA_EACH() ::kNoBlocks
#define TORCHADA_VARIABLE(number, name, variable, is_constant)                                     \
  static const torchada_variable torchada_variable_##number = {                                    \
      name, const_cast<void*>(reinterpret_cast<const volatile void*>(&variable)),                  \
      sizeof(variable), is_constant};                                                              \
  __attribute__((section("torchada_variables"),                                                    \
                 used)) static const torchada_variable* const torchada_variable_pointer_##number = \
      &torchada_variable_##number;
#endif
