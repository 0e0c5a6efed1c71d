// The ways to muRAND that rows share (`via` in mappings/forward/curand.yaml). Each gets what CUDA
// documents about the arguments, or null.
#pragma once

#include <stdint.h>

#include <type_traits>

#include "facts.h"
#include "stubs/adapting/conditions.h"
#include "stubs/adapting/on_device.h"
#include "stubs/adapting/outcome.h"
#include "stubs/adapting/passed.h"
#include "stubs/curand/exponential.h"
#include "stubs/curand/host_generator.h"
#include "stubs/curand/no_generator.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"

namespace torchada::curand {

// Whether any generator was asked for numbers.
extern TORCHADA_HIDDEN uint8_t numbers_asked_for;

// Calls `generate` with device memory and copies the numbers. The default stream orders both,
// because host generators do not use the program's streams. Not inline: a call for a generator of
// the device would save the registers that only this needs.
template <typename Number, typename Generate>
__attribute__((noinline)) int copied(const void* handle, Number* to, size_t count,
                                     Generate generate) {
  if (count == 0) return 0;
  size_t bytes = 0;
  if (!to || __builtin_mul_overflow(count, sizeof(Number), &bytes)) {
    return fail(static_cast<int>(cuda::CURAND_STATUS_OUT_OF_RANGE));
  }
  const OnDevice on_device(device_of(handle));
  if (on_device.failed()) return fail(static_cast<int>(cuda::CURAND_STATUS_INITIALIZATION_FAILED));
  void* memory = nullptr;
  if (musaMalloc(&memory, bytes) != 0) {
    musaGetLastError();
    return fail(static_cast<int>(cuda::CURAND_STATUS_ALLOCATION_FAILED));
  }
  int status = generate(static_cast<Number*>(memory));
  if (status == 0 && musaMemcpy(to, memory, bytes, musa::musaMemcpyDeviceToHost) != 0) {
    status = fail(static_cast<int>(cuda::CURAND_STATUS_LAUNCH_FAILURE));
  }
  musaFree(memory);
  return status;
}

// The arguments of a call with conditions during the call. In memory, as in generated adapters:
// registers would have to be saved and restored. No condition is about mean and deviation.
struct Asked {
  void* volatile generator;
  void* volatile to;
  size_t volatile count;

  // What muRAND's status becomes: after a failure, and only then, the status that CUDA documents if
  // the arguments break a condition.
  int documented_or(int status, const uint8_t* conditions) const {
    if (__builtin_expect(status == 0, 1)) return 0;
    const int documented =
        documented_status<void*, void*, size_t>(conditions, generator, to, count, 0, 0);
    return documented != 0 ? fail(documented) : status;
  }
};

}  // namespace torchada::curand

namespace torchada::via {

struct Generator {
  void* handle;
};

// A function for which it is the same who owns the memory.
template <typename... Taken, typename... Given>
int generator(const Function& function, const uint8_t* /*conditions*/, int (*call)(void*, Taken...),
              Generator generator, Given... given) {
  if (!generator.handle) return curand::no_generator(function.cuda);
  return call(curand::generator_of(generator.handle), passed<Taken>(given)...);
}

// A function that makes numbers.
template <typename Number, typename... Taken, typename... Given>
int numbers(const Function& function, const uint8_t* conditions,
            int (*call)(void*, Number*, size_t, Taken...), Generator generator, void* to,
            size_t count, Given... given) {
  using curand::numbers_asked_for;
  void* const handle = generator.handle;
  if (!handle) return curand::no_generator(function.cuda);
  // Read first: a store would write the line at every call.
  if (__atomic_load_n(&numbers_asked_for, __ATOMIC_RELAXED) == 0) {
    __atomic_store_n(&numbers_asked_for, 1, __ATOMIC_RELAXED);
  }
  void* const own = curand::generator_of(handle);
  auto* const place = static_cast<Number*>(to);
  const auto made = [=](Number* memory) {
    if (!conditions) return call(own, memory, count, given...);
    const curand::Asked asked = {own, memory, count};
    return asked.documented_or(call(own, memory, count, given...), conditions);
  };
  return curand::is_host(handle) ? curand::copied(handle, place, count, made) : made(place);
}

// Log-normal numbers. NVIDIA's are exp() of its normal numbers (measured with its host generators).
template <typename Number>
int log_normal(const Function& function, const uint8_t* /*conditions*/, void* generator, void* out,
               size_t count, Number mean, Number deviation) {
  if (!generator) return curand::no_generator(function.cuda);
  if (!curand::is_host(generator)) {
    return refuse_argument(
        function.cuda, "generator", "a generator of the device",
        "no log-normal generator is publicly known in muRAND; apply exp() to the numbers of "
        "curandGenerateNormal, or use a host generator",
        static_cast<int>(cuda::CURAND_STATUS_INTERNAL_ERROR));
  }
  constexpr auto kNormal = [] {
    if constexpr (std::is_same_v<Number, float>)
      return torchada_own_curandGenerateNormal;
    else
      return torchada_own_curandGenerateNormalDouble;
  }();
  if (const int status = kNormal(generator, out, count, mean, deviation)) return status;
  Number* const numbers = static_cast<Number*>(out);
  for (size_t i = 0; i < count; ++i) {
    numbers[i] = static_cast<Number>(curand::exponential(static_cast<double>(numbers[i])));
  }
  return 0;
}

}  // namespace torchada::via
