// Functions that take a generator: one of the device (muRAND's own) or of the host
// (host_generator.h).
#include "facts.h"
#include "stubs/adapting/conditions.h"
#include "stubs/adapting/on_device.h"
#include "stubs/curand/exponential.h"
#include "stubs/curand/host_generator.h"
#include "stubs/curand/no_generator.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/log.h"
#include "stubs/reporting/refusal.h"
#include "stubs/resolving/coverage.h"

namespace {

using torchada::fail;
using torchada::OnDevice;
using torchada::curand::device_of;
using torchada::curand::generator_of;
using torchada::curand::host_handle;
using torchada::curand::is_host;
using torchada::curand::no_generator;
namespace cuda = torchada::cuda;
namespace musa = torchada::musa;

constexpr int kNotInitialized = static_cast<int>(cuda::CURAND_STATUS_NOT_INITIALIZED);
constexpr int kOutOfRange = static_cast<int>(cuda::CURAND_STATUS_OUT_OF_RANGE);
constexpr int kAllocationFailed = static_cast<int>(cuda::CURAND_STATUS_ALLOCATION_FAILED);
constexpr int kTypeError = static_cast<int>(cuda::CURAND_STATUS_TYPE_ERROR);
constexpr int kLaunchFailure = static_cast<int>(cuda::CURAND_STATUS_LAUNCH_FAILURE);
constexpr int kInitializationFailed = static_cast<int>(cuda::CURAND_STATUS_INITIALIZATION_FAILED);
constexpr int kInternalError = static_cast<int>(cuda::CURAND_STATUS_INTERNAL_ERROR);

// Calls `generate` with device memory and copies the numbers. The default stream orders both,
// because host generators do not use the program's streams. Not inline: a call for a generator of
// the device would save the registers that only this needs.
template <typename Number, typename Generate>
__attribute__((noinline)) int copied(const void* handle, Number* to, size_t count,
                                     Generate generate) {
  if (count == 0) return 0;
  size_t bytes = 0;
  if (!to || __builtin_mul_overflow(count, sizeof(Number), &bytes)) return fail(kOutOfRange);
  const OnDevice on_device(device_of(handle));
  if (on_device.failed()) return fail(kInitializationFailed);
  void* memory = nullptr;
  if (musaMalloc(&memory, bytes) != 0) {
    musaGetLastError();
    return fail(kAllocationFailed);
  }
  int status = generate(static_cast<Number*>(memory));
  if (status == 0 && musaMemcpy(to, memory, bytes, musa::musaMemcpyDeviceToHost) != 0) {
    status = fail(kLaunchFailure);
  }
  musaFree(memory);
  return status;
}

// The arguments of a call for normal numbers during the call. In memory, as in generated adapters:
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
        torchada::documented_status<void*, void*, size_t>(conditions, generator, to, count, 0, 0);
    return documented != 0 ? fail(documented) : status;
  }
};

// Whether any generator was asked for numbers.
uint8_t numbers_asked_for;

// Runs `call` with muRAND's generator and the memory to write to.
template <typename Number, typename Call>
int generate(const char* function, void* handle, Number* to, size_t count, Call call) {
  if (!handle) return no_generator(function);
  // Read first: a store would write the line at every call.
  if (__atomic_load_n(&numbers_asked_for, __ATOMIC_RELAXED) == 0) {
    __atomic_store_n(&numbers_asked_for, 1, __ATOMIC_RELAXED);
  }
  void* generator = generator_of(handle);
  if (!is_host(handle)) return call(generator, to);
  return copied(handle, to, count, [=](Number* memory) { return call(generator, memory); });
}

// `normal` makes normal numbers in host memory. NVIDIA's log-normal numbers are exp() of its normal
// numbers (measured with its host generators).
template <typename Number, typename Normal>
int log_normal(const char* function, void* handle, Number* to, size_t count, Normal normal) {
  if (!handle) return no_generator(function);
  if (!is_host(handle)) {
    return torchada::refuse_argument(
        function, "generator", "a generator of the device",
        "no log-normal generator is publicly known in muRAND; apply exp() to the numbers of "
        "curandGenerateNormal, or use a host generator",
        kInternalError);
  }
  if (const int status = normal()) return status;
  for (size_t i = 0; i < count; ++i) {
    to[i] = static_cast<Number>(torchada::curand::exponential(static_cast<double>(to[i])));
  }
  return 0;
}

}  // namespace

extern "C" {

int torchada_adapter_curandCreateGeneratorHost(void** handle, int type) {
  if (!handle) return fail(kNotInitialized);
  int device = 0;
  if (musaGetDevice(&device) != 0) {
    torchada::report_absence("curandCreateGeneratorHost");
    return fail(kInitializationFailed);
  }
  constexpr const char* kName = "curandCreateGeneratorHost";
  constexpr unsigned kType = 1;  // The parameter.
  if (torchada::is_lacking(kName, kType, type)) {
    // Here, so that the line has the name of the function that the program called.
    return torchada::refuse_enumerator(kName, kType, type, nullptr, kTypeError);
  }
  void* generator = nullptr;
  if (const int status = torchada_own_curandCreateGenerator(&generator, type)) return status;
  void* made = host_handle(generator, device);
  if (!made) {
    murandDestroyGenerator(generator);
    return fail(kInitializationFailed);
  }
  *handle = made;
  return 0;
}

int torchada_adapter_curandDestroyGenerator(void* handle) {
  return handle ? murandDestroyGenerator(generator_of(handle))
                : no_generator("curandDestroyGenerator");
}

int torchada_adapter_curandSetStream(void* handle, void* stream) {
  if (!handle) return no_generator("curandSetStream");
  return is_host(handle) ? 0 : murandSetStream(handle, stream);
}

int torchada_adapter_curandSetPseudoRandomGeneratorSeed(void* handle, unsigned long long seed) {
  if (!handle) return no_generator("curandSetPseudoRandomGeneratorSeed");
  return murandSetPseudoRandomGeneratorSeed(generator_of(handle), seed);
}

int torchada_adapter_curandSetGeneratorOffset(void* handle, unsigned long long offset) {
  return handle ? murandSetGeneratorOffset(generator_of(handle), offset)
                : no_generator("curandSetGeneratorOffset");
}

// Sets up the state, as the first numbers would: so there is nothing to do before them. After them,
// CUDA's numbers change with two types of generators (measured with NVIDIA's host generators). A
// handle is muRAND's generator, which tells neither its type nor whether it gave numbers.
int torchada_adapter_curandGenerateSeeds(const void* handle) {
  if (!handle) return no_generator("curandGenerateSeeds");
  static uint8_t said;
  if (__atomic_load_n(&numbers_asked_for, __ATOMIC_RELAXED) != 0 &&
      __atomic_exchange_n(&said, 1, __ATOMIC_RELAXED) == 0) {
    torchada::Line line;
    line << "curandGenerateSeeds has no effect; if the generator has given numbers, CUDA's starts "
            "over with CURAND_RNG_PSEUDO_MTGP32, and goes on elsewhere with "
            "CURAND_RNG_PSEUDO_PHILOX4_32_10";
    torchada::log(torchada::LogLevel::kWarn, line);
  }
  return 0;
}

int torchada_adapter_curandGenerate(void* handle, unsigned* to, size_t count) {
  return generate("curandGenerate", handle, to, count, [=](void* generator, unsigned* memory) {
    return murandGenerate(generator, memory, count);
  });
}

int torchada_adapter_curandGenerateLongLong(void* handle, unsigned long long* to, size_t count) {
  return generate("curandGenerateLongLong", handle, to, count,
                  [=](void* generator, unsigned long long* memory) {
                    return murandGenerateLongLong(generator, memory, count);
                  });
}

int torchada_adapter_curandGenerateUniform(void* handle, float* to, size_t count) {
  return generate("curandGenerateUniform", handle, to, count, [=](void* generator, float* memory) {
    return murandGenerateUniform(generator, memory, count);
  });
}

int torchada_adapter_curandGenerateUniformDouble(void* handle, double* to, size_t count) {
  return generate("curandGenerateUniformDouble", handle, to, count,
                  [=](void* generator, double* memory) {
                    return murandGenerateUniformDouble(generator, memory, count);
                  });
}

int torchada_adapter_curandGenerateNormal(void* handle, float* to, size_t count, float mean,
                                          float deviation) {
  return generate("curandGenerateNormal", handle, to, count, [=](void* generator, float* memory) {
    const Asked asked = {generator, memory, count};
    return asked.documented_or(murandGenerateNormal(generator, memory, count, mean, deviation),
                               torchada::kConditions_curandGenerateNormal);
  });
}

int torchada_adapter_curandGenerateNormalDouble(void* handle, double* to, size_t count, double mean,
                                                double deviation) {
  return generate("curandGenerateNormalDouble", handle, to, count,
                  [=](void* generator, double* memory) {
                    const Asked asked = {generator, memory, count};
                    return asked.documented_or(
                        murandGenerateNormalDouble(generator, memory, count, mean, deviation),
                        torchada::kConditions_curandGenerateNormalDouble);
                  });
}

int torchada_adapter_curandGenerateLogNormal(void* handle, float* to, size_t count, float mean,
                                             float deviation) {
  return log_normal("curandGenerateLogNormal", handle, to, count, [=] {
    return torchada_own_curandGenerateNormal(handle, to, count, mean, deviation);
  });
}

int torchada_adapter_curandGenerateLogNormalDouble(void* handle, double* to, size_t count,
                                                   double mean, double deviation) {
  return log_normal("curandGenerateLogNormalDouble", handle, to, count, [=] {
    return torchada_own_curandGenerateNormalDouble(handle, to, count, mean, deviation);
  });
}

}  // extern "C"
